#!/bin/sh
# The ladder of every ending with 3 and 4 men in a folder, both metrics: run.sh TABLES [SUBDEF [OUT.csv]]
# An ending that is in the file already (limits.csv beside this script, if none is named) is not computed again; of
# an ending that was cut off all is made anew.
set -eu
tables=${1:?folder of the exact tables}
subdef=${2:-subdef}
out=${3:-$(dirname "$0")/limits.csv}
if [ -f "$out" ]; then
  # The last figure of a side is that of obdd. An ending whose men are the same on both sides has one side.
  awk -F, 'NR == FNR { if (/,"obdd",/) n[$1]++; next }
           FNR == 1 { print; next }
           { split ($1, men, "v"); if (n[$1] == (men[1] == men[2] ? 2 : 4)) print }' "$out" "$out" > "$out.new"
  mv "$out.new" "$out"
else
  echo ending,metric,side,order,numbering,slots,not_free,kind,of,bytes,at_least,model,cpu_seconds,why > "$out"
fi
todo=
for file in "$tables"/K*.dtm.sdt; do
  ending=${file##*/} ending=${ending%%.*}
  [ ${#ending} -le 5 ] || continue # more than 4 men
  grep -q "^$ending," "$out" || todo="$todo $ending"
done
[ -n "$todo" ] || exit 0
# One command, so that each table is loaded once. Lines are written when a side is done.
status=0
"$subdef" limits $todo --csv --codecs huffman,lzma,repair,obdd --tables "$tables" >> "$out" || status=$?
sed -i '2,$ { /^ending,/d }' "$out"
exit $status
