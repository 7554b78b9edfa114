/* What the words come to: the variant, the rows, the net and the training's problem. */
#include "mlp/app/app.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/table.h"

/* Nets that learn the shipped sets; the user's words come first. */
static const struct preset {
    const char *name;
    int hidden, activation, epochs;
    double rate;
} presets[] = {
    {"breast_cancer", 16, MLP_TANH, 40, 0.02},
    {"digits", 32, MLP_TANH, 30, 0.05},
};
#define N_PRESETS ((int)(sizeof presets / sizeof *presets))

/* Variants whose threads train replicas. */
static const char *const with_replicas[] = {"openmp_trainer", "pthread", "mpi"};

static bool is_minibatch(const struct session *s)
{
    return strcmp(s->variant->op, "mlp_minibatch") == 0;
}

/* Defaults of what belongs to the variant, and what it has no use for. */
static bool settle_variant(struct session *s, struct hpc_error *err)
{
    struct app_options *o = &s->o;
    const char *name = s->variant->name;
    if (!is_minibatch(s) && o->batch)
        return hpc_fail(err,
                        "--batch: variant %s updates after each sample, expected a minibatch "
                        "variant, such as --variant minibatch_naive",
                        name);
    if (is_minibatch(s) &&
        (o->type == HPC_F64 || o->replicas > 1 || o->networks > 1 || o->n_rates > 1))
        return hpc_fail(err, "variant %s trains one net in f32, expected no %s", name,
                        o->type == HPC_F64 ? "--type f64"
                        : o->replicas > 1  ? "--replicas"
                        : o->networks > 1  ? "--networks"
                                           : "list of rates");
    if (o->replicas > 1 && (o->networks > 1 || o->n_rates > 1))
        return hpc_fail(err,
                        "--replicas %d: several networks are trained, expected 1 with "
                        "--networks or a list of rates",
                        o->replicas);
    if (!o->type)
        o->type = is_minibatch(s) ? HPC_F32 : HPC_F64;
    if (!o->threads)
        o->threads = o->cores;
    if (!o->networks)
        o->networks = 1;
    for (size_t i = 0; !o->replicas && i < sizeof with_replicas / sizeof *with_replicas; i++)
        if (strcmp(with_replicas[i], name) == 0 && o->networks * o->n_rates <= 1)
            o->replicas = o->threads;
    if (!o->replicas)
        o->replicas = 1;
    if (!o->merge_every)
        o->merge_every = 1;
    if (!o->batch)
        o->batch = 32;
    return true;
}

/* --data NAME: its file, and a net where none is given. */
static bool settle_data(struct session *s, struct hpc_error *err)
{
    struct app_options *o = &s->o;
    bool shaped = o->n_hidden >= 0 || o->n_activations >= 0 || o->weights_in;
    if (!o->data)
        return true;
    if (o->train || o->test)
        return hpc_fail(err, "--data: given with %s, expected one of them",
                        o->train ? "--train" : "--test");
    for (int i = 0; i < N_PRESETS; i++) {
        const struct preset *p = &presets[i];
        if (strcmp(p->name, o->data) != 0)
            continue;
        o->train = s->path = hpc_printf("%s%sdata/%s.csv", strcmp(o->root, ".") ? o->root : "",
                                        strcmp(o->root, ".") ? "/" : "", p->name);
        if (!shaped) {
            o->n_hidden = o->n_activations = 1;
            o->hidden[0] = p->hidden;
            o->hidden_activation[0] = p->activation;
        }
        if (!o->n_rates)
            o->rates[o->n_rates++] = p->rate;
        if (o->epochs < 0)
            o->epochs = p->epochs;
        if (o->scale == SCALE_UNSET && !o->weights_in)
            o->scale = SCALE_STANDARD;
        return true;
    }
    return app_wrong("--data", o->data, "breast_cancer or digits", err);
}

static bool read_rows(struct session *s, struct hpc_error *err)
{
    struct app_options *o = &s->o;
    bool only_classify = o->weights_in && o->epochs == 0 && !o->train;
    if (only_classify ? !o->test : !o->train)
        return hpc_fail(err, only_classify ? "no data: expected --test FILE or --data NAME"
                                           : "no data: expected --train FILE or --data NAME, "
                                             "see ./hpclab mlp --help");
    if (o->train && !dataset_read(o->train, o->train_rows, o->train_columns, &s->train, err))
        return false;
    if (o->test && !dataset_read(o->test, o->test_rows, o->test_columns, &s->test, err))
        return false;
    if (!o->test && !dataset_split(&s->train, o->seed, &s->test, err))
        return false;
    if (o->train && s->train.inputs != s->test.inputs)
        return hpc_fail(err, "%s: %d columns found, expected %d as in %s", o->test,
                        s->test.inputs + 1, s->train.inputs + 1, o->train);
    return true;
}

/* The net's shape by the words, the data deciding what they leave open. */
static bool shape_by_words(struct session *s, struct mlp_problem *p, struct hpc_error *err)
{
    struct app_options *o = &s->o;
    int classes = s->train.classes > s->test.classes ? s->train.classes : s->test.classes;
    if (o->n_hidden < 0)
        return hpc_fail(err, "no net: expected --layers, such as --layers 4,5,5, or --layers none");
    if (o->n_activations >= 0 && o->n_activations != o->n_hidden)
        return hpc_fail(err,
                        "activations of the hidden layers: %d given, expected %d, one for "
                        "each hidden layer",
                        o->n_activations, o->n_hidden);
    if (!o->outputs) {
        o->outputs = classes <= 2 ? 1 : classes;
        o->output_activation = classes <= 2 ? MLP_SIGMOID : MLP_SOFTMAX;
    }
    p->n_layers = o->n_hidden + 2;
    p->size[0] = s->test.inputs;
    for (int i = 0; i < o->n_hidden; i++) {
        p->size[i + 1] = o->hidden[i];
        p->activation[i + 1] = o->n_activations >= 0 ? o->hidden_activation[i] : MLP_TANH;
    }
    p->size[p->n_layers - 1] = o->outputs;
    p->activation[p->n_layers - 1] = o->output_activation;
    return true;
}

/* The net's shape by a weights file; words about it must say the same. */
static bool shape_by_file(struct session *s, struct hpc_error *err)
{
    const struct app_options *o = &s->o;
    const struct mlp_problem *p = &s->m.p;
    int last = p->n_layers - 1;
    bool same = o->n_hidden < 0 || o->n_hidden == last - 1;
    for (int i = 0; same && i < o->n_hidden; i++)
        same = o->hidden[i] == p->size[i + 1];
    for (int i = 0; same && i < o->n_activations; i++)
        same = i < last && o->hidden_activation[i] == p->activation[i + 1];
    if (o->outputs)
        same = same && o->outputs == p->size[last] && o->output_activation == p->activation[last];
    if (!same)
        return hpc_fail(err,
                        "%s: holds another net than the words ask for, expected the same "
                        "layers and activations, or none given",
                        o->weights_in);
    if (o->scale)
        return hpc_fail(err,
                        "--scale: given with --weights-in, expected one of them: the scaling "
                        "of %s is used",
                        o->weights_in);
    if (o->networks > 1)
        return hpc_fail(err, "--networks: given with --weights-in, expected one of them");
    if (s->test.inputs != p->size[0])
        return hpc_fail(err, "%s: %d columns found, expected %d inputs of %s and the label",
                        s->test.path, s->test.inputs + 1, p->size[0], o->weights_in);
    return true;
}

static bool settle_problem(struct session *s, struct hpc_error *err)
{
    const struct app_options *o = &s->o;
    s->p = s->m.p;
    s->p.samples = s->train.rows;
    s->p.epochs = s->p.permutations = o->epochs;
    s->p.replicas = o->replicas;
    s->p.merge_every = o->merge_every;
    s->p.batch = o->batch < s->p.samples ? o->batch : s->p.samples;
    s->p.networks = o->networks * o->n_rates;
    s->p.type = o->type;
    if (is_minibatch(s))
        s->p.merge_every = s->p.networks = 1;
    double all = (double)mlp_weights(&s->p) * s->p.networks * s->p.replicas;
    if (all > APP_MAX_WEIGHTS)
        return hpc_fail(err,
                        "the net: %.0f weights in all networks and replicas, expected at "
                        "most %u",
                        all, APP_MAX_WEIGHTS);
    return true;
}

bool session_setup(struct session *s, struct hpc_error *err)
{
    struct app_options *o = &s->o;
    s->variant = hpc_variants[0]; /* the one that hpclab has linked */
    if (!settle_data(s, err))
        return false;
    if (!o->n_rates)
        o->rates[o->n_rates++] = 0.01;
    if (o->epochs < 0)
        o->epochs = 100;
    if (!settle_variant(s, err) || !paths_check(o, err))
        return false;
    if (o->weights_in && !weights_read(o->weights_in, &s->m, err))
        return false;
    if (!read_rows(s, err))
        return false;
    if (o->weights_in ? !shape_by_file(s, err) : !shape_by_words(s, &s->m.p, err))
        return false;
    int outputs = s->m.p.size[s->m.p.n_layers - 1];
    if ((o->train && !dataset_check_labels(&s->train, outputs, err)) ||
        !dataset_check_labels(&s->test, outputs, err))
        return false;
    if (!o->weights_in &&
        !scaling_fit(&s->train, o->scale ? o->scale : SCALE_NONE, &s->m.scaling, err))
        return false;
    scaling_apply(&s->m.scaling, &s->train);
    scaling_apply(&s->m.scaling, &s->test);
    return settle_problem(s, err);
}
