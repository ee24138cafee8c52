# The module needs nothing to be built: it finds the shared libraries above the folder where it is installed.
sd_python = \
  python/subdef/__init__.py \
  python/subdef/_libraries.py \
  python/subdef/arrays.py \
  python/subdef/py.typed \
  python/subdef/sweeps.py \
  python/subdef/tables.py \
  python/subdef/wide.py
if HAVE_PYTHON
subdefpythondir = $(pythondir)/subdef
subdefpython_DATA = $(sd_python)
endif
EXTRA_DIST += $(sd_python) pyproject.toml python/build_backend.py

# A wheel of the libraries of this build, which pip installs.
wheel: libsubdef.la libsubdef-probe.la
	@case ' $(SD_CFLAGS) ' in *-march=native*) echo 'wheel: its libraries have instructions of the processor of this machine: for one to pass on, configure without --enable-native' >&2 ;; esac
	$(PYTHON) $(srcdir)/python/build_backend.py . .
.PHONY: wheel
