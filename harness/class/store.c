#define _GNU_SOURCE
#include "harness/class/store.h"

#ifdef HPC_SQLITE
#include <errno.h>
#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/scratch.h"

#define VERSION "1" /* of the tables below, SQLite's user_version; 0: made before there was one */

struct store {
    sqlite3 *db;
    char *path;
};

static const char schema[] =
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
    "CREATE TABLE IF NOT EXISTS word (key TEXT PRIMARY KEY, value TEXT NOT NULL);"
    "CREATE TABLE IF NOT EXISTS grading (id INTEGER PRIMARY KEY, student TEXT NOT NULL, submission "
    "TEXT NOT NULL, name TEXT NOT NULL, fingerprint TEXT NOT NULL, run INTEGER NOT NULL, attempt "
    "INTEGER NOT NULL, seed TEXT NOT NULL, score REAL NOT NULL, max_score REAL NOT NULL, pending "
    "REAL NOT NULL, may_lower INTEGER NOT NULL, note TEXT NOT NULL, ended TEXT NOT NULL, record "
    "TEXT NOT NULL, UNIQUE (student, fingerprint, run));";

static const char restore[] = ": put a backup of it there, or grade into another --folder";

static bool failed(const struct store *s, struct hpc_error *err)
{
    const int code = sqlite3_errcode(s->db);
    const bool damaged = code == SQLITE_CORRUPT || code == SQLITE_NOTADB;
    return hpc_fail_env(err, "%s: %s, expected a class's state%s", s->path, sqlite3_errmsg(s->db),
                        damaged ? restore : " with room for more");
}

static sqlite3_stmt *prepare(struct store *s, const char *sql, struct hpc_error *err)
{
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(s->db, sql, -1, &statement, NULL) != SQLITE_OK)
        failed(s, err);
    return statement;
}

static bool run(struct store *s, const char *sql, struct hpc_error *err)
{
    return sqlite3_exec(s->db, sql, NULL, NULL, NULL) == SQLITE_OK || failed(s, err);
}

/* A column's text; empty where there is none. */
static const char *text_of(sqlite3_stmt *q, int i)
{
    const char *text = (const char *)sqlite3_column_text(q, i);
    return text ? text : "";
}

/* The first column of the first row, the caller's, or NULL where there is no row. Frees the query.
 */
static bool one_text(struct store *s, sqlite3_stmt *q, char **text, struct hpc_error *err)
{
    const int end = q ? sqlite3_step(q) : SQLITE_ERROR;
    *text = end == SQLITE_ROW ? hpc_strdup(text_of(q, 0)) : NULL;
    const bool good = end == SQLITE_ROW || end == SQLITE_DONE || (q && failed(s, err));
    sqlite3_finalize(q);
    return good;
}

/* Tables of a later version may be others, or mean something else. */
static bool is_known(struct store *s, struct hpc_error *err)
{
    char *version;
    bool good = one_text(s, prepare(s, "PRAGMA user_version", err), &version, err);
    if (good && version && atoi(version) > atoi(VERSION))
        good = hpc_fail(err,
                        "%s: a class's state of version %s, expected at most %s: a later hpclab "
                        "wrote it",
                        s->path, version, VERSION);
    free(version);
    return good;
}

/* Asked before anything is graded: a page that can't be read may be needed after hours. */
static bool is_whole(struct store *s, struct hpc_error *err)
{
    char *found;
    bool good = one_text(s, prepare(s, "PRAGMA quick_check(1)", err), &found, err);
    if (good && (!found || strcmp(found, "ok") != 0))
        good = hpc_fail_env(err, "%s: is damaged, expected a class's state%s", s->path, restore);
    free(found);
    return good;
}

static struct store *open_file(const char *path, int flags, struct hpc_error *err)
{
    struct store *s = hpc_calloc(1, sizeof *s);
    s->path = hpc_strdup(path);
    if ((sqlite3_open_v2(path, &s->db, SQLITE_OPEN_READWRITE | flags, NULL) == SQLITE_OK &&
         sqlite3_busy_timeout(s->db, 5000) == SQLITE_OK) ||
        failed(s, err)) {
        if (is_known(s, err))
            return s;
    }
    store_close(s);
    return NULL;
}

struct store *store_open(const char *path, bool make, struct hpc_error *err)
{
    struct store *s = open_file(path, make ? SQLITE_OPEN_CREATE : 0, err);
    if (s && is_whole(s, err) && run(s, schema, err) &&
        (!make || run(s, "PRAGMA user_version = " VERSION, err)))
        return s;
    store_close(s);
    return NULL;
}

/* A view runs as long as its query says, and a virtual table what it names: neither has pages. */
static bool are_tables(struct store *s, struct hpc_error *err)
{
    char *tables;
    bool good = one_text(s,
                         prepare(s,
                                 "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND "
                                 "rootpage > 0 AND name IN ('word', 'grading')",
                                 err),
                         &tables, err);
    if (good && (!tables || strcmp(tables, "2") != 0))
        good = hpc_fail(err, "%s: no tables word and grading, expected a class's state", s->path);
    free(tables);
    return good;
}

struct store *store_open_other(const char *path, struct hpc_error *err)
{
    FILE *f = scratch_open_regular(path);
    if (!f) {
        hpc_fail(err, "%s: %s, expected a class's state, a regular file", path, strerror(errno));
        return NULL;
    }
    struct store *s = open_file(path, 0, err);
    fclose(f);
    if (s && run(s, "PRAGMA trusted_schema = OFF; PRAGMA query_only = ON", err) &&
        are_tables(s, err))
        return s;
    store_close(s);
    return NULL;
}

void store_close(struct store *s)
{
    if (!s)
        return;
    sqlite3_close(s->db);
    free(s->path);
    free(s);
}

static void bind(sqlite3_stmt *q, int i, const char *text)
{
    sqlite3_bind_text(q, i, text, -1, SQLITE_TRANSIENT);
}

/* One that changes something: to its end, and freed. */
static bool finish(struct store *s, sqlite3_stmt *q, struct hpc_error *err)
{
    const bool good = q && sqlite3_step(q) == SQLITE_DONE;
    if (q && !good)
        failed(s, err);
    sqlite3_finalize(q);
    return good;
}

bool store_word(struct store *s, const char *key, char **value, struct hpc_error *err)
{
    sqlite3_stmt *q = prepare(s, "SELECT value FROM word WHERE key = ?", err);
    if (q)
        bind(q, 1, key);
    return one_text(s, q, value, err);
}

bool store_set_word(struct store *s, const char *key, const char *value, struct hpc_error *err)
{
    sqlite3_stmt *q = prepare(s, "INSERT OR REPLACE INTO word VALUES (?, ?)", err);
    if (q) {
        bind(q, 1, key);
        bind(q, 2, value);
    }
    return finish(s, q, err);
}

bool store_add(struct store *s, const struct store_grading *g, const char *record,
               struct hpc_error *err)
{
    char seed[24];
    snprintf(seed, sizeof seed, "%" PRIu64, g->seed);
    sqlite3_stmt *q = prepare(
        s, "INSERT OR IGNORE INTO grading VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        err);
    if (!q)
        return false;
    bind(q, 1, g->student);
    bind(q, 2, g->submission);
    bind(q, 3, g->name);
    bind(q, 4, g->fingerprint);
    sqlite3_bind_int(q, 5, g->run);
    sqlite3_bind_int(q, 6, g->attempt);
    bind(q, 7, seed);
    sqlite3_bind_double(q, 8, g->score);
    sqlite3_bind_double(q, 9, g->max_score);
    sqlite3_bind_double(q, 10, g->pending);
    sqlite3_bind_int(q, 11, g->may_lower);
    bind(q, 12, g->note);
    bind(q, 13, g->ended);
    bind(q, 14, record);
    return finish(s, q, err);
}

#define TEXT(q, i, field) snprintf(field, sizeof(field), "%s", text_of(q, i))
static void read_row(sqlite3_stmt *q, struct store_grading *g)
{
    memset(g, 0, sizeof *g);
    g->id = sqlite3_column_int64(q, 0);
    TEXT(q, 1, g->student);
    TEXT(q, 2, g->submission);
    TEXT(q, 3, g->name);
    TEXT(q, 4, g->fingerprint);
    g->run = sqlite3_column_int(q, 5);
    g->attempt = sqlite3_column_int(q, 6);
    g->seed = strtoull(text_of(q, 7), NULL, 10);
    g->score = sqlite3_column_double(q, 8);
    g->max_score = sqlite3_column_double(q, 9);
    g->pending = sqlite3_column_double(q, 10);
    g->may_lower = sqlite3_column_int(q, 11) != 0;
    TEXT(q, 12, g->note);
    TEXT(q, 13, g->ended);
    g->quick = sqlite3_column_int(q, 14) != 0;
    g->bonus = sqlite3_column_double(q, 15);
    TEXT(q, 16, g->worth);
    g->timings = sqlite3_column_int(q, 17);
    TEXT(q, 18, g->waits);
}

int store_all(struct store *s, struct store_grading **gradings, struct hpc_error *err)
{
    sqlite3_stmt *q =
        prepare(s,
                "SELECT id, student, submission, name, fingerprint, run, attempt, "
                "seed, score, max_score, pending, may_lower, note, ended, "
                "CASE WHEN json_valid(record) THEN json_extract(record, '$.quick') END, "
                "CASE WHEN json_valid(record) THEN (SELECT sum(max(0, "
                "json_extract(value, '$.points') - json_extract(value, '$.max_points'))) "
                "FROM json_each(record, '$.tasks')) END, "
                "CASE WHEN json_valid(record) THEN (SELECT group_concat("
                "json_extract(value, '$.name') || ' ' || round(ifnull(json_extract(value, "
                "'$.max_points'), 0) + ifnull(json_extract(value, '$.pending'), 0), 3), ', ') "
                "FROM json_each(record, '$.tasks')) END, "
                "CASE WHEN json_valid(record) THEN (SELECT sum(json_extract(value, '$.speed') "
                "IS NOT NULL) FROM json_each(record, '$.tasks')) END, "
                "CASE WHEN json_valid(record) THEN (SELECT group_concat(round(ifnull("
                "json_extract(value, '$.pending'), 0), 3)) FROM json_each(record, '$.tasks')) END "
                "FROM grading ORDER BY id",
                err);
    int n = 0, end = SQLITE_ERROR;
    *gradings = NULL;
    while (q && (end = sqlite3_step(q)) == SQLITE_ROW) {
        *gradings = hpc_realloc(*gradings, (unsigned long)(n + 1) * sizeof **gradings);
        read_row(q, &(*gradings)[n++]);
    }
    if (q && end != SQLITE_DONE)
        failed(s, err);
    sqlite3_finalize(q);
    return end == SQLITE_DONE ? n : -1;
}

char *store_record(struct store *s, long long id, struct hpc_error *err)
{
    sqlite3_stmt *q = prepare(s, "SELECT record FROM grading WHERE id = ?", err);
    if (q)
        sqlite3_bind_int64(q, 1, id);
    char *text;
    if (one_text(s, q, &text, err) && !text)
        hpc_fail_env(err, "%s: no record of grading %lld, expected one", s->path, id);
    return text;
}

#endif
