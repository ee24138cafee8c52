#!/bin/sh
# Makes the site: site.sh SOURCE MAN OUT makes OUT/site/index.html of the pages of the repository SOURCE and of the manual pages of the
# programs in MAN. Any warning of Sphinx, as one of a link that leads nowhere, is an error. Nothing is asked of the network, neither
# here nor by the pages. The pages are not copied: OUT/site-source has links to the folders of the repository. Exit status 69: the
# generator is missing; a message says what to install.
set -eu
top=$(cd "$1" && pwd) man=$(cd "$2" && pwd) out=$(cd "$3" && pwd)
source=$out/site-source
missing=
command -v sphinx-build >/dev/null || missing=python3-sphinx
command -v mandoc >/dev/null || missing="$missing mandoc"
# the Python that Sphinx runs in, which need not be the first one of the path
python=$(sed -n '1s/^#! *//p' "$(command -v sphinx-build || echo /dev/null)")
for module in myst_parser furo; do
  ${python:-python3} -c "import $module" 2>/dev/null || missing="$missing $(echo $module | sed 's/^myst_/python3-myst-/')"
done
[ -z "$missing" ] || { echo "make site needs more: apt-get install --no-install-recommends$(printf ' %s' $missing) (62 MB beside Python)" >&2; exit 69; }

rm -rf "$source" "$source.trees" "$out/site" && mkdir -p "$source/man"
ln -s "$top/README.md" "$source/index.md"
# a room is a folder with a README
for page in "$top"/*/README.md; do
  folder=${page%/README.md}
  ln -s "$folder" "$source/${folder##*/}"
done
for file in docs LICENSE setup; do ln -s "$top/$file" "$source/$file"; done

# A manual page in Markdown: its title is the heading, its sections are a level lower.
markdown () {
  mandoc -T markdown "$1" | awk '
    NR == 1 { print "# '"$2"'"; next }
    /^#/ { print "#" $0; next }
    { print }'
}
for page in "$man"/*.1; do
  name=${page##*/}
  markdown "$page" "${name%.1}(1)" >"$source/man/$name.md"
done
: >"$source/man/aliases"
for page in "$top"/man/*.3; do
  name=${page##*/}
  if other=$(sed -n 's|^\.so man3/\(.*\)\.3$|\1|p' "$page") && [ -n "$other" ]; then
    echo "${name%.3} $other" >>"$source/man/aliases"
  else
    markdown "$page" "${name%.3}(3)" >"$source/man/$name.md"
  fi
done
sphinx-build -q -W --keep-going -c "$top/docs/site" -d "$source.trees" "$source" "$out/site"
echo "$out/site/index.html"
