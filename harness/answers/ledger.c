/* KEPT/answers.json: whose answers they are, and the complete versions of each task's, the first
 * one and those behind it. Written at once, by a second name. */
#define _GNU_SOURCE
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "common/json.h"
#include "common/scratch.h"
#include "harness/answers/internal.h"

static char *ledger_path(const struct marking *m)
{
    return hpc_printf("%s/answers.json", m->kept);
}

/* The whole file; an empty object where there is none. */
static json_t *load(const struct marking *m, struct hpc_error *err)
{
    char *path = ledger_path(m);
    json_t *whole = json_file(path, NULL);
    if (!whole && errno == ENOENT)
        whole = json_object();
    if (!json_is_object(whole)) {
        hpc_fail_env(err, "%s: expected what ./grade wrote there; it keeps your answers", path);
        json_decref(whole);
        whole = NULL;
    }
    free(path);
    return whole;
}

/* An object that is there, or made. */
static json_t *inside(json_t *object, const char *key)
{
    json_t *value = json_object_get(object, key);
    if (!json_is_object(value)) {
        value = json_object();
        json_object_set_new(object, key, value);
    }
    return value;
}

static void read_version(const json_t *version, const struct lab_sheet *form,
                         char answer[][SHEET_ANSWER], bool *asked, char time_of[LEDGER_TIME])
{
    const json_t *given = json_object_get(version, "answers");
    const char *when = json_string_value(json_object_get(version, "time"));
    snprintf(time_of, LEDGER_TIME, "%s", when ? when : "");
    for (int i = 0; i < form->n; i++) {
        const char *text = json_string_value(json_object_get(given, form->question[i].key));
        snprintf(answer[i], SHEET_ANSWER, "%s", text ? text : "");
        asked[i] = text != NULL;
    }
}

static void read_task(const json_t *whole, const struct marking *m, const struct lab_sheet *form,
                      struct ledger *l)
{
    const char *student = json_string_value(json_object_get(whole, "student"));
    const json_t *task = json_object_get(json_object_get(whole, "tasks"), m->task->name);
    const json_t *versions = json_object_get(task, "versions");
    memset(l, 0, sizeof *l);
    snprintf(l->student, sizeof l->student, "%s", student ? student : "");
    l->final = json_is_true(json_object_get(task, "final"));
    l->versions = (int)json_array_size(versions);
    if (l->versions > 0) {
        read_version(json_array_get(versions, 0), form, l->first, l->asked, l->first_time);
        read_version(json_array_get(versions, (size_t)l->versions - 1), form, l->counted, l->asked,
                     l->counted_time);
    }
}

bool ledger_read(const struct marking *m, const struct lab_sheet *form, struct ledger *l,
                 struct hpc_error *err)
{
    memset(l, 0, sizeof *l);
    if (!m->kept)
        return true;
    json_t *whole = load(m, err);
    if (!whole)
        return false;
    read_task(whole, m, form, l);
    json_decref(whole);
    return true;
}

static void add_version(json_t *task, const struct sheet *s)
{
    char now[LEDGER_TIME];
    time_t seconds = time(NULL);
    struct tm utc;
    strftime(now, sizeof now, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&seconds, &utc));
    json_t *given = json_object(), *versions = json_object_get(task, "versions");
    for (int i = 0; i < s->form.n; i++)
        if (s->form.question[i].kind != SHEET_NAME)
            json_object_set_new(given, s->form.question[i].key, json_string(s->answer[i]));
    if (!json_is_array(versions)) {
        versions = json_array();
        json_object_set_new(task, "versions", versions);
    }
    json_array_append_new(versions, json_pack("{s:s, s:o}", "time", now, "answers", given));
}

static bool store(const struct marking *m, const json_t *whole, struct hpc_error *err)
{
    char *path = ledger_path(m), *temporary = scratch_beside(path);
    bool good =
        json_dump_file(whole, temporary, JSON_INDENT(2)) == 0 && rename(temporary, path) == 0;
    if (!good) {
        hpc_fail_env(err, "%s: %s; expected to keep your answers there", path, strerror(errno));
        unlink(temporary);
    }
    free(temporary);
    free(path);
    return good;
}

bool ledger_keep(const struct marking *m, const struct sheet *s, bool version, struct ledger *l,
                 struct hpc_error *err)
{
    json_t *whole = m->kept ? load(m, err) : json_object();
    if (!whole)
        return false;
    json_t *task = inside(inside(whole, "tasks"), m->task->name);
    if (*l->student)
        json_object_set_new(whole, "student", json_string(l->student));
    if (version)
        add_version(task, s);
    json_object_set_new(task, "final", json_boolean(l->final));
    read_task(whole, m, &s->form, l);
    bool good = !m->kept || store(m, whole, err);
    json_decref(whole);
    return good;
}
