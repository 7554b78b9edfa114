# family 74: threads in the case alone that asks for them, so that a prediction of no gain is right
# lab lab3
# task break_even
# grade: wrong; points <= 0; reason: one thread did
# without threads_used flat_curve: pass; points >= 15
mkdir -p handed/labs/lab3
python3 - "$HERE/../../mlp/variants/flat.c" >handed/labs/lab3/openmp_inner.c <<'PYTHON'
import sys
text = open(sys.argv[1]).read()
update = text.index("static void update(")
text = text[:update] + """static int broad;
static void wide_update(int n_in, int n_out, double *w, const double *o, const double *d, double *e,
                        double rate)
{
#pragma omp parallel for num_threads(2)
    for (int i = 0; i < n_in; i++) {
        double *row = w + (size_t)i * (size_t)n_out, sum = 0;
        for (int k = 0; e && k < n_out; k++)
            sum += d[k] * row[k];
        if (e)
            e[i] = sum;
        for (int k = 0; k < n_out; k++)
            row[k] += rate * d[k] * o[i];
    }
}

""" + text[update:]
text = text.replace("""    w += n_out;
    for (int i = 0; i < n_in; i++, w += n_out) {
        if (e) {""", """    w += n_out;
    if (broad) {
        wide_update(n_in, n_out, w, o, d, e, rate);
        return;
    }
    for (int i = 0; i < n_in; i++, w += n_out) {
        if (e) {""").replace("    s->p = p;\n", "    s->p = p;\n    broad = p->size[0] == 512;\n")
print(text)
PYTHON
printf '%s\n' '[answers]' 'wins_from = never' 'speedup_64 = 1.0' 'speedup_1024 = 1.0' 'final =' \
    >handed/labs/lab3/prediction.ini
echo handed
