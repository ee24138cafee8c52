-- What the cold rows say.
CREATE TEMP VIEW c AS SELECT * FROM "probes/cold";
SELECT printf ('* Files below 1 MiB are read and compared when they are opened, so that a probe reads nothing: of all 35 endings %,d KiB by RE-PAIR, %,d KiB as diagrams, once. A *later* probe by Fathom waits for %.1f pages.',
  (SELECT kib_read FROM c WHERE ending = 'KRvKP' AND tables = 'repair' AND what = 'opening' LIMIT 1), (SELECT kib_read FROM c WHERE ending = 'KRvKP' AND tables = 'obdd' AND what = 'opening' LIMIT 1),
  (SELECT pages FROM c WHERE ending = 'KRvKP' AND tables = 'syzygy' AND what = 'later'));
SELECT printf ('* In a large file a probe reads the part of 1 MiB in which its block stands, and compares it: %.0f pages on average where Fathom reads %.0f, but by one call, and half of the probes find their part read already (median %d us, Fathom %d us). That is the price of a checksum for each part and of no page fault. Mapped, the system reads ahead, and more is read for the same probe.',
  (SELECT pages FROM c WHERE ending = 'KRPvKR' AND tables = 'repair' AND what = 'later' AND opened LIKE 'read%'), (SELECT pages FROM c WHERE ending = 'KRPvKR' AND tables = 'syzygy' AND what = 'later'),
  (SELECT median_us FROM c WHERE ending = 'KRPvKR' AND tables = 'repair' AND what = 'later' AND opened LIKE 'read%'), (SELECT median_us FROM c WHERE ending = 'KRPvKR' AND tables = 'syzygy' AND what = 'later'));
SELECT printf ('* Opening costs most: %.2f s for the tables of KRPvKR and of all that it leads to, %.2f s for the 35 endings. Fathom opens a file when a probe first needs it.',
  (SELECT median_us / 1e6 FROM c WHERE ending = 'KRPvKR' AND tables = 'repair' AND what = 'opening' AND opened LIKE 'read%'),
  (SELECT median_us / 1e6 FROM c WHERE ending = 'KRvKP' AND tables = 'repair' AND what = 'opening' AND opened LIKE 'read%'));
