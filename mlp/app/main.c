/* hpclab mlp: read, train, classify, write. See app.h. */
#define _GNU_SOURCE
#include "mlp/app/app.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/table.h"
#include "common/ui.h"

#define EXIT_INTERRUPTED 130

static int report(const struct hpc_error *err)
{
    fflush(stdout);
    fprintf(stderr, "hpclab mlp: %s\n", err->text);
    return err->status;
}

static void on_interrupt(int signal_number)
{
    (void)signal_number;
    train_stop = 1; /* a second Ctrl-C ends the process at once */
}

static void print_net(const struct mlp_problem *p)
{
    printf("Net: %d inputs", p->size[0]);
    for (int l = 1; l < p->n_layers; l++)
        printf(", %d %s", p->size[l], app_activation_name(p->activation[l]));
    printf("; %zu weights\n", mlp_weights(p));
}

static void print_session(const struct session *s)
{
    static const char *const scaling[] = {"none", "none", "standard", "minmax"};
    const struct app_options *o = &s->o;
    if (s->train.rows)
        printf("Training set: %s, %d rows\n", s->train.path, s->train.rows);
    printf("Test set: %s, %d rows%s\n", s->test.path, s->test.rows,
           o->test ? "" : ", kept back by the seed");
    print_net(&s->p);
    printf("Scaling of inputs: %s\n", !o->weights_in        ? scaling[o->scale]
                                      : s->m.scaling.inputs ? "as in the weights file"
                                                            : "none");
    if (o->epochs > 0) {
        printf("Variant: %s, %s, rate %g%s, seed %llu", s->variant->name,
               o->type == HPC_F32 ? "f32" : "f64", o->rates[0], o->n_rates > 1 ? ", .." : "",
               (unsigned long long)o->seed);
        if (s->p.replicas > 1)
            printf(", %d replicas averaged every ", s->p.replicas);
        if (s->p.replicas > 1 && s->p.merge_every > 1)
            printf("%d epochs", s->p.merge_every);
        else if (s->p.replicas > 1)
            printf("epoch");
        if (strcmp(s->variant->op, "mlp_minibatch") == 0)
            printf(", batches of %d", s->p.batch);
        if (s->p.networks > 1)
            printf(", %d networks", s->p.networks);
        printf("\n");
    }
    printf("\n");
}

/* The networks of a sweep, and which of them has the least training error. */
static int best_network(const struct session *s, const struct training *t)
{
    int best = 0, networks = s->o.networks;
    size_t n = mlp_weights(&t->p);
    struct model m = s->m;
    int *predicted = hpc_malloc((size_t)s->test.rows * sizeof *predicted);
    for (int net = 1; net < t->p.networks; net++)
        if (isnan(t->error[best]) || t->error[net] < t->error[best])
            best = net;
    if (t->p.networks > 1 && !s->o.quiet) {
        printf("network                 seed        rate  training error  accuracy\n");
        for (int net = 0; net < t->p.networks; net++) {
            m.w = t->w + (size_t)net * n;
            int right = classify(&m, &s->test, predicted, NULL);
            printf("%7d %20llu %11g  %14.8f  %7.2f%%%s\n", net,
                   (unsigned long long)s->o.seed + (unsigned)(net % networks), t->rates[net],
                   t->error[net], 100.0 * right / s->test.rows, net == best ? "  kept" : "");
        }
    }
    free(predicted);
    return best;
}

static void start_networks(const struct session *s, struct training *t)
{
    size_t n = mlp_weights(&t->p), networks = (size_t)t->p.networks;
    t->w = hpc_malloc(networks * n * sizeof *t->w);
    t->rates = hpc_malloc(networks * sizeof *t->rates);
    t->error = hpc_malloc(networks * sizeof *t->error);
    for (size_t net = 0; net < networks; net++) {
        uint64_t seed = s->o.seed + net % (size_t)s->o.networks;
        double *w = s->m.w ? s->m.w : start_weights(&t->p, seed);
        memcpy(t->w + net * n, w, n * sizeof *w);
        if (!s->m.w)
            free(w);
        t->rates[net] = s->o.rates[net / (size_t)s->o.networks];
    }
}

/* Train, tell, write the weights and the curve. The status so far; s->m.w is what was learnt. */
static int train(struct session *s, bool plot)
{
    struct app_options *o = &s->o;
    struct hpc_error err = {0};
    struct training t = {.o = o, .variant = s->variant, .data = &s->train, .p = s->p};
    int status = HPC_EXIT_OK;
    t.y = dataset_targets(&s->train, s->p.size[s->p.n_layers - 1]);
    start_networks(s, &t);
    if (!o->quiet)
        printf("Training:\n---------\n");
    if (o->verbose && !o->quiet)
        printf("    epoch  training error     seconds\n");
    fflush(stdout);
    struct sigaction action = {.sa_handler = on_interrupt, .sa_flags = (int)SA_RESETHAND};
    sigaction(SIGINT, &action, NULL);
    enum train_end end = train_run(&t, &err);
    signal(SIGINT, SIG_DFL);
    if (end == TRAIN_FAILED)
        status = report(&err);
    if (end == TRAIN_DIVERGED) {
        report(&err);
        status = HPC_EXIT_BELOW;
    }
    if (status == HPC_EXIT_OK) {
        int best = best_network(s, &t);
        size_t n = mlp_weights(&t.p);
        free(s->m.w);
        s->m.w = hpc_malloc(n * sizeof *s->m.w);
        memcpy(s->m.w, t.w + (size_t)best * n, n * sizeof *s->m.w);
        if (!o->quiet)
            print_curve(&t);
        if (o->weights_out && !weights_write(o->weights_out, &s->m, &err))
            status = report(&err);
        else if (o->weights_out && !o->quiet)
            printf("Weights: %s\n", o->weights_out);
        if (plot && !plot_write(o->plot, &t.curve, "hpclab mlp: training error", &err))
            status = report(&err);
        else if (plot && !o->quiet)
            printf("Curve: %s\n", o->plot);
    }
    if (end == TRAIN_INTERRUPTED && status == HPC_EXIT_OK) {
        fflush(stdout);
        fprintf(stderr, "hpclab mlp: interrupted after epoch %d of %d%s\n", t.epochs_done,
                o->epochs, o->weights_out ? "; the weights so far are written" : "");
        status = EXIT_INTERRUPTED;
    }
    free(t.y);
    free(t.w);
    free(t.rates);
    free(t.error);
    free(t.curve.point);
    return status;
}

static int classify_and_tell(const struct session *s)
{
    const struct app_options *o = &s->o;
    struct hpc_error err = {0};
    int outputs = s->m.p.size[s->m.p.n_layers - 1], status = HPC_EXIT_OK;
    size_t rows = (size_t)s->test.rows;
    int *predicted = hpc_malloc(rows * sizeof *predicted);
    double *output = hpc_malloc(rows * (size_t)outputs * sizeof *output);
    if (!o->quiet)
        printf("%sClassifying:\n------------\n", s->trained ? "\n" : "");
    classify(&s->m, &s->test, predicted, output);
    print_metrics(&s->test, outputs == 1 ? 2 : outputs, predicted, o->quiet);
    if (o->predictions &&
        !predictions_write(o->predictions, &s->test, outputs, predicted, output, &err))
        status = report(&err);
    else if (o->predictions && !o->quiet)
        printf("Predictions: %s\n", o->predictions);
    free(predicted);
    free(output);
    return status;
}

static void session_free(struct session *s)
{
    free(s->path);
    dataset_free(&s->train);
    dataset_free(&s->test);
    scaling_free(&s->m.scaling);
    free(s->m.w);
}

static int run(struct session *s)
{
    struct hpc_error err = {0};
    bool plot = s->o.plot != NULL;
    if (!session_setup(s, &err))
        return report(&err);
    if (plot && (s->o.epochs == 0 || !have_gnuplot())) {
        fprintf(stderr, "hpclab mlp: no curve in %s: %s\n", s->o.plot,
                s->o.epochs ? "gnuplot is missing (./bootstrap brings it)" : "nothing is trained");
        plot = false;
    }
    if (!s->o.quiet)
        print_session(s);
    if (s->train.rows > 0 && (s->o.epochs > 0 || !s->m.w)) {
        s->trained = true;
        int status = train(s, plot);
        if (status != HPC_EXIT_OK)
            return status;
    } else if (s->o.weights_out) {
        if (!weights_write(s->o.weights_out, &s->m, &err))
            return report(&err);
    }
    return classify_and_tell(s);
}

int main(int argc, char **argv)
{
    static struct session s;
    struct hpc_error err = {0};
    if (!options_parse(&s.o, argc, argv, &err))
        return report(&err);
    ui_init(s.o.plain);
    int status = run(&s);
    session_free(&s);
    if (fflush(stdout) != 0 && status == HPC_EXIT_OK) {
        fprintf(stderr, "hpclab mlp: standard output cannot be written\n");
        status = HPC_EXIT_ENVIRONMENT;
    }
    return status;
}
