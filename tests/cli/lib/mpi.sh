#!/usr/bin/env bash
# have_mpi: whether ranks can be graded here: Open MPI, and a jail with a network of its own.
have_mpi() {
    command -v mpicc >/dev/null && command -v mpirun >/dev/null &&
        "${hpclab:-./hpclab}" doctor --jail 2>/dev/null | grep -q '^profile mpi: mpirun'
}
