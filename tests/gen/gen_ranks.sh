#!/bin/sh
# The solver and the writing of tables over MPI with 1, 2, 3, 5 and 8 ranks, more than there may be cores.
command -v mpirun >/dev/null || exit 77
. "${SD_SRCDIR:-.}/tests/gen/ranks.sh"
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
status=0
for n in 1 2 3 5 8; do
  mpirun -np $n "${SD_BUILDDIR:-.}/tests/gen/mpi_solver" || status=1
  mpirun -np $n "${SD_BUILDDIR:-.}/tests/gen/mpi_output" "$work" || status=1
  [ -z "$(ls -A "$work")" ] || { echo "$n ranks leave $(ls -A "$work")" >&2; status=1; }
done
exit $status
