/* What the files of submissions share. Users include harness/handin/handin.h. */
#ifndef HPC_HARNESS_HANDIN_INTERNAL_H
#define HPC_HARNESS_HANDIN_INTERNAL_H

#include "common/sha256.h"
#include "harness/handin/handin.h"

#define HANDIN_MOST_FILES  1000               /* that an archive may hold */
#define HANDIN_MOST_BYTES  ((size_t)64 << 20) /* of all of them, unpacked */
#define HANDIN_LISTING     (1 << 20)          /* of what a tool prints */
#define HANDIN_MOST_SOURCE ((size_t)4 << 20)  /* of one file that is taken */
#define HANDIN_MOST_COPIES 64                 /* files in an archive that end as the lab's do */
#define HANDIN_MOST_LOOKED 20000              /* files of a folder that is searched */
#define HANDIN_DEPTH       30                 /* folders in folders there */
#define HANDIN_WITHIN      2 /* archives in each other, in that which is handed in */

/* What a hand-in holds, of whatever lab: files, and the first of them by name, of one that another
 * lab hands out where there is such a one. */
struct handin_seen {
    int files;
    char lab[LAB_NAME];
    char first[HANDIN_PATH];
};

/* The files that a lab's tasks name, and its report. */
#define HANDIN_MOST_WANTED (LAB_MAX_TASKS + 1)
struct submission_wanted {
    const char *root, *lab;
    struct handin_seen *seen; /* NULL: nobody asks */
    int n, tasks;             /* files; the tasks' are the first of them */
    const char *file[HANDIN_MOST_WANTED];
};

/* "there/ada.tar.gz" to "ada"; what could do harm in a path becomes an underscore. */
void handin_name(const char *from, char *name, size_t size);
/* A path's name. */
const char *handin_last_part(const char *path);
/* Open what is at `path` below the folder, through no link; -1 with errno. */
int handin_at(int folder, const char *path);
/* Copy the regular file at `path` below the folder to `to`: no link on the way, no second name, no
 * more than `most` bytes. 1: copied; 0: not there; -1: *err, in words that name the submission as
 * `shown`. */
int handin_copy(int folder, const char *path, const char *to, size_t most, const char *shown,
                struct hpc_error *err);
/* How well a member's path fits a file of the lab: 0 not at all; labs/LAB/FILE best, then LAB/FILE,
 * then any folder's, the fewer the better; of each the name itself before a numbered one. */
int handin_rank(const struct submission_wanted *w, int file, const char *path);

/* The file of the lab that fits best below a folder, for each: path[k], or empty. Links, names that
 * begin with a dot or have control characters, and what macOS adds are passed over. False where two
 * fit as well, or there is too much to look at. */
bool handin_search(const struct submission_wanted *w, int folder, const char *shown,
                   char path[HANDIN_MOST_WANTED][HANDIN_PATH], struct hpc_error *err);

/* Unpack into the folder `to` what the lab wants of the archive at to/archive, with its folders.
 * Where it holds nothing of that but one archive, it is that one's, in TO/inner. */
bool handin_unpack(const struct submission_wanted *w, const char *to, const char *shown,
                   struct hpc_error *err);

/* numbered.c. The length of a number that was put between a name and its suffix: "-1", " (1)",
 * "(1)", " 1"; 0: there is none. */
size_t handin_number(const char *at);
/* Whether a name is the file's with such a number. */
bool handin_is_numbered(const char *file, const char *name);
/* The word by which unzip and tar find a file, or it with such a number; the caller's. */
char *handin_pattern(const char *file, bool numbered, bool zip);
/* The numbered name of a file in the folder `below` (empty, or with a slash behind it) of an open
 * one, into `path`; empty where there is none. False where there are several. */
bool handin_take_number(int folder, const char *below, const char *file, const char *shown,
                        char path[HANDIN_PATH], struct hpc_error *err);
/* Add to the note which numbered names were taken, and which were left beside the file itself. */
void handin_tell_numbers(const struct submission_wanted *w, int folder,
                         char path[HANDIN_MOST_WANTED][HANDIN_PATH], char note[200]);
/* nothing.c. Note a file that was handed in, wherever it lies. */
void handin_see(const struct submission_wanted *w, const char *path);
/* Say that no file is the lab's, and what is there; false. */
bool handin_nothing(const struct submission_wanted *w, const char *shown, struct hpc_error *err);

/* gather.c. Copy the archive to TO/archive and unpack from there: it is read only once. */
bool handin_from_archive(const struct submission_wanted *w, const char *from, const char *to,
                         struct sha256 *hash, struct hpc_error *err);
/* Add the bytes of a file of ours. */
void handin_add_file(struct sha256 *hash, const char *path);
/* Where the open folder `whole` has files of the lab, lacks others and has one archive
 * beside them: that is unpacked, and path[k] is where it has the others, below `unpacked`. One that
 * can't be read has none, and is an error where no task's file lies beside it; else `unread` says
 * why, and says so of several. */
bool handin_beside(const struct submission_wanted *w, int folder, const char *whole,
                   const char *unpacked, char path[HANDIN_MOST_WANTED][HANDIN_PATH],
                   char unread[200], struct hpc_error *err);

/* Whether the archive at to/archive is unzip's, and not tar's, and which program makes a plain tar
 * of it, or NULL; false with what it is, where none reads it. */
bool handin_kind(const char *to, const char *shown, bool *zip, const char **unpacker,
                 struct hpc_error *err);

/* tools.c. Run a tool in a folder, in a jail, with FOLDER/INPUT or nothing as its input: what tar
 * reads there it unpacks from no other form. What the tool prints, cleaned, comes into text, of
 * HANDIN_LISTING bytes. `warned`: the exit status up to which it did its work. */
bool handin_tool(const char *const *tool, const char *input, int warned, const char *folder,
                 const char *shown, char *text, struct hpc_error *err);
/* Unpack FOLDER/archive to FOLDER/NAME, no more of it than a hand-in may have: a bomb is refused
 * when so much is written, not when all has been read. */
bool handin_plain(const char *unpacker, const char *folder, const char *name, const char *shown,
                  struct hpc_error *err);

/* A member of an archive, as its listing has it. */
struct submission_member {
    char type; /* '-' a regular file, 'd' a folder; others are not taken */
    unsigned long long bytes;
    const char *path; /* in the listing's text, which is cut up */
};
/* Read a listing: of `tar -tv` or, with `zip`, of `unzip -Z`. Returns how many, or -1 with a line
 * that says what is refused: links, devices, paths that lead elsewhere, too many, too large. */
int handin_read_listing(char *text, bool zip, struct submission_member *members, int most,
                        char *reason, size_t reason_size);

#endif
