/* How a jailed process ended, in words; and what it printed, made harmless. */
#define _GNU_SOURCE
#include "common/defence.h"
#include "harness/jail/internal.h"

#include <ctype.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

/* The limit that ended it, its value, and what was used. */
static void explain(const struct jail *jail, const struct jail_end *end, char *why, size_t size)
{
    const struct jail_limits *l = &jail->limits;
    if (end->wall_limit)
        snprintf(why, size, "wall deadline of %d s (%.1f s)", l->wall_seconds, end->wall_seconds);
    else if (end->output_limit)
        snprintf(why, size, "more than %zu KiB of output (%zu KiB)",
                 JAIL_DROP_FACTOR * l->output_bytes / 1024, jail->printed / 1024);
    else if (jail->memory_limit)
        snprintf(why, size, "memory limit of %zu MiB (%zu MiB)", l->resident_bytes >> 20,
                 jail->resident >> 20);
    else if (end->process_limit)
        snprintf(why, size, "limit of %d processes and threads (%d)", l->processes, jail->threads);
    else if (end->cpu_limit)
        snprintf(why, size, "CPU limit of %d s (%.1f s)", l->cpu_seconds, end->cpu_seconds);
    else if (end->file_limit)
        snprintf(why, size, "file size limit of %zu KiB", l->file_bytes / 1024);
    else if (end->signal == SIGKILL && !jail->killed)
        snprintf(why, size, "signal 9 (Killed, by itself or by a system out of memory)");
    else if (end->signal)
        snprintf(why, size, "signal %d (%s)", end->signal, strsignal(end->signal));
    else
        snprintf(why, size, "exit status %d", end->exit_status);
}

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
    end->process_limit = jail->process_limit;
    end->cpu_limit =
        !jail->killed && (end->signal == SIGXCPU || (end->signal == SIGKILL && cpu_used));
    end->file_limit = !jail->killed && end->signal == SIGXFSZ;
    end->memory_limit = jail->memory_limit;
    explain(jail, end, end->why, sizeof end->why);
}

void jail_copy_output(const struct jail *jail, char *output, size_t size)
{
    size_t n = 0;
    for (size_t i = 0; output && i < jail->length && n + 1 < size; i++) {
        unsigned char c = (unsigned char)jail->text[i];
        if (DEFENCE(clean)) {
            if (c >= 0x80)
                c = '?';
            else if (c != '\n' && c != '\t' && !isprint(c))
                continue;
        }
        output[n++] = (char)c;
    }
    if (output && size)
        output[n] = '\0';
}
