#!/bin/sh
# Simulates an ending on 64 to 65,536 ranks with measured times: a line of FILE for each way to deal states out, scale, interval of reports,
# number of ranks, without and with balancing.
usage () {
  cat <<END
usage: large.sh [-s SUBDEF] [-p TABLES] [-o FILE] [-t MEASURED] [-r RANKS] [-k SCALES] [-q SECONDS] ENDING...
  -s  the program subdef (default: the one in PATH)
  -p  where the tables are that the endings lead to (default: .)
  -o  the lines (default: large.csv)
  -t  what 'mpirun -np 2 subdef-gen --measure' has printed (default: measured-4.txt beside this script)
  -r  numbers of ranks, with commas (default: 64,256,1024,4096,16384,65536)
  -k  each state stands for so many, with commas (default: 1,64; 64 squares of one man more)
  -q  intervals between two reports, with commas (default: 1,0.01,0.001)
END
}
here=$(dirname "$0")
subdef=subdef tables=. out=large.csv measured=$here/measured-4.txt
ranks=64,256,1024,4096,16384,65536 scales=1,64 intervals=1,0.01,0.001
while getopts s:p:o:t:r:k:q:h option; do
  case $option in
    s) subdef=$OPTARG ;;
    p) tables=$OPTARG ;;
    o) out=$OPTARG ;;
    t) measured=$OPTARG ;;
    r) ranks=$OPTARG ;;
    k) scales=$OPTARG ;;
    q) intervals=$OPTARG ;;
    h) usage; exit 0 ;;
    *) usage >&2; exit 2 ;;
  esac
done
shift $((OPTIND - 1))
[ $# -gt 0 ] || { usage >&2; exit 2; }
raw=$(mktemp) && lines=$(mktemp) || exit 1
trap 'rm -f "$raw" "$lines"' EXIT
for ending; do
  for mixing in plain default 64 1; do
    case $mixing in
      plain) how='--variants plain,balanced' ;;
      default) how='--variants mixed,mixed+balanced' ;;
      *) how="--variants mixed,mixed+balanced --mixing $mixing" ;;
    esac
    # shellcheck disable=SC2086
    "$subdef" simulate "$ending" --tables "$tables" --measured "$measured" --ranks "$ranks" --scale "$scales" --interval "$intervals" $how --csv \
      >"$raw" || exit 1
    awk -F, -v front="$ending,$mixing" -v head="$(wc -c <"$lines")" '
      NR == 1 {
        n = split ("scale interval ranks variant states marks mark_messages mark_bytes seconds exchange_seconds efficiency transfers moved messages", name, " ")
        for (i = 1; i <= NF; i++)
          column[$i] = i
        line = "ending,mixing"
        for (i = 1; i <= n; i++)
          line = line "," name[i]
        if (head + 0 == 0)
          print line
        next
      }
      {
        line = front
        for (i = 1; i <= n; i++)
          line = line "," (name[i] == "variant" ? ($column[name[i]] ~ /balanced/ ? "balanced" : "without") : $column[name[i]])
        print line
      }' "$raw" >>"$lines"
  done
done
cp "$lines" "$out"
