/* What is written: paths are tried before the training, so that nothing learnt is lost. */
#define _GNU_SOURCE
#include "mlp/app/app.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/ui.h"

#define OUTPUTS 3

/* A path that will be written, opened to see whether it can be. */
struct target {
    const char *option, *path; /* path NULL: not asked for */
    int fd;
    bool made; /* it was not there */
    struct stat is;
};

static bool target_open(struct target *t, struct hpc_error *err)
{
    t->made = access(t->path, F_OK) != 0;
    t->fd = open(t->path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
    if (t->fd < 0 || fstat(t->fd, &t->is) != 0)
        return hpc_fail(err, "%s %s: cannot be written: %s", t->option, t->path, strerror(errno));
    return true;
}

static bool same_file(const struct stat *a, const struct stat *b)
{
    return S_ISREG(a->st_mode) && a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* No output may be an input or another output; but weights that are read may be written anew. */
static bool target_alone(const struct target *t, const struct target *before, int n,
                         const struct app_options *o, struct hpc_error *err)
{
    const char *in[] = {o->train, o->test, o->weights_in};
    struct stat is;
    for (int i = 0; i < 3; i++)
        if (in[i] && stat(in[i], &is) == 0 && same_file(&t->is, &is) &&
            !(in[i] == o->weights_in && t->path == o->weights_out))
            return hpc_fail(err, "%s %s: would overwrite an input, expected another path",
                            t->option, t->path);
    for (int i = 0; i < n; i++)
        if (before[i].path && same_file(&t->is, &before[i].is))
            return hpc_fail(err, "%s %s: written by %s too, expected another path", t->option,
                            t->path, before[i].option);
    return true;
}

bool paths_check(const struct app_options *o, struct hpc_error *err)
{
    struct target t[OUTPUTS] = {{"--predictions", o->predictions, -1, false, {0}},
                                {"--weights-out", o->weights_out, -1, false, {0}},
                                {"--plot", o->plot, -1, false, {0}}};
    size_t n = o->plot ? strlen(o->plot) : 0;
    if (o->plot &&
        (n < 4 || (strcmp(o->plot + n - 4, ".png") != 0 && strcmp(o->plot + n - 4, ".svg") != 0)))
        return app_wrong("--plot", o->plot, "a name that ends in .png or .svg", err);
    bool ok = true;
    for (int i = 0; ok && i < OUTPUTS; i++)
        if (t[i].path)
            ok = target_open(&t[i], err) && target_alone(&t[i], t, i, o, err);
    for (int i = 0; i < OUTPUTS; i++) /* no new file stays behind, no old one is changed */
        if (t[i].fd >= 0) {
            close(t[i].fd);
            if (t[i].made)
                unlink(t[i].path);
        }
    return ok;
}

bool file_write(const char *path, const char *text, size_t n, struct hpc_error *err)
{
    FILE *f = fopen(path, "we");
    if (!f)
        return hpc_fail_env(err, "%s: cannot be written: %s", path, strerror(errno));
    bool ok = fwrite(text, 1, n, f) == n;
    int failure = errno;
    if (fclose(f) != 0) {
        ok = false;
        failure = errno;
    }
    return ok || hpc_fail_env(err, "%s: cannot be written: %s", path, strerror(failure));
}

bool predictions_write(const char *path, const struct dataset *d, int outputs, const int *predicted,
                       const double *output, struct hpc_error *err)
{
    char *text = NULL;
    size_t n = 0;
    FILE *f = open_memstream(&text, &n);
    if (!f)
        return hpc_fail_env(err, "%s: no memory to write it", path);
    fprintf(f, "row,actual,predicted");
    for (int k = 0; k < outputs; k++)
        fprintf(f, ",output_%d", k);
    fprintf(f, "\n");
    for (int i = 0; i < d->rows; i++) {
        fprintf(f, "%d,%d,%d", d->row[i], d->label[i], predicted[i]);
        for (int k = 0; k < outputs; k++)
            fprintf(f, ",%.17g", *output++);
        fprintf(f, "\n");
    }
    bool ok = fclose(f) == 0 && file_write(path, text, n, err);
    free(text);
    return ok;
}

bool have_gnuplot(void)
{
    const char *folders = getenv("PATH");
    while (folders && *folders) {
        size_t n = strcspn(folders, ":");
        char *path = hpc_printf("%.*s/gnuplot", (int)n, folders);
        bool there = access(path, X_OK) == 0;
        free(path);
        if (there)
            return true;
        folders += n + (folders[n] == ':');
    }
    return false;
}

/* gnuplot's words come through a pipe and its picture goes to standard output, so that no name of
 * a file ever becomes one of its words. */
static bool run_gnuplot(int picture, const char *words, size_t n)
{
    int pipe_fd[2];
    if (pipe2(pipe_fd, O_CLOEXEC) != 0)
        return false;
    pid_t pid = fork();
    if (pid == 0) {
        int quiet = open("/dev/null", O_WRONLY);
        if (dup2(pipe_fd[0], STDIN_FILENO) < 0 || dup2(picture, STDOUT_FILENO) < 0 ||
            dup2(quiet, STDERR_FILENO) < 0)
            _exit(127);
        execlp("gnuplot", "gnuplot", "-", (char *)NULL);
        _exit(127);
    }
    close(pipe_fd[0]);
    bool ok = pid > 0;
    signal(SIGPIPE, SIG_IGN); /* a gnuplot that does not start */
    while (ok && n > 0) {
        ssize_t done = write(pipe_fd[1], words, n);
        ok = done > 0;
        words += ok ? done : 0;
        n -= ok ? (size_t)done : 0;
    }
    close(pipe_fd[1]);
    int status = 0;
    return pid > 0 && waitpid(pid, &status, 0) == pid && ok && status == 0;
}

bool plot_write(const char *path, const struct curve *curve, const char *title,
                struct hpc_error *err)
{
    char *text = NULL;
    size_t n = 0;
    FILE *f = open_memstream(&text, &n);
    int picture = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (!f || picture < 0) {
        if (f)
            fclose(f);
        free(text);
        return hpc_fail_env(err, "%s: cannot be written: %s", path, strerror(errno));
    }
    bool svg = strcmp(path + strlen(path) - 4, ".svg") == 0;
    double least = curve->point[0].error, most = least;
    for (int i = 0; i < curve->n; i++) {
        least = curve->point[i].error < least ? curve->point[i].error : least;
        most = curve->point[i].error > most ? curve->point[i].error : most;
    }
    fprintf(f, "set terminal %s size 800,500\n", svg ? "svg" : "pngcairo");
    fprintf(f, "set title \"%s\" noenhanced\nset xlabel 'epoch'\n", title);
    fprintf(f, "set ylabel 'training error'\nset grid\nunset key\n");
    if (least > 0 && most > 10 * least)
        fprintf(f, "set logscale y\nset format y '%%g'\n");
    fprintf(f, "plot '-' using 1:2 with linespoints pointtype 7 pointsize 0.5\n");
    for (int i = 0; i < curve->n; i++)
        fprintf(f, "%d %.17g\n", curve->point[i].epoch, curve->point[i].error);
    fprintf(f, "e\n");
    bool ok = fclose(f) == 0 && run_gnuplot(picture, text, n);
    free(text);
    close(picture);
    return ok || hpc_fail_env(err, "%s: gnuplot failed, no curve was drawn", path);
}

void print_curve(const struct training *t)
{
    static const int told[] = {10, 20, 40};
    const struct curve *c = &t->curve;
    printf("Training error%s: ", t->p.networks > 1 ? ", the least of all networks" : "");
    size_t next = 0;
    for (int i = 0; i + 1 < c->n; i++)
        if (next < 3 && c->point[i].epoch >= told[next]) {
            printf("%.6f after epoch %d, ", c->point[i].error, c->point[i].epoch);
            while (next < 3 && told[next] <= c->point[i].epoch)
                next++;
        }
    printf("%.6f after epoch %d\n", c->point[c->n - 1].error, c->point[c->n - 1].epoch);
    double updates = (double)t->epochs_done * t->data->rows;
    if (strcmp(t->variant->op, "mlp_minibatch") == 0)
        updates = (double)t->epochs_done * ((t->data->rows + t->p.batch - 1) / t->p.batch);
    char text[32];
    printf("%d epoch%s, %.0f updates%s in %s", t->epochs_done, t->epochs_done == 1 ? "" : "s",
           updates, t->p.networks > 1 ? " of each network" : "",
           ui_seconds(t->seconds, text, sizeof text));
    if (t->seconds > 0)
        printf(": %.4g updates/s", updates * t->p.networks / t->seconds);
    printf("\n");
}
