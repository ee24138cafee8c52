# Sourced by the scripts that start ranks: what mpirun needs where root has more ranks than cores, and waiting ranks that sleep.
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_hwloc_base_binding_policy=none
ASAN_OPTIONS=detect_leaks=0 # MPI's own
OMP_WAIT_POLICY=passive
export ASAN_OPTIONS OMP_WAIT_POLICY OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM OMPI_MCA_rmaps_base_oversubscribe
export OMPI_MCA_btl_vader_single_copy_mechanism OMPI_MCA_hwloc_base_binding_policy
failures=0

# the message of a failure, and what $work/err has to say about it
fail () {
  echo "FAIL: $1"
  sed 's/^/  | /' "$work/err" | head -5
  failures=$((failures + 1))
}
# expect TITLE STATUS ARGUMENTS...: standard output and error stay in $work/out and $work/err
expect () {
  title=$1 want=$2
  shift 2
  "$@" >"$work/out" 2>"$work/err"
  got=$?
  [ $got -eq "$want" ] || fail "$title: exit $got, expected $want"
}
