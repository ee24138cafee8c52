#!/bin/sh
# The Python module: as `make install` puts it, and as a wheel that needs nothing of the system, tables and arrays.
set -u
: "${SD_SRCDIR:?}" "${SD_BUILDDIR:?}" "${SD_PREFIX:?run it by make check}"
python=${SD_PYTHON:-:}
[ "$python" != : ] || { echo "no Python"; exit 77; }
[ -z "${SD_SANITIZE:-}" ] || { echo "Python does not start with sanitizers"; exit 77; }
export PYTHONDONTWRITEBYTECODE=1
unset SUBDEF_LIBRARY SUBDEF_PROBE_LIBRARY PYTHONPATH LD_LIBRARY_PATH
scratch=$SD_BUILDDIR/tests/python/module
fail () { echo "FAIL: $*" >&2; exit 1; }
rm -rf "$scratch" && mkdir -p "$scratch/tables" "$scratch/wheel" || exit 99
cp "$SD_SRCDIR"/tests/data/engine/*.sdt "$scratch/tables/" || exit 99
again () { (unset MAKEFLAGS MFLAGS MAKELEVEL; make -C "$SD_BUILDDIR" "$@") >"$scratch/log" 2>&1 || { tail -n 5 "$scratch/log" >&2; fail "make $*"; }; }

# rows of a sweep, where there is a program that makes some
store=
if [ -x "$SD_BUILDDIR/tools/subdef" ]; then
  printf '%s\n' 'title = "rows"; groups = ( { name = "a"; tables = "KQvK"; metric = "wdl"; codec = ( { name = "lzma"; }, { name = "repair"; } ); } );' \
    >"$scratch/rows.conf"
  "$SD_BUILDDIR/tools/subdef-gen" KQvK -q -o "$scratch/exact" >"$scratch/log" 2>&1 && store=$scratch/rows.db \
    && "$SD_BUILDDIR/tools/subdef" sweep "$scratch/rows.conf" --tables "$scratch/exact" -o "$store" >"$scratch/log" 2>&1 \
    || fail "a sweep: $(cat "$scratch/log")"
fi
try () { # try WHAT FOLDER: both files of tests with the module of a folder
  PYTHONPATH=$2 "$python" "$SD_SRCDIR/tests/python/tables.py" "$scratch/tables" "$SD_SRCDIR/tests/golden/syzygy" 2>"$scratch/log" \
    || { cat "$scratch/log" >&2; fail "$1: tables"; }
  PYTHONPATH=$2 "$python" "$SD_SRCDIR/tests/python/arrays.py" $store 2>"$scratch/log" || { cat "$scratch/log" >&2; fail "$1: arrays"; }
  PYTHONPATH=$2 "$python" "$SD_SRCDIR/tests/python/wide.py" 2>"$scratch/log" || { cat "$scratch/log" >&2; fail "$1: wide numbers"; }
  version=$(PYTHONPATH=$2 "$python" -c 'import subdef; print (subdef.__version__)')
  grep -qxF "#define PACKAGE_VERSION \"$version\"" "$SD_BUILDDIR/config.h" || fail "$1: __version__ is $version"
}

again install-libLTLIBRARIES install-subdefpythonDATA DESTDIR="$scratch/root"
module=$(dirname "$(dirname "$(find "$scratch/root" -path '*/subdef/__init__.py')")")
[ -f "$module/subdef/py.typed" ] || fail "the module is not installed whole"
# where Python looks, if it looks anywhere below the prefix
"$python" -c 'import sys
below = [d for d in sys.path if d.startswith (sys.argv[1] + "/lib/") and d.endswith ("-packages")]
sys.exit (bool (below) and sys.argv[2] not in below)' "$SD_PREFIX" "${module#"$scratch/root"}" || fail "Python does not look in ${module#"$scratch/root"}"
try "the installed module" "$module"

# The wheel: pip's way where there is pip, else its files as they are.
again wheel
wheel=$(find "$SD_BUILDDIR" -maxdepth 1 -name 'subdef-*.whl')
[ -f "$wheel" ] || fail "no wheel"
grep -q "^version = \"$version\"\$" "$SD_SRCDIR/pyproject.toml" || fail "pyproject.toml is not of version $version"
if "$python" -m pip --version >/dev/null 2>&1; then
  "$python" -m pip install -q --no-index --disable-pip-version-check --root-user-action=ignore --target "$scratch/wheel" "$wheel" 2>"$scratch/log" || { cat "$scratch/log" >&2; fail "pip install"; }
else
  "$python" -m zipfile -e "$wheel" "$scratch/wheel" || fail "$wheel"
fi
try "the wheel" "$scratch/wheel"
# what the libraries need is loaded from the wheel
PYTHONPATH=$scratch/wheel "$python" -c 'import subdef
subdef.compress ([1, 2])
used = {line.split () [-1] for line in open ("/proc/self/maps") if ".so" in line}
foreign = [path for path in used if ("xxhash" in path or "gomp" in path) and "/subdef/lib/" not in path]
assert not foreign, foreign' || fail "the wheel uses libraries of the system"
rm -rf "$scratch" "$wheel"
