noinst_LTLIBRARIES += coded/libcoded.la
coded_libcoded_la_SOURCES = coded/coded.c coded/subdef.h
# <subdef/subdef.h>, beside <subdef/probe.h>
subdefinclude_HEADERS += coded/subdef.h
EXTRA_DIST += coded/README.md
