# For find_package (subdef) of CMake; the .cmake files are made by configure, as subdef.pc is.
cmakedir = $(libdir)/cmake/subdef
cmake_DATA = packaging/subdefConfig.cmake packaging/subdefConfigVersion.cmake
EXTRA_DIST += packaging/README.md
