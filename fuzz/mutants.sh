#!/bin/sh
# Mutants of made-up tables: the same ones each time.
OMP_NUM_THREADS=1 exec "$SD_BUILDDIR"/fuzz/mutants -n 3000 -r 1
