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
EXTRA_DIST += packaging/Containerfile packaging/subdef-serve.service.in
# the packages of Debian, file by file: dpkg-buildpackage leaves others there
EXTRA_DIST += \
  debian/changelog \
  debian/control \
  debian/copyright \
  debian/libsubdef-dev.install \
  debian/libsubdef-probe0.install \
  debian/libsubdef-probe0.symbols \
  debian/libsubdef0.install \
  debian/libsubdef0.symbols \
  debian/not-installed \
  debian/python3-subdef.install \
  debian/rules \
  debian/source/format \
  debian/subdef.install \
  debian/tests/control \
  debian/tests/libraries \
  debian/tests/programs
