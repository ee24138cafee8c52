#!/bin/sh
# Solves endings on real ranks and simulates the same: a line of FILE for each ending and number of ranks, with the sums of both and how many
# iterations are alike in states, marks, messages and bytes. More ranks than cores are fine, since then only counts are compared. The
# seconds are those of the iterations, of runs with no more ranks than cores, and CPU seconds those of the first rank: the least of some turns.
usage () {
  cat <<END
usage: ranks.sh [-s SUBDEF] [-p TABLES] [-o FILE] [-r 'RANKS ...'] [-m MIXING] [-t MEASURED] [-n TURNS] [-c CORES] [-k DIR] ENDING...
  -s  the program subdef, beside which subdef-gen is (default: the one in PATH)
  -p  where the tables are that the endings lead to (default: .)
  -o  the lines (default: ranks.csv)
  -r  numbers of ranks (default: '1 2 4 8 16 32 64')
  -m  how states are dealt out: plain, or how many stay together (default: as subdef gen does)
  -t  what 'mpirun -np 2 subdef-gen --measure' has printed: simulated seconds are made of it
  -n  turns of runs with no more ranks than cores (default: 1)
  -c  how many cores there are (default: those of this machine)
  -k  a folder that keeps what the generator of one program says; runs that it has are not made again, so that another machine may have
      made them
END
}
subdef=subdef tables=. out=ranks.csv ranks='1 2 4 8 16 32 64' mixing= measured= turns=1 cores= keep=
while getopts s:p:o:r:m:t:n:c:k:h option; do
  case $option in
    s) subdef=$OPTARG ;;
    p) tables=$OPTARG ;;
    o) out=$OPTARG ;;
    r) ranks=$OPTARG ;;
    m) mixing=$OPTARG ;;
    t) measured=$OPTARG ;;
    n) turns=$OPTARG ;;
    c) cores=$OPTARG ;;
    k) keep=$OPTARG ;;
    h) usage; exit 0 ;;
    *) usage >&2; exit 2 ;;
  esac
done
shift $((OPTIND - 1))
[ $# -gt 0 ] || { usage >&2; exit 2; }
cores=${cores:-$(getconf _NPROCESSORS_ONLN)}
tables=$(cd "$tables" && pwd) || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
mkdir "$work/tables" || exit 1
keep=${keep:-$work}
mkdir -p "$keep" || exit 1
for file in "$tables"/*.dtm.sdt; do
  ln -s "$file" "$work/tables/" || exit 1
done
case $mixing in
  '') real= variant=mixed simulated= ;;
  plain) real='--mixing plain' variant=plain simulated= ;;
  *) real="--mixing $mixing" variant=mixed simulated="--mixing $mixing" ;;
esac

# least NAME SECONDS: the less of these and of what $said.json has by that name
least () {
  sed -n "s/.*\"$1\":\([0-9.]*\).*/\1/p" "$said.json" | awk -v least="$2" '{ print least == "" || $1 < least + 0 ? $1 : least }'
}

# What the generator says of $ending on $n ranks: $said.json, and $said.log with its iterations.
solve () {
  [ -e "$said.json" ] && [ -e "$said.log" ] && return
  rm -f "$work/tables/$ending.dtm.sdt"
  # shellcheck disable=SC2086
  "$subdef" gen "$ending" --ranks "$n" --threads 1 --only --force --quiet --log --json --checkpoint 0 --codec lz4 $real -o "$work/tables" \
    >"$said.part" 2>"$said.log" && mv "$said.part" "$said.json"
}

echo ending,ranks,mixing,iterations,alike,states,marks,messages,bytes,simulated_states,simulated_marks,simulated_messages,simulated_bytes,seconds,cpu_seconds,simulated_seconds >"$work/lines"
for ending; do
  for n in $ranks; do
    seconds= cpu=
    for turn in $(seq "$([ "$n" -gt "$cores" ] && echo 1 || echo "$turns")"); do
      said=$keep/$ending-$n-${mixing:-default}-$turn
      solve || { cat "$said.log" >&2; exit 1; }
      seconds=$(least iterate_seconds "$seconds")
      cpu=$(least iterate_cpu_seconds "$cpu")
    done
    sed -n 's/^[^ ]* ply \([0-9]*\): \([0-9]*\) states,.* \([0-9]*\) marks, \([0-9]*\) messages of \([0-9]*\) bytes,.*/\1 \2 \3 \4 \5/p' "$said.log" >"$work/real"
    # shellcheck disable=SC2086
    "$subdef" simulate "$ending" --tables "$work/tables" --ranks "$n" --variants "$variant" $simulated --exchange ${measured:+--measured "$measured"} \
      --iterations --csv >"$work/rows" || exit 1
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
      { print $column["iteration"], $column["states"], $column["marks"], $column["mark_messages"], $column["mark_bytes"], $column["seconds"] }' \
      "$work/rows" >"$work/simulated"
    awk -v front="$ending,$n,${mixing:-default}" -v seconds="$seconds" -v cpu="$cpu" -v timed="$([ -z "$measured" ] || [ "$n" -gt "$cores" ] || echo 1)" '
      NR == FNR { line[++lines] = $0; for (i = 2; i <= 5; i++) real[i] += $i; next }
      { alike += line[++rows] == $1 " " $2 " " $3 " " $4 " " $5; for (i = 2; i <= 6; i++) simulated[i] += $i }
      END {
        printf "%s,%d,%d", front, (lines > rows ? lines : rows), alike
        for (i = 2; i <= 5; i++)
          printf ",%.0f", real[i]
        for (i = 2; i <= 5; i++)
          printf ",%.0f", simulated[i]
        if (timed)
          printf ",%.4g,%.4g,%.4g\n", seconds, cpu, simulated[6]
        else
          print ",,,"
      }' "$work/real" "$work/simulated" >>"$work/lines"
  done
done
cp "$work/lines" "$out"
