/* hpclab help: the list of verbs, and what is made from the tables of their options. */
#include <stddef.h>
#include <stdio.h>

#include "common/version.h"
#include "harness/verbs/verbs.h"

struct values {
    bool markdown, man, bash, zsh;
};

static const struct option_row rows[] = {
    {"markdown", NULL, "the options of all verbs, as docs/commands.md has them", OPTION_SWITCH,
     .at = offsetof(struct values, markdown)},
    {"man", NULL, "a man page", OPTION_SWITCH, .at = offsetof(struct values, man)},
    {"bash", NULL, "completion for bash", OPTION_SWITCH, .at = offsetof(struct values, bash)},
    {"zsh", NULL, "completion for zsh", OPTION_SWITCH, .at = offsetof(struct values, zsh)},
    {0},
};
static const struct option_table help_options = {
    .command = "./hpclab help",
    .words = "",
    .title = "this list, a man page, completion for a shell",
    .about = "The list of verbs. `make man` writes build/hpclab.1, build/hpclab.bash and "
             "build/_hpclab.",
    .examples = "./hpclab help --man | man -l -\nsource <(./hpclab help --bash)",
    .expected = "options alone",
    .rows = rows,
};

static void print_list(const struct verb *verbs, int n)
{
    printf("usage: hpclab VERB [..]    (hpclab VERB --help says more)\n");
    for (int i = 0; i < n; i++)
        printf("  %-11s %s\n", verbs[i].name, verbs[i].options->title);
    printf("  %-11s %s\n", "help", help_options.title);
    printf("Start with: make lab3 && ./grade\n");
}

static void print_man(const struct verb *verbs, int n)
{
    printf(".TH HPCLAB 1 \"\" \"hpclab " HPC_VERSION "\"\n.SH NAME\n"
           "hpclab \\- labs of a course on high performance computing\n.SH SYNOPSIS\n"
           ".B ./hpclab\n.I VERB\n[..]\n.br\n.B ./grade\n[..]\n.SH DESCRIPTION\n"
           "Start with: make lab3 && ./grade. Exit status: 0 all points that are not pending; 1 "
           "graded and below, or wrong; 2 the user's words are off; 3 the environment: no task "
           "could be scored; 77 skipped; 130 after Ctrl\\-C. Every status but 0 comes with one "
           "line on stderr.\n.SH VERBS\n");
    for (int i = 0; i < n; i++)
        options_man(verbs[i].options, stdout);
    options_man(&help_options, stdout);
}

static const char bash_head[] =
    "# bash completion of hpclab and ./grade, made by `hpclab help --bash`.\n"
    "_hpclab() {\n"
    "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} verb=grade\n"
    "    local hpclab=${1%/*}/hpclab offered options\n"
    "    [[ $1 == */* ]] || hpclab=./hpclab\n"
    "    [[ $word != = ]] || word=\n" /* readline cuts --lab=la into three words */
    "    [[ $before != = ]] || before=${COMP_WORDS[COMP_CWORD-2]}\n"
    "    [[ ${1##*/} == grade ]] || verb=${COMP_WORDS[1]}\n"
    "    if [[ ${1##*/} != grade && $COMP_CWORD == 1 ]]; then\n"
    "        mapfile -t COMPREPLY < <(compgen -W '";
static const char bash_middle[] = "' -- \"$word\")\n"
                                  "        return\n"
                                  "    fi\n"
                                  "    case $verb in\n";
static const char bash_tail[] =
    "    esac\n"
    "    [[ $word != -* ]] || offered=$options\n"
    "    case $offered in\n"
    "    files) mapfile -t COMPREPLY < <(compgen -f -- \"$word\"); return ;;\n"
    "    labs) offered=$(\"$hpclab\" list --tsv=name) ;;\n"
    "    variants) offered=$(\"$hpclab\" list --variants --tsv=name\n"
    "        for l in $(\"$hpclab\" list --tsv=name); do\n"
    "            \"$hpclab\" list \"$l\" --tsv=name | sed \"s,^,$l/,\"; done) ;;\n"
    "    tasks) offered=$(for l in $(\"$hpclab\" list --tsv=name); do\n"
    "        \"$hpclab\" list \"$l\" --tsv=name | sed \"p;s,^,$l/,\"; done) ;;\n"
    "    task) offered=$(for l in $(\"$hpclab\" list --tsv=name); do\n"
    "        [[ \" ${COMP_WORDS[*]} \" =~ \\ lab[^\\ ]*\\  && \" ${COMP_WORDS[*]} \" != *\" $l \"* "
    "]] ||\n"
    "            \"$hpclab\" list \"$l\" --tsv=name; done) ;;\n"
    "    esac\n"
    "    mapfile -t COMPREPLY < <(compgen -W \"$offered\" -- \"$word\")\n"
    "}\n"
    "complete -o filenames -F _hpclab ./hpclab hpclab ./grade\n";

static void print_bash(const struct verb *verbs, int n)
{
    fputs(bash_head, stdout);
    for (int i = 0; i < n; i++)
        printf("%s ", verbs[i].name);
    printf("help%s", bash_middle);
    for (int i = 0; i < n; i++)
        options_bash(verbs[i].options, stdout);
    options_bash(&help_options, stdout);
    fputs(bash_tail, stdout);
}

static const char zsh_head[] =
    "#compdef hpclab grade\n"
    "# zsh completion of hpclab and ./grade, made by `hpclab help --zsh`.\n"
    "_hpclab_labs() { compadd -- $(./hpclab list --tsv=name) }\n"
    "_hpclab_variants() { compadd -- $(./hpclab list --variants --tsv=name); _hpclab_tasks }\n"
    "_hpclab_tasks() { local l; for l in $(./hpclab list --tsv=name); do\n"
    "    compadd -- $(./hpclab list $l --tsv=name | sed \"s,^,$l/,\"); done }\n"
    "_hpclab_task() { local l; local -a own=(${words:#^lab*})\n"
    "    for l in ${own:-$(./hpclab list --tsv=name)}; do\n"
    "    compadd -- $(./hpclab list $l --tsv=name 2>/dev/null); done }\n"
    "_hpclab_files() { _files }\n"
    "_hpclab() {\n"
    "    local verb=grade\n"
    "    if [[ ${words[1]:t} != grade ]]; then\n"
    "        if (( CURRENT == 2 )); then\n"
    "            compadd -- ";
static const char zsh_middle[] = "\n"
                                 "            return\n"
                                 "        fi\n"
                                 "        verb=${words[2]}\n"
                                 "        shift words\n"
                                 "        (( CURRENT-- ))\n"
                                 "    fi\n"
                                 "    case $verb in\n";

static void print_zsh(const struct verb *verbs, int n)
{
    fputs(zsh_head, stdout);
    for (int i = 0; i < n; i++)
        printf("%s ", verbs[i].name);
    printf("help%s", zsh_middle);
    for (int i = 0; i < n; i++)
        options_zsh(verbs[i].options, stdout);
    options_zsh(&help_options, stdout);
    fputs("    esac\n}\n_hpclab \"$@\"\n", stdout);
}

int verbs_help(const struct verb *verbs, int n, int argc, char **argv)
{
    struct values o = {0};
    struct hpc_error err;
    int go = options_read(&help_options, &argc, &argv, &o, &err);
    if (go <= 0)
        return go ? hpc_report(&err) : HPC_EXIT_OK;
    for (int i = 0; o.markdown && i < n; i++) {
        options_markdown(verbs[i].options, stdout);
        putchar('\n');
    }
    if (o.markdown)
        options_markdown(&help_options, stdout);
    if (o.man)
        print_man(verbs, n);
    if (o.bash)
        print_bash(verbs, n);
    if (o.zsh)
        print_zsh(verbs, n);
    if (!o.markdown && !o.man && !o.bash && !o.zsh)
        print_list(verbs, n);
    return HPC_EXIT_OK;
}
