# The prober as two files to copy into an engine: make amalgamation. Python reads the files that libsubdef-probe is made of.
EXTRA_DIST += amalgamation/amalgamate.py amalgamation/head.c amalgamation/xxh3.c
if HAVE_PYTHON
amalgamation: subdef_probe.c
subdef_probe.c: $(libsubdef_probe_la_SOURCES) amalgamation/amalgamate.py amalgamation/head.c amalgamation/xxh3.c engine/probe.h engine/fathom.h
	$(AM_V_GEN)$(PYTHON) $(srcdir)/amalgamation/amalgamate.py $(top_srcdir) . $(libsubdef_probe_la_SOURCES)
CLEANFILES += subdef_probe.c subdef_probe.h
else
amalgamation:
	@echo 'make amalgamation: needs Python, which configure did not find' >&2; exit 1
endif
.PHONY: amalgamation
