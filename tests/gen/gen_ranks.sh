#!/bin/sh
# The solver and the writing of tables over MPI with 1, 2, 3, 5 and 8 ranks, more than there may be cores.
command -v mpirun >/dev/null || exit 77
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_hwloc_base_binding_policy=none
ASAN_OPTIONS=detect_leaks=0 # MPI's own
OMP_WAIT_POLICY=passive
export ASAN_OPTIONS OMP_WAIT_POLICY OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM OMPI_MCA_rmaps_base_oversubscribe
export OMPI_MCA_btl_vader_single_copy_mechanism OMPI_MCA_hwloc_base_binding_policy
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
status=0
for n in 1 2 3 5 8; do
  mpirun -np $n "${SD_BUILDDIR:-.}/tests/gen/mpi_solver" || status=1
  mpirun -np $n "${SD_BUILDDIR:-.}/tests/gen/mpi_output" "$work" || status=1
  [ -z "$(ls -A "$work")" ] || { echo "$n ranks leave $(ls -A "$work")" >&2; status=1; }
done
exit $status
