#!/bin/sh
# Prints ours.csv: ours.sh [WORK], of the rows that are kept beside the pages, and of what measure.sh left in the folder WORK.
set -eu
papers=$(cd "$(dirname "$0")/.." && pwd)
work=
[ $# -eq 0 ] || work=$(cd "$1" && pwd)
cd "$papers/published"
lines=$(sh ../ask.sh ours-kept.sql)
[ -z "$work" ] || lines=$lines'
'$(sh ../ask.sh ours-measured.sql work "$work")
echo key,value,unit,from
printf '%s\n' "$lines" | LC_ALL=C sort
