#!/bin/sh
# subdef serve where things go wrong: standard output on a full disk, ports that are none, kill -9 and a start on the same port, few
# open files; tables, Syzygy's files among them, that are cut, removed, replaced or overwritten while it serves; requests that are cut off,
# huge, binary or badly written; many connections; clients that never read, or send a byte now and then, more than there may be. It goes
# on, and each answer is the one it gave before, or says what is wrong.
# Without HTTP or python3: exit 77.
set -u
subdef=$SD_BUILDDIR/tools/subdef
grep -q '^#define HAVE_MICROHTTPD 1' "$SD_BUILDDIR/config.h" || { echo "no HTTP in this build"; exit 77; }
python=$(command -v python3) || { echo "no python3 here"; exit 77; }
work=$(mktemp -d "$SD_BUILDDIR/serve-faults-XXXXXX") || exit 1
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null; rm -rf "$work"' EXIT
cd "$work" || exit 1
unset SUBDEF_PATH
export OMP_NUM_THREADS=1
failed=0
fail () { failed=1; echo "FAILED $*"; }

OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 ASAN_OPTIONS=detect_leaks=0 \
  "$SD_BUILDDIR/tools/subdef-gen" KRvKR -q -o exact >gen.txt 2>&1 || { cat gen.txt; exit 1; }
"$subdef" reformat KRvKR KRvK --metric wdl --codec repair --tables exact -o tables -q || exit 1
"$subdef" reformat KRvKR KRvK --metric dtm --codec store --tables tables:exact -o tables -q || exit 1
[ "$(wc -c <tables/KRvKR.dtm.sdt)" -gt 1100000 ] || fail "the table has one chunk, so that all of it is read when it is opened"

start () { # start OPTIONS...: $server, $url
  : >url
  "$subdef" serve "$@" >url 2>err &
  server=$!
  for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40; do
    [ -s url ] && break
    kill -0 $server 2>/dev/null || break
    sleep 0.1
  done
  url=$(cat url)
  [ -n "$url" ] || { fail "no start with $*: $(cat err)"; exit 1; }
}
stop () { # stop TITLE: it still runs, and ends as it should
  kill -TERM $server 2>/dev/null || fail "$1: it has gone"
  wait $server
  status=$?
  server=
  [ $status -eq 0 ] || fail "$1: exit $status: $(cat err)"
}

# a full disk, ports that are none
timeout 20 "$subdef" serve --tables tables --port 0 >/dev/full 2>why </dev/null
[ $? -eq 1 ] && [ "$(cat why)" = "subdef serve: standard output: write failed: No space left on device" ] || fail "standard output: $(cat why)"
for port in nan '' 1e3 0x50 ' ' 99999999999999999999 80.5 '8 0'; do
  timeout 20 "$subdef" serve --tables tables "--port=$port" >out 2>why </dev/null
  status=$?
  [ $status -eq 2 ] && [ "$(grep -c 'expected a number from 0 to 65535' why)" -eq 1 ] && [ ! -s out ] || fail "port '$port': exit $status, $(cat why)"
done

cat >ask.py <<'ASK'
import errno, http.client, json, random, socket, struct, sys, threading, time, urllib.error, urllib.parse, urllib.request
what, url = sys.argv[1], sys.argv[2]
host, port = urllib.parse.urlsplit (url).netloc.split (':')
faults, began = 0, time.time ()

def say (ok, text):
    global faults
    if not ok:
        faults += 1
        print ('FAILED', what + ':', text)

def ask (fen):
    try:
        with urllib.request.urlopen (url + 'standard?' + urllib.parse.urlencode ({'fen': fen}), timeout=20) as r:
            return r.status, json.load (r)
    except urllib.error.HTTPError as e:
        return e.code, json.load (e)

def connect (timeout=20, source=None):
    return socket.create_connection ((host, int (port)), timeout=timeout, source_address=source)

def is_open (s):
    """Nothing has come from the server, an end neither."""
    s.setblocking (False)
    try:
        return len (s.recv (1, socket.MSG_PEEK)) > 0
    except BlockingIOError:
        return True
    except OSError:
        return False

class Drip (threading.Thread):
    """Sends a byte to each of some connections, again and again."""
    def __init__ (self, held):
        super ().__init__ (daemon=True)
        self.held, self.on = held, True
        self.start ()
    def run (self):
        n = 0
        while self.on:
            for s in self.held:
                try:
                    s.send (b'GET / HTTP/1.1\r\nHost: localhost\r\nX: '[n:n + 1] or b'y')
                except OSError:
                    pass
            n += 1
            time.sleep (0.5)
    def end (self):
        self.on = False
        self.join ()
        for s in self.held:
            s.close ()

def raw (request, patience=20):
    """The first line of the answer; '': the connection was closed, or the rest of the request is awaited."""
    with connect (patience) as s:
        try:
            s.sendall (request)
            s.shutdown (socket.SHUT_WR)
            return s.makefile ('rb').readline ().decode ('latin-1').strip ()
        except TimeoutError:
            say (patience < 20, f'no answer to {request[:60]}')
            return ''
        except OSError as e:
            if e.errno not in (errno.ECONNRESET, errno.EPIPE, errno.ENOTCONN):
                raise
            return ''

def placed (men, first):
    """Positions of these men, the same ones each time."""
    r = random.Random (first)
    while True:
        board = dict (zip (r.sample (range (64), len (men)), men))
        rows = [''.join (board.get (8 * y + x, '1') for x in range (8)) for y in range (8)]
        yield '/'.join (rows) + ' ' + r.choice ('wb') + ' - - 0 1'

def answers (men, n):
    found = {}
    for fen in placed (men, 1):
        status, a = ask (fen)
        if status == 400: # no position: neighbouring kings, a check that was overlooked
            continue
        found[fen] = status, a
        if len (found) == n:
            return found

def lives ():
    for fen in ('8/8/8/8/8/2k5/8/K6R w - - 0 1', '8/8/8/8/8/8/2k5/K6R w - - 0 1'):
        status, a = ask (fen)
        say (status == 200 and a['category'] == 'win', f'it does not answer any more: {status} {a}')

def files ():
    """Values as before, or a word on what is wrong; the other table is not touched."""
    with open ('before.json') as f:
        before = json.load (f)
    damaged = 0
    for fen, (was, old) in before.items ():
        status, a = ask (fen)
        say (was == 200 and status in (200, 500), f'{fen}: {was}, {status} {a}')
        if status == 500 or 'damage' in a:
            damaged += 1
            say ('KRvKR' in a.get ('error', a.get ('damage', '')), f'{fen}: {a}')
        for key in ('wdl', 'dtm', 'plies'):
            say (a.get (key) in (None, old.get (key)), f'{fen}: {key} was {old.get (key)}, is {a.get (key)}')
    lives ()
    print (f'{what}: {damaged} of {len (before)} positions damaged')
    return damaged

def requests ():
    line = b'GET /standard?fen=%s HTTP/1.1\r\nHost: localhost\r\n\r\n'
    refused = ('HTTP/1.1 400', 'HTTP/1.1 413', 'HTTP/1.1 414', 'HTTP/1.1 431', 'HTTP/1.0 400', 'HTTP/1.0 414')
    for fen in (b'%', b'%2', b'%zz', b'%%%', b'%ff%fe', b'%00', b'%c3%28', b'8%2', b'%u0038', b'+', b'%0d%0aX:%201', b'&fen=', b'=', b'%25s%25n'):
        say (raw (line % fen).startswith (refused), f'{fen}: {raw (line % fen)}')
    r = random.Random (5)
    for n in (1, 2, 7, 100, 5000, 70000): # binary
        for k in range (20):
            first = raw (bytes (r.randrange (256) for i in range (n)), 0.5)
            say (first == '' or first.startswith (refused + ('HTTP/1.1 405', 'HTTP/1.1 505')), f'{n} binary bytes: {first}')
    for part in (line % (b'x' * (1 << 20)), b'GET / HTTP/1.1\r\nHost: ' + b'h' * (1 << 20) + b'\r\n\r\n',
                 b'GET / HTTP/1.1\r\n' + b'A: b\r\n' * 100000 + b'\r\n', b'G' * (1 << 20)):
        first = raw (part)
        say (first == '' or first.startswith (refused), f'1 MiB: {first}')
    whole = line % b'8/8/8/8/8/2k5/8/K6R_w_-_-_0_1'
    for cut in range (0, len (whole), 7): # cut off, by an end and by a reset
        raw (whole[:cut], 0.5)
        with connect () as s:
            s.setsockopt (socket.SOL_SOCKET, socket.SO_LINGER, struct.pack ('ii', 1, 0))
            s.sendall (whole[:cut])
    for head in (b'GET / HTTP/9.9\r\n\r\n', b'GET /\r\n\r\n', b'\r\n\r\n', b'GET / HTTP/1.1\r\nContent-Length: -1\r\nHost: localhost\r\n\r\n',
                 b'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999999999999\r\n\r\n', b'GET / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'):
        first = raw (head)
        say (not first.startswith ('HTTP/1.1 2') and not first.startswith ('HTTP/1.1 500'), f'{head}: {first}')
    lives ()

def crowd ():
    """200 connections at once, one request each. Those beyond the limit may be closed, none may hang."""
    done, lock = [], threading.Lock ()
    def one ():
        try:
            first = raw (b'GET /standard?fen=8/8/8/8/8/2k5/8/K6R_w_-_-_0_1 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
        except OSError as e:
            first = '' if isinstance (e, ConnectionError) else str (e)
        with lock:
            done.append (first)
    threads = [threading.Thread (target=one) for i in range (200)]
    [t.start () for t in threads]
    [t.join (60) for t in threads]
    say (len (done) == 200 and set (done) <= {'', 'HTTP/1.1 200 OK'}, f'{len (done)} ended: {set (done)}')
    say (done.count ('HTTP/1.1 200 OK') >= 20, f'{done.count ("HTTP/1.1 200 OK")} of 200 answered')
    lives ()

def deaf ():
    """Clients that ask for the page again and again and never read."""
    held = []
    for i in range (12):
        s = connect ()
        s.setsockopt (socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        s.settimeout (0.2)
        try:
            for k in range (200):
                s.sendall (b'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
        except OSError:
            pass
        held.append (s)
    for i in range (20):
        lives ()
    for s in held: # with all that was not read: a reset
        s.close ()
    lives ()

def slow ():
    """More clients than there may be, each of which never ends its request: others are answered."""
    drip = Drip ([connect () for i in range (300)])
    for i in range (10):
        lives ()
    left = sum (is_open (s) for s in drip.held)
    say (left < 256, f'{left} of 300 slow connections are left')
    drip.end ()
    few = [connect () for i in range (20)]
    drip = Drip (few)
    time.sleep (14)
    left = sum (is_open (s) for s in few)
    say (left == 0, f'{left} of 20 slow connections are left after 14 s')
    drip.end ()
    kept = http.client.HTTPConnection (host, int (port), timeout=20) # who asks has time
    for i in range (5):
        kept.request ('GET', '/info')
        say (kept.getresponse ().read ().startswith (b'{'), 'the same connection again')
        time.sleep (0.2)
    lives ()

def neighbours ():
    """200 connections from one address leave room for another."""
    held = [connect (source=('127.0.0.2', 0)) for i in range (200)]
    drip = Drip (held)
    for i in range (10):
        lives ()
    left = sum (is_open (s) for s in held)
    say (0 < left <= 32, f'{left} of 200 connections of one address are left')
    drip.end ()

if what == 'before':
    with open ('before.json', 'w') as f:
        json.dump (answers ('KkRr', 150), f)
    lives ()
elif what == 'lives':
    lives ()
elif what in ('requests', 'crowd', 'deaf', 'slow', 'neighbours'):
    globals ()[what] ()
else:
    damaged = files ()
    say ((damaged > 0) == (what in ('shrunk', 'overwritten')), f'{damaged} answers tell of damage')
print (f'{what}: {time.time () - began:.1f} s')
sys.exit (faults != 0)
ASK
ask () { timeout 300 "$python" ask.py "$1" "$url" || failed=1; }

# what the requests do to it; then kill -9 and a start on the same port
start --tables tables --port 0
ask before
for what in requests crowd deaf slow; do ask $what; done
port=${url##*:}
port=${port%/}
kill -9 $server
wait $server 2>/dev/null
start --tables tables --port "$port"
ask lives
stop "after a kill"
start --tables tables --port "$port"
ask lives
stop "after SIGTERM"

# tables that change under it
for what in shrunk removed replaced overwritten; do
  rm -rf under && cp -r tables under
  start --tables under --port 0
  ask lives
  for f in under/KRvKR.*.sdt; do
    case $what in
      shrunk) : >"$f" ;;
      removed) rm "$f" ;;
      replaced) head -c 5000 /dev/urandom >new && mv new "$f" ;;
      overwritten) dd if=/dev/urandom of="$f" bs=4096 count=500 conv=notrunc 2>/dev/null ;;
    esac
  done
  ask $what
  stop "$what"
done

# the same of Syzygy's files; other addresses are served
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 ASAN_OPTIONS=detect_leaks=0 \
  "$SD_BUILDDIR/tools/subdef-gen" KRvK --metric dtz50 -q -o exact >gen.txt 2>&1 || { cat gen.txt; exit 1; }
"$subdef" export --syzygy syzygy --tables exact KRvK >gen.txt 2>&1 || { cat gen.txt; exit 1; }
for what in shrunk removed overwritten; do
  rm -rf under && cp -r syzygy under
  start --tables under --port 0 --listen 0.0.0.0
  ask lives
  for f in under/*.rtb?; do
    case $what in
      shrunk) : >"$f" ;;
      removed) rm "$f" ;;
      overwritten) dd if=/dev/urandom of="$f" bs=4096 count=1 conv=notrunc 2>/dev/null ;;
    esac
  done
  ask lives
  [ $what != removed ] || ask neighbours
  stop "Syzygy's files $what"
done

# fewer files than there are tables and connections: nobody is answered wrongly, and it goes on
(ulimit -n 30 && exec "$subdef" serve --tables tables --port 0 --threads 2 >url 2>err) &
server=$!
sleep 1
url=$(cat url)
[ -n "$url" ] && ask crowd
[ -n "$url" ] || fail "with 30 files: $(cat err)"
stop "with 30 files"

# nobody reads its messages
: >url
"$subdef" serve --tables tables --port 0 >url 2>/dev/full &
server=$!
sleep 1
url=$(cat url)
ask lives
stop "standard error on a full disk"
exit $failed
