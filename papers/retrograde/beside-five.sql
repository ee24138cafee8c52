-- Generation of endings with five men beside Syzygy's generator: the least of the turns.
CREATE TEMP VIEW least AS SELECT ending, program, min (cpu_seconds + 0.0) AS s, max (turn + 0) AS turns FROM "retrograde/beside-five" GROUP BY ending, program;
SELECT 'With five men, later and by today''s program, the least of '|| (SELECT max (turns) FROM least) || ' turns while other programs kept both cores busy: ' ||
  group_concat (printf ('%s %.1f s against %.1f s, a share of **%.2f**', t.ending, o.s, t.s, o.s / t.s), '; ') || '.'
FROM least t JOIN least o ON o.ending = t.ending AND o.program = 'now' WHERE t.program = 'syzygy';
