#!/bin/sh
# What exact tables take, measured and predicted: a line of FILE for each table in a folder. The tables that are named are made anew, by one
# thread, and their CPU time is told; the others have bytes alone.
usage () {
  cat <<END
usage: exact.sh [-s SUBDEF] [-p TABLES] [-o FILE] [ENDING...]
  -s  the program subdef (default: the one in PATH)
  -p  where the tables are, coded as subdef gen does by default (default: .)
  -o  the lines (default: exact.csv)
END
}
subdef=subdef tables=. out=exact.csv
while getopts s:p:o:h option; do
  case $option in
    s) subdef=$OPTARG ;;
    p) tables=$OPTARG ;;
    o) out=$OPTARG ;;
    h) usage; exit 0 ;;
    *) usage >&2; exit 2 ;;
  esac
done
shift $((OPTIND - 1))
tables=$(cd "$tables" && pwd) || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
mkdir "$work/tables" "$work/empty" || exit 1
for file in "$tables"/*.dtm.sdt; do
  ln -s "$file" "$work/tables/" || exit 1
done

# CPU seconds of a command: user and system, of what a shell has run.
cpu () {
  ("$@" >/dev/null 2>&1 || exit; times) | awk 'NR == 2 { gsub (/[ms]/, " "); print $1 * 60 + $2 + $3 * 60 + $4 }'
}

echo ending,men,slots,states,bytes,predicted_bytes,cpu_s,predicted_cpu_s >"$work/lines"
for file in "$tables"/*.dtm.sdt; do
  ending=${file##*/} ending=${ending%.dtm.sdt} seconds=
  for made; do
    if [ "$made" = "$ending" ]; then
      rm -f "$work/tables/$ending.dtm.sdt"
      seconds=$(cpu env OMP_NUM_THREADS=1 "$subdef" gen "$ending" --threads 1 --only --force --quiet --checkpoint 0 -o "$work/tables")
      cmp -s "$file" "$work/tables/$ending.dtm.sdt" || { echo "exact.sh: $ending: not made, or other bytes than in $tables" >&2; exit 1; }
    fi
  done
  "$subdef" gen "$ending" --estimate --only --json -o "$work/empty" \
    | awk -v ending="$ending" -v bytes="$(wc -c <"$file")" -v seconds="$seconds" '{
      for (i = split ("slots states table_bytes cpu_seconds", name, " "); i > 0; i--)
        if (match ($0, "\"" name[i] "\":[0-9.]+"))
          value[name[i]] = substr ($0, RSTART + length (name[i]) + 3, RLENGTH - length (name[i]) - 3)
      printf "%s,%d,%s,%s,%d,%s,%s,%s\n", ending, length (ending) - 1, value["slots"], value["states"], bytes, value["table_bytes"], seconds, value["cpu_seconds"]
    }' >>"$work/lines" || exit 1
done
cp "$work/lines" "$out"
