# What `cmake --install` puts where, and the CMake package `epios` that models find:
#
#   find_package(epios REQUIRED)
#   target_link_libraries(model PRIVATE epios::client)     # or epios::ep_core alone
#
# All modules are installed, since the client library needs them at run time, but only the headers of
# ep_core and client: the rest is nobody else's business. The target `programs` builds all that is
# installed. With EPIOS_ONLY_EP_CORE there is epios::ep_core and nothing else.
#
# Each file belongs to a component, of which EpiosPackages.cmake makes packages: ep_core and ep_core_dev (endpoints),
# libraries, dev, programs and python (the rest).
include(CMakePackageConfigHelpers)

# Targets of the given types below a folder.
function(epios_targets_below folder types result)
  get_property(found DIRECTORY "${folder}" PROPERTY BUILDSYSTEM_TARGETS)
  set(wanted "")
  foreach(target IN LISTS found)
    get_target_property(type ${target} TYPE)
    get_target_property(is_build_tool ${target} EPIOS_BUILD_TOOL)
    if(type IN_LIST types AND NOT is_build_tool)
      list(APPEND wanted ${target})
    endif()
  endforeach()
  get_property(subfolders DIRECTORY "${folder}" PROPERTY SUBDIRECTORIES)
  foreach(subfolder IN LISTS subfolders)
    epios_targets_below("${subfolder}" "${types}" below)
    list(APPEND wanted ${below})
  endforeach()
  set(${result} ${wanted} PARENT_SCOPE)
endfunction()

set(epios_libraries "")
set(epios_programs "")
foreach(folder IN LISTS EPIOS_PARTS)
  epios_targets_below("${PROJECT_SOURCE_DIR}/${folder}" "SHARED_LIBRARY;STATIC_LIBRARY" found)
  list(APPEND epios_libraries ${found})
  epios_targets_below("${PROJECT_SOURCE_DIR}/${folder}" EXECUTABLE found)
  list(APPEND epios_programs ${found})
endforeach()

if(PROJECT_IS_TOP_LEVEL)
  add_custom_target(programs)
  add_dependencies(programs ${epios_libraries} ${epios_programs})
  foreach(more ep_dropin epios_python_package)
    if(TARGET ${more})
      add_dependencies(programs ${more})
    endif()
  endforeach()
endif()

# The name models link, whether EPIOS is installed or part of their build.
if(TARGET epios_client AND NOT TARGET epios::client)
  add_library(epios::client ALIAS epios_client)
endif()

# A static build would have to hand netcdf-c and every other private library on to the model.
if(NOT BUILD_SHARED_LIBS OR EPIOS_SANITIZE)
  return()
endif()

file(RELATIVE_PATH epios_lib_from_bin
     "${CMAKE_INSTALL_FULL_BINDIR}" "${CMAKE_INSTALL_FULL_LIBDIR}")
set_target_properties(${epios_libraries} PROPERTIES INSTALL_RPATH "$ORIGIN")
foreach(target IN LISTS epios_libraries)
  set(component libraries)
  set(links dev)
  if(target MATCHES "^ep_")
    set(component ep_core)
    set(links ep_core_dev)
  endif()
  install(TARGETS ${target} EXPORT epiosTargets
          LIBRARY COMPONENT ${component} NAMELINK_COMPONENT ${links}
          ARCHIVE COMPONENT ${links})
endforeach()
install(TARGETS epios_mpi EXPORT epiosTargets)
if(epios_programs)
  set_target_properties(${epios_programs} PROPERTIES
                        INSTALL_RPATH "$ORIGIN/${epios_lib_from_bin}")
  foreach(target IN LISTS epios_programs)
    set(component programs)
    if(target MATCHES "^ep_")
      set(component ep_core_dev)
    endif()
    install(TARGETS ${target} RUNTIME COMPONENT ${component})
  endforeach()
endif()
foreach(module ep_core client)
  if(NOT module IN_LIST EPIOS_PARTS)
    continue()
  endif()
  set(component dev)
  if(module STREQUAL "ep_core")
    set(component ep_core_dev)
  endif()
  install(DIRECTORY ${module}/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT ${component})
endforeach()

set(epios_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/epios)
install(EXPORT epiosTargets NAMESPACE epios:: DESTINATION ${epios_package_dir} COMPONENT dev)
set(EPIOS_MPI_FILES "")
list(GET MPI_C_INCLUDE_DIRS 0 epios_mpi_include)
foreach(file IN ITEMS "${epios_mpi_include}/mpi.h" ${MPI_C_LIBRARIES})
  string(APPEND EPIOS_MPI_FILES " \"${file}\"")
endforeach()
configure_package_config_file(cmake/epiosConfig.cmake.in
  "${PROJECT_BINARY_DIR}/package/epiosConfig.cmake" INSTALL_DESTINATION ${epios_package_dir})
write_basic_package_version_file("${PROJECT_BINARY_DIR}/package/epiosConfigVersion.cmake"
                                 COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/package/epiosConfig.cmake"
              "${PROJECT_BINARY_DIR}/package/epiosConfigVersion.cmake"
        DESTINATION ${epios_package_dir} COMPONENT dev)

# Builds without CMake: pkg-config and a script, both wherever the installation is moved to.
if(TARGET epios_client)
  file(RELATIVE_PATH EPIOS_PREFIX_FROM_BIN "${CMAKE_INSTALL_FULL_BINDIR}" "${CMAKE_INSTALL_PREFIX}")
  file(RELATIVE_PATH EPIOS_PREFIX_FROM_PKGCONFIG
       "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig" "${CMAKE_INSTALL_PREFIX}")
  string(REGEX REPLACE "/$" "" EPIOS_PREFIX_FROM_BIN "${EPIOS_PREFIX_FROM_BIN}")
  string(REGEX REPLACE "/$" "" EPIOS_PREFIX_FROM_PKGCONFIG "${EPIOS_PREFIX_FROM_PKGCONFIG}")
  set(EPIOS_MPI_CFLAGS "")
  foreach(folder IN LISTS MPI_C_INCLUDE_DIRS)
    string(APPEND EPIOS_MPI_CFLAGS " -I${folder}")
  endforeach()
  list(JOIN MPI_C_LIBRARIES " " EPIOS_MPI_LIBS)
  foreach(wrapper EPIOS_MPI_FORTRAN_WRAPPER EPIOS_MPICC EPIOS_MPICXX)
    if(${wrapper})
      cmake_path(GET ${wrapper} FILENAME name)
      list(APPEND EPIOS_MPI_WRAPPERS ${name})
    endif()
  endforeach()
  list(JOIN EPIOS_MPI_WRAPPERS ", " EPIOS_MPI_WRAPPERS)
  configure_file(cmake/epios-config.in "${PROJECT_BINARY_DIR}/package/epios-config" @ONLY
                 FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
  install(PROGRAMS "${PROJECT_BINARY_DIR}/package/epios-config" DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT dev)
  configure_file(cmake/epios.pc.in "${PROJECT_BINARY_DIR}/package/epios.pc" @ONLY)
  configure_file(cmake/epios-fortran.pc.in "${PROJECT_BINARY_DIR}/package/epios-fortran.pc" @ONLY)
  set(epios_pkgconfig "${PROJECT_BINARY_DIR}/package/epios.pc")
  if(TARGET epios_fortran)
    list(APPEND epios_pkgconfig "${PROJECT_BINARY_DIR}/package/epios-fortran.pc")
  endif()
  install(FILES ${epios_pkgconfig} DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT dev)
endif()

include(EpiosPackages)
