#!/bin/sh
# The unit of systemd for subdef serve: systemd finds nothing to complain of, and the system calls of the server are among those that the
# unit allows.
set -u
: "${SD_SRCDIR:?}" "${SD_BUILDDIR:?run it by make check}"
command -v systemd-analyze >/dev/null || { echo "no systemd-analyze"; exit 77; }
scratch=$SD_BUILDDIR/tests/build/service
fail () { echo "FAIL: $*" >&2; exit 1; }
rm -rf "$scratch" && mkdir -p "$scratch" || exit 99
(unset MAKEFLAGS MFLAGS MAKELEVEL; make -C "$SD_BUILDDIR" packaging/subdef-serve.service) >"$scratch/make.log" 2>&1 || fail "$(cat "$scratch/make.log")"
made=$SD_BUILDDIR/packaging/subdef-serve.service unit=$scratch/subdef-serve.service
# it names the program where it will be installed; here, the one that was built
grep -q '^ExecStart=/.*/subdef serve' "$made" || fail "the unit starts no program"
program=$SD_BUILDDIR/tools/subdef
[ -x "$program" ] || program=/bin/true
sed "s,^ExecStart=/[^ ]*/subdef,ExecStart=$program," "$made" >"$unit"
verified () { systemd-analyze verify --man=no "$1" >"$scratch/verified" 2>&1; }
verified "$unit" && [ ! -s "$scratch/verified" ] || fail "systemd-analyze: $(cat "$scratch/verified")"
# and it does find a mistake
sed 's/^ProtectSystem=strict/ProtectSystem=strictly/' "$unit" >"$scratch/wrong.service"
verified "$scratch/wrong.service"
grep -q "wrong.service:" "$scratch/verified" || { echo "systemd-analyze finds no mistakes here: $(cat "$scratch/verified")"; exit 77; }
systemd-analyze security --offline=true --threshold=30 "$unit" >"$scratch/security" 2>&1 || fail "systemd-analyze security: $(tail -n 3 "$scratch/security")"

command -v strace >/dev/null && [ -x "$SD_BUILDDIR/tools/subdef" ] || { echo "no strace, or no programs; the unit is all right"; exit 77; }
command -v "${SD_PYTHON:-python3}" >/dev/null || exit 77
[ -z "${SD_SANITIZE:-}" ] || exit 77 # sanitizers have calls of their own
{ systemd-analyze syscall-filter @system-service; for set in $(systemd-analyze syscall-filter @system-service | sed -n 's/^ *\(@[a-z-]*\).*/\1/p'); do
  systemd-analyze syscall-filter "$set"; done; } 2>/dev/null | sed -n 's/^ *\([a-z0-9_]*\)$/\1/p' | sort -u >"$scratch/allowed"
strace -f -qq -o "$scratch/calls" "$SD_BUILDDIR/tools/subdef" serve --tables "$SD_SRCDIR/tests/data/engine" --port 0 >"$scratch/address" 2>"$scratch/messages" &
server=$!
# strace writes in front of each line whose call it is, first the server's
stop () { kill "$(sed -n '1s/ .*//p' "$scratch/calls")"; }
trap stop EXIT
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do [ -s "$scratch/address" ] && break; sleep 1; done
"${SD_PYTHON:-python3}" - "$(cat "$scratch/address")" <<'PY' || fail "no answer"
import sys, urllib.request
for name in ("", "info", "standard?fen=8/8/8/8/8/3k4/8/K6Q_w_-_-_0_1"):
    urllib.request.urlopen(sys.argv[1].strip() + name).read()
PY
trap - EXIT
stop
wait "$server"
sed -n 's/^[0-9]* *\([a-z0-9_]*\)(.*/\1/p' "$scratch/calls" | sort -u >"$scratch/used"
[ "$(wc -l <"$scratch/used")" -ge 20 ] && [ "$(wc -l <"$scratch/allowed")" -ge 100 ] || fail "too few system calls: $(cat "$scratch/used" "$scratch/allowed")"
[ -z "$(comm -23 "$scratch/used" "$scratch/allowed")" ] || fail "system calls that the unit does not allow: $(comm -23 "$scratch/used" "$scratch/allowed")"
echo "$(wc -l <"$scratch/used") system calls are used, all of them allowed"
rm -rf "$scratch"
