/* How a jailed process ended, in words; and what it printed, made harmless. */
#define _GNU_SOURCE
#include "harness/jail_internal.h"

#include <ctype.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

void jail_explain(const struct jail *jail, struct jail_end *end)
{
    const struct jail_limits *l = &jail->limits;
    int status = jail->status;
    end->exited = WIFEXITED(status);
    end->exit_status = end->exited ? WEXITSTATUS(status) : 0;
    end->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    if (jail->tier == JAIL_BUBBLEWRAP && end->exit_status > 128 && end->exit_status < 128 + NSIG) {
        end->signal = end->exit_status - 128; /* that is how bubblewrap passes it on */
        end->exited = false;
        end->exit_status = 0;
    }
    bool cpu_used = l->cpu_seconds > 0 && end->cpu_seconds >= l->cpu_seconds;
    end->wall_limit = jail->wall_limit;
    end->output_limit = jail->output_limit;
    end->cpu_limit =
        !jail->killed && (end->signal == SIGXCPU || (end->signal == SIGKILL && cpu_used));
    end->file_limit = !jail->killed && end->signal == SIGXFSZ;
    end->memory_limit = !jail->killed && end->signal == SIGKILL && !cpu_used;
    if (end->wall_limit)
        snprintf(end->why, sizeof end->why, "wall deadline of %d s", l->wall_seconds);
    else if (end->output_limit)
        snprintf(end->why, sizeof end->why, "more than %zu KiB of output",
                 JAIL_DROP_FACTOR * l->output_bytes / 1024);
    else if (end->cpu_limit)
        snprintf(end->why, sizeof end->why, "CPU limit of %d s", l->cpu_seconds);
    else if (end->file_limit)
        snprintf(end->why, sizeof end->why, "file size limit of %zu KiB", l->file_bytes / 1024);
    else if (end->memory_limit)
        snprintf(end->why, sizeof end->why, "killed by the system, which ran out of memory");
    else if (end->signal)
        snprintf(end->why, sizeof end->why, "signal %d (%s)", end->signal, strsignal(end->signal));
    else
        snprintf(end->why, sizeof end->why, "exit status %d", end->exit_status);
}

void jail_copy_output(const struct jail *jail, char *output, size_t size)
{
    size_t n = 0;
    for (size_t i = 0; output && i < jail->length && n + 1 < size; i++) {
        unsigned char c = (unsigned char)jail->text[i];
        if (c >= 0x80)
            output[n++] = '?';
        else if (c == '\n' || c == '\t' || isprint(c))
            output[n++] = (char)c;
    }
    if (output && size)
        output[n] = '\0';
}
