#!/bin/sh
# Data of one's own, as a user types it: the walkthrough of docs/data.md, files that lie, and what is refused. Each refusal is one line
# on stderr with the place, nothing on stdout, and no half-written file.
build=$(cd "${SD_BUILDDIR:-.}" && pwd) source=$(cd "${SD_SRCDIR:-.}" && pwd)
subdef=$build/tools/subdef
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 99
unset SUBDEF_PATH
failures=0 number=0

ok () { number=$((number + 1)); echo "ok $number - $1"; }
not_ok () { number=$((number + 1)) failures=$((failures + 1)); echo "not ok $number - $1: $2"; sed 's/^/#   /' err out | head -8; }
check () { # check TITLE COMMAND...: the command is true
  title=$1; shift
  if "$@" >check.out 2>&1; then ok "$title"; else not_ok "$title" "$(head -3 check.out)"; fi
}
good () { # good TITLE ARGUMENTS...: exit 0, nothing on stderr
  title=$1; shift
  "$subdef" "$@" >out 2>err </dev/null
  status=$?
  sed -i '/^subdef bench: note: timed while other programs/d' err # true on a busy machine
  if [ $status -ne 0 ] || [ -s err ]; then not_ok "$title" "exit $status"; else ok "$title"; fi
}
bad () { # bad TITLE STATUS TEXT ARGUMENTS...: one line on stderr that has TEXT in it
  title=$1 want=$2 text=$3; shift 3
  "$subdef" "$@" >out 2>err </dev/null
  status=$?
  if [ $status -ne "$want" ]; then not_ok "$title" "exit $status, expected $want"
  elif [ -s out ]; then not_ok "$title" "something on stdout"
  elif [ "$(wc -l <err)" -ne 1 ] || ! grep -qF -- "$text" err; then not_ok "$title" "expected one line with '$text'"
  elif ls ./*.tmp >/dev/null 2>&1; then not_ok "$title" "a temporary file is left"
  else ok "$title"; fi
}
prints () { # prints TITLE EXPECTED ARGUMENTS...
  title=$1 want=$2; shift 2
  "$subdef" "$@" >out 2>err </dev/null
  status=$?
  if [ $status -eq 0 ] && [ "$(cat out)" = "$want" ]; then ok "$title"; else not_ok "$title" "exit $status, expected '$want'"; fi
}

# ---------------------------------------------------------------------- raw numbers, masks, sets, bounds
printf '\001\002\003\004\005\006' >six.raw
printf '\000\000\001\000\000\001' >free.raw
bad 'raw numbers are not read unasked' 1 'six.raw: is neither an .npy file nor a PLA nor test cubes; for raw numbers give --shape or --type, or --raw' import six.raw
good 'raw numbers in one dimension' import --raw six.raw
prints 'a slot' 5 get six.sda 4
bad 'nothing is overwritten' 1 'is there already' import --raw six.raw
good 'a shape and a mask' import six.raw --shape 2,3 --mask free.raw -o a.sda
prints 'a slot that is free, and others' '*
5
1' get a.sda 0,2 1,1 0
bad 'a slot beyond the end' 2 'expected a slot below 6' get a.sda 6
bad 'an index beyond the end' 2 'expected a slot below 6' get a.sda 0,3
bad 'too few indices' 2 '2,3' get a.sda 1,
good 'a table' reformat a.sda --codec rle -o small
good 'is verified against its source' verify --source a.sda small/a.sda
check 'and it says so' grep -q 'small/a.sda: ok: .*each of 6 slots holds what a.sda admits' out
bad 'against another source it is not' 1 '2,3 of the type u8, the source has 6' verify --source six.sda small/a.sda
bad 'a table is no source' 1 'no source' verify --source small/a.sda small/a.sda
printf '\001\002\003\004\007\006' >other.raw
good 'one value differs' import other.raw --shape 2,3 --mask free.raw -o other.sda
bad 'and is told with its slot' 1 'slot 4 (1,1): 5, which the source does not admit' verify --source other.sda small/a.sda
bad 'a source is not overwritten by its table' 2 'is the array that is to be recoded' reformat a.sda
bad 'nor a table that was made otherwise' 1 "is there already, made otherwise ('reformat array rle" reformat a.sda -o small
good 'what is there is kept' reformat a.sda --codec rle -o small
check 'and it says so' grep -q '^small/a.sda: .* made before$' out
good 'a record of it' reformat a.sda --codec rle -o small --json
check 'says so, too' grep -q '"status":"kept".*"file":"small/a.sda"' out
echo 'a.sda 1 0000000000000001 0 0000000000000000 reformat' >>small/made.list
cp small/made.list made && grep -v ' reformat array rle' made >small/made.list
bad 'what no list knows is not overwritten' 1 'is there already, and no list says' reformat a.sda --codec rle -o small
awk '$4 == 0' made >small/made.list
good 'what was begun is made anew after a kill' reformat a.sda --codec rle -o small
check 'and noted' grep -q '^a.sda .* [1-9][0-9]* [0-9a-f]* reformat array rle' small/made.list
"$subdef" reformat six.sda gone.sda a.sda -o several >out 2>err
check 'a file that is not there fails alone' sh -c 'test $(wc -l <err) -eq 1 && grep -q "^2 of 3 arrays made, 0 were there; 1 failed" out && test -e several/a.sda'
mkdir other && cp six.sda other/a.sda
bad 'two of one name' 2 'a.sda and other/a.sda: both would become several/a.sda' reformat a.sda other/a.sda -o several
rm -r other several
bad 'arrays have no order' 2 'arrays take only' reformat a.sda --order KRk -o small
bad 'arrays and endings do not mix' 2 'either arrays' reformat a.sda KRvK -o small
bad 'an unknown codec' 2 'expected store, lzma, repair' reformat a.sda --codec nothing -o new
check 'and no folder is made for it' test ! -e new
good 'raw numbers come out again' export six.sda six.out
check 'and are the same' cmp six.raw six.out
bad 'an array has no .rtbz file to leave out' 2 'wdl-only goes with --syzygy' export --wdl-only six.sda other.raw
bad 'an array takes no effort' 2 'high goes with --syzygy' export --high six.sda other.raw
bad 'an export overwrites nothing' 2 'is there already' export six.sda six.out
good 'a table is listed' list --tables small
check 'with its codec' grep -q 'array.*table.*rle.*small/a.sda.*2,3' out
good 'and described' info --json small/a.sda a.sda
check 'in JSON' grep -q '"source": true' out

printf '\000\000\000\000\000' >five.raw
bad 'a mask that is too short' 1 'five.raw: 5 bytes of numbers' import six.raw --shape 2,3 --mask five.raw -o x.sda
bad 'a shape that does not fit' 1 'six.raw: 6 bytes of numbers' import six.raw --shape 7 -o x.sda
bad 'a shape that is none' 2 "--shape: '2,,3'" import six.raw --shape 2,,3 -o x.sda
bad 'half a number' 1 'five.raw: 5 bytes' import five.raw --type i16 -o x.sda
bad 'two kinds of freedom' 2 'only one of' import six.raw --type u8 --mask free.raw --lower six.raw -o x.sda
bad 'sets without a list' 2 'go together' import six.raw --type u8 --sets free.raw -o x.sda
bad 'no file' 1 'nothing.raw' import nothing.raw
bad 'a name without .sda' 2 'ends in .sda' import six.raw --raw -o x.sdt
: >empty.raw
bad 'an empty file' 1 'empty.raw: 0 bytes' import empty.raw --raw -o x.sda
printf '1-2\n3-6\n*\n' >list.txt
printf '\000\000\001\001\002\001' >sets.raw
good 'sets' import six.raw --type u8 --sets sets.raw --set-list list.txt -o sets.sda
prints 'which get prints, cut to the values that occur' '1-2
3-6
*' get sets.sda 0 2 4
printf '\000\001\001\001\002\001' >wrong.raw
bad 'a value outside its set' 1 'slot 1: value 2 is not in its own set' import six.raw --type u8 --sets wrong.raw --set-list list.txt -o x.sda
printf '\000\000\001\001\002\003' >wrong.raw
bad 'a set that is not listed' 1 'slot 5: set 3: list.txt' import six.raw --type u8 --sets wrong.raw --set-list list.txt -o x.sda
printf '1-2\n\n*\n' >list.txt
bad 'a set without elements' 1 'list.txt: line 2 (set 1)' import six.raw --type u8 --sets sets.raw --set-list list.txt -o x.sda
printf '\001\002\003\004\005\005' >lower.raw
good 'bounds' import six.raw --type u8 --lower lower.raw -o low.sda
prints 'which get prints' 5-6 get low.sda 5
bad 'bounds that a value breaks' 1 'slot 5: value 6 is outside of its own bounds' import six.raw --type u8 --upper lower.raw -o x.sda
printf '\001\002\003\004\005\007' >above.raw
bad 'bounds that cross' 1 'slot 5: the lower bound 7 is above the upper bound 5' import six.raw --type u8 --lower above.raw --upper lower.raw -o x.sda

# ------------------------------------------------------------------------------------ .npy files, also such that lie
npy () { # npy FILE VERSION HEADER-TEXT DATA: the length of the header is right
  n=$(printf '%s' "$3" | wc -c)
  { printf "\\223NUMPY\\00$2\\000"; printf "\\$(printf %03o $((n % 256)))\\$(printf %03o $((n / 256)))"
    [ "$2" = 1 ] || printf '\000\000'; printf '%s' "$3"; printf "$4"; } >"$1"
}
npy_head () { echo "{'descr': '$1', 'fortran_order': $2, 'shape': ($3), }"; }
npy v1.npy 1 "$(npy_head '<i2' False '2, 3')" '\377\377\001\000\002\000\003\000\004\000\000\200'
npy v2.npy 2 "{'shape':(2,3),'fortran_order':False,'descr':'<i2'}" '\377\377\001\000\002\000\003\000\004\000\000\200'
npy v3.npy 3 "$(npy_head '|i1' False '3,')" '\377\001\200'
good '.npy of version 1' import v1.npy
prints 'with signs' '-1
-32768' get v1.sda 0,0 1,2
good 'of version 2' import v2.npy
check 'the same source' cmp v1.sda v2.sda
good 'of version 3' import v3.npy
prints 'in one dimension' -128 get v3.sda 2
good '.npy comes out again' export v1.sda back.npy
good 'and in' import back.npy
check 'the same source again' cmp v1.sda back.sda
npy bool.npy 1 "$(npy_head '|b1' False '2, 3')" '\001\000\000\000\000\000'
good 'a mask of Booleans' import v1.npy --mask bool.npy -o masked.sda
prints 'frees a slot' '*' get masked.sda 0
good 'Booleans are values, too' import bool.npy
prints 'of 0 and 1' '1
0' get bool.sda 0,0 1,2
npy zero.npy 1 "$(npy_head '<u1' False '')" '\005'
good 'an array without dimensions' import zero.npy
prints 'has one value' 5 get zero.sda 0
good 'comes out' export zero.sda zero-back.npy
check 'as it was' grep -q "'shape': ()" zero-back.npy
good 'and in' import zero-back.npy
check 'the same' cmp zero.sda zero-back.sda
npy fortran.npy 1 "$(npy_head '>i4' True '2L, 3L')" '\000\000\000\001\000\000\000\004\000\000\000\002\000\000\000\005\000\000\000\003\000\000\000\006'
good 'wide numbers, high bytes first, columns first, of Python 2' import fortran.npy
prints 'are what they are' '1
2
4
6' get fortran.sda 0,0 0,1 1,0 1,2
good 'of a type that is asked for' import fortran.npy --type i16 -o wide.sda
check 'have it' sh -c '"$0" info wide.sda | grep -q i16' "$subdef"
npy large.npy 1 "$(npy_head '<i8' False '2')" '\001\000\000\000\000\000\000\000\000\000\001\000\000\000\000\000'
bad 'numbers of more than 16 bits' 1 'large.npy: slot 1: 65536 does not fit' import large.npy -o x.sda
cp v1.npy any-name
good '.npy under any name' import any-name -o any.sda
check 'is the same' cmp v1.sda any.sda
lies () { # lies TITLE TEXT HEADER [DATA [VERSION]]
  npy lie.npy "${5:-1}" "$3" "${4:-\\001\\002\\003\\004\\005\\006}"
  bad "$1" 1 "lie.npy: $2" import lie.npy -o x.sda
}
lies 'numbers of another type' "numbers of the type '<f8'" "$(npy_head '<f8' False '2, 3')"
lies 'more numbers than there are' '6 bytes of numbers' "$(npy_head '|u1' False '2, 4')"
lies 'less numbers than there are' '6 bytes of numbers' "$(npy_head '|u1' False '5,')"
lies 'a dimension beyond 32 bits' 'header: a dimension of 18446744073709551617: at most' "$(npy_head '|u1' False '18446744073709551617, 6')"
lies 'too many dimensions' 'header: 17 dimensions' "$(npy_head '|u1' False '1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,6')"
lies 'a product beyond 64 bits' 'header: more than' "$(npy_head '|u1' False '4294967295, 4294967295, 4294967295')"
lies 'a dimension of 0' 'header: dimension 2 is 0' "$(npy_head '|u1' False '6, 0')"
lies 'a negative dimension' 'header: expected' "$(npy_head '|u1' False '-6,')"
lies 'no shape' 'header: expected' "{'descr': '|u1', 'fortran_order': False}"
lies 'a shape twice' 'header: expected' "{'descr': '|u1', 'fortran_order': False, 'shape': (6,), 'shape': (6,)}"
lies 'an unknown key' 'header: expected' "{'descr': '|u1', 'fortran_order': False, 'shape': (6,), 'x': 1}"
lies 'a text that does not end' 'header: expected' "{'descr': '|u1"
lies 'records' 'header: expected' "{'descr': [('a', '|u1')], 'fortran_order': False, 'shape': (6,)}"
lies 'version 4' '.npy of version 4' "$(npy_head '|u1' False '6,')" '\001' 4
printf '\223NUMPY\001\000\377\377{' >lie.npy
bad 'a header that is cut off' 1 'lie.npy: the file is cut off: its header takes 65545 bytes, the file has 11' import lie.npy -o x.sda
printf '\223NUMPY\002\000\377\377\377\377{' >lie.npy
bad 'a header of 4 GB' 1 'lie.npy: a header of 4294967295 bytes' import lie.npy -o x.sda
printf '\223NUMPY' >lie
bad 'nothing but the magic' 1 'lie: the file is cut off' import lie -o x.sda
printf '\223NUMPY\001\000\021\000{'"'fortran_order'"':' >lie.npy
bad 'a header that ends in a key' 1 'expected True or False at byte 17 of it' import lie.npy -o x.sda
printf '\223NUM' >lie.npy
bad 'a file of four bytes' 1 'lie.npy: not an .npy file' import lie.npy -o x.sda
npy wide.npy 1 "$(npy_head '|u1' False '3, 2')" '\001\000\000\000\000\000'
bad 'a mask of another shape' 1 'wide.npy: its shape is 3,2, expected 2,3' import v1.npy --mask wide.npy -o x.sda
check 'no file was left by what was refused' test ! -e x.sda

# -------------------------------------------------------------- PLA, under any name, and texts behind a byte order mark
mark=$(printf '\357\273\277')
pla='.i 3\n.o 1\n.ilb a b c\n011 1\n010 -\n.e\n'
printf "$pla" >f.pla
good 'PLA' import f.pla
prints 'free where it says so' '0
*
1' get f.sda 0,0,0,0 0,0,1,0 0,0,1,1
for name in UPPER.PLA noextension f.txt f.npy; do
  printf "$pla" >$name
  good "PLA called $name" import $name -o other.sda -f
  check 'is the same function' cmp f.sda other.sda
done
printf "$mark$pla" >marked.pla
good 'PLA behind a byte order mark' import marked.pla
check 'is the same function' cmp f.sda marked.sda
good 'its bytes, on request' import --raw UPPER.PLA -o bytes.sda
prints 'are bytes' 46 get bytes.sda 0
bad 'a PLA has a shape' 2 'UPPER.PLA: a PLA has its shape and its freedom in itself' import UPPER.PLA --shape 39 -o x.sda
bad 'and its freedom' 2 'a PLA has its shape' import noextension --mask free.raw -o x.sda
bad 'a PLA is no mask' 1 'UPPER.PLA: is text of a PLA' import --type u8 --mask UPPER.PLA six.raw -o x.sda
bad 'one thing or the other' 2 'only one of --pla, --cubes and --raw' import --pla --raw f.pla -o x.sda
echo 'no function' >words.pla
bad 'a name alone makes no PLA' 1 'words.pla: the text ends before .i and .o' import words.pla -o x.sda
bad 'nor an option' 1 'six.raw: the text ends before .i and .o' import --pla six.raw -o x.sda
printf '.i 4\n.o 2\n.type fdr\n.phase 10\n01\n1- 4\n~\n00-- -0\n1111 0~\n' >lines.pla
good 'a term over several lines, all three sets, a phase' import lines.pla
prints 'as they are' '1
*
0
1
*' get lines.sda 0,0,1,1,0 0,0,0,0,0 0,1,1,1,1 1,0,0,0,0 1,0,1,1,0
printf '.i 34\n.o 1\n' >wide.pla
bad 'too many inputs' 1 'wide.pla: line 1: 34 inputs: at most 32 are read, since an array has at most 2^32 slots' import wide.pla -o x.sda
printf '%s0-6\r\n' "$mark" >list.txt
printf '\000\000\000\000\000\000' >sets.raw
good 'a list of sets behind a byte order mark' import six.raw --type u8 --sets sets.raw --set-list list.txt -o sets.sda -f
printf '\377\376*\000\n\000' >list.txt
bad 'a list in UTF-16' 1 'list.txt: is text in UTF-16: save it in UTF-8' import six.raw --type u8 --sets sets.raw --set-list list.txt -o x.sda

# ------------------------------------------------------------------------------------------- damaged files of arrays
cp a.sda damaged.sda && printf '\377' | dd of=damaged.sda bs=1 seek=9 conv=notrunc 2>/dev/null
bad 'a damaged header' 1 'damaged.sda: header, bytes 0 to' info damaged.sda
dd if=a.sda of=damaged.sda bs=1 count=$(($(wc -c <a.sda) - 1)) 2>/dev/null
bad 'a file that is cut off' 1 'damaged.sda: ' get damaged.sda 0
mkdir bent && mv damaged.sda bent
bad 'is told by list, too' 1 'bent/damaged.sda: ' list --tables bent
cp six.raw no.sda
bad 'no file of an array' 1 "'subdef import' makes one" verify no.sda
bad 'a file that is not there' 1 'gone.sda' info gone.sda
rm -rf bent no.sda

# ---------------------------------------------------------------------------------------------- the walkthrough
if command -v python3 >/dev/null; then
  check 'the script of the walkthrough' python3 "$source/docs/examples/arrays.py"
  good 'BCD' import bcd.raw --shape 5,2,2,2,2,2,2,2,2,2 --mask bcd-free.raw
  good 'PLA' import adder.pla
  good 'PLA of type fr' import segments.pla
  good 'a grid' import sea.npy --mask land.npy
  good 'with bounds' import sea.npy --lower low.npy --upper high.npy -o near.sda
  printf '01XX\nX1X0\n0XX1\n' >small.cubes
  good 'test cubes' import small.cubes
  check 'test cubes as docs/data.md prints them' grep -Fqx "$(cat out)" "$source/docs/data.md"
  good 'diagrams' reformat bcd.sda adder.sda segments.sda --codec obdd -o obdd
  good 'the smallest' reformat bcd.sda adder.sda segments.sda --best -o best
  good 'all against their sources' verify --source adder.sda obdd/adder.sda best/adder.sda
  good 'a grid' reformat near.sda --codec trees -o trees
  good 'within its bounds' verify --source near.sda trees/near.sda
  prints 'segment a of the digits 9 and 15' '1
*' get segments.sda 0,1,0,0,1 0,1,1,1,1
  prints 'a table of long ago' '1
1' get "$source/tests/data/segments.sda" 0,1,0,0,1 0,1,1,1,1
  good 'still holds what its source admits' verify --source segments.sda "$source/tests/data/segments.sda"
  good 'limits' limits segments.sda --quick
  check 'say what is free' grep -q '^segments.sda: 112 slots, 70 not free, 2 main symbols of 3' out
  cp segments.sda 'a"b.sda'
  good 'limits as CSV' limits 'a"b.sda' --quick --csv --words 1
  check 'with the name quoted' grep -q '^"a""b.sda",,,,,112,70,entropy,' out
  bad 'of an array there is one order' 2 'an array has no metric' limits segments.sda --order KRk
  check 'a value as docs/data.md prints it' grep -Fqx "$("$subdef" get trees/near.sda 90,180)" "$source/docs/data.md"
  # sizes as docs/data.md prints them, of codecs that need no other library
  for file in obdd/bcd obdd/adder obdd/segments trees/near; do
    bytes=$(wc -c <$file.sda | sed 's/[0-9]\{3\}$/,&/; s/^,//')
    check "$file takes $bytes bytes in docs/data.md" grep -q "^$file.sda: $bytes bytes" "$source/docs/data.md"
  done
fi
# --------------------------------------------------------------------------------- sweep, report, bench, limits
i=0; : >grid.raw; : >grid-free.raw
while [ $i -lt 600 ]; do
  printf "\\$(printf %03o $((i / 40 % 5 + i % 3)))" >>grid.raw; printf "\\$(printf %03o $((i % 7 == 0)))" >>grid-free.raw
  i=$((i + 1))
done
good 'a grid for sweeps' import grid.raw --shape 15,40 --mask grid-free.raw -f
cat >arrays.conf <<'END'
groups = ( { name = "grid"; tables = [ "grid.sda", "a.sda" ]; latency = true;
             codec = ( { name = "rle"; }, { name = "huffman"; }, { name = "obdd"; } ); } );
END
{ printf '%s' "$mark"; cat arrays.conf; } >marked.conf
good 'a sweep file behind a byte order mark' sweep marked.conf -o marked.db --dry-run
good 'a sweep lists arrays' sweep arrays.conf -o arrays.db --dry-run
check 'with their own metric' grep -q '^grid	grid.sda	array		-	all				obdd	' out
"$subdef" sweep arrays.conf -o arrays.db >out 2>err; check 'a sweep of arrays' grep -q '^6 cells: 6 computed' err
"$subdef" sweep arrays.conf -o arrays.db >out 2>err; check 'is not computed again' grep -q '^6 cells: 0 computed, 6 there' err
"$subdef" report arrays.db -o arrays-report >out 2>err
check 'a report of arrays' grep -q '^rle,.*grid.sda\|grid.sda.*rle' arrays-report/cells.csv
check 'a best codec without a column that no row fills' grep -q 'No column says how many times smaller than LZMA 16 KiB' arrays-report/report.md
"$subdef" sweep arrays.conf -o some.db --only grid.sda >out 2>err
"$subdef" report some.db -o some-report >out 2>err
check 'a part of it reads what it needs' sh -c 'grep -q "^ *grid.sda [0-9a-f]" some-report/report.md && ! grep -q "^ *a.sda [0-9a-f]" some-report/report.md'
check 'where an array has no sides and no order' grep -q '^grid,grid.sda,array,,,rle,"[^"]*",all,,1,' arrays-report/sizes.csv
check 'in words of arrays' grep -q '^# Arrays: size and speed' arrays-report/report.md
check 'without sides to move' sh -c '! grep -q "sides to move" arrays-report/report.md'
# figures of files whose names differ in what names of figures cannot hold, and in what stands behind a long folder
long=a-folder-with-a-name-of-forty-characters
mkdir $long && cp grid.sda $long/x-y.sda && cp grid.sda $long/x_y.sda && cp grid.sda 'x<y.sda'
{ printf '\n@include "codecs.inc"\n'; sed "s,\"grid.sda\"\, \"a.sda\",\"$long/x-y.sda\"\, \"$long/x_y.sda\"\, \"x<y.sda\"," arrays.conf; } >names.conf
echo 'seed = 3;' >codecs.inc
"$subdef" sweep names.conf -o names.db >out 2>err; check 'a sweep of such names' grep -q '^9 cells: 9 computed' err
"$subdef" report names.db -o names-report >out 2>err
check 'each has a script of its own' sh -c 'ls names-report/access_x_y_sda_array.gp names-report/access_x_y_sda_2_array.gp names-report/access_x_y_sda_3_array.gp'
check 'in which the figure has a name that gnuplot takes' test ! -e names-report/figures.log
check 'its whole name stands above it' grep -q "$long/x_y.sda array" names-report/access_x_y_sda_array.gp names-report/access_x_y_sda_2_array.gp names-report/access_x_y_sda_3_array.gp
check 'LaTeX gets signs that its letters have' sh -c 'cat names-report/tables/*.tex | grep -q "x.textless{}y.sda array"'
check 'an included file behind an empty line is remembered once' test "$(grep -c '# included: codecs.inc' names-report/report.md)" = 1
for codec in rle huffman obdd; do
  "$subdef" bench encode grid.sda --codec $codec >out 2>err
  bytes=$(sed -n "s/^  encoded by $codec into \([0-9,]*\) bytes/\1/p" out | tr -d ,)
  check "bench encode makes the stream of the sweep with $codec" grep -q "grid.sda.*,$codec,.*,$bytes," arrays-report/cells.csv
done
sed 's/latency = true/metric = "wdl"/' arrays.conf >other.conf
bad 'an array has no metric in a sweep' 2 'other.conf:1: table "grid.sda": an array has no metric' sweep other.conf -o other.db
sed 's/latency/probe/' arrays.conf >other.conf
bad 'and no positions to probe' 2 'other.conf:1: table "grid.sda": an array has no positions' sweep other.conf -o other.db
sed 's/grid.sda/none.sda/' arrays.conf >other.conf
bad 'an array that is not there' 2 'other.conf:1: none.sda' sweep other.conf -o other.db
good 'bench probe' bench probe grid.sda small/a.sda -n 1000
check 'tells the latency of random slots' grep -q '^  random slots  *1000  *[0-9]* ' out
good 'bench decode' bench decode grid.sda --json
check 'as JSON' grep -q '"values_per_s"' out
bad 'bench probe of an array has one thread' 2 'no --threads' bench probe grid.sda -T 2
bad 'bench of an array that is not there' 1 'none.sda' bench decode none.sda
# one's own file by every codec
awk 'BEGIN { for (i = 0; i < 20000; i++) printf "%c", 65 + int(i / 7) % 11 + (i % 97 == 0) }' >own.raw
awk 'BEGIN { for (i = 0; i < 20000; i++) printf "%d", i % 97 == 0 }' | tr 0 '\000' >own-free.raw
codecs=$("$subdef" bench --codec help encode x 2>&1 | sed 's/.*expected //; s/,//g; s/ or / /')
good 'bench of a file' bench own.raw --raw
check 'has a row for the plain copy and every codec' test "$(tail -n +3 out | sed 's/^plain copy/plain/; s/ .*//' | xargs)" = "plain $codecs"
check 'tells what the file is' grep -q '^own.raw: u8 20000, 20,000 bytes; 1 thread$' out
check 'has figures in every row' test "$(grep -cE '^[a-z0-9 ]+ +[0-9,]+ +[0-9.]+ +[0-9.,]+ +[0-9.,]+ +[0-9.,]+$' out)" -eq $(($(echo "$codecs" | wc -w) + 1))
good 'a source of it' import own.raw --raw --mask own-free.raw -o own.sda
"$subdef" bench own.raw --raw --free own-free.raw --csv repair repair,block=64 zstd huffman obdd >own.csv 2>err || not_ok 'bench of named codecs' "exit $?"
"$subdef" bench own.sda --csv repair repair,block=64 zstd huffman obdd >own-sda.csv 2>err || not_ok 'bench of a source' "exit $?"
check 'a source has the bytes of its file and mask' test "$(cut -d, -f1-4 own.csv | sed 's/[0-9.]*$//')" = "$(cut -d, -f1-4 own-sda.csv | sed 's/[0-9.]*$//')"
check 'settings stand in the row' grep -q '^repair,"block=64",[0-9]*,0[.][0-9]*,[0-9.e+]*,[0-9.e+]*,[0-9.e+]*,$' own.csv
for words in 'repair' 'repair --set block=64' 'zstd' 'huffman' 'obdd'; do
  # shellcheck disable=SC2086
  "$subdef" reformat own.sda --codec $words -o own-small -f -q || not_ok "reformat by $words" "exit $?"
  name=${words%% *} set=${words#* --set }
  [ "$set" != "$words" ] || set=
  check "$words: bench has the bytes that reformat writes" grep -q "^$name,\"$set\",$(wc -c <own-small/own.sda)," own.csv
done
"$subdef" bench own.raw --raw --csv repair >without.csv 2>err
check 'freedom counts' test "$(sed -n 's/^repair,"",\([0-9]*\),.*/\1/p' own.csv)" -lt "$(sed -n 's/^repair,"",\([0-9]*\),.*/\1/p' without.csv)"
good 'bench of a file as JSON' bench own.raw --type i16 --shape 100,100 --json rle -T 2
check 'has the same members' test "$(tr -d ' \n' <out | sed 's/:[0-9][0-9.e+]*/:N/g')" = '[{"file":"own.raw","type":"i16","shape":"100,100","codec":"plaincopy","settings":"","bytes":N,"ratio":N,"encode_mb_s":N,"decode_mb_s":N,"access_ns":N},{"file":"own.raw","type":"i16","shape":"100,100","codec":"rle","settings":"","bytes":N,"ratio":N,"encode_mb_s":N,"decode_mb_s":N,"access_ns":N}]'
head -c 500000 "$subdef" >long.raw
"$subdef" bench long.raw --raw --limit 1 forest --csv >out 2>err
status=$?
check 'a codec that takes too long is left out' grep -q '^forest,"",,,,,,"stopped after 1 s (--limit)"$' out
check 'and is a failure where it was named' test $status -eq 1
bad 'bench of raw numbers that nothing is said of' 1 'own.raw: is neither an .npy file nor a PLA' bench own.raw
bad 'bench of a file that is not there' 1 'none.npy' bench none.npy
bad 'a mask of another length' 1 'six.raw: 6 bytes of numbers' bench own.raw --raw --free six.raw
bad 'a codec that there is not' 2 'nosuch' bench own.raw --raw repair nosuch
bad 'a setting that there is not' 2 'nosuch' bench own.raw --raw repair,nosuch=1
bad 'two forms' 2 'either --csv or --json' bench own.raw --raw --csv --json
bad 'a source has its mask' 2 'own.sda has its shape and its freedom in itself' bench own.sda --free own-free.raw
good 'limits of a grid' limits grid.sda --csv --words 1,2,16 --codecs rle
check 'with a reason where there is no figure' grep -q '"words of 16 slots",,,,[0-9.]*,"words of 16 slots over' out
check 'a bound for words' grep -q '"words of 2 slots",[0-9]*,[0-9]*,[0-9]*,' out
check 'and none for estimates' grep -q 'codec,"rle",[0-9]*,,0,' out
echo "1..$number"
[ $failures -eq 0 ]
