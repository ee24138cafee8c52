#!/bin/sh
# Syzygy files beside our own tables, and instead of them: verify --against, statistics and published checksums of rounded plies, a
# sweep.
build=$(cd "${SD_BUILDDIR:-.}" && pwd) source=$(cd "${SD_SRCDIR:-.}" && pwd)
subdef=$build/tools/subdef gen=$build/tools/subdef-gen
. "$source/tests/syzygy/checks.sh"
run () { "$subdef" "$@" >log 2>&1; }
refused () { # STATUS TEXT ARGUMENTS...
  status=$1 text=$2
  shift 2
  run "$@"
  [ $? -eq "$status" ] && has "$text"
}

env ASAN_OPTIONS=detect_leaks=0 "$gen" --metric dtz50 -q KPvK KBvK KNvK -o own >log 2>&1 || exit 99
"$subdef" export -q --syzygy syzygy --tables own KPvK KQvK KRvK KBvK KNvK >log 2>&1 || { cat log; exit 99; }

check "all files beside the tables that they were made from" run verify --against own syzygy/*.rtb?
check "each says what it was compared with" [ "$(grep -c ': ok: [1-9][0-9,]* positions, each against own/K[A-Z]*vK.dtz50.sdt$' log)" -eq 10 ]
check "our tables beside the files" run verify --against syzygy own/KPvK.dtz50.sdt
mkdir alone && cp syzygy/KRvK.rtbw syzygy/KPvK.rtbw alone
check "WDL files alone: without other tables" refused 1 'alone/KPvK.rtbw: K.vK.*: not found in alone.*--against DIR' verify alone/KPvK.rtbw --tables alone
check "WDL files alone: beside our tables, which have the smaller ones" run verify --against own alone/KPvK.rtbw --tables alone
check "a table beside itself" refused 1 'this file itself' verify --against own own/KPvK.dtz50.sdt
mkdir empty
check "no such table there" refused 1 "KPvK.*: not found in empty" verify --against empty syzygy/KPvK.rtbw
check "not of arrays" refused 1 'expected a table of chess, for --against' verify --against own "$source/tests/data/segments.sda"
check "two ways at once" refused 2 'excludes --sums' verify --against own --sums syzygy/KPvK.rtbw

"$subdef" info --checksums own/KPvK.dtz50.sdt >exact.csv
check "statistics of rounded plies" run info --checksums syzygy/KPvK.rtbz
check "are those of the exact values" cmp log exact.csv
check "bits a position are told" sh -c '"$1" info --statistics syzygy/KPvK.rtbz | grep -q "^  [0-9,]* positions, [0-9.]* bits a position of the whole file$"' sh "$subdef"
check "rounded plies have the published checksums" run verify --published syzygy/KPvK.rtbz own/KPvK.dtz50.sdt

cp syzygy/KBvK.rtbz alone/KQvK.rtbz && cp syzygy/KRvK.rtbz alone/renamed.rtbz
check "another ending under the name" refused 1 'alone/KQvK.rtbz: ' verify --published alone/KQvK.rtbz --tables syzygy
check "a name that is not the ending's" refused 1 'expected FOLDER/KRvK.rtbz' verify --published alone/renamed.rtbz --tables syzygy
rm alone/KQvK.rtbz alone/renamed.rtbz

cat >s.conf <<'C'
groups = ( { name = "g"; tables = [ "KPvK" ]; metric = [ "wdl50", "dtz50" ]; codec = { name = "repair"; block = 64; }; } );
C
check "a sweep over Syzygy files" run sweep s.conf -o a.db --tables syzygy
check "and over our tables" run sweep s.conf -o b.db --tables own
check "comes to the same bytes" run report --compare a.db b.db -o compared
check "in every cell" has '^4 cells of both, 0 differ in bytes; 0 in a.db only, 0 in b.db only$'
check "a sweep where a file is missing names it" refused 1 'KBvK.dtz50.sdt' sweep s.conf -o c.db --tables alone
check "Syzygy files are recoded" run reformat KPvK --metric dtz50 --tables syzygy -o from-syzygy
check "and our tables" run reformat KPvK --metric dtz50 --tables own -o from-own
check "to the same bytes" cmp from-syzygy/KPvK.dtz50.sdt from-own/KPvK.dtz50.sdt
mkdir plies && cp syzygy/*.rtbz plies
check "a sweep without WDL files names them at once" refused 1 '5 tables are missing in plies: .*KPvK.rtbw' sweep s.conf -o d.db --tables plies

checks_end
