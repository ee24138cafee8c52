#!/bin/sh
# Ranks on several hosts: three network namespaces, joined by a bridge, each with a name, an address and an orted of its own, that
# share nothing but the folder. The table is that of one process, what a host's lost rank leaves is taken up by fewer hosts, and
# the bytes went over the wire. Needs root and iproute2; skipped without. Nothing outside is touched: all of it lives in a network and a
# mount namespace that end with this script.
gen=${SD_BUILDDIR:-.}/tools/subdef-gen
skip () {
  echo "skipped: $1"
  exit 77
}
if [ -z "$SD_HOSTS_INSIDE" ]; then
  command -v mpirun >/dev/null || skip "there is no mpirun"
  mpirun --version 2>/dev/null | grep -q 'Open MPI) [234]\.' || skip "how hosts are named is written for Open MPI 2 to 4"
  [ "$(id -u)" -eq 0 ] || skip "network namespaces need root"
  for program in ip unshare hostname timeout; do
    command -v $program >/dev/null || skip "there is no $program"
  done
  unshare --net --mount --uts true 2>/dev/null || skip "this machine gives no namespaces"
  SD_HOSTS_INSIDE=1 exec unshare --net --mount --uts sh "$0" "$@"
fi

work=$(mktemp -d) || exit 99
pids= # of mpirun in the background
trap 'for p in $pids; do kill -9 $p 2>/dev/null; done; for h in 1 2 3; do ip netns pids sd$h 2>/dev/null; done | xargs -r kill -9 2>/dev/null
  umount /etc/hosts 2>/dev/null; umount /run/netns 2>/dev/null; rm -rf "$work"' EXIT
failures=0
fail () {
  echo "FAIL: $1"
  sed 's/^/  | /' "$work/err" | head -8
  failures=$((failures + 1))
}

# the hosts: sd1, sd2, sd3 at 10.77.0.1, .2, .3
touch "$work/err"
mkdir -p /run/netns
{ mount --make-rprivate / && mount -t tmpfs none /run/netns; } 2>"$work/err" || skip "nothing can be mounted: $(head -1 "$work/err")"
for h in 1 2 3; do echo "10.77.0.$h sd$h"; done >"$work/hosts"
echo "127.0.0.1 localhost" >>"$work/hosts"
mount --bind "$work/hosts" /etc/hosts || skip "/etc/hosts cannot be replaced in here"
{ ip link add sdbr type bridge && ip link set sdbr up; } 2>"$work/err" || skip "no bridge: $(head -1 "$work/err")"
for h in 1 2 3; do
  { ip netns add sd$h && ip link add wire$h type veth peer name eth0 netns sd$h && ip link set wire$h master sdbr up &&
      ip -n sd$h addr add 10.77.0.$h/24 dev eth0 && ip -n sd$h link set eth0 up && ip -n sd$h link set lo up; } 2>"$work/err" ||
    skip "no wire to a host: $(head -1 "$work/err")"
done
# what ssh would be: HOST COMMAND...
cat >"$work/agent" <<'END'
#!/bin/sh
host=$1
shift
exec ip netns exec "$host" unshare --uts sh -c "hostname $host; $*"
END
chmod +x "$work/agent"
wire () { # bytes that have come from a host
  sed -n "s/^ *wire$1: *\([0-9]*\).*/\1/p" /proc/net/dev
}
ip netns exec sd1 ip link >/dev/null 2>&1 || skip "no command runs in a namespace"

OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
OMPI_MCA_hwloc_base_binding_policy=none OMPI_MCA_plm_rsh_agent=$work/agent
OMPI_MCA_pml=ob1 OMPI_MCA_btl=tcp,self OMPI_MCA_btl_tcp_if_include=eth0 OMPI_MCA_oob_tcp_if_include=eth0
ASAN_OPTIONS=detect_leaks=0 # MPI's own
OMP_WAIT_POLICY=passive
export ASAN_OPTIONS OMP_WAIT_POLICY OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM OMPI_MCA_rmaps_base_oversubscribe
export OMPI_MCA_hwloc_base_binding_policy OMPI_MCA_plm_rsh_agent
export OMPI_MCA_pml OMPI_MCA_btl OMPI_MCA_btl_tcp_if_include OMPI_MCA_oob_tcp_if_include
unset OMPI_MCA_btl_vader_single_copy_mechanism
on () { # on HOSTS COMMAND...: one rank a host; typed on sd1. No rank may wait for ever
  hosts=$1
  shift
  timeout -k 5 120 "$work/agent" sd1 mpirun --host "$hosts" "$@"
}

# reaches every host its own orted?
if ! on sd1,sd2,sd3 hostname >"$work/names" 2>"$work/err" || [ "$(sort "$work/names" | tr '\n' ' ')" != "sd1 sd2 sd3 " ]; then
  cat "$work/names" "$work/err"
  skip "mpirun does not reach three hosts here"
fi

"$gen" KRvKR KRBvK -q -o "$work/alone" >/dev/null || exit 1
before=$(($(wire 2) + $(wire 3)))
on sd1,sd2,sd3 "$gen" KRvKR KRBvK -q -o "$work/three" >"$work/out" 2>"$work/err" || fail "three hosts: exit $?"
sent=$(($(wire 2) + $(wire 3) - before))
for f in "$work"/alone/*; do
  cmp "$f" "$work/three/${f##*/}" || fail "three hosts: ${f##*/} differs"
done
[ "$(ls -A "$work/three")" = "$(ls -A "$work/alone")" ] || fail "three hosts leave $(ls -A "$work/three" | tr '\n' ' ')"
echo "three hosts: $sent bytes came over the wires of two"
[ "$sent" -ge 10000000 ] || fail "three hosts: only $sent bytes over the wires of two"

# a rank on sd2 is killed when there is a checkpoint; its host does not come back
rm "$work/three/KRBvK.dtm.sdt"
on sd1,sd2,sd3 "$gen" KRBvK --checkpoint 0.000001 -q -o "$work/three" >"$work/out" 2>"$work/err" &
pids=$!
tries=0
while [ $tries -lt 600 ] && kill -0 $pids 2>/dev/null && ! [ -e "$work/three/KRBvK.ckpt/manifest" ]; do
  tries=$((tries + 1))
  sleep 0.02
done
for p in $(ip netns pids sd2); do
  case $(readlink "/proc/$p/exe") in */subdef-gen | */lt-subdef-gen) kill -9 "$p" ;; esac
done
wait $pids && fail "a rank on sd2 was killed, and mpirun reports success"
pids=
[ -e "$work/three/KRBvK.dtm.sdt" ] && fail "a rank on sd2 was killed: there is a table"
on sd3,sd1 "$gen" KRBvK --checkpoint 1000 -o "$work/three" >"$work/out" 2>"$work/err" || fail "two hosts: exit $?"
grep -q 'resumed at ply [0-9]* .*made by 3 ranks' "$work/err" || fail "two hosts do not take up what three left"
cmp "$work/alone/KRBvK.dtm.sdt" "$work/three/KRBvK.dtm.sdt" || fail "two hosts: the table differs"
[ "$(ls -A "$work/three")" = "$(ls -A "$work/alone")" ] || fail "two hosts leave $(ls -A "$work/three" | tr '\n' ' ')"

exit $((failures != 0))
