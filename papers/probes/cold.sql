-- What the cold rows say.
CREATE TEMP VIEW c AS SELECT * FROM "probes/cold";
SELECT printf ('* Opening reads the headers of all 35 endings: %,d KiB of RE-PAIR, %,d KiB of diagrams, in %.1f and %.1f ms; Fathom looks at the names of the files, in %.1f ms.',
  r.kib_read, o.kib_read, r.median_us / 1e3, o.median_us / 1e3, s.median_us / 1e3)
  FROM c r, c o, c s WHERE r.tables = 'repair' AND r.opened LIKE 'read%' AND r.what = 'opening' AND o.tables = 'obdd' AND o.opened LIKE 'read%'
    AND o.what = 'opening' AND s.tables = 'syzygy' AND s.ending = 'KRvKP' AND s.what = 'opening';
SELECT printf ('* The first probe opens the tables that it needs: %,d KiB and %.1f ms by RE-PAIR, whose dictionaries are written out then, %,d KiB and %.1f ms as diagrams, %,d KiB and %.1f ms by Fathom. A file below 1 MiB is read as a whole, so that a later probe reads nothing of it; a later one by Fathom waits for %.1f pages.',
  r.kib_read, r.median_us / 1e3, o.kib_read, o.median_us / 1e3, s.kib_read, s.median_us / 1e3, (SELECT pages FROM c WHERE ending = 'KRvKP' AND tables = 'syzygy' AND what = 'later'))
  FROM c r, c o, c s WHERE r.tables = 'repair' AND r.opened LIKE 'read%' AND r.what = 'first' AND o.tables = 'obdd' AND o.opened LIKE 'read%'
    AND o.what = 'first' AND s.tables = 'syzygy' AND s.ending = 'KRvKP' AND s.what = 'first';
SELECT printf ('* In a large file a probe reads the part of 1 MiB in which its block stands, and compares it: %.0f pages on average where Fathom reads %.0f, but by one call, and half of the probes find their part read already (median %d us, Fathom %d us). That is the price of a checksum for each part and of no page fault. Mapped, the system reads ahead, and more is read for the same probe.',
  (SELECT pages FROM c WHERE ending = 'KRPvKR' AND tables = 'repair' AND what = 'later' AND opened LIKE 'read%'), (SELECT pages FROM c WHERE ending = 'KRPvKR' AND tables = 'syzygy' AND what = 'later'),
  (SELECT median_us FROM c WHERE ending = 'KRPvKR' AND tables = 'repair' AND what = 'later' AND opened LIKE 'read%'), (SELECT median_us FROM c WHERE ending = 'KRPvKR' AND tables = 'syzygy' AND what = 'later'));
