-- What stands where: the smallest within a time, the codecs on the fronts and how far the others are from them, the widest gap of each front.
CREATE TEMP TABLE a AS SELECT "table" || ' ' || upper (metric) AS t, CASE "table" || metric WHEN 'KPvKdtm' THEN 1 WHEN 'KRvKPwdl' THEN 2 WHEN 'KRvKPdtm' THEN 3
    WHEN 'KQvKRdtm' THEN 4 WHEN 'KBBBvKdtm' THEN 5 ELSE 6 END AS part, codec, settings, codec || iif (settings = '', '', ' ' || replace (settings, ',rounds=1,samples=1000', '')) AS name,
  bytes + 0 AS b, lookup_ns + 0.0 AS ns, place + 0 AS place FROM "front/front";
CREATE TEMP VIEW said AS SELECT *, CASE WHEN ns < 999.5 THEN printf ('%.0f ns', ns) WHEN ns < 9995 THEN printf ('%.1f us', ns / 1e3)
  WHEN ns < 999500 THEN printf ('%.0f us', ns / 1e3) ELSE printf ('%.1f ms', ns / 1e6) END AS time FROM a;
CREATE TEMP VIEW front AS SELECT * FROM said WHERE place > 0;

SELECT '| table | settings | plain copy | at most 1 us | at most 20 us | any time |' || char (10) || '|---|---:|---:|---|---|---|';
SELECT printf ('| %s | %d | %,d | %s | %s | %s |', t, (SELECT count (*) FROM a WHERE a.t = o.t), (SELECT b FROM a WHERE a.t = o.t AND codec = 'store'), one, some, least)
FROM (SELECT DISTINCT t, part, (SELECT printf ('%,d, `%s`', b, name) FROM front f WHERE f.t = a.t AND ns <= 1e3 ORDER BY b LIMIT 1) AS one,
  (SELECT printf ('%,d, `%s`', b, name) FROM front f WHERE f.t = a.t AND ns <= 2e4 ORDER BY b LIMIT 1) AS some,
  (SELECT printf ('%,d, `%s`', b, name) FROM front f WHERE f.t = a.t ORDER BY b LIMIT 1) AS least FROM a) o ORDER BY part;
SELECT '';

-- by how many times the bytes a codec is behind what is as fast, at best
CREATE TEMP TABLE near AS SELECT t, part, codec, sum (place > 0) AS marks, min (1.0 * b / (SELECT min (b) FROM a o WHERE o.t = a.t AND o.ns <= a.ns)) AS times
FROM a GROUP BY t, codec;
CREATE TEMP VIEW cell AS SELECT *, iif (marks, printf ('**%d**', marks), printf ('%.2f', times)) AS text FROM near;
SELECT '| codec |' || group_concat (' ' || t || ' |', '') || char (10) || '|---|' || group_concat ('---:|', '') FROM (SELECT DISTINCT t, part FROM a ORDER BY part);
SELECT printf ('| `%s` |', codec) || group_concat (' ' || text || ' |', '') FROM (SELECT * FROM cell ORDER BY codec, part) GROUP BY codec ORDER BY sum (marks > 0) DESC, sum (marks) DESC, avg (times);
SELECT '';

CREATE TEMP TABLE lost AS SELECT *, sum (marks) OVER (PARTITION BY codec) AS all_marks FROM near;
SELECT printf ('On none of the fronts stand %s.', group_concat ('`' || codec || '`', ', ')) FROM (SELECT DISTINCT codec FROM lost WHERE all_marks = 0 ORDER BY codec);
SELECT printf ('A diagram beats %d of their %d settings in both bytes and time.', sum (EXISTS (SELECT 1 FROM a o WHERE o.t = a.t AND o.codec = 'obdd' AND o.b < a.b AND o.ns < a.ns)),
  count (*)) FROM a WHERE codec IN (SELECT codec FROM lost WHERE all_marks = 0);
SELECT printf ('The nearest of these codecs is `%s` with %s: it takes %.2f times the bytes of the smallest setting that is as fast.', codec, t, min (times)) FROM lost WHERE all_marks = 0;
SELECT '';

-- from the smallest diagram to what is smaller and slower
CREATE TEMP TABLE diagram AS SELECT t, part, name, time, ns, min (b) AS b FROM said WHERE codec = 'obdd' GROUP BY t;
CREATE TEMP TABLE next AS SELECT d.t, f.name, f.time, f.ns, f.b, min (f.place) FROM diagram d JOIN front f ON f.t = d.t AND f.b < d.b AND f.ns > d.ns GROUP BY d.t;
CREATE TEMP TABLE few AS SELECT t, name, time, min (b) AS b FROM said WHERE codec = 'forest' AND ns <= 1e4 GROUP BY t;
SELECT '| table | smallest diagram | a lookup | next on the front | a lookup | of its bytes | smallest forest up to 10 us | a lookup | of its bytes |' || char (10)
  || '|---|---|---:|---|---:|---:|---|---:|---:|';
SELECT printf ('| %s | `%s` | %s | ', d.t, d.name, d.time) || iif (n.t IS NULL, 'none | | |', printf ('`%s` | %s | %.2f |', n.name, n.time, 1.0 * n.b / d.b))
  || iif (s.t IS NULL, ' none | | |', printf (' `%s` | %s | %.2f |', s.name, s.time, 1.0 * s.b / d.b))
FROM diagram d LEFT JOIN next n USING (t) LEFT JOIN few s USING (t) ORDER BY part;
SELECT '';

SELECT printf ('The slowest diagram on a front takes %s. What follows it on any front takes %s at least; between these times all fronts are empty.',
  time, (SELECT time FROM front f WHERE f.ns > d.ns ORDER BY f.ns LIMIT 1)) FROM front d WHERE codec = 'obdd' ORDER BY ns DESC LIMIT 1;
SELECT group_concat (printf ('Diagrams are the whole front of %s, but for the plain copy where that is faster.', names), '') FROM (SELECT group_concat (t, ', ') AS names
  FROM (SELECT t FROM front GROUP BY t HAVING sum (codec NOT IN ('obdd', 'store')) = 0 ORDER BY part)) WHERE names IS NOT NULL;
SELECT '';

SELECT printf ('Other programs kept %s to %s cores busy meanwhile. The medians of the five repeats differ by a factor of %.2f or less in half of the %d settings; by more than 2 in %d, of which %d are of forests and trees.',
  (SELECT min (busy_cores + 0) FROM "front/front"), (SELECT max (busy_cores + 0) FROM "front/front"),
  (SELECT scatter + 0 FROM "front/front" ORDER BY scatter + 0 LIMIT 1 OFFSET (SELECT count (*) / 2 FROM "front/front")), count (*), sum (scatter + 0 > 2),
  sum (scatter + 0 > 2 AND codec IN ('forest', 'trees'))) FROM "front/front";
