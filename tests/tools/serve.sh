#!/bin/sh
# subdef serve as a program asks it: positions, best lines, tables, what is refused, many questions at once, and how it ends. The answers
# are those of subdef probe --json. Without python3: exit 77; in a build without HTTP: one sentence.
set -u
subdef=$SD_BUILDDIR/tools/subdef
work=$(mktemp -d "$SD_BUILDDIR/serve-XXXXXX") || exit 1
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null; rm -rf "$work"' EXIT
cd "$work" || exit 1
unset SUBDEF_PATH
failed=0
fail () { failed=1; echo "FAILED $*"; }
if ! grep -q '^#define HAVE_MICROHTTPD 1' "$SD_BUILDDIR/config.h"; then
  "$subdef" serve >out 2>err && fail "serve without HTTP: exit 0"
  [ "$(cat err)" = "subdef serve: this build has no HTTP: it was configured without libmicrohttpd" ] || fail "the sentence: $(cat err)"
  exit $failed
fi
python=$(command -v python3) || { echo "no python3 here"; exit 77; }

OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 ASAN_OPTIONS=detect_leaks=0 \
  "$SD_BUILDDIR/tools/subdef-gen" KPvK KRvK -q -o t >gen.txt 2>&1 || { cat gen.txt; exit 1; }
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 ASAN_OPTIONS=detect_leaks=0 \
  "$SD_BUILDDIR/tools/subdef-gen" KPvK --metric dtz50 -q -o rule >gen.txt 2>&1 || { cat gen.txt; exit 1; }
"$subdef" reformat KPvK KQvK KRvK --metric wdl --codec repair --tables t -o w -q || exit 1
"$subdef" reformat KRvK --metric dtm --codec obdd --tables w:t -o d -q || exit 1
head -c 100 t/KQvK.dtm.sdt >w/KNNvK.dtm.sdt # a damaged table among them

# what is wrong on the command line
refused () { # refused TITLE PATTERN ARGUMENTS...
  title=$1 pattern=$2
  shift 2
  timeout 20 "$subdef" serve "$@" >out 2>why </dev/null && fail "$title: exit 0"
  if ! grep -q "$pattern" why || [ "$(wc -l <why)" -ne 1 ] || [ -s out ]; then fail "$title: $(cat why out)"; fi
}
refused "a port that is none" "expected a number from 0 to 65535" --port 65536
refused "a negative port" "expected a number from 0 to 65535" --port=-1
refused "more threads than connections" "expected a number from 1 to 64" --threads 65
for origin in example.org https://example.org/ https:// 'https://a b' 'https://Example.org' '* ' ''; do
  refused "no origin: '$origin'" "subdef serve: --allow-origin" --allow-origin "$origin"
done
refused "no address" "expected an address in numbers" --tables t --listen example.org
refused "too much" "one argument too many" t
refused "no folder" "nowhere: cannot list" --tables nowhere

"$subdef" serve --tables w:d:t:rule --port 0 --threads 3 --allow-origin https://example.org >url 2>err &
server=$!
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30; do
  [ -s url ] && break
  kill -0 $server 2>/dev/null || break
  sleep 0.2
done
url=$(cat url)
case $url in http://127.0.0.1:*/) ;; *) fail "where it listens: '$url' $(cat err)"; exit 1 ;; esac
refused "a port that is taken" "cannot listen on 127.0.0.1, port .*: Address already in use" --tables t --port "$(echo "$url" | tr -dc '0-9:' | cut -d: -f3)"

cat >ask.py <<'ASK'
import http.client, json, os, socket, subprocess, sys, threading, urllib.parse, urllib.request
url, subdef = sys.argv[1], sys.argv[2]
host = urllib.parse.urlsplit (url).netloc
faults = 0

def say (ok, what):
    global faults
    if not ok:
        faults += 1
        print ('FAILED', what)

def get (path, method='GET', headers={}, body=None):
    c = http.client.HTTPConnection (host, timeout=20)
    c.request (method, path, headers=headers, body=body)
    r = c.getresponse ()
    return r.status, r.getheader ('Content-Type'), r.read ().decode ()

def head (path, method='GET', **headers):
    c = http.client.HTTPConnection (host, timeout=20)
    c.request (method, path, headers={k.replace ('_', '-'): v for k, v in headers.items ()})
    r = c.getresponse ()
    return r.status, r.headers, r.read ().decode ()

def raw (request):
    with socket.create_connection (host.split (':'), timeout=20) as s:
        s.sendall (request.encode ())
        return int (s.makefile ('rb').readline ().split ()[1])

def ask (path, **fen):
    status, kind, text = get (path + '?' + urllib.parse.urlencode (fen))
    say (kind == 'application/json', f'{path}: {kind}')
    return status, json.loads (text)

members = ['category', 'dtz', 'precise_dtz', 'dtm', 'checkmate', 'stalemate', 'variant_win', 'variant_loss', 'insufficient_material']
fens = ['8/8/8/8/8/2k5/8/K6R w - - 0 1', '8/2P5/8/8/8/2k5/8/K7 w - - 0 1', 'k1K5/8/8/8/8/8/8/R7 b - - 0 1', 'k7/2Q5/1K6/8/8/8/8/8 b - - 0 1',
        '8/8/8/8/8/2k5/8/K7 w - - 0 1', 'k6r/8/2K5/8/8/8/8/8 b - - 0 1', '8/2P5/8/8/8/2k5/8/K7 w - - 80 99']
for fen in fens:
    status, a = ask ('/standard', fen=fen)
    probed = json.loads (subprocess.run ([subdef, 'probe', '--json', '--tables', 'w:d:t:rule', fen], capture_output=True).stdout)
    places = a.pop ('tables')
    a.pop ('damage', None)
    say (status == 200 and a == probed, f'{fen}: {status}, not what probe says')
    for p in [a] + a['moves']:
        say (all (m in p for m in members), f'{fen}: members are missing')
    for m in a['moves']:
        say (all (k in m for k in ('uci', 'san', 'zeroing', 'conversion')), f'{fen}: members of a move are missing')
        # the web API tells a move's value from the other side
        say (m['wdl'] is None or (m['category'] == 'draw') == (m['wdl'] == 0), f'{fen} {m["san"]}: category')
        say (m['wdl'] != 1 or m['category'] in ('loss', 'blessed-loss', 'maybe-loss'), f'{fen} {m["san"]}: a win is {m["category"]}')
        say (m['wdl'] != 1 or m['dtm'] is None or m['dtm'] == 1 - m['plies'], f'{fen} {m["san"]}: dtm {m["dtm"]}')
    for p in places:
        if p['stored']:
            say (0 <= p['slot'] < p['slots'], f'{fen}: slot {p["slot"]} of {p["slots"]}')
            b = p.get ('block')
            say (not b or b['first'] <= p['slot'] < b['first'] + b['slots'] and b['bits'] > 0, f'{fen}: block {b}')
    status, line = ask ('/standard/mainline', fen=fen)
    say (status == 200 and line['dtm'] == a['dtm'], f'{fen}: main line')
    if a['dtm']:
        say (len (line['mainline']) == abs (a['dtm']) and line['end'] == 'over', f'{fen}: {len (line["mainline"])} plies of {a["dtm"]}')
        say (line['winner'] == ('w' if (a['dtm'] > 0) == (' w ' in fen) else 'b'), f'{fen}: winner {line["winner"]}')
        say (line['mainline'][-1]['checkmate'], f'{fen}: no mate at the end')

a = ask ('/standard', fen='8/8/8/8/8/2k5/8/K6R_w_-_-_0_1')[1]
say ((a['category'], a['dtm'], a['dtz'], a['metric'], a['fifty_move_rule']) == ('win', 27, 27, 'dtm', True), f'KRvK: {a["category"]}')
say (a['moves'][0]['san'] in ('Rd1', 'Rh4') and a['moves'][0]['best'] and a['moves'][0]['dtm'] == -26, 'KRvK: the best move')
say ({p['file']: p['codec'] for p in a['tables']} == {'KRvK.wdl.sdt': 'repair', 'KRvK.dtm.sdt': 'obdd', 'KRvK.dtz50.sdt': a['tables'][2]['codec']}, f'KRvK: {a["tables"]}')
pawn = ask ('/standard', fen=fens[1])[1]
say ('block' in pawn['tables'][0] and 'block' not in a['tables'][1], 'blocks: RE-PAIR has them, a diagram has none')
# 27 plies to zeroing: won while the clock leaves room for them
say ([ask ('/standard', fen=f'8/8/8/8/8/2k5/8/K6R w - - {n} 60')[1]['category'] for n in (72, 73, 74)] == ['win', 'win', 'cursed-win'], 'the half-move clock')
say (ask ('/standard', fen='k1K5/8/8/8/8/8/8/R7 b - - 0 1')[1]['checkmate'], 'checkmate')
say (ask ('/standard', fen='k7/2Q5/1K6/8/8/8/8/8 b - - 0 1')[1]['stalemate'], 'stalemate')
say (ask ('/standard', fen='8/8/8/8/8/2k5/8/K7 w - - 0 1')[1]['insufficient_material'], 'insufficient material')

# what is wrong
for fen, want, pattern in [('nonsense', 400, 'FEN: rank 8'), ('', 400, 'fen is missing'), ('8' * 201, 400, 'longer than 200'), ('é' * 40, 400, 'FEN: rank 8'),
                           ('8/8/4k3/8/8/8/8/K6R w K - 0 1', 400, 'castling'),
                           ('<b>', 400, 'FEN: rank 8'), (fens[0] + chr (0), 400, 'a byte 0'), ('8/8/8/8/8/2k5/8/K6R w - - 0 1; x', 400, 'FEN')]:
    for path in ('/standard', '/standard/mainline'):
        status, a = ask (path, fen=fen)
        say (status == want and pattern in a['error'], f'{path} {fen[:30]}: {status} {a}')
say (get ('/standard')[0] == 400, 'no parameter')
# what no table tells
for fen, missing in (('8/8/8/8/8/2k5/8/KBN5 w - - 0 1', ['KBNvK']), ('KBBBBBN1/8/8/8/8/8/8/k7 w - - 0 1', None)):
    status, a = ask ('/standard', fen=fen)
    say ((status, a['category'], a.get ('missing')) == (200, 'unknown', missing), f'{fen}: {status} {a}')
    status, a = ask ('/standard/mainline', fen=fen)
    say (status == 404 and 'no best line' in a['error'] and a.get ('missing') == missing, f'the main line of {fen}: {status} {a}')
for path in ('/nothing', '/../etc/passwd', '/standard/', '/page.html'):
    say (get (path)[0] == 404, path)
say (get ('/info', 'POST', body='x')[0] == 405 and get ('/info', 'DELETE')[0] == 405, 'other methods')
say (get ('/info', body='x')[0] == 400, 'a body')
say (get ('/info', headers={'Host': 'example.org'})[0] == 403, 'another host')
say (get ('/info', headers={'Host': 'localhost.example.org'})[0] == 403, 'a host that begins alike')
say (get ('/info', headers={'Host': 'localhost:1'})[0] == 200 and get ('/info', headers={'Host': 'LocalHost'})[0] == 200, 'localhost')
for port, want in (('', 200), (':', 200), (':80', 200), (':evil.com', 403), (':80.evil.com', 403), ('80', 403), ('@evil.com', 403)):
    say (get ('/info', headers={'Host': 'localhost' + port})[0] == want, f'a host with the port "{port}"')
say (raw ('GET /info HTTP/1.1\r\n\r\n') == 400, 'HTTP/1.1 without a host')
say (raw ('GET /info HTTP/1.0\r\n\r\n') == 200, 'HTTP/1.0 without a host')
say (raw ('GET /info HTTP/1.1\r\nHost: localhost\r\nHost: evil.com\r\n\r\n') == 400, 'two hosts')
for path in ('/%00', '/info%00', '/%00info', '/standard%00?fen=' + fens[0].replace (' ', '_')):
    say (get (path)[0] == 404, f'a byte 0 in the path: {path}')
say (get ('/info', 'HEAD')[2] == '', 'HEAD')

# who else may read an answer, how long it may be kept, why something is refused
known, lacking = '/standard?fen=' + fens[0].replace (' ', '_'), '/standard?fen=8/8/8/8/8/2k5/8/KBN5_w_-_-_0_1'
for path, method, status, keep in ((known, 'GET', 200, 'public, max-age=86400'), ('/standard/mainline' + known[9:], 'GET', 200, 'public, max-age=86400'),
                                   (known, 'HEAD', 200, 'public, max-age=86400'), ('/info', 'GET', 200, 'no-cache'), ('/', 'GET', 200, 'no-cache'), ('/page.js', 'GET', 200, 'no-cache'),
                                   ('/standard?fen=x', 'GET', 400, 'no-store'), ('/nothing', 'GET', 404, 'no-store'), (known, 'POST', 405, 'no-store'), (known, 'PUT', 405, 'no-store')):
    got, h, text = head (path, method)
    say ((got, h['Cache-Control']) == (status, keep), f'{method} {path}: {got} {h["Cache-Control"]}')
    say (h['Access-Control-Allow-Origin'] == 'https://example.org', f'{method} {path}: origin {h["Access-Control-Allow-Origin"]}')
    say (status == 200 or json.loads (text)['error'], f'{method} {path}: no reason')
    if status == 200:
        again, kept, text = head (path, If_None_Match=h['ETag'])
        say ((again, text, kept['ETag']) == (304, '', h['ETag']), f'{path}: {again} with its own ETag')
        say (head (path, If_None_Match='"0"')[0] == 200, f'{path}: 304 with another ETag')
got, h, text = head (known, 'OPTIONS', Origin='https://example.org', Access_Control_Request_Method='GET', Access_Control_Request_Headers='x-requested-with')
say (got == 204 and text == '' and h['Access-Control-Allow-Origin'] == 'https://example.org' and 'GET' in h['Access-Control-Allow-Methods'] and h['Access-Control-Allow-Headers'] == '*', f'a preflight: {got} {h}')
say (head (known, 'OPTIONS')[0] == 405 and 'OPTIONS' in head (known, 'OPTIONS')[1]['Allow'], 'OPTIONS that is no preflight')
try: # more than a connection may have
    say (get ('/standard?fen=' + 'x' * 100000)[0] in (400, 413, 414, 431), 'an address of 100,000 characters')
except (ConnectionError, http.client.HTTPException):
    pass
say (get ('/info')[0] == 200, 'it still answers')

status, kind, text = get ('/info')
info = json.loads (text)
say (info['program'] == 'subdef' and sum ('error' in t for t in info['tables']) == 1, 'info: the damaged table')
say ({'KPvK.wdl.sdt', 'KRvK.dtm.sdt', 'KPvK.dtz50.sdt'} <= {t['file'] for t in info['tables']}, 'info: tables')
here = os.getcwd ()
for path in ('/info', known, lacking, '/standard/mainline' + lacking[9:], '/'):
    text = get (path)[2]
    say (here not in text and 'w/K' not in text and 'rule/' not in text and 'w:d' not in text, f'{path} tells a folder: {text[:300]}')
status, kind, text = get ('/')
say (status == 200 and kind.startswith ('text/html') and '<title>subdef' in text, 'the page')
for file in ('/page.css', '/page.js', '/fen.js'):
    status, kind, inside = get (file)
    say (status == 200 and kind.startswith (('text/css', 'text/javascript')) and inside, file)
    text += inside
say (not any (w in text for w in ('src="http', "src='http", '@import', 'href="http')), 'the page needs something else')

# many at once
def many (n):
    for i in range (n):
        status, a = ask ('/standard', fen=fens[(i + n) % 2])
        if status != 200 or a['category'] != 'win':
            say (False, f'one of many: {status}')
threads = [threading.Thread (target=many, args=(40 + i,)) for i in range (8)]
[t.start () for t in threads]
[t.join () for t in threads]
print ('ok' if not faults else f'{faults} faults')
sys.exit (faults != 0)
ASK
timeout 300 "$python" ask.py "$url" "$subdef" || failed=1
kill -TERM $server
wait $server
status=$?
server=
[ $status -eq 0 ] || fail "SIGTERM: exit $status"
[ "$(cat err)" = "subdef serve: ready; Ctrl-C ends it" ] || fail "stderr: $(cat err)"
# sh has jobs in the background ignore SIGINT; the most threads, another address of this machine
env --default-signal=INT "$subdef" serve --tables t --port 0 --threads 64 --listen 127.0.0.2 >url2 2>err &
server=$!
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do [ -s url2 ] && break; sleep 0.2; done
timeout 20 "$python" -c 'import sys, urllib.request; print (urllib.request.urlopen (sys.argv[1] + "info").status)' "$(cat url2)" >status 2>&1
[ "$(cat status)" = 200 ] || fail "the address that is printed: $(tail -1 status)"
timeout 20 "$python" -c 'import sys, urllib.request
r = urllib.request.urlopen (sys.argv[1] + "info")
sys.exit (r.headers["Access-Control-Allow-Origin"] is not None)' "$(cat url2)" || fail "without --allow-origin the answers are for all"
# connections that ask nothing, more than there may be, do not keep it
"$python" -c 'import socket, sys, time
held = [socket.create_connection ((sys.argv[1], int (sys.argv[2]))) for i in range (300)]
print ("held", flush=True)
time.sleep (60)' 127.0.0.2 "$(tr -dc '0-9:' <url2 | cut -d: -f3)" >held &
holder=$!
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do [ -s held ] && break; sleep 0.2; done
[ -s held ] || fail "no connections"
before=$(date +%s)
kill -INT $server
wait $server
status=$?
server=
kill $holder
[ $status -eq 0 ] || fail "SIGINT: exit $status"
[ $(($(date +%s) - before)) -lt 10 ] || fail "SIGINT: idle connections keep it for $(($(date +%s) - before)) s"
exit $failed
