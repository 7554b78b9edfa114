#!/usr/bin/env bash
# hpclab cuda: how programs are linked with C++'s library.
. tests/tap.sh
root=$PWD
cuda() { "$root/hpclab" cuda "$@"; }
cd "$scratch" || exit 1

if ! command -v g++ >/dev/null; then
    skip 'hpclab cuda' 'no g++ here'
    done_testing
    exit
fi

# C++'s library, of which the linker reads what is called: exceptions, new and threads are the program's.
cat >throw.cu <<'CUDA'
#include <cstdio>
#include <stdexcept>
#include <string>
#include <thread>
__global__ void k(int *p)
{
    int *t = new int[2];
    t[1] = 7;
    p[threadIdx.x] = t[1];
    delete[] t;
}
struct error : std::runtime_error {
    using std::runtime_error::runtime_error;
};
int main(int argc, char **argv)
{
    int *d, h[32];
    std::string said;
    cudaMalloc(&d, sizeof h);
    k<<<1, 32>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    cudaFree(d);
    std::thread other([&] {
        try {
            throw error("error " + std::to_string(h[31]));
        } catch (const std::exception &e) {
            said = e.what();
        }
    });
    other.join();
    puts(said.c_str());
    if (argc > 1)
        throw error("nobody's");
}
CUDA
# shared NAME: whether a program asks for C++'s library when it starts.
shared() { readelf -d "$1" | grep -q 'NEEDED.*libstdc++'; }
archive=$(g++ -print-file-name=libstdc++.a)
for mode in run check traffic; do
    says 0 '^error 7$' "exceptions in $mode mode" cuda --mode $mode throw.cu
    says 1 "what\(\):  nobody's" "  and one that nobody catches" cuda --mode $mode throw.cu -- 1
    check "  in a program, too" cuda --mode $mode -o throw throw.cu
    [[ $archive != /* ]] || fails 1 '  which does without C++'"'"'s shared library' shared throw
done
# A library of the user's in C++ has the same one as the program that it throws to.
echo '#include <stdexcept>
void raise() { throw std::out_of_range("from a library"); }' >raise.cc
cat >catch.cu <<'CUDA'
#include <cstdio>
#include <stdexcept>
void raise();
int main()
{
    try {
        raise();
    } catch (const std::out_of_range &e) {
        puts(e.what());
    }
}
CUDA
check 'a shared library of the users own' g++ -shared -fPIC -o libraise.so raise.cc
check '  is linked by its name' env LIBRARY_PATH="$PWD" "$root/hpclab" cuda -o caught catch.cu -L "$PWD" -lraise
check '  with the shared library of C++' shared caught
check '  and by its file' cuda -o caught catch.cu libraise.so
check '  with that, too' shared caught
caught() { [ "$(LD_LIBRARY_PATH=$PWD ./caught)" = 'from a library' ]; }
check '  in which it is caught' caught
done_testing
