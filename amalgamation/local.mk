# The prober as two files to copy into an engine: make amalgamation. Python reads the files that libsubdef-probe is made of.
EXTRA_DIST += amalgamation/amalgamate.py amalgamation/head.c amalgamation/cpp.c amalgamation/xxh3.c
if HAVE_PYTHON
# always, since headers and lists count, too; a file that does not differ stays as it is
amalgamation:
	$(AM_V_GEN)$(PYTHON) $(srcdir)/amalgamation/amalgamate.py $(top_srcdir) . $(libsubdef_probe_la_SOURCES)
CLEANFILES += subdef_probe.c subdef_probe.h
else
amalgamation:
	@echo 'make amalgamation: needs Python, which configure did not find' >&2; exit 1
endif
.PHONY: amalgamation
