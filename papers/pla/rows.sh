#!/bin/sh
# What espresso's covers and our codecs take of Boolean functions, on standard output: rows.sh ESPRESSO DIR... > pla.csv
# ESPRESSO: the program of Berkeley's (https://github.com/classabbyamp/espresso-logic), DIR: folders of PLA files, as its examples. Of files of
# one name the first is taken; a function with more slots than SLOTS (2^28), or the same as an earlier one, has a row that says so in place
# of figures. Each table is compared with what the function admits, and so is espresso's cover, which is imported and becomes a diagram, too.
# Seconds are medians of three of CPU time, of whole programs with one thread; bytes are those of whole files but for plain_bytes (slots / 8),
# packed_bytes (2 bits for each input and 1 bit for each output of each product of the cover), and obdd_nodes (roots and nodes). It is measured by:
#   export OMP_NUM_THREADS=1; sh papers/pla/rows.sh bin/espresso examples hard_examples > papers/pla/pla.csv
set -eu
espresso=${1:?the program espresso}
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/functions" "$work/made"
cpu='import resource, statistics, subprocess, sys
def run ():
  before = resource.getrusage (resource.RUSAGE_CHILDREN)
  with open (sys.argv[1], "w") as out: subprocess.run (sys.argv[2:], stdout=out, check=True)
  after = resource.getrusage (resource.RUSAGE_CHILDREN)
  return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
print ("%.4f" % statistics.median (run () for turn in range (3)))'
seconds () { python3 -c "$cpu" "$@"; } # OUTPUT PROGRAM ARGUMENT...
bytes () { wc -c <"$1"; }
table () { # SOURCE CODEC: a table of it, compared with the function
  subdef reformat "$1" --codec "$2" -q -f -o "$work/made"
  subdef verify "$work/made/${1##*/}" --source "$source" >/dev/null
  bytes "$work/made/${1##*/}"
}
for dir; do
  for file in "$dir"/*; do
    [ ! -e "$work/${file##*/}.file" ] || continue
    echo "$file" >"$work/${file##*/}.file"
    awk -v file="$file" -v most="${SLOTS-268435456}" '
      $1 == ".i" { inputs = $2 }
      $1 == ".o" { outputs = $2 }
      END {
        slots = outputs * 2 ^ inputs
        left_out = slots > 2 ^ 32 ? "more than 2^32 slots" : slots > most ? "not measured" : ""
        printf ("%.0f %d %d %s %s\n", slots, inputs, outputs, file, left_out)
      }' "$file"
  done
done | sort -n | while read -r slots inputs outputs file left_out; do
  name=${file##*/}
  source=$work/functions/$name.sda
  if [ -z "$left_out" ]; then
    # a title before the directives is a comment to espresso; of fewer names than outputs it reads terms as names
    awk '/^[.]/ { begun = 1 } begun && !/^[.](ilb|ob|label) /' "$file" >"$work/function.pla"
    import_s=$(seconds /dev/null subdef import --pla "$work/function.pla" -q -f -o "$source")
    for other in "$work"/functions/*; do
      [ "$other" = "$source" ] || ! cmp -s "$source" "$other" || left_out="the same as $(basename "$other" .sda)"
    done
  fi
  if [ -n "$left_out" ]; then
    rm -f "$source"
    echo "$name,$inputs,$outputs,,,,,,,,,,,,,,,,$left_out"
    continue
  fi
  subdef limits "$source" --json --quick --words 1 >"$work/limits"
  free=$(sqlite3 -batch :memory: "SELECT printf ('%.4f', 1 - 1.0 * (value->>'not_free') / (value->>'slots')) FROM json_each (readfile ('$work/limits'))")
  espresso_s=$(seconds "$work/cover.pla" "$espresso" "$work/function.pla")
  products=$(awk '$1 == ".p" { print $2 }' "$work/cover.pla")
  subdef import "$work/cover.pla" -q -f -o "$work/cover.sda"
  cover_obdd=$(table "$work/cover.sda" obdd)
  obdd_s=$(seconds /dev/null subdef reformat "$source" --codec obdd -q -f -o "$work/made")
  obdd=$(table "$source" obdd)
  subdef info --json "$work/made/$name.sda" >"$work/info"
  nodes=$(sqlite3 -batch :memory: "SELECT (value->>'index_bytes') + (value->>'payload_bytes') FROM json_each (readfile ('$work/info'))")
  echo "$name,$inputs,$outputs,$free,$(((slots + 7) / 8)),$(bytes "$work/function.pla"),$(bytes "$work/cover.pla"),$(((products * (2 * inputs + outputs) + 7) / 8)),$products,$espresso_s,$import_s,$obdd_s,$obdd,$nodes,$(table "$source" trees),$(table "$source" repair),$(table "$source" zstd),$cover_obdd,"
done >"$work/rows"
echo name,inputs,outputs,free,plain_bytes,pla_bytes,cover_bytes,packed_bytes,products,espresso_s,import_s,obdd_s,obdd,obdd_nodes,trees,repair,zstd,cover_obdd,left_out
cat "$work/rows"
