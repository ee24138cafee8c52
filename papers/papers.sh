#!/bin/sh
# Measures what papers/ holds once more and draws its figures: papers.sh WORK [SUBDEF [full]]. `make papers` calls it.
# WORK: a folder for tables and stores; a run that was stopped goes on there. About an hour on two cores; with `full`
# (make papers FULL=1), the staircase, limits and piece orders of all endings, too, which takes five hours more.
# Tables and stores come into WORK, each list of figures beside its page in papers/: git shows what differs.
set -eu
work=${1:?folder for tables and stores} subdef=${2:-subdef} full=${3:-}
papers=$(cd "$(dirname "$0")" && pwd)
subdef_gen=$(dirname "$subdef")/subdef-gen
[ "$(dirname "$subdef")" != . ] || subdef_gen=subdef-gen
mkdir -p "$work/tables"
tables=$work/tables

"$subdef_gen" --men 4 -q -o "$tables"
"$subdef_gen" KBBBvK KNNNvK KQQQvK KRRRvK -q -o "$tables"
sh "$papers/published/measure.sh" "$tables" "$work" "$subdef"
if [ -n "$full" ]; then
  "$subdef" sweep "$papers/staircase/staircase.conf" --tables "$tables" -o "$work/staircase.db"
  "$subdef" report "$work/staircase.db" -q -o "$work/staircase"
  sh "$papers/limits/run.sh" "$tables" "$subdef"
fi
sh "$papers/figures.sh"
