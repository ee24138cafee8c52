-- Plies in which an engine mates itself, by the prober in it and the tables that it asks.
SELECT '| position | the two files, tables of this project | the two files, Syzygy''s files | Fathom, Syzygy''s files |';
SELECT '|---|---:|---:|---:|';
SELECT printf ('| `%s` | %d | %d | %d |', position, max (iif (prober <> 'Fathom' AND tables = 'subdef', plies + 0, 0)), max (iif (prober <> 'Fathom' AND tables = 'syzygy', plies + 0, 0)),
  max (iif (prober = 'Fathom', plies + 0, 0))) FROM "probes/engine" GROUP BY position ORDER BY max (plies + 0);
