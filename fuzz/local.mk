# hostile bytes for three seconds each (fuzz/README.md)
sd_fuzzers = fuzz/fuzz_table fuzz/fuzz_stream fuzz/fuzz_trip fuzz/fuzz_array fuzz/fuzz_syzygy \
	fuzz/fuzz_syzygy_trip
check_PROGRAMS += $(sd_fuzzers) fuzz/mutants
TESTS += $(sd_fuzzers) fuzz/mutants.sh
dist_check_SCRIPTS += fuzz/mutants.sh
fuzz/mutants.log: fuzz/mutants$(EXEEXT)
if HAVE_WRAP
# what is held in memory is counted (fuzz/memory.h); -static: the library's requests, too
sd_counted_flags = -DSD_COUNTED
sd_counted = -static -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free,--wrap=posix_memalign,--wrap=strdup
endif
sd_fuzz_common = fuzz/fuzz.h fuzz/data.h fuzz/forge.h fuzz/sums.h fuzz/memory.c fuzz/memory.h
fuzz_fuzz_table_SOURCES = fuzz/fuzz_table.c fuzz/table_seeds.c fuzz/mutate.c $(sd_fuzz_common)
fuzz_fuzz_table_CPPFLAGS = $(AM_CPPFLAGS) $(sd_counted_flags)
fuzz_fuzz_table_LDFLAGS = $(AM_LDFLAGS) $(sd_counted)
fuzz_fuzz_table_LDADD = libsubdef-internal.la
fuzz_fuzz_stream_SOURCES = fuzz/fuzz_stream.c fuzz/mutate.c $(sd_fuzz_common)
fuzz_fuzz_stream_CPPFLAGS = $(AM_CPPFLAGS) $(sd_counted_flags)
fuzz_fuzz_stream_LDFLAGS = $(AM_LDFLAGS) $(sd_counted)
fuzz_fuzz_stream_LDADD = libsubdef-internal.la
fuzz_fuzz_trip_SOURCES = fuzz/fuzz_trip.c fuzz/mutate.c $(sd_fuzz_common)
fuzz_fuzz_trip_CPPFLAGS = $(AM_CPPFLAGS) $(sd_counted_flags)
fuzz_fuzz_trip_LDFLAGS = $(AM_LDFLAGS) $(sd_counted)
fuzz_fuzz_trip_LDADD = libsubdef-internal.la
fuzz_fuzz_array_SOURCES = fuzz/fuzz_array.c fuzz/mutate.c $(sd_fuzz_common)
fuzz_fuzz_array_CPPFLAGS = $(AM_CPPFLAGS) $(sd_counted_flags)
fuzz_fuzz_array_LDFLAGS = $(AM_LDFLAGS) $(sd_counted)
fuzz_fuzz_array_LDADD = array/libarray.a libsubdef-internal.la
fuzz_fuzz_syzygy_SOURCES = fuzz/fuzz_syzygy.c fuzz/syzygy_seeds.h fuzz/mutate.c $(sd_fuzz_common)
fuzz_fuzz_syzygy_CPPFLAGS = $(AM_CPPFLAGS) $(sd_counted_flags)
fuzz_fuzz_syzygy_LDFLAGS = $(AM_LDFLAGS) $(sd_counted)
fuzz_fuzz_syzygy_LDADD = libsubdef-internal.la
fuzz_fuzz_syzygy_trip_SOURCES = fuzz/fuzz_syzygy_trip.c fuzz/mutate.c $(sd_fuzz_common)
fuzz_fuzz_syzygy_trip_CPPFLAGS = $(AM_CPPFLAGS) $(sd_counted_flags)
fuzz_fuzz_syzygy_trip_LDFLAGS = $(AM_LDFLAGS) $(sd_counted)
fuzz_fuzz_syzygy_trip_LDADD = libsubdef-internal.la
fuzz_mutants_SOURCES = fuzz/mutants.c fuzz/table_seeds.c $(sd_fuzz_common)
fuzz_mutants_CPPFLAGS = $(AM_CPPFLAGS) $(sd_counted_flags)
fuzz_mutants_LDFLAGS = $(AM_LDFLAGS) $(sd_counted)
fuzz_mutants_LDADD = libsubdef-internal.la
EXTRA_DIST += fuzz/README.md
