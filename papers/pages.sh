#!/bin/sh
# Makes the figures that stand on the pages: pages.sh [-c] [PAGE.md ...]; all pages of papers/ and the top-level README.md without names.
# On a page, what stands between `<!-- made: NAME.sql -->` and `<!-- end -->` is what the query says of the CSV files (ask.sh): a line of its
# answer is a line of the page, folded at 110 columns. -p N before the name takes the N-th of the paragraphs. Names are relative to the
# folder of the page, or to papers/ for the top-level README.md. The pages are written in place; with -c nothing is written, and what
# differs is printed (exit 1). Needs awk and sqlite3.
set -eu
papers=$(cd "$(dirname "$0")" && pwd)
check=
[ "${1:-}" != -c ] || { check=yes; shift; }
[ $# -gt 0 ] || set -- "$papers/../README.md" "$papers"/README.md "$papers"/*/*.md
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT

# made FOLDER [-p N] QUERY: what the query says
made () {
  cd "$1"
  shift
  part=
  [ "$1" != -p ] || { part=$2; shift 2; }
  sh "$papers/ask.sh" "$1" >"$work/answer" || return 1
  awk -v part="$part" '
    part != "" && /^$/ { paragraph++; next }
    part != "" && paragraph + 1 != part { next }
    /^\|/ || length($0) <= 110 { print; next }
    { # folded; lines that go on are indented as a list does
      indent = match($0, /^ *[*-] /) ? substr("        ", 1, RLENGTH) : ""
      line = ""
      n = split($0, word, " ")
      for (i = 1; i <= n; i++)
        if (line == "")
          line = word[i]
        else if (length(line) + 1 + length(word[i]) > 110) {
          print line
          line = indent word[i]
        } else
          line = line " " word[i]
      print line
    }' "$work/answer"
}

failed=0
for page; do
  folder=$(cd "$(dirname "$page")" && pwd)
  [ "$folder" != "$(dirname "$papers")" ] || folder=$papers
  : >"$work/page"
  inside=
  while IFS= read -r line || [ -n "$line" ]; do
    case $line in
      '<!-- end -->') inside= ;;
    esac
    [ -n "$inside" ] || printf '%s\n' "$line" >>"$work/page"
    case $line in
      '<!-- made: '*' -->')
        inside=yes
        line=${line#<!-- made: }
        # shellcheck disable=SC2086
        (made "$folder" ${line% -->}) </dev/null >"$work/made" || { echo "$page: failed: ${line% -->}" >&2; exit 1; }
        cat "$work/made" >>"$work/page" ;;
    esac
  done <"$page"
  [ -z "$inside" ] || { echo "$page: no <!-- end --> behind the last <!-- made: -->" >&2; exit 1; }
  if cmp -s "$page" "$work/page"; then
    continue
  elif [ -n "$check" ]; then
    echo "$page is not what its scripts print ('make papers-pages' writes it):"
    diff "$page" "$work/page" || failed=1
  else
    cat "$work/page" >"$page"
    echo "$page: written"
  fi
done
exit $failed
