#!/bin/sh
# No two types of the project have one name: the compiler sees it only where both are included.
set -u
: "${SD_SRCDIR:?}"
check () { awk -v least="$1" -f "$SD_SRCDIR/tests/build/types.awk" $2; }

cd "$SD_SRCDIR" || exit 99
# shellcheck disable=SC2046
check 200 "$(find array base chess coded codecs docs engine experiments fuzz gen indexer obdd papers probe recode repair search subdef syzygy \
  table tests tools values -name '*.[ch]' | sort)" || exit 1

# and the check sees what it is there for
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 99
refused () { # refused WHAT FIRST-FILE-TEXT SECOND-FILE-TEXT [ENDING]
  printf '%b' "$2" >"one.${4:-h}"
  printf '%b' "$3" >two.c
  check 1 "one.${4:-h} two.c" >said && { echo "FAIL: $1 defined twice, and nobody says so" >&2; exit 1; }
  grep -q 'two.c:' said || { echo "FAIL: $1: the place is not named:" >&2; cat said >&2; exit 1; }
}
refused 'a struct' 'struct sd_x {\n  int a;\n};\n' 'typedef struct sd_x { int b; } other;\n'
refused 'an enum' '/* struct */ enum sd_x { A };\n' 'enum sd_x\n{\n  B\n};\n'
refused 'a union inside a struct' 'struct a { union b { int c; } d; };\n' 'union b { int x; };\n'
refused 'a typedef' 'typedef unsigned sd_x;\n' 'typedef struct {\n  int a;\n} sd_x;\n'
refused 'a typedef of a function' 'typedef int (*sd_x) (int);\n' 'typedef long sd_x[3];\n'
refused 'a type of the project in two sources' 'struct sd_x { int a; };\n' 'struct sd_x { int b; };\n' c
printf 'struct x { int a; };\ntypedef struct y y;\n' >one.c
printf 'struct x { int b; };\ntypedef struct y y;\n' >two.c
check 1 'one.c two.c' || { echo "FAIL: file-local types of two sources are no clash" >&2; exit 1; }
