noinst_LIBRARIES += search/libsearch.a
search_libsearch_a_SOURCES = search/search.h search/hash.c search/table.c search/search.c
EXTRA_DIST += search/README.md
