#!/bin/sh
# ThreadSanitizer has no objection when four threads ask one prober, of tables of ours and of Syzygy's, and says so when there is one.
set -u
: "${SD_SRCDIR:?}" "${SD_BUILDDIR:?}"
[ "${SD_PYTHON:-:}" != : ] || { echo "no Python"; exit 77; }
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
fail () { echo "FAIL: $*" >&2; exit 1; }
cc=${SD_CC:-cc}
# its memory cannot be laid out everywhere; and does it find a race?
cat >"$work/race.c" <<'EOF'
#include <pthread.h>
static int n;
static void *add (void *p) { n++; return p; }
int main (void) { pthread_t t; pthread_create (&t, 0, add, 0); n++; pthread_join (t, 0); return 0; }
EOF
echo 'int main (void) { return 0; }' >"$work/none.c"
export TSAN_OPTIONS=exitcode=66
# some kernels put programs where it has its own memory
still=
setarch "$(uname -m)" -R true 2>/dev/null && still="setarch $(uname -m) -R"
$cc -fsanitize=thread "$work/none.c" -o "$work/none" 2>"$work/log" && $still "$work/none" || { echo "no ThreadSanitizer here"; exit 77; }
$cc -fsanitize=thread "$work/race.c" -o "$work/race" -pthread && $still "$work/race" 2>"$work/log"
[ $? -eq 66 ] || fail "a race was not found: $(cat "$work/log")"

(unset MAKEFLAGS MFLAGS MAKELEVEL; make -C "$SD_BUILDDIR" amalgamation) >"$work/log" 2>&1 || { cat "$work/log" >&2; fail "make amalgamation"; }
# -Wno-tsan: the fence of table/syzygy.c, whose order ThreadSanitizer of gcc does not see, stands between a read of the file and one of a flag
$cc -std=gnu11 -O1 -g -Wno-tsan -fsanitize=thread -DAMALGAMATION "-I$SD_BUILDDIR" "$SD_SRCDIR/tests/amalgamation/threads.c" \
  "$SD_BUILDDIR/subdef_probe.c" -pthread -o "$work/threads" || fail "threads.c"
golden=$SD_SRCDIR/tests/golden
# flags: 0, SD_PROBER_MAP (1), SD_PROBER_ALL (2), SD_PROBER_SYZYGY_FIRST (8): KQvK of `rule` is there twice
for folder in syzygy:0 syzygy:1 syzygy:2 rule:0 rule:2 rule:8 rule:9 evident-one:0 losses:0 obdd-clusters:0 obdd-moves:0 one-sided-wdl:0 repair-moves:0 \
  repair-wdl:0 repair-wdl:1 repair-wdl:2 trees-moves:0 trees-wdl:0; do
  flags=${folder#*:} folder=${folder%:*}
  endings=$(find "$golden/$folder" -name 'K*' | sed 's|.*/||; s|[.].*||' | sort -u)
  # shellcheck disable=SC2086
  $still "$work/threads" "$flags" "$golden/$folder:$golden/base:$golden/syzygy" $endings >"$work/out" 2>"$work/log"
  status=$?
  [ $status -eq 0 ] && [ ! -s "$work/log" ] || { head -n 60 "$work/log" >&2; fail "$folder, flags $flags: exit $status"; }
  echo "$folder, flags $flags: $(cat "$work/out")"
done
