# epios::netcdf: netcdf-c with parallel HDF5 over MPICH, for io/file alone.
#
# By default the static library that scripts/setup built; its symbols are hidden and must stay so,
# because models link the distribution's serial netcdf into the same process. With
# EPIOS_SYSTEM_NETCDF the machine's own parallel netcdf, which models then share with us.
# Link it PRIVATE: neither its headers nor its archive belong to what we install.
include_guard(GLOBAL)
set(EPIOS_DEPS_DIR "${PROJECT_SOURCE_DIR}/build/deps" CACHE PATH
    "Where scripts/setup put netcdf-c; shared by all presets")

add_library(epios_netcdf INTERFACE)
add_library(epios::netcdf ALIAS epios_netcdf)

if(EPIOS_SYSTEM_NETCDF)
  pkg_check_modules(EPIOS_NETCDF REQUIRED IMPORTED_TARGET GLOBAL netcdf)
  find_path(EPIOS_NETCDF_META_DIR netcdf_meta.h HINTS ${EPIOS_NETCDF_INCLUDE_DIRS} REQUIRED)
  file(STRINGS "${EPIOS_NETCDF_META_DIR}/netcdf_meta.h" epios_netcdf_is_parallel
       REGEX "NC_HAS_PARALLEL4[ ]+1")
  if(NOT epios_netcdf_is_parallel)
    message(FATAL_ERROR
      "The machine's netcdf cannot write in parallel (${EPIOS_NETCDF_META_DIR}/netcdf_meta.h). "
      "Point PKG_CONFIG_PATH at one that can, or configure without EPIOS_SYSTEM_NETCDF.")
  endif()
  pkg_search_module(EPIOS_HDF5 REQUIRED IMPORTED_TARGET GLOBAL hdf5-mpich hdf5)
  target_link_libraries(epios_netcdf INTERFACE
    PkgConfig::EPIOS_NETCDF PkgConfig::EPIOS_HDF5 epios_mpi)
  return()
endif()

set(epios_netcdf_prefix "${EPIOS_DEPS_DIR}/netcdf-4.9.0")
if(NOT EXISTS "${epios_netcdf_prefix}/recipe.key")
  message(FATAL_ERROR
    "netcdf-c is not in ${epios_netcdf_prefix} (it is built once for all presets). "
    "Run ./scripts/setup, or configure with -DEPIOS_SYSTEM_NETCDF=ON.")
endif()

pkg_check_modules(EPIOS_HDF5 REQUIRED IMPORTED_TARGET GLOBAL hdf5-mpich)
# hdf5-mpich.pc does not name the high-level library, which netcdf-c needs for dimension scales.
find_library(EPIOS_HDF5_HL_LIBRARY hdf5_hl PATHS ${EPIOS_HDF5_LIBRARY_DIRS} REQUIRED
             NO_DEFAULT_PATH)
find_package(ZLIB REQUIRED)

add_library(epios_netcdf_archive STATIC IMPORTED GLOBAL)
set_target_properties(epios_netcdf_archive PROPERTIES
  IMPORTED_LOCATION "${epios_netcdf_prefix}/lib/libnetcdf.a"
  INTERFACE_INCLUDE_DIRECTORIES "${epios_netcdf_prefix}/include")
target_link_libraries(epios_netcdf_archive INTERFACE
  "${EPIOS_HDF5_HL_LIBRARY}" PkgConfig::EPIOS_HDF5 epios_mpi ZLIB::ZLIB ${CMAKE_DL_LIBS} m)
target_link_libraries(epios_netcdf INTERFACE epios_netcdf_archive)
target_link_options(epios_netcdf INTERFACE LINKER:--exclude-libs,libnetcdf.a)
