# family 46: brackets, a million deep, in a kernel: what rewrites it for the CPU device goes as deep
# task kernels
# long
# grade: build|timeout|rejected; points <= 0
# structural: who rewrites it does so in the jail of compilers
mkdir handed && {
    cat "$HERE/submissions/control_cu_template.cu"
    echo '__global__ void deep(float *y) { y[0] = '
    yes '(' | head -n 200000 | tr '\n' ' '
    echo 1
    yes ')' | head -n 200000 | tr '\n' ' '
    echo '; }'
} >handed/kernels.cu && echo handed
