#!/usr/bin/env bash
# hpclab, list and doctor: what they show, and what they say of words that are off.
. tests/tap.sh
hpclab=build/hpclab

check 'hpclab --help ends 0' $hpclab --help
shows '^  grade +right answers' 'and lists the verbs'
check 'hpclab --version' $hpclab --version
shows '^hpclab [0-9]+\.[0-9]+\.[0-9]+$' 'prints the version'
fails 2 'no verb is a usage error' $hpclab
shows '^hpclab: no verb, expected' 'with its line'
fails 2 'an unknown verb' $hpclab grde
shows "^hpclab: unknown verb 'grde', did you mean 'grade'\?$" 'gets the nearest one'
fails 2 'a verb like none' $hpclab zzzzzzzz
shows "unknown verb 'zzzzzzzz', expected one of" 'gets none'
fails 2 'an unknown option instead of a verb' $hpclab --frob
for verb in $($hpclab --help | awk '/^  [a-z]+ /{print $1}'); do
    check "$verb --help ends 0" $hpclab "$verb" --help
    shows "\./hpclab $verb |\./grade .*--only|Example" "$verb --help has an example"
done

# What is made from the tables: the document, a man page, completion.
check 'docs/commands.md has the options of the tables' make -s check-options
sed 's/this task alone/these tasks alone/' docs/commands.md >"$scratch/commands.md"
fails 2 'a document that has others' make -s check-options OPTIONS_DOC="$scratch/commands.md"
shows "commands.md: not the options that the tables have: make options" 'is told'
$hpclab help --man >"$scratch/hpclab.1"
check 'the man page has every option of grade' sh -c "for o in \$($hpclab grade --help | grep -oE '^  --[a-z]+'); do
    grep -qF '.B \\-\\-'\${o#--} '$scratch/hpclab.1' || exit 1; done"
if command -v groff >/dev/null; then
    check 'and is one' sh -c "groff -man -Tutf8 -ww '$scratch/hpclab.1' 2>&1 >/dev/null | { ! grep .; }"
else
    skip 'and is one' 'no groff here'
fi
# completes WORD ..: what bash offers for the last word.
completes() {
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
    _hpclab "$1" "${*: -1}" "${*: -2:1}"
    echo "${COMPREPLY[*]}"
}
# shellcheck source=/dev/null
. <($hpclab help --bash)
check 'bash completes verbs' test "$(completes ./hpclab gr)" = grade
check 'options' test "$(completes ./grade --qui)" = --quick
check 'choices' test "$(completes ./hpclab release lab3 --answers '')" = 'sealed open'
check 'labs' test "$(completes ./grade lab3)" = lab3
check 'variants' test "$(completes ./hpclab run mlp/flat)" = mlp/flat
check 'tasks' test "$(completes ./hpclab explain lab3/openmp_t)" = lab3/openmp_trainer
check 'and without their lab' test "$(completes ./hpclab explain openmp_t)" = openmp_trainer
check "a lab's own behind --only" test "$(completes ./grade lab1 --only '')" = 'profile_answers flat'
check 'and behind --only=' test "$(completes ./grade lab1 --only =)" = 'profile_answers flat'
check 'with a part of it' test "$(completes ./grade lab1 --only = fl)" = flat
check 'and no file where a number stands' test -z "$(completes ./grade lab1 --seed '')"
check "a class's actions, where one stands" test "$(completes ./hpclab class re)" = 'rerun regrade'
check "a lab's tasks where a variant is asked for" test "$(completes ./hpclab run lab3/openmp_t)" = lab3/openmp_trainer
# zsh_offers OPTION WORD ..: what it offers behind the option, or with 1 for the first word.
zsh_offers() {
    zsh -f -c 'setopt extendedglob; compadd() { shift; print -- $* }; own=$1 file=$2; shift 2; words=("$@") CURRENT=$#
        _arguments() { for a; do [[ $a == ${own}* ]] || continue; a=${a##*:}
            [[ $a == \(* ]] && print -- ${${a#\(}%\)} || eval $a; done }
        source $file' zsh "$1" "$scratch/_hpclab" "${@:2}"
}
if command -v zsh >/dev/null; then
    $hpclab help --zsh >"$scratch/_hpclab"
    check 'zsh completes options' test "$(zsh_offers --answers ./hpclab release lab3 '')" = 'sealed open'
    check "zsh: a lab's own tasks" test "$(zsh_offers '*--only' ./grade lab1 --only '' | xargs)" = 'profile_answers flat'
    check 'zsh: labs where one is asked for' test "$(zsh_offers --lab ./hpclab class show ada --lab '' | xargs)" = "$($hpclab list --tsv=name | xargs)"
    # typed LINE WORD: an interactive zsh lists the word when Tab is pressed behind the line.
    typed() {
        timeout -k 1 120 zsh -f -c 'zmodload zsh/zpty; zpty z zsh -f -i
            zpty -w z "PROMPT=; fpath=(${1:h} \$fpath); autoload -U compinit; compinit -u -D
                bindkey \"^I\" list-choices; print re\"\"ady"
            zpty -r -m z seen "*ready*" && zpty -w -n z $2$'"'\t'"' && zpty -r -m z seen "*$3*"
            ended=$?; zpty -d z; exit $ended' zsh "$scratch/_hpclab" "$1" "$2"
    }
    check "zsh: a lab's own behind --only=" typed './grade lab1 --only=' profile_answers
    check 'zsh: behind --only and a blank' typed './grade lab1 --only ' profile_answers
    check 'zsh: a part of it' typed './grade lab1 --only=fl' flat
    check "zsh: a class's actions" test "$(zsh_offers 1: ./hpclab class '')" = 'grade show rerun regrade diff merge similar purge node'
else
    skip 'zsh completes options' 'no zsh here'
fi
fails 2 'help of what there is not' $hpclab help --vi
shows 'help: unknown option --vi; see ./hpclab help --help' 'is named'

check 'list' $hpclab list
shows '^lab3 +When do two threads lose to one\?' 'shows the labs'
check 'list lab3' $hpclab list lab3
shows '^  openmp_trainer: ' 'shows its tasks'
shows 'labs/lab3/openmp_trainer.c, mlp_sgd, points: [0-9]+ correct, [0-9]+ speed' 'with file, operation and points'
shows 'timed on paper_replicas against mlp/flat' 'and what it is timed on'
check 'list --variants' $hpclab list --variants
shows '^mlp/flat +mlp_sgd ' 'shows variants'
check 'list --keys mlp_sgd' $hpclab list --keys mlp_sgd
shows 'layers, activations' 'shows the keys'
read -ra labs < <(printf 'lab77 %.0s' {1..65})
fails 2 'reference of more labs than there may be' $hpclab reference "${labs[@]}"
shows '^hpclab: reference: expected at most 64 labs' 'is told how many'
fails 2 'of as many' $hpclab reference "${labs[@]:1}"
check 'a line each' test "$(grep -c "^hpclab: unknown lab 'lab77'" "$scratch/.output")" = 64
fails 2 'one of two that is unknown' $hpclab reference lab77 lab5
hides '^ *(task|lab5) ' 'ends before any is timed'
fails 2 'list of an unknown lab' $hpclab list lab99
shows "^hpclab: unknown lab 'lab99', expected one of: .*lab3" 'names those there are'
fails 2 'list of an unknown operation' $hpclab list --keys conv9d
shows "unknown operation 'conv9d', expected one of: mlp_sgd" 'names those there are'
fails 2 'list of two things' $hpclab list lab3 --variants

# Tables for scripts: the columns that docs/commands.md lists, a value of each kind.
while IFS='|' read -r _ words columns _; do
    # shellcheck disable=SC2086 # words
    check "\`$words\`" $hpclab $words
    check 'has its columns' test "$(head -n 1 "$scratch/.output" | tr '\t' ' ')" = "$columns"
done < <(sed -n 's/^| `\(list .*--tsv\)` | `\(.*\)` |$/|\1|\2|/p' docs/commands.md)
check 'list lab3 --tsv=name,kind,file,points_speed' test "$($hpclab list lab3 --tsv=name,kind,file,points_speed)" = "\
openmp_inner	variant	openmp_inner.c	0
break_even	answers	prediction.ini	0
openmp_trainer	variant	openmp_trainer.c	35"
check 'a hidden case says so' sh -c "$hpclab list lab3 --cases --tsv=hidden,name | grep -q '^yes	' &&
    $hpclab list lab3 --cases --tsv | grep -q '^paper_replicas	no	mlp_sgd	.*epochs=40'"
check 'one variant' test "$($hpclab list --variants mlp/flat --tsv=file,op,needs)" = "mlp/variants/flat.c	mlp_sgd	"
fails 2 'a column that there is not' $hpclab list lab3 --tsv=name,titel
shows '^hpclab: --tsv: no column "titel"; did you mean title\?$' 'gets the nearest one'
fails 2 'a column like none' $hpclab list --tsv=zzzzzzzz
shows 'expected one of name, title, handout, .*, tasks$' 'gets all of them'
fails 2 'a variant that there is not' $hpclab list --variants mlp/flt --tsv
shows "^hpclab: no variant 'mlp/flt' here, expected one of ./hpclab list --variants" 'is named'
fails 2 'cases of no lab' $hpclab list --cases --tsv
fails 2 'an unknown option of list' $hpclab list --frob
shows 'list: unknown option --frob' 'is named'

check 'doctor ends 0 where labs are built' $hpclab doctor
shows '^machine +[a-z0-9.-]+-[0-9]+c ' 'names the machine'
shows 'gcc$' 'shows what is here'
mkdir "$scratch/bin"
for tool in gcc make nm; do ln -s "$(command -v $tool)" "$scratch/bin/$tool"; done
fails 3 'doctor without objcopy ends 3' env PATH="$scratch/bin" $hpclab doctor
shows 'binutils: nothing can be built' 'says what the lack costs'
shows 'gnuplot: no plots' 'and what each other lack costs'
shows '^\./bootstrap brings what is missing' 'and the command that brings it'
fails 2 'doctor takes no words' $hpclab doctor lab3
done_testing
