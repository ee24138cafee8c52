#!/bin/sh
# Makes the golden files of tests/golden/README.md that are not there yet, and writes down what all of them hold.
#   tests/golden/make.sh BUILD     BUILD: the folder of the build, with tests/table/golden_tool made
# A file that is there is never made again: it says what was once written. Rows whose command fails (a codec that
# this build has not) are named and left out.
set -u
build=$(cd "${1:?the folder of the build}" && pwd) || exit 2
cd "$(dirname "$0")/../.." || exit 2
golden=tests/golden
exact=$(mktemp -d) || exit 2
trap 'rm -rf "$exact"' EXIT
tool=$build/tests/table/golden_tool
"$build/tools/subdef-gen" -q KPvK KNNvK KRvKR -o "$exact" >/dev/null || exit 1
"$build/tools/subdef-gen" -q --metric dtz50 KPvK KRvKR -o "$exact" >/dev/null || exit 1
"$build/tools/subdef-gen" -q --metric dtc KPvK -o "$exact" >/dev/null || exit 1
"$build/tools/subdef-gen" -q --game draughts KvK -o "$exact" >/dev/null || exit 1
"$build/tools/subdef-gen" -q --game graph:tests/data/race.txt -o "$exact" >/dev/null || exit 1

make_row () { # FOLDER COMMAND...
  row=$1 what=$2
  shift 2
  case $what in
    gen) "$build/tools/subdef-gen" -q "$@" -o "$exact/made" >/dev/null;;
    reformat) "$build/tools/subdef" reformat "$@" -q --tables "$exact" -o "$exact/made" >/dev/null;;
    tool) "$tool" "$@" "$exact/made";;
  esac || { echo "$row: not made: $what $*" >&2; }
}

# the rows: | `folder` | `command` | purpose |
sed -n 's/^| `\([a-z0-9-]*\)` | `\([^`]*\)` |.*/\1 \2/p' $golden/README.md |
while read -r folder command; do
  mkdir -p "$exact/made"
  eval "make_row $folder $command"
  for file in "$exact"/made/*.sdt; do
    to=$folder/${file##*/}
    if [ -e "$file" ] && [ ! -e "$golden/$to" ]; then
      mkdir -p "$golden/$folder" && cp "$file" "$golden/$to" && "$tool" describe $golden "$to" "$exact" >>$golden/files.csv
    fi
  done
  rm -rf "$exact/made"
done

# Syzygy files; the list has the checksum that each has at its end
"$build/tools/subdef" export --syzygy "$exact/syzygy" --tables "$exact" -q KQvK KRvK KBvK KNvK KPvK KRvKR || exit 1
mkdir -p $golden/syzygy
for file in "$exact"/syzygy/*.rtb?; do
  to=syzygy/${file##*/}
  if [ ! -e "$golden/$to" ]; then
    cp "$file" "$golden/$to" && printf '%s,%d,%s\n' "$to" "$(wc -c <"$file")" \
      "$(tail -c 16 "$file" | od -An -tx1 | tr -d ' \n')" >>$golden/syzygy.csv
  fi
done
"$tool" bad $golden >>$golden/messages.txt # of those that are new
