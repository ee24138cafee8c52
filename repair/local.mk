noinst_LTLIBRARIES += repair/librepair.la
repair_librepair_la_SOURCES = repair/repair.h repair/encode.c repair/decode.c
EXTRA_DIST += repair/README.md
