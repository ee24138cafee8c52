# Sourced by the shell tests of this folder: an empty folder to work in, check TITLE COMMAND..., has TEXT of the file log, and
# checks_end, whose status is that of the test.
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 99
unset SUBDEF_PATH OMPI_COMM_WORLD_RANK OMPI_COMM_WORLD_SIZE PMI_RANK PMI_SIZE SLURM_PROCID SLURM_ARRAY_TASK_ID
failures=0 number=0

check () { # TITLE COMMAND...
  title=$1 number=$((number + 1))
  shift
  if "$@" >check.out 2>&1; then echo "ok $number - $title"
  else
    failures=$((failures + 1))
    echo "not ok $number - $title"
    sed 's/^/#   /' check.out log 2>/dev/null | head -8
  fi
}
has () { grep -q -e "$1" log; }
checks_end () {
  echo "1..$number"
  [ "$failures" -eq 0 ]
}
