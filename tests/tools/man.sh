#!/bin/sh
# A manual page for each command, with every option that its --help names; and a --help whose lines stand where they belong.
build=${SD_BUILDDIR:-.}
list=$(mktemp "${TMPDIR:-/tmp}/commands-XXXXXX")
status=0
complain () { echo "$*" >&2; status=1; }
"$build/tools/subdef" --help | sed -n 's/^  \([a-z]*\)  *[a-z].*/\1/p' | grep -v '^subdef$' | sort -u > "$list"
[ "$(wc -l < "$list")" -ge 11 ] || complain "subdef --help lists $(wc -l < "$list") commands"
while read -r command; do
  page=$build/man/subdef-$command.1
  [ -s "$page" ] || { complain "$page: not there"; continue; }
  if [ "$command" = gen ]; then help=$("$build/tools/subdef-gen" --help)
  else help=$("$build/tools/subdef" "$command" --help); fi
  twice=$(printf '%s\n' "$help" | sed -n 's/^ *-\([A-Za-z?]\),.*/\1/p' | sort | uniq -d)
  [ -z "$twice" ] || complain "$command --help has two options of the letter $twice"
  odd=$(printf '%s\n' "$help" | grep -E '^ {30}|^ {7,28}-|^  -., {2,}-')$(printf '%s\n' "$help" | awk '/^ +-/ { options = 1 } /^$/ { options = 0 } options && /^[a-z]/')
  [ -z "$odd" ] || complain "$command --help has odd lines: $odd"
  ! printf '%s\n' "$help" | grep -q '@' || complain "$command --help has a list that is not made"
  for option in $(printf '%s\n' "$help" | sed -n 's/^ *\(-.,\)* *--\([a-z-]*\).*/\2/p'); do
    case $option in help | usage | version) continue ;; esac
    grep -q -- "Fl .*\\\\-$option\( \|\$\)" "$page" || complain "$page: nothing about --$option"
  done
  grep -q "^\.It Xr subdef-$command 1" "$build/man/subdef.1" || complain "subdef.1 does not name subdef-$command"
done < "$list"
# the pages about sweeps name every metric that the program has
for metric in $("$build/tools/subdef" reformat --help | sed -n 's/.*--metric=\([a-z0-9|]*\).*/\1/p' | tr '|' ' '); do
  grep -qw "$metric" "$build/man/subdef-sweep.1" || complain "subdef-sweep.1 does not name the metric $metric"
  grep -q "\`metric\`.*\`$metric\`" "${SD_SRCDIR:-.}/experiments/README.md" || complain "experiments/README.md does not name the metric $metric"
done
# each function of the installed headers has a page, which its NAME and SYNOPSIS name
for pair in engine/probe.h=subdef_probe coded/subdef.h=subdef_coded; do
  header=${SD_SRCDIR:-.}/${pair%=*} page=${SD_SRCDIR:-.}/man/${pair#*=}.3
  for name in $(sed -n 's/^SUBDEF_API[^(]*[ *]\(sd_[a-z_]*\) (.*/\1/p' "$header"); do
    grep -q "^\.Nm $name\( ,\)*$" "$page" || complain "$page: NAME has no $name"
    grep -q "^\.F[no] $name\b" "$page" || complain "$page: SYNOPSIS has no $name"
    [ "$(cat "${SD_SRCDIR:-.}/man/$name.3")" = ".so man3/${pair#*=}.3" ] || complain "man/$name.3 does not lead to $page"
  done
done
# each page renders without a complaint, and its SYNOPSIS has the forms of --help, one a line
for page in "$build"/man/*.1 "${SD_SRCDIR:-.}"/man/subdef_probe.3 "${SD_SRCDIR:-.}"/man/subdef_coded.3; do
  if command -v groff >/dev/null; then
    said=$(groff -mdoc -Tascii -ww -z "$page" 2>&1) && [ -z "$said" ] || complain "groff: $page: $said"
    name=$(basename "$page" .1)
    case $name in *.3) continue ;; esac
    words=$(echo "$name" | sed 's/^subdef-gen$/&/; t; s/-/ /')
    forms=$(groff -mdoc -Tascii -P-cbou "$page" | sed -n '/^SYNOPSIS/,/^[A-Z]/p' | grep -c "^ *$words ")
    if [ "$name" = subdef ]; then want=1
    elif [ "$name" = subdef-gen ]; then want=$("$build/tools/subdef-gen" --help | grep -cE '^(Usage:|  or: ) ')
    else want=$("$build/tools/subdef" "${name#subdef-}" --help | grep -cE '^(Usage:|  or: ) '); fi
    [ "$forms" -eq "$want" ] || complain "$page: $forms forms in the SYNOPSIS, $want in --help"
    groff -mdoc -Tascii -P-cbou "$page" | sed -n '/^SYNOPSIS/,/^DESCRIPTION/p' | grep '"' && complain "$page: a stray quote"
  fi
  command -v mandoc >/dev/null && ! said=$(mandoc -T lint -W error "$page" 2>&1) && complain "mandoc: $page: $said"
done
rm -f "$list"
exit $status
