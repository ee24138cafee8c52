#!/bin/sh
# Queries as users type them: over a database, over CSV files alone, in all forms; SQL files from strangers, which write and load
# nothing.
subdef=$SD_BUILDDIR/tools/subdef
dir=`mktemp -d "$SD_BUILDDIR/query-XXXXXX"` || exit 1
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
failed=0
fail () { echo "FAIL: $*"; failed=1; }
# good NAME PATTERN ARGUMENTS: answered, and the answer has the pattern
good () {
  name=$1; pattern=$2; shift 2
  if "$subdef" report "$@" > out 2> err; then grep -q -e "$pattern" out || { fail "$name"; cat out; }; else fail "$name: `cat err`"; fi
}
# bad NAME STATUS PATTERN ARGUMENTS: refused with one line
bad () {
  name=$1; status=$2; pattern=$3; shift 3
  "$subdef" report "$@" > out 2> err
  [ $? = "$status" ] || fail "$name: status"
  grep -q -e "$pattern" err || { fail "$name"; cat err; }
  [ ! -s out ] || fail "$name: something on stdout"
}

OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 ASAN_OPTIONS=detect_leaks=0 \
  "$SD_BUILDDIR/tools/subdef-gen" KRvK -q -o . > gen.txt 2>&1 || { cat gen.txt; exit 1; }
cat > a.conf <<'END'
title = "rooks"; seed = 1;
groups = ( { name = "a"; tables = "KRvK"; metric = ["wdl", "dtm"]; subdefinite = ["on", "off"];
             codec = ( { name = "lzma"; block = [1024, 16384]; }, { name = "repair"; block = [64, 128]; } ); } );
END
"$subdef" sweep a.conf --tables . -o s.db > /dev/null 2> err || { cat err; exit 1; }
cp s.db before.db

printf -- '-- figure: pie\n\nSELECT 1 AS x\n' > h.sql
cat > q.sql <<'END'
-- title: Lines of {(SELECT baseline_name FROM fact)}
-- column: label | codec
-- column: bytes | | count rises
-- column: ratio | x | times

-- a remark
SELECT label, bytes, ratio FROM line WHERE metric = 'wdl' ORDER BY bytes
END
good "Markdown" '^| repair' s.db --query q.sql
good "title" '^## Lines of LZMA 16 KiB$' s.db --query q.sql
good "CSV" '^label,bytes,ratio$' s.db --query q.sql --format csv
good "JSON" '"bytes": [0-9]*,$' s.db --query q.sql --format json
good "LaTeX" '\\begin{tabular}' s.db --query q.sql --format tex
good "HTML" '<th scope="col" class="r" aria-sort="ascending">bytes</th>' s.db --query q.sql --format html
cat > apart.sql <<'END'
-- column: codec
-- column: free | | apart
-- column: side | | apart
-- column: gone
-- column: bytes | 95 % | count

SELECT column1 AS codec, column2 AS free, column3 AS side, NULL AS gone, 1 AS bytes
FROM (VALUES ('lzma', 'used', 'w'), ('lzma', 'none', 'w'), ('rle', 'used', 'w'))
END
good "what tells rows apart is on a phone, the rest is not" '<th scope="col">free</th><th scope="col" class="desk">side</th>' s.db --query apart.sql --format html
good "a column without values is left out" '<th scope="col" class="desk">side</th><th scope="col" class="r">95&nbsp;%</th>' s.db --query apart.sql --format html
good "it stays in files" '^codec,free,side,gone,bytes$' s.db --query apart.sql --format csv
good "another baseline" '^## Lines of a/repair$' s.db --query q.sql --baseline a/repair
bad "a baseline that no row has" 2 "no row of this group" s.db --query q.sql --baseline b/repair

# the parts of the report are such files
for part in "$SD_SRCDIR"/experiments/report/parts/*.sql; do
  "$subdef" report s.db --query "$part" > out 2> err || grep -q 'no row is there to be drawn' err || fail "`basename $part`: `cat err`"
done
"$subdef" report s.db -q -o r 2> /dev/null || fail "report"
for part in 10-best 20-sizes 31-pairs-tables; do
  name=`sed -n 's/^-- name: //p' "$SD_SRCDIR/experiments/report/parts/$part.sql"`
  "$subdef" report s.db --query "$SD_SRCDIR/experiments/report/parts/$part.sql" --format csv > out && cmp -s out r/$name.csv || fail "$part: as in the report"
done

# figures are drawn into a folder, or their numbers are printed
cat > f.sql <<'END'
-- figure: front
-- name: mine
-- x: time | ns
-- y: bytes | bytes
SELECT 'lzma' AS series, bytes / 10 AS x, bytes AS y, file AS figure FROM line WHERE metric = 'wdl'
END
if gnuplot --version > /dev/null 2>&1; then
  good "a figure" '^drawn/mine_KRvK_wdl.svg$' s.db --query f.sql -o drawn
  [ -s drawn/mine_KRvK_wdl.svg ] && [ -s drawn/mine_KRvK_wdl.dat ] || fail "a figure: files"
fi
good "numbers of a figure" '^series,x,y,figure$' s.db --query f.sql --format csv
bad "a kind that is none" 2 'no such kind' s.db --query h.sql
# CSV files, with a database and without
printf 'name,bytes\r\na,10\r\nb,30\r\n' > kept.csv
printf -- '-- csv: kept kept.csv\n\nSELECT name, bytes FROM kept WHERE bytes > 15\n' > csv.sql
good "a CSV file alone" '^| b | 30 |$' --query csv.sql
echo 'SELECT sum (bytes) AS sum FROM mine' > mine.sql
good "--csv" '^40$' --query mine.sql --csv mine="$dir/kept.csv" --format csv
good "--csv beside a database" '^40$' s.db --query mine.sql --csv mine=kept.csv --format csv
bad "a table that is not there" 2 'mine.sql:1: no such table: mine' --query mine.sql
bad "--csv without a file" 2 'NAME=FILE' --query mine.sql --csv mine
bad "--csv alone" 2 'go with --query' s.db --csv mine=kept.csv
bad "--format of what is none" 2 'md' s.db --query q.sql --format pdf
bad "two databases" 2 'one database' s.db s.db --query q.sql
bad "--summary with a query" 2 'alone' s.db --query q.sql --summary
bad "no such query" 1 'gone.sql' s.db --query gone.sql
bad "no such database" 1 'gone.db' gone.db --query q.sql

# strangers
try () { printf '%s\n' "$2" > h.sql; bad "$1" 2 "$3" s.db --query h.sql; }
try "ATTACH" "ATTACH 'x.db' AS x" "ATTACH.*not allowed"
try "PRAGMA" "PRAGMA user_version = 9" "PRAGMA user_version is not allowed"
try "DELETE" "DELETE FROM cell" "not allowed"
try "INSERT" "INSERT INTO run (id) VALUES (9)" "not allowed"
try "load_extension" "SELECT load_extension ('./x.so')" "load_extension is not allowed"
try "writefile" "SELECT writefile ('x', 'y')" "writefile"
try "VACUUM INTO" "VACUUM INTO 'x.db'" "SELECT"
try "two statements" "SELECT 1; DROP TABLE cell" "not allowed"
try "a file elsewhere" "-- csv: x /etc/passwd
SELECT * FROM x" "beside or below"
try "an expression of the head" "-- title: {load_extension ('x')}
SELECT 1 AS a" "load_extension is not allowed"
echo 'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n' > h.sql
bad "without end" 1 "more than 100000 rows" s.db --query h.sql
try "a column that is not there" "-- column: b

SELECT 1 AS a" "none of this name"
[ ! -e x ] && [ ! -e x.db ] || fail "a query has made a file"
cmp -s s.db before.db || fail "a query has changed the database"
exit $failed
