noinst_LTLIBRARIES += search/libsearch.la
search_libsearch_la_SOURCES = search/search.h search/hash.c search/table.c search/search.c
EXTRA_DIST += search/README.md
