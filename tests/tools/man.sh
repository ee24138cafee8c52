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
  odd=$(printf '%s\n' "$help" | grep -E '^ {30}|^ {7,28}-')
  [ -z "$odd" ] || complain "$command --help has odd lines: $odd"
  for option in $(printf '%s\n' "$help" | sed -n 's/^ *\(-.,\)* *--\([a-z-]*\).*/\2/p'); do
    case $option in help | usage | version) continue ;; esac
    grep -q -- "Fl .*\\\\-$option\( \|\$\)" "$page" || complain "$page: nothing about --$option"
  done
  grep -q "^\.It Xr subdef-$command 1" "$build/man/subdef.1" || complain "subdef.1 does not name subdef-$command"
done < "$list"
rm -f "$list"
exit $status
