/* A class on a cluster: the submissions of `class grade` as the tasks of a Slurm job array, on a
 * folder that login node and nodes share.
 *
 * Interface: cluster_grade runs on the login node. It alone opens class.db; it lists what is to be
 * graded (FOLDER/cluster/NAME-ROUND.json), sends an array for it, and takes the records that nodes
 * put into FOLDER/spool/. What no record has come of when its array is gone was lost or preempted,
 * and is sent again. cluster_node is one task on a node: it tries the node first (once), grades one
 * submission of the list and puts its record there whole, unless one is there. So the login node's
 * process, a node or a task may end at any moment: nothing is lost, and nothing counts twice. */
#ifndef HPC_HARNESS_CLUSTER_CLUSTER_H
#define HPC_HARNESS_CLUSTER_CLUSTER_H

#include "common/command.h"
#include "common/options.h"
#include "common/text.h"
#include "harness/class/class.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What sbatch must be told at a site, from its SITE.ini; docs/instructor.md lists the keys. */
struct site {
    char *partition, *account, *gres, *constraint, *modules, *path, *memory, *options; /* or NULL */
    int minutes;    /* that a task may take */
    int cpus;       /* of a task that has no node for itself */
    int at_once;    /* tasks of an array, 0: no limit */
    int tries;      /* how often a submission is sent */
    int a_day;      /* of one student's own by ./grade --queue, 0: no limit */
    bool exclusive; /* a task that times has its node for itself */
};

/* Read it; keys of which a site has no need may be missing. False with FILE:LINE and what was
 * expected. */
bool site_read(const char *path, struct site *site, struct hpc_error *err);
void site_free(struct site *site);
/* Write a batch script to `path` (0700): what the site's jobs begin with, in the folder of the
 * project, then `body`. `more` are further #SBATCH words, a line each. */
bool site_script(const struct site *site, const struct project *p, bool exclusive, const char *more,
                 const char *body, const char *path, struct hpc_error *err);

/* This program as a script calls it, quoted; the caller's. */
char *cluster_program(void);

/* slurm.c. What of this user's jobs of that name is in the queue; all of it in `folder`, for what
 * programs print. */
struct slurm_jobs {
    int waiting, running;
    char stuck[64]; /* one that Slurm will never start again by itself, or empty */
    char why[100];  /* Slurm's word for what waits for more than its turn, or empty */
};
/* The job's number, 0 with *err, which names the site's file. */
long slurm_send(const char *folder, const char *script, const char *site, struct hpc_error *err);
bool slurm_look(const char *folder, const char *name, struct slurm_jobs *jobs,
                struct hpc_error *err);
/* Say why it waits, once each word: `said` has the one before. */
void slurm_say_why(const struct slurm_jobs *jobs, const char *site, char said[100]);
/* Where a job that waits stands among those of its partition that this user may see, the first in
 * the order of Slurm's priorities being 1; 0: none of that name waits. */
struct slurm_place {
    int place, of;
    char starts[32]; /* as Slurm expects it, or empty */
};
bool slurm_place(const char *folder, const char *name, struct slurm_place *place,
                 struct hpc_error *err);
/* Take out what waits, or one job where it is named. */
bool slurm_cancel(const char *folder, const char *name, const char *job, struct hpc_error *err);

/* As class_grade, on the nodes of the site. */
int cluster_grade(struct class_state *c, const char *again, int *failed, struct hpc_error *err);
/* One task on a node: entry `index` of a list. An exit status. */
int cluster_node(struct project *p, const char *list, int index);

/* Of ./grade, as they were given; NULL and false: not. */
struct own_words {
    const struct option_many *only;
    const char *implementation, *device;
    const uint64_t *seed;
    bool quick, verbose;
};
/* own.c. Grade the working copies of p->lab on a node of the site in `file` ("": cluster.ini in the
 * project's folder), by ./grade with these words: sends them as they are now, or follows what was
 * sent before; says the place in the queue and prints what ./grade printed. Its exit status; 130
 * after Ctrl-C, which leaves the job. */
int cluster_own(const struct project *p, const char *file, const struct own_words *words);

/* nodes.c, on a node. Whether the node has been tried for this lab and class and is as it should
 * be; tries it where it was not. */
bool node_good(const struct class_state *c, const char *folder, struct hpc_error *err);
/* On the login node: nodes that failed, parted by commas, the caller's, NULL: none. Those that are
 * not in *said are printed, and added to it; *news, which may be NULL, is whether there were any.
 */
char *nodes_bad(const char *folder, struct text *said, bool *news);

#ifdef __cplusplus
}
#endif
#endif
