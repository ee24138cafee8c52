# hostile bytes for three seconds each (fuzz/README.md)
sd_fuzzers = fuzz/fuzz_table fuzz/fuzz_stream
check_PROGRAMS += $(sd_fuzzers)
TESTS += $(sd_fuzzers)
fuzz_fuzz_table_SOURCES = fuzz/fuzz_table.c fuzz/mutate.c fuzz/fuzz.h fuzz/data.h
fuzz_fuzz_table_LDADD = libsubdef-internal.la
fuzz_fuzz_stream_SOURCES = fuzz/fuzz_stream.c fuzz/mutate.c fuzz/fuzz.h fuzz/data.h
fuzz_fuzz_stream_LDADD = libsubdef-internal.la
EXTRA_DIST += fuzz/README.md
