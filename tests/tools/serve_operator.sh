#!/bin/sh
# subdef serve as who runs a server needs it: the list of tables with checksums, counts of values that are those of subdef info, files with
# ranges, limits of one address, the list of requests, numbers for Prometheus, results alone, any number of threads; slow clients that send
# or read a byte a second, 200 of them, do not shut others out. Without HTTP or python3: exit 77.
set -u
subdef=$SD_BUILDDIR/tools/subdef
grep -q '^#define HAVE_MICROHTTPD 1' "$SD_BUILDDIR/config.h" || { echo "no HTTP in this build"; exit 77; }
python=$(command -v python3) || { echo "no python3 here"; exit 77; }
work=$(mktemp -d "$SD_BUILDDIR/serve-operator-XXXXXX") || exit 1
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null; rm -rf "$work"' EXIT
cd "$work" || exit 1
unset SUBDEF_PATH
export OMP_NUM_THREADS=1
failed=0
fail () { failed=1; echo "FAILED $*"; }
gen () {
  OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 ASAN_OPTIONS=detect_leaks=0 "$SD_BUILDDIR/tools/subdef-gen" "$@" -q >gen.txt 2>&1 ||
    { cat gen.txt; exit 1; }
}
gen KPvK KRvK KRvKR KRvKB -o exact
gen KRvK --metric dtz50 -o rule
"$subdef" export --syzygy syzygy --tables rule KRvK >gen.txt 2>&1 || { cat gen.txt; exit 1; }
# with a manifest; and a table that is none
"$subdef" set KPvK KQvK KRvK --metric wdl --exact exact -o w >gen.txt 2>&1 || { cat gen.txt; exit 1; }
head -c 100 exact/KQvK.dtm.sdt >w/KNNvK.dtm.sdt
cp exact/KQvK.dtm.sdt w/secret.sdt
mkdir d && cp exact/*.sdt d
# more than the system keeps of an answer that nobody reads
"$subdef" reformat KRvKB --metric dtm --codec store --tables exact -o large -q || exit 1

for words in "--rate -1" "--rate x" "--connections 257" "--connections -1" "--statistics-memory lots" "--statistics-memory -1"; do
  # shellcheck disable=SC2086
  timeout 20 "$subdef" serve --tables d --port 0 $words >out 2>why </dev/null
  [ $? -eq 2 ] && [ "$(grep -c -- "${words%% *}.*expected" why)" -eq 1 ] && [ ! -s out ] || fail "$words: $(cat why)"
done
timeout 20 "$subdef" serve --tables d --port 0 --access-log nowhere/log >out 2>why </dev/null
[ $? -eq 1 ] && grep -q -- '--access-log nowhere/log: cannot be opened: No such file' why && [ ! -s out ] || fail "a log that cannot be: $(cat why)"

start () { # start OPTIONS...: $server, $url
  : >url
  "$subdef" serve --port 0 "$@" >url 2>err &
  server=$!
  for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40; do
    [ -s url ] && break
    kill -0 $server 2>/dev/null || break
    sleep 0.1
  done
  url=$(head -1 url)
  [ -n "$url" ] || { fail "no start with $*: $(cat err)"; exit 1; }
}
stop () { # stop TITLE: it still runs, and ends as it should
  kill -TERM $server 2>/dev/null || fail "$1: it has gone"
  wait $server
  status=$?
  server=
  [ $status -eq 0 ] || fail "$1: exit $status: $(cat err)"
}

cat >ask.py <<'ASK'
import csv, email.utils, hashlib, http.client, json, os, random, re, socket, subprocess, sys, threading, time, urllib.parse
what, url, subdef = sys.argv[1], sys.argv[2], sys.argv[3]
source = os.environ['SD_SOURCE']
host, port = urllib.parse.urlsplit (url).netloc.split (':')
faults, began = 0, time.time ()

def say (ok, text):
    global faults
    if not ok:
        faults += 1
        print ('FAILED', what + ':', text)

def get (path, method='GET', **headers):
    c = http.client.HTTPConnection (host, int (port), timeout=20)
    c.request (method, path, headers={k.replace ('_', '-'): v for k, v in headers.items ()})
    r = c.getresponse ()
    return r.status, r.headers, r.read ()

def ask (path, **parameters):
    status, headers, body = get (path + ('?' + urllib.parse.urlencode (parameters) if parameters else ''))
    return status, json.loads (body)

def info (file, *options):
    return json.loads (subprocess.run ([subdef, 'info', '--json', *options, '--tables', 'w:d', file], capture_output=True, check=True).stdout)[0]

def counted (ending, metric):
    """What /stats says in the end."""
    waited = 0
    for i in range (300):
        status, a = ask ('/stats', ending=ending, metric=metric)
        if status != 202:
            return status, a, waited
        say (a['state'] == 'waits', f'{ending}: 202 and {a}')
        waited += 1
        time.sleep (0.1)
    return status, a, waited

def lives ():
    status, a = ask ('/wdl', fen='8/8/8/8/8/2k5/8/K6R w - - 0 1')
    say ((status, a) == (200, {'wdl': 1}), f'it does not answer: {status} {a}')

def metrics ():
    status, headers, body = get ('/metrics')
    say (status == 200 and headers['Content-Type'].startswith ('text/plain; version=0.0.4'), f'/metrics: {status} {headers}')
    found, kinds = {}, {}
    for line in body.decode ().splitlines ():
        if line.startswith ('# TYPE '):
            kinds[line.split ()[2]] = line.split ()[3]
        elif not line.startswith ('# HELP '):
            name, value = line.rsplit (' ', 1)
            say (re.fullmatch (r'[a-z_]+(\{[a-z]+="[^"]+"\})?', name), f'/metrics: {line}')
            say (re.sub (r'(_bucket|_sum|_count)?(\{.*)?$', '', name) in kinds or re.sub (r'\{.*', '', name) in kinds, f'/metrics: no type of {name}')
            found[name] = float (value)
    return found

def tables ():
    with open (source + '/docs/checksums.csv') as f:
        published = {(r['material'], r['metric'], r['side']): r for r in csv.DictReader (f)}
    with open ('w/manifest.json') as f:
        sums = {r['file']: r['sum'] for r in json.load (f)['files']}
    say (len (sums) >= 3, f'the manifest has {sums}')
    status, all = ask ('/tables')
    rows = {t['file']: t for t in all['tables']}
    say (status == 200 and sum ('error' in t for t in rows.values ()) == 1 and 'secret.sdt' not in rows, f'{status} {rows}')
    for t in rows.values ():
        if 'error' in t:
            say (t['file'] == 'KNNvK.dtm.sdt', t)
            continue
        path = next (f for f in (d + t['file'] for d in ('w/', 'd/', 'syzygy/')) if os.path.exists (f))
        of = info (path)
        say ((t['bytes'], t['metric'], t['ending'], t['men']) == (os.path.getsize (path), of['metric'], of['material'], len (of['material']) - 1), f'{t}, {of}')
        say (t['codec'] == of['sides'][0]['codec'], f'{t["file"]}: codec {t["codec"]}')
        say (t.get ('sum') == (sums[t['file']] if path.startswith ('w/') else None), f'{t["file"]}: sum {t.get ("sum")}')
        say ({s['to_move']: s['checksum'] for s in t['published']} == {s: r['checksum'] for (e, m, s), r in published.items () if (e, m) == (t['ending'], t['metric'])}, f'{t["file"]}: published')
        say (t['download'] == 'files/' + t['file'], t)
    for file in ('/tables.html', '/tables.js'):
        say (get (file)[0] == 200, file)
    for path in ('/tables', '/stats?ending=KQvK', '/metrics'):
        say (os.getcwd () not in get (path)[2].decode () and 'w/K' not in get (path)[2].decode (), f'{path} tells a folder')

def stats ():
    for ending, metric, file in (('KRvK', 'dtm', 'd/KRvK.dtm.sdt'), ('KPvK', 'wdl', 'w/KPvK.wdl.sdt'), ('KvKP', 'wdl', 'w/KPvK.wdl.sdt'), ('KRvKR', 'dtm', 'd/KRvKR.dtm.sdt'), ('KRvK', 'dtz50', 'syzygy/KRvK.rtbz')):
        status, a, waited = counted (ending, metric)
        own = info (file, '--statistics')['values']
        say (status == 200 and a['state'] == 'counted' and a['sides'] == own and a['published'] == 'same', f'{ending}: {status} {a}, {own}')
        say (ending == 'KvKP' or waited > 0, f'{ending}: nobody had to wait')
        say (ending != 'KvKP' or waited == 0, 'the same table is counted twice')
        say (all (s['positions'] == sum (h['positions'] for h in s['histogram']) for s in own), f'{ending}: the histogram')
        status, headers, body = get (f'/stats?ending={ending}&metric={metric}')
        say (headers['Cache-Control'] == 'no-cache' and get (f'/stats?ending={ending}&metric={metric}', If_None_Match=headers['ETag'])[0] == 304, f'{ending}: ETag')
    say (ask ('/stats', ending='KRvK')[1]['metric'] == 'dtm', 'plies to mate tell most')
    for parameters, want, pattern in (({}, 400, 'ending is missing'), ({'ending': 'x'}, 400, ''), ({'ending': 'K' * 100}, 400, ''), ({'ending': 'KQQvK'}, 404, 'no such table'),
                                      ({'ending': 'KNNvK'}, 404, 'no such table'), ({'ending': 'KRvK', 'metric': 'x'}, 400, 'expected wdl'), ({'ending': 'KRvK', 'metric': 'dtc'}, 404, 'no such table'),
                                      ({'ending': 'KRvK\0'}, 400, 'byte 0'), ({'ending': '../exact/KRvK'}, 400, '')):
        status, a = ask ('/stats', **parameters)
        say (status == want and pattern in a['error'], f'{parameters}: {status} {a}')

def published ():
    """A server that does not count."""
    status, a = ask ('/stats', ending='KRvK', metric='dtm')
    own = info ('d/KRvK.dtm.sdt', '--statistics')['values']
    say (status == 200 and a['state'] == 'published', f'{status} {a}')
    for mine, theirs in zip (a['sides'], own):
        say (all (mine[k] == theirs[k] for k in ('to_move', 'positions', 'won', 'drawn', 'lost', 'checksum')), f'{mine}, {theirs}')
        say (mine.get ('longest_win', {}).get ('value') == theirs.get ('longest_win', {}).get ('value'), f'longest: {mine}, {theirs}')
    say (get ('/files/KRvK.dtm.sdt')[0] == 404 and 'download' not in ask ('/tables')[1]['tables'][0], 'downloads without the option')

def unknown ():
    """Nor has it the list of what is published."""
    status, a = ask ('/stats', ending='KRvK', metric='dtm')
    say (status == 404 and 'counts nothing' in a['error'] and all (t['published'] is None for t in ask ('/tables')[1]['tables']), f'nothing published: {status} {a}')

def little ():
    """Counting that has not enough memory fails, and nothing else does."""
    status, a, waited = counted ('KRvKR', 'dtm')
    say (status == 500 and a['state'] == 'failed' and len (a['sides']) == 1 and 'out of memory' in a['error'] and 'd/K' not in a['error'], f'{status} {a}')
    # it is tried again, some seconds later
    status, headers, body = get ('/stats?ending=KRvKR&metric=dtm')
    say (status == 500 and 1 <= int (headers['Retry-After']) < 60, headers)
    time.sleep (int (headers['Retry-After']))
    say (get ('/stats?ending=KRvKR&metric=dtm')[0] == 202, 'tried again')
    lives ()

def files ():
    name = 'KRvKR.dtm.sdt'
    with open ('d/' + name, 'rb') as f:
        whole = f.read ()
    n, path = len (whole), '/files/' + name
    status, headers, body = get (path)
    tag = headers['ETag']
    say (status == 200 and body == whole and headers['Accept-Ranges'] == 'bytes' and headers['Content-Length'] == str (n), f'{status} {headers}')
    say (name in headers['Content-Disposition'] and headers['Content-Type'] == 'application/octet-stream', headers)
    status, headers, body = get (path, 'HEAD')
    say (status == 200 and headers['Content-Length'] == str (n) and headers['ETag'] == tag, f'HEAD: {status} {headers}')
    say (get (path, 'HEAD', Range='bytes=0-1')[0] == 200, 'HEAD of a part')
    for text, first, end in (('0-0', 0, 1), ('0-', 0, n), ('5-9', 5, 10), (f'{n - 1}-', n - 1, n), ('-7', n - 7, n), (f'-{n + 5}', 0, n), (f'7-{n + 100}', 7, n), (f'100-{2 ** 62}', 100, n)):
        status, headers, body = get (path, Range='bytes=' + text)
        say (status == 206 and body == whole[first:end] and headers['Content-Range'] == f'bytes {first}-{end - 1}/{n}' and headers['ETag'] == tag, f'{text}: {status} {headers}')
    for text in (f'{n}-', f'{n + 5}-{n + 9}', '-0', str (2 ** 62) + '-'):
        status, headers, body = get (path, Range='bytes=' + text)
        say (status == 416 and body == b'' and headers['Content-Range'] == f'bytes */{n}', f'{text}: {status} {headers}')
    for text in ('bytes=', 'bytes=-', 'bytes=9-5', 'bytes=a-b', 'lines=0-1', 'bytes=0-1,5-6', 'bytes=0-1x', 'bytes= 0-1', 'bytes=0x1-2', 'bytes=' + '9' * 30 + '-', 'bytes=--1'):
        say (get (path, Range=text)[0] == 200, f'{text} is no range')
    status, headers, body = get (path, If_None_Match=tag, Range='bytes=0-1')
    say (status == 304 and body == b'' and headers['Content-Length'] == str (n) and 'Content-Range' not in headers, f'304: {status} {headers}')
    say (get (path, If_None_Match='"0"')[0] == 200, 'another tag')
    date = headers['Last-Modified']
    say (date == email.utils.formatdate (os.path.getmtime ('d/' + name), usegmt=True), date)
    earlier = email.utils.formatdate (os.path.getmtime ('d/' + name) - 1, usegmt=True)
    say (get (path, If_Modified_Since=date)[0] == 304 and get (path, If_Modified_Since=earlier)[0] == 200, 'If-Modified-Since')
    say (get (path, If_Modified_Since=date, If_None_Match='"0"')[0] == 200, 'the tag counts, where there is one')
    for same, is_not in ((tag, '"0"'), (date, earlier)):
        say (get (path, Range='bytes=0-1', If_Range=same)[0] == 206 and get (path, Range='bytes=0-1', If_Range=is_not)[0] == 200, f'If-Range: {same}')
    # what was fetched in parts is the same file
    parts = b''.join (get (path, Range=f'bytes={k}-{k + 9999}')[2] for k in range (0, n, 10000))
    say (parts == whole, 'the parts')
    say (get ('/files/KRvK.rtbw')[2] == open ('syzygy/KRvK.rtbw', 'rb').read (), "a Syzygy file")
    # of two folders the first one, and nothing but tables
    say (get ('/files/KPvK.wdl.sdt')[2] == open ('w/KPvK.wdl.sdt', 'rb').read (), 'a file of the first folder')
    for other in ('secret.sdt', 'manifest.json', 'KNNvK.dtm.sdt', '', '.', '..', '../w/KPvK.wdl.sdt', '..%2fask.py', '%2e%2e/ask.py', './KRvK.dtm.sdt', 'd/KRvK.dtm.sdt', '/etc/passwd', '%2fetc%2fpasswd',
                  'KRvK.dtm.sdt%00', 'KRvK.dtm.sdt/', 'KRVK.dtm.sdt', 'krvk.dtm.sdt', 'KRvK.dtm.sdt%20', os.getcwd () + '/d/KRvK.dtm.sdt', 'KRvK.dtm.sdt%5c', 'x' * 5000):
        say (get ('/files/' + other)[0] == 404, f'/files/{other[:60]}: {get ("/files/" + other)[0]}')
    say (get ('/files')[0] == 404 and get ('/files/KRvK.dtm.sdt', 'POST')[0] == 405, '/files')

def changed ():
    """Files that are no longer what they were: replaced, a link in their place, cut, gone."""
    for file in ('KRvK', 'KPvK', 'KQvK', 'KRvKR'):
        status, headers, body = get (f'/files/{file}.dtm.sdt')
        say (status == 500 and b'no longer' in body and headers['Cache-Control'] == 'no-store', f'{file}: {status} {body[:100]}')
    say (metrics ()['subdef_probe_errors_total'] >= 4, 'errors are counted')
    for i in range (100): # another ending's table has its name
        status, a = ask ('/stats', ending='KRvKB')
        if status != 202:
            break
        time.sleep (0.1)
    say (status == 500 and 'no longer' in a['error'], f'{status} {a}')

def results ():
    """/wdl says what /standard says, of all kinds of positions."""
    r, kinds = random.Random (3), set ()
    fens = ['8/8/8/8/8/2k5/8/KBN5 w - - 0 1', '8/8/4k3/8/8/8/8/R3K3 w Q - 0 1', 'k1K5/8/8/8/8/8/8/R7 b - - 0 1', '8/8/8/8/8/2k5/8/K7 w - - 0 1', 'k7/2Q5/1K6/8/8/8/8/8 b - - 0 1',
            '8/2P5/8/8/8/2k5/8/K7 w - - 80 99', 'x', '', '8/8/8/8/8/8/8/8 w - - 0 1', 'KBBBBBN1/8/8/8/8/8/8/k7 w - - 0 1']
    for men in ('KRk', 'KPk', 'kqK', 'krKR'):
        for i in range (40):
            board = dict (zip (r.sample (range (64), len (men)), men))
            fens.append ('/'.join (''.join (board.get (8 * y + x, '1') for x in range (8)) for y in range (8)) + ' ' + r.choice ('wb') + ' - - 0 1')
    for fen in fens:
        status, a = ask ('/wdl', fen=fen)
        other, b = ask ('/standard', fen=fen)
        say (status == other and a.get ('wdl', 'x') == b.get ('wdl', 'x') and a.get ('missing') == b.get ('missing') and ('error' in a) == ('error' in b), f'{fen}: {status} {a}, {other} {b.get ("wdl", b)}')
        kinds.add (a.get ('wdl', status))
    say ({1, 0, -1, None, 400} <= kinds, f'only {kinds}')

def rates ():
    """--rate 5: 25 at once, then 5 a second."""
    seen = [get ('/wdl?fen=8/8/8/8/8/2k5/8/K6R_w_-_-_0_1')[0] for i in range (60)]
    took = time.time () - began
    allowed = seen.count (200)
    say (set (seen) == {200, 429} and 25 <= allowed <= 26 + 5 * took, f'{allowed} of 60 in {took:.1f} s')
    status, headers, body = get ('/info')
    say (status == 429 and headers['Retry-After'] == '1' and b'too many' in body and headers['Cache-Control'] == 'no-store', f'{status} {headers}')
    def other (): # another address of this machine has an allowance of its own
        c = http.client.HTTPConnection (host, int (port), timeout=20, source_address=('127.0.0.9', 0))
        c.request ('GET', '/info')
        return c.getresponse ().status
    say (other () == 200, 'another address')
    time.sleep (1.1)
    say (get ('/info')[0] == 200, 'a second later')

def connections ():
    """--connections 3, also of this machine."""
    def answers (s):
        try:
            s.sendall (b'GET /info HTTP/1.1\r\nHost: localhost\r\n\r\n')
            return s.recv (12) == b'HTTP/1.1 200'
        except OSError:
            return False
    held = [socket.create_connection ((host, int (port)), timeout=5) for i in range (8)]
    say (sum (answers (s) for s in held) == 3, 'three of eight are answered')
    other = socket.create_connection ((host, int (port)), timeout=5, source_address=('127.0.0.9', 0))
    say (answers (other), 'another address')
    for s in held + [other]:
        s.close ()
    time.sleep (0.5)
    lives ()

def log ():
    for path, method in (('/info', 'GET'), ('/nothing"\\', 'GET'), ('/standard?fen=x%22%0a', 'GET'), ('/info', 'HEAD'), ('/info', 'PUT'), ('/files/KRvK.dtm.sdt', 'GET')):
        with socket.create_connection ((host, int (port)), timeout=5) as s:
            s.sendall (f'{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'.encode ())
            while s.recv (65536):
                pass

def counters ():
    before = metrics ()
    for path, n in (('/info', 3), ('/nothing', 2), ('/standard?fen=x', 4)):
        for i in range (n):
            get (path)
    body = len (get ('/tables')[2])
    after = metrics ()
    rise = {k: after[k] - before.get (k, 0) for k in after}
    # the first question for /metrics is counted, too
    say (rise['subdef_requests_total{status="200"}'] == 5 and rise['subdef_requests_total{status="404"}'] == 2 and rise['subdef_requests_total{status="400"}'] == 4, f'{rise}')
    say (rise['subdef_answer_seconds_count'] == 11 and rise['subdef_answer_seconds_bucket{le="+Inf"}'] == 11 and rise['subdef_answer_seconds_sum'] > 0, f'{rise}')
    buckets = [v for k, v in after.items () if '_bucket' in k]
    say (len (buckets) == 8 and buckets == sorted (buckets), f'buckets {buckets}')
    say (rise['subdef_answer_bytes_total'] > body and after['subdef_connections'] >= 1 and rise['subdef_probe_errors_total'] == 0, f'{rise}')
    say (after['subdef_tables{state="unusable"}'] == 1 and after['subdef_tables{state="usable"}'] == sum ('error' not in t for t in ask ('/tables')[1]['tables']), 'tables')
    say (after['subdef_table_bytes'] == sum (t.get ('bytes', 0) for t in ask ('/tables')[1]['tables']), 'bytes')

def answers ():
    """A line for all answers, to be compared with those of another number of threads."""
    def one (path, out):
        out.append (hashlib.sha256 (get (path)[2]).hexdigest ())
    paths = ['/tables', '/info', '/files/KRvK.dtm.sdt'] + [f'/{w}?fen=8/8/8/8/{k}R{7 - k}/2k5/8/K7_{s}_-_-_0_1' for k in range (8) for s in 'wb' for w in ('wdl', 'standard', 'standard/mainline')]
    found = [[] for p in paths * 4]
    threads = [threading.Thread (target=one, args=(p, f)) for p, f in zip (paths * 4, found)]
    [t.start () for t in threads]
    [t.join () for t in threads]
    with open ('answers.' + os.environ['THREADS'], 'w') as f:
        f.write ('\n'.join (x[0] if x else 'none' for x in found))

def others (what):
    """Ten requests, meanwhile."""
    worst = 0
    for i in range (10):
        before = time.time ()
        lives ()
        worst = max (worst, time.time () - before)
        time.sleep (0.3)
    say (worst < 5, f'{what}: others wait for {worst:.1f} s')
    return worst

def crawl (held, step):
    """step for each connection, once a second, until it is told to stop."""
    on = threading.Event ()
    def run ():
        n = 0
        while not on.is_set ():
            for s in held:
                try:
                    step (s, n)
                except OSError:
                    pass
            n += 1
            on.wait (1)
    threading.Thread (target=run, daemon=True).start ()
    return on

def slow ():
    """200 clients that send a byte a second."""
    request = b'GET /info HTTP/1.1\r\nHost: localhost\r\nX: ' + b'y' * 1000
    held = [socket.create_connection ((host, int (port)), timeout=5) for i in range (200)]
    on = crawl (held, lambda s, n: s.send (request[n:n + 1]))
    print (f'slow: others wait for {others ("a byte a second"):.3f} s at most')
    before = metrics ()['subdef_connections_ended_total']
    say (before > 0, 'more than 192 are connected, and none was ended')
    time.sleep (11)
    after = metrics ()
    say (after['subdef_connections_ended_total'] >= 200 and after['subdef_connections'] < 20, f'late ones are left: {after["subdef_connections"]}')
    on.set ()

def with_small_buffer ():
    """A connection whose answers soon wait in the server."""
    s = socket.socket ()
    s.setsockopt (socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    s.settimeout (5)
    s.connect ((host, int (port)))
    return s

def unread ():
    """270 clients one behind the other that send 300 requests and read no answer."""
    held = []
    for i in range (270):
        s = with_small_buffer ()
        s.setblocking (False)
        try:
            s.send (b'GET /tables HTTP/1.1\r\nHost: localhost\r\n\r\n' * 300)
        except OSError:
            pass
        held.append (s)
        time.sleep (0.02)
    print (f'unread: others wait for {others ("reading nothing"):.3f} s at most')

def lengths ():
    """What two programs could read as different requests is no request."""
    for header in (b'Content-Length: 0\r\nContent-Length: 5', b'Content-Length: 5\r\nContent-Length: 0', b'Content-Length : 5'):
        with socket.create_connection ((host, int (port)), timeout=5) as s:
            s.sendall (b'GET /info HTTP/1.1\r\nHost: localhost\r\n' + header + b'\r\n\r\nGET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
            first = s.recv (65536)
            say (first.startswith (b'HTTP/1.1 4') and b' 200 ' not in first, f'{header}: {first[:80]}')
    lives ()

def readers ():
    """180 clients that read a file, a byte a second: some may, the others are told; results are answered."""
    held = []
    for i in range (180):
        s = with_small_buffer ()
        s.sendall (b'GET /files/KRvKB.dtm.sdt HTTP/1.1\r\nHost: localhost\r\n\r\n')
        held.append (s)
    first = [s.recv (12) for s in held]
    say (first.count (b'HTTP/1.1 200') == 64 and first.count (b'HTTP/1.1 503') == 116, f'{first.count (b"HTTP/1.1 200")} files at once')
    on = crawl (held, lambda s, n: s.recv (1))
    print (f'readers: others wait for {others ("reading a byte a second"):.3f} s at most')
    on.set ()
    for s in held:
        s.close ()
    for i in range (50):
        if get ('/files/KRvKB.dtm.sdt', Range='bytes=0-0')[0] == 206:
            break
        time.sleep (0.1)
    say (i < 49, 'files are not given away again')

def of_one ():
    """A server for others gives one address eight files at once; IPv4 and IPv6 are heard by one socket."""
    held = [with_small_buffer () for i in range (12)]
    for s in held:
        s.sendall (b'GET /files/KRvKB.dtm.sdt HTTP/1.1\r\nHost: localhost\r\n\r\n')
    first = [s.recv (12) for s in held]
    say (first.count (b'HTTP/1.1 200') == 8 and first.count (b'HTTP/1.1 503') == 4, f'{first.count (b"HTTP/1.1 200")} files at once')
    try:
        six = socket.create_connection (('::1', int (port)), timeout=5)
    except OSError:
        print ('of_one: no IPv6 here')
        six = None
    if six: # another address
        six.sendall (b'GET /files/KRvKB.dtm.sdt HTTP/1.1\r\nHost: localhost\r\nRange: bytes=0-0\r\n\r\n')
        say (six.recv (12) == b'HTTP/1.1 206', 'the other address')
    for s in held:
        s.close ()

globals ()[what] ()
print (f'{what}: {time.time () - began:.1f} s')
sys.exit (faults != 0)
ASK
SD_SOURCE=$(cd "$SD_SRCDIR" && pwd)
export SD_SOURCE
ask () { timeout 300 "$python" ask.py "$1" "$url" "$subdef" || failed=1; }

start --tables w:d:syzygy --downloads --access-log log
for what in tables stats files results counters; do ask $what; done
: >log
ask log
stop "all that is asked for"
# the log: a line a request, nothing of clients' that could be taken for something else
cat >want <<'WANT'
GET /info HTTP/1.1" 200 N
GET /nothing\x22\x5c HTTP/1.1" 404 N
GET /standard?fen=x%22%0a HTTP/1.1" 400 N
HEAD /info HTTP/1.1" 200 -
PUT /info HTTP/1.1" 405 N
GET /files/KRvK.dtm.sdt HTTP/1.1" 200 N
WANT
sed -E 's/^127\.0\.0\.1 - - \[[0-9]{2}\/[A-Z][a-z]{2}\/[0-9]{4}:[0-9:]{8} [+-][0-9]{4}\] "(.*" [0-9]{3}) ([0-9]+|-)$/\1 \2/; s/ [0-9]+$/ N/' log >got
cmp -s want got || fail "the log: $(cat log)"
[ "$(tail -1 log | sed 's/.* //')" -eq "$(wc -c <d/KRvK.dtm.sdt)" ] || fail "bytes in the log: $(tail -1 log)"
start --tables d --access-log -
ask log
stop "the log on standard output"
[ "$(grep -c 'HTTP/1.1" [24]' url)" -eq 6 ] || fail "the log on standard output: $(cat url)"

# nobody reads the pipe of the log: lines are lost, and answers are not
mkfifo pipe
exec 3<>pipe
start --tables d --access-log pipe
"$python" - "$url" <<'MANY' || fail "a log that nobody reads: an answer is missing"
import http.client, re, sys, urllib.parse
c = http.client.HTTPConnection (urllib.parse.urlsplit (sys.argv[1]).netloc, timeout=10)
def get (path):
    c.request ('GET', path)
    return c.getresponse ().read ()
for i in range (2000):
    get ('/info')
lost = re.search (rb'^subdef_log_lines_lost_total (\d+)', get ('/metrics'), re.MULTILINE)
sys.exit (not lost or int (lost[1]) == 0)
MANY
stop "a log that nobody reads"
exec 3>&-

start --tables d:syzygy --statistics-memory 0
ask published
stop "nothing is counted"
export SUBDEF_DATA=nowhere
start --tables d --statistics-memory 0
ask unknown
stop "nothing is published"
unset SUBDEF_DATA
grep -Eq "fsanitize=[a-z,]*(address|thread)" "$SD_BUILDDIR/config.status" || {
  start --tables d --statistics-memory 8M
  ask little
  stop "little memory"
}
# it ends at once while values are counted
start --tables d
"$python" -c 'import sys, urllib.request; urllib.request.urlopen (sys.argv[1] + "stats?ending=KRvKR").read ()' "$url"
stop "while values are counted"
start --tables d --rate 5
ask rates
stop "a rate"
start --tables d --connections 3
ask connections
stop "connections of one address"
start --tables large:w:d --downloads --threads 4
ask slow
ask readers
ask unread
ask lengths
stop "slow clients"
start --tables large:w:d --downloads --listen :: --access-log log
url=http://127.0.0.1:${url##*:}
ask of_one
stop "files of one address"
grep -q '^127\.0\.0\.1 - .*/files/KRvKB' log && ! grep -q '^::ffff' log || fail "an address of IPv4: $(head -1 log)"
for threads in 1 2 16; do
  start --tables w:d --downloads --threads $threads
  THREADS=$threads ask answers
  stop "$threads threads"
done
cmp -s answers.1 answers.2 && cmp -s answers.1 answers.16 && ! grep -q none answers.1 || fail "answers depend on the number of threads"

start --tables d --downloads
cp d/KRvK.dtm.sdt new && mv new d/KRvK.dtm.sdt
ln -sf "$SD_SOURCE/LICENSE" d/KPvK.dtm.sdt
: >d/KRvKR.dtm.sdt
cp d/KQvK.dtm.sdt new && mv new d/KRvKB.dtm.sdt
rm d/KQvK.dtm.sdt
ask changed
stop "files that changed"
exit $failed
