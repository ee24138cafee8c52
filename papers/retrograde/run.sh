#!/bin/sh
# Measures how the endings of Kristensen's table 2.2 are solved by each solver: a line of FILE for each ending and solver, as soon as it
# is known. Lines that are there already are left alone, so a run that was stopped goes on where it was.
usage () {
  cat <<END
usage: run.sh [-s SUBDEF] [-o FILE] [-m MACHINE] [-l SOLVER,...] [-t TABLES] [ENDING...]
  -s  the program subdef (default: the one in PATH)
  -o  the lines (default: retrograde.csv)
  -m  what the lines call this machine (default: the processor's name)
  -l  solvers (default: parallel,sequential,forward)
  -t  folder of tables: sub-endings are read from there, and reading counts; else they are solved first each time
Without endings: all of the table, the short ones first; KBBvKN takes very long by sequential and forward.
END
}
here=$(dirname "$0")
subdef=subdef out=retrograde.csv machine= solvers=parallel,sequential,forward tables=
while getopts s:o:m:l:t:h option; do
  case $option in
    s) subdef=$OPTARG ;;
    o) out=$OPTARG ;;
    m) machine=$OPTARG ;;
    l) solvers=$OPTARG ;;
    t) tables=$OPTARG ;;
    h) usage; exit 0 ;;
    *) usage >&2; exit 2 ;;
  esac
done
shift $((OPTIND - 1))
[ -n "$machine" ] || machine=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo 2>/dev/null | head -1)
machine=$(printf %s "${machine:-unknown}" | tr ',' ';')
# a program from another place than this source tree is not told apart: name its commit with COMMIT=... then
commit=${COMMIT:-$(git -C "$here" rev-parse --short HEAD 2>/dev/null || echo unknown)}
header=commit,machine,ending,solver,states,plies,passes,marks,looks,init_seconds,iterate_seconds,cpu_seconds,bytes_per_state
if [ ! -s "$out" ]; then
  echo "$header" >"$out" || exit 1
elif [ "$(head -1 "$out")" != "$header" ]; then
  echo "run.sh: $out: its first line is not that of a file of mine; choose another with -o" >&2
  exit 1
fi
[ $# -gt 0 ] || set -- $(sed 1d "$here/kristensen.csv" | cut -d, -f2)

json=$(mktemp) || exit 1
trap 'rm -f "$json"' EXIT
for solver in $(echo "$solvers" | tr ',' ' '); do
  for ending; do
    grep -q "^[^,]*,[^,]*,$ending,$solver," "$out" && continue
    if ! "$subdef" bench gen "$ending" --solver "$solver" ${tables:+--tables "$tables"} --json >"$json"; then
      echo "run.sh: $ending by $solver: no result; the lines so far stay in $out" >&2
      exit 1
    fi
    # one object with a member a line
    awk -v front="$commit,$machine,$ending,$solver" -v names="$header" -F'[":, ]+' '
      /": / { value[$2] = $3 }
      END {
        n = split (names, name, ",")
        for (i = 5; i <= n; i++) {
          if (!(name[i] in value)) { print "run.sh: bench gen does not tell " name[i] >"/dev/stderr"; exit 1 }
          front = front "," (name[i] ~ /_/ ? sprintf ("%.6g", value[name[i]]) : value[name[i]])
        }
        print front
      }' "$json" >>"$out" || exit 1
  done
done
