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

# Names of libraries: the one of a file (SONAME) or those that it needs (NEEDED).
function(epios_library_names file entry result)
  execute_process(COMMAND ${CMAKE_OBJDUMP} -p "${file}" OUTPUT_VARIABLE said ERROR_QUIET)
  string(REGEX MATCHALL "${entry} +[^\n]+" found "${said}")
  list(TRANSFORM found REPLACE "${entry} +" "")
  set(${result} "${found}" PARENT_SCOPE)
endfunction()

# The oldest ones with all that is called; older ones are named here, rather than by the compiler.
set(EPIOS_OLDEST_NETCDF 4.7.0)
set(EPIOS_OLDEST_HDF5 1.10.0)

# epios_ask_pkg_config(<oldest version>): for functions with arguments `package` and `why`. Sets `module`, the prefix of what
# pkg-config says; or says why the package cannot be taken, and returns from the function.
macro(epios_ask_pkg_config oldest)
  string(MAKE_C_IDENTIFIER "EPIOS_PKG_${package}" module)
  pkg_check_modules(${module} QUIET IMPORTED_TARGET GLOBAL ${package})
  if(NOT ${module}_FOUND)
    set(${why} "pkg-config does not find it" PARENT_SCOPE)
    return()
  endif()
  if(${module}_VERSION VERSION_LESS ${oldest})
    set(${why} "${${module}_VERSION} is too old (${oldest} or later is needed)" PARENT_SCOPE)
    return()
  endif()
endmacro()

# epios_try_netcdf(<name of pkg-config> <variable>): links it if it is parallel and over the MPI of this build, else says
# in the variable why not.
function(epios_try_netcdf package why)
  epios_ask_pkg_config(${EPIOS_OLDEST_NETCDF})
  # Debian's netcdf-mpi.pc does not name the folder of its headers, which is below its prefix.
  pkg_get_variable(prefix ${package} prefix)
  find_path(${module}_HEADERS netcdf_par.h HINTS "${prefix}/include" ${${module}_INCLUDE_DIRS})
  set(meta "${${module}_HEADERS}/netcdf_meta.h")
  if(NOT ${module}_HEADERS OR NOT EXISTS "${meta}")
    set(${why} "${${module}_VERSION} cannot write in parallel (there is no netcdf_par.h)" PARENT_SCOPE)
    return()
  endif()
  file(STRINGS "${meta}" is_parallel REGEX "NC_HAS_PARALLEL4[ ]+1")
  if(NOT is_parallel)
    set(${why} "${${module}_VERSION} cannot write in parallel (${meta})" PARENT_SCOPE)
    return()
  endif()
  # Another MPI below it would be a second one in every process.
  list(GET MPI_C_LIBRARIES 0 mpi_library)
  epios_library_names("${mpi_library}" SONAME own_mpi)
  foreach(library IN LISTS ${module}_LINK_LIBRARIES)
    epios_library_names("${library}" NEEDED needed)
    list(FILTER needed INCLUDE REGEX "^libmp(i|ich)[.]")
    if(needed AND own_mpi AND NOT own_mpi IN_LIST needed)
      set(${why} "${${module}_VERSION} is over another MPI (${library} needs ${needed}, this build has ${own_mpi})" PARENT_SCOPE)
      return()
    endif()
  endforeach()
  message(STATUS "NetCDF: the machine's own '${package}' ${${module}_VERSION}, parallel (${${module}_HEADERS})")
  target_include_directories(epios_netcdf SYSTEM BEFORE INTERFACE "${${module}_HEADERS}")
  target_link_libraries(epios_netcdf INTERFACE PkgConfig::${module})
  set(${why} "" PARENT_SCOPE)
endfunction()

# epios_try_hdf5(<name of pkg-config> <variable>): as above, but links nothing: the target is PkgConfig::EPIOS_PKG_<name>.
function(epios_try_hdf5 package why)
  epios_ask_pkg_config(${EPIOS_OLDEST_HDF5})
  pkg_get_variable(prefix ${package} prefix)
  # (Where distributions have several kinds of machine in one folder, the header includes one of another name.)
  find_path(${module}_HEADERS H5pubconf.h HINTS ${${module}_INCLUDE_DIRS} "${prefix}/include" NO_DEFAULT_PATH)
  set(is_parallel "")
  file(GLOB headers "${${module}_HEADERS}/H5pubconf*.h")
  foreach(header IN LISTS headers)
    file(STRINGS "${header}" found REGEX "^#define H5_HAVE_PARALLEL 1")
    list(APPEND is_parallel ${found})
  endforeach()
  if(NOT is_parallel)
    set(${why} "${${module}_VERSION} cannot write in parallel (H5pubconf.h in '${${module}_HEADERS}' has no H5_HAVE_PARALLEL)"
        PARENT_SCOPE)
    return()
  endif()
  set(${why} "" PARENT_SCOPE)
endfunction()

if(EPIOS_SYSTEM_NETCDF)
  # The parallel one has a name of its own where the distribution has two (Debian: netcdf-mpi, over its default MPI).
  set(EPIOS_NETCDF_PACKAGES netcdf-mpi netcdf CACHE STRING "Names by which pkg-config is asked for a parallel NetCDF")
  set(epios_whys "")
  foreach(package IN LISTS EPIOS_NETCDF_PACKAGES)
    epios_try_netcdf(${package} epios_why)
    if(NOT epios_why)
      break()
    endif()
    string(APPEND epios_whys "\n  ${package}: ${epios_why}")
  endforeach()
  if(epios_why)
    message(FATAL_ERROR "The machine has no NetCDF for parallel writing with this MPI:${epios_whys}\n"
      "Point PKG_CONFIG_PATH at one that can, or configure without EPIOS_SYSTEM_NETCDF.")
  endif()
  # HDF5 of the same kind: Debian names it after the MPI.
  set(epios_hdf5_names hdf5-mpich hdf5)
  if("${MPI_C_LIBRARIES}" MATCHES openmpi)
    list(PREPEND epios_hdf5_names hdf5-openmpi)
  endif()
  set(EPIOS_HDF5_PACKAGES ${epios_hdf5_names} CACHE STRING "Names by which pkg-config is asked for a parallel HDF5")
  set(epios_whys "")
  foreach(package IN LISTS EPIOS_HDF5_PACKAGES)
    epios_try_hdf5(${package} epios_why)
    if(NOT epios_why)
      string(MAKE_C_IDENTIFIER "EPIOS_PKG_${package}" epios_hdf5)
      message(STATUS "HDF5: the machine's own '${package}' ${${epios_hdf5}_VERSION}, parallel (${${epios_hdf5}_HEADERS})")
      target_link_libraries(epios_netcdf INTERFACE PkgConfig::${epios_hdf5} epios_mpi)
      break()
    endif()
    string(APPEND epios_whys "\n  ${package}: ${epios_why}")
  endforeach()
  if(epios_why)
    message(FATAL_ERROR "The machine has no HDF5 for parallel writing:${epios_whys}\n"
      "Install one that was built with this MPI and point PKG_CONFIG_PATH at it, or configure without EPIOS_SYSTEM_NETCDF.")
  endif()
  return()
endif()

# (The version is that of the distribution.)
file(GLOB epios_netcdf_prefix LIST_DIRECTORIES true "${EPIOS_DEPS_DIR}/netcdf-*")
if(epios_netcdf_prefix)
  list(GET epios_netcdf_prefix 0 epios_netcdf_prefix)
endif()
if(NOT EXISTS "${epios_netcdf_prefix}/recipe.key")
  message(FATAL_ERROR
    "netcdf-c is not in ${EPIOS_DEPS_DIR} (it is built once for all presets). "
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
