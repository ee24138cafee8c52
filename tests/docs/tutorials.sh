#!/bin/sh
# The tutorials of docs/tutorials/ and what README.md has to try (NAME: readme), typed as they stand there: each command succeeds, and prints
# the lines that stand below it. Times and megabytes in these are not compared, and a command may print more (`...` stands for it). Blocks
# that begin with "# takes" are run with SD_LONG_TESTS=1 alone. tutorials.sh [NAME ...]: those only; with SD_SHOW=1 it shows what each block
# prints.
set -u
: "${SD_SRCDIR:?}" "${SD_BUILDDIR:?}" "${SD_PREFIX:?run it by make check}"
scratch=$SD_BUILDDIR/tests/docs/tutorials
failures=0
fail () { echo "FAIL: $*" >&2; failures=$((failures + 1)); }
[ -z "${SD_SANITIZE:-}" ] || { echo "programs that do not know of sanitizers cannot load the library"; exit 77; }
for tool in cc curl pkg-config python3; do
  command -v $tool >/dev/null || { echo "no $tool"; exit 77; }
done
[ $# -gt 0 ] || set -- readme research tables engine arrays
rm -rf "$scratch" && mkdir -p "$scratch" || exit 99

# what "make install" leaves, so that the compiler finds it as the tutorial says
(unset MAKEFLAGS MFLAGS MAKELEVEL; make -C "$SD_BUILDDIR" install-libLTLIBRARIES install-subdefincludeHEADERS install-pkgconfigDATA \
  install-subdefpythonDATA DESTDIR="$scratch/root") >"$scratch/install.log" 2>&1 || { tail -n 5 "$scratch/install.log" >&2; exit 1; }
root=$scratch/root
for pc in "$root$SD_LIBDIR"/pkgconfig/*.pc; do
  sed "s|^prefix=.*|prefix=$root$SD_PREFIX|; s|=$SD_PREFIX/|=$root$SD_PREFIX/|" "$pc" >"$pc.new" && mv "$pc.new" "$pc" || exit 99
done
export PKG_CONFIG_PATH="$root$SD_LIBDIR/pkgconfig" LD_LIBRARY_PATH="$root$SD_LIBDIR"
module=$(find "$root" -path '*/subdef/__init__.py')
export PYTHONPATH="${module%/subdef/*}" PYTHONDONTWRITEBYTECODE=1
export PATH="$SD_BUILDDIR/tools:$PATH" SUBDEF="$SD_SRCDIR"
# Open MPI refuses root and more ranks than cores unless told
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1

# The lines of $1 stand in $2, in any order, since tables are made side by side; runs of blanks are not compared.
compare () {
  awk '
    function bare(line) {
      gsub(/[0-9][0-9.,]* ?(ns|us|ms|s|min|CPU-seconds|CPU-s|M\/s|MB)([^A-Za-z0-9]|$)/, "TIME ", line)
      gsub(/[0-9.]+ for files$/, "TIME for files", line)
      gsub(/[ \t]+/, " ", line)
      sub(/^ /, "", line)
      sub(/ $/, "", line)
      return line
    }
    NR == FNR { printed[bare($0)]; next }
    $0 != "..." && !(bare($0) in printed) { print; missing = 1 }
    END { exit missing }' "$2" "$1"
}

tutorial () {
  name=$1
  page=$SD_SRCDIR/docs/tutorials/$name.md
  [ "$name" != readme ] || page=$SD_SRCDIR/README.md
  blocks=$scratch/$name.blocks
  mkdir -p "$blocks" "$scratch/$name"
  awk -v dir="$blocks" -f "$SD_SRCDIR/tests/docs/tutorial.awk" "$page" || exit 99
  # one shell runs all of them, as the reader's does; a block that fails ends it
  (
    cd "$scratch/$name" || exit 99
    # a server that a block leaves behind when it fails
    trap '[ -z "${server:-}" ] || kill "$server" 2>/dev/null' EXIT
    set -e
    for block in "$blocks"/*.sh; do
      if [ -n "${SD_LONG_TESTS:-}" ] || ! sed -n 2p "$block" | grep -q '^# takes'; then
        sed q "$block" >"$blocks/last"
        . "$block" </dev/null >"${block%.sh}.out" 2>&1
      fi
    done
    rm "$blocks/last"
  )
  if [ -f "$blocks/last" ]; then
    fail "the commands of $(cat "$blocks/last") fail:"
    cat "$(ls "$blocks"/*.out | tail -n 1)" >&2
  fi
  for text in "$blocks"/*.text; do
    [ -f "${text%.text}.out" ] || continue
    line=$(compare "$text" "${text%.text}.out") && continue
    fail "$(sed -n 1p "${text%.text}.sh"): does not print: $line"
    [ -n "${SD_SHOW:-}" ] || cat "${text%.text}.out" >&2
  done
  [ -z "${SD_SHOW:-}" ] || for out in "$blocks"/*.out; do echo "== $out"; cat "$out"; done
}
for name; do
  started=$(date +%s)
  tutorial "$name"
  echo "$name: $(($(date +%s) - started)) s"
done
[ "$failures" -gt 0 ] || rm -rf "$scratch"
exit $((failures > 0))
