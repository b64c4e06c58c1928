# Everything the build takes from the distribution. scripts/setup installs it; netcdf-c is the one
# exception and has its own file.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
include(EpiosMpi)
# Which processors share what: ep_core alone asks.
pkg_check_modules(HWLOC REQUIRED IMPORTED_TARGET hwloc)
find_package(CLI11 REQUIRED)
if(NOT EPIOS_ONLY_EP_CORE)
  find_package(fmt REQUIRED)
  find_package(spdlog REQUIRED)
  find_package(pugixml REQUIRED)
  find_package(nlohmann_json REQUIRED)
  # Units: for config alone.
  pkg_check_modules(UDUNITS REQUIRED IMPORTED_TARGET udunits)
  # Elementary functions of expressions: for config alone. Those of the kind `cinz` have one result on
  # all processors, so there is no second way for machines without it.
  pkg_check_modules(SLEEF IMPORTED_TARGET sleef>=3.5)
  if(NOT SLEEF_FOUND)
    message(FATAL_ERROR "pkg-config finds no 'sleef' of version 3.5 or later, which has exp, log, sin and the like of "
                        "expressions. Install libsleef-dev (Debian, Ubuntu) or sleef-devel (Fedora, openSUSE), or build it "
                        "as a shared library and add the folder of its sleef.pc to PKG_CONFIG_PATH.")
  endif()
  # HTTP of `epios live`, which is not built without it.
  pkg_check_modules(HTTPLIB IMPORTED_TARGET cpp-httplib)
  # Codecs of Zarr: for io/file alone, which says so where a file asks for one that is missing.
  pkg_check_modules(LIBZSTD IMPORTED_TARGET libzstd)
  pkg_check_modules(LIBBLOSC IMPORTED_TARGET blosc)
  if(NOT LIBZSTD_FOUND)
    message(STATUS "pkg-config finds no 'libzstd' (Debian: libzstd-dev): format zarr without compression_type zstd")
  endif()
  if(NOT LIBBLOSC_FOUND)
    message(STATUS "pkg-config finds no 'blosc' (Debian: libblosc-dev): format zarr without compression_type blosc_lz4 and "
                   "blosc_zstd")
  endif()
  # Deflate: for io/file alone.
  pkg_check_modules(LIBDEFLATE REQUIRED IMPORTED_TARGET libdeflate)
  pkg_check_modules(LIBISAL REQUIRED IMPORTED_TARGET libisal)
  add_library(epios_deflate INTERFACE)
  add_library(epios::deflate ALIAS epios_deflate)
  target_link_libraries(epios_deflate INTERFACE PkgConfig::LIBDEFLATE PkgConfig::LIBISAL)
endif()
if(EPIOS_BUILD_TESTS)
  find_package(GTest REQUIRED)
  # Tests of ep_core read its traces.
  find_package(nlohmann_json REQUIRED)
endif()
