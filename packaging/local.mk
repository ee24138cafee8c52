# For find_package (subdef) of CMake; the .cmake files are made by configure, as subdef.pc is.
cmakedir = $(libdir)/cmake/subdef
cmake_DATA = packaging/subdefConfig.cmake packaging/subdefConfigVersion.cmake
# subdef serve as a service of systemd, with --with-systemdsystemunitdir
if SYSTEMD
systemdsystemunit_DATA = packaging/subdef-serve.service
endif
packaging/subdef-serve.service: packaging/subdef-serve.service.in
	$(AM_V_GEN)$(MKDIR_P) packaging; sed 's,[@]bindir@,$(bindir),' $(srcdir)/packaging/subdef-serve.service.in > $@
CLEANFILES += packaging/subdef-serve.service
EXTRA_DIST += packaging/README.md packaging/subdef-serve.service.in
