# Manual pages from what the programs say of themselves, and Debian packages, one per group of files that is wanted
# without the others (scripts/package makes and checks them).
if(NOT PROJECT_IS_TOP_LEVEL OR EPIOS_ONLY_EP_CORE)
  return()
endif()

find_program(EPIOS_HELP2MAN help2man)
mark_as_advanced(EPIOS_HELP2MAN)
set(epios_manual "")
# epios_add_manual(<component> <program, a target or a file> <name in one line>)
function(epios_add_manual component program line)
  if(TARGET ${program})
    get_target_property(name ${program} OUTPUT_NAME)
    if(NOT name)
      set(name ${program})
    endif()
    set(command "$<TARGET_FILE:${program}>")
  else()
    cmake_path(GET program FILENAME name)
    set(command "${program}")
  endif()
  set(page "${PROJECT_BINARY_DIR}/package/man/${name}.1")
  add_custom_command(OUTPUT "${page}.gz"
    COMMAND ${CMAKE_COMMAND} -E env "LD_LIBRARY_PATH=$<TARGET_FILE_DIR:ep_core>" ${EPIOS_HELP2MAN} --no-info --no-discard-stderr
            "--version-string=${PROJECT_VERSION}" "--source=EPIOS ${PROJECT_VERSION}" "--name=${line}" "--output=${page}" ${command}
    COMMAND ${CMAKE_COMMAND} -E rm -f "${page}.gz"
    COMMAND gzip --best --no-name "${page}"
    DEPENDS ${program} VERBATIM)
  install(FILES "${page}.gz" DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT ${component} OPTIONAL)
  set(epios_manual ${epios_manual} "${page}.gz" PARENT_SCOPE)
endfunction()

if(EPIOS_HELP2MAN)
  epios_add_manual(programs epios_server_main "I/O server for climate models")
  epios_add_manual(programs epios "check and explain configurations of EPIOS")
  epios_add_manual(programs epios_files "look into files of climate models, compare, recover and interpolate them")
  epios_add_manual(programs epios_replay "play the recording of a run of EPIOS again")
  epios_add_manual(programs epios_layouts "imagine layouts of jobs: what they would send and hold")
  if(TARGET epios_live)
    epios_add_manual(programs epios_live "show runs of EPIOS in a browser")
  endif()
  epios_add_manual(dev "${PROJECT_BINARY_DIR}/package/epios-config" "flags to compile and link a model with EPIOS")
  set(wrappers epcc epcxx epexec)
  if(EPIOS_GFORTRAN)
    list(APPEND wrappers epcaf)
  endif()
  foreach(wrapper IN LISTS wrappers)
    set(line "compile and link programs whose ranks are threads")
    if(wrapper STREQUAL "epexec")
      set(line "start programs whose ranks are threads")
    endif()
    epios_add_manual(ep_core_dev "${PROJECT_BINARY_DIR}/ep_core/dropin/installed/${wrapper}" "${line}")
  endforeach()
  epios_add_manual(ep_core_dev ep_spare "a process that waits to be spawned")
  epios_add_manual(ep_core_dev ep_calibrate "measure what messages between endpoints cost")
  epios_add_manual(ep_core_dev ep_estimate "estimate the time of a collective for many endpoints")
  add_custom_target(manual DEPENDS ${epios_manual})
  add_dependencies(programs manual)  # as all that is installed
endif()

if(NOT BUILD_SHARED_LIBS OR EPIOS_SANITIZE)
  return()
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME epios)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "EPIOS developers <epios@example.org>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL ep_core ep_core_dev libraries dev programs)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
foreach(target IN LISTS epios_libraries)
  get_target_property(folder ${target} BINARY_DIR)
  list(APPEND CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${folder}")
endforeach()
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

file(WRITE "${PROJECT_BINARY_DIR}/package/copyright" "Copyright 2026 ${CPACK_PACKAGE_CONTACT}

Licence: Apache-2.0, whose text is in /usr/share/common-licenses/Apache-2.0.
")
file(WRITE "${PROJECT_BINARY_DIR}/package/triggers" "activate-noawait ldconfig\n")
file(WRITE "${PROJECT_BINARY_DIR}/package/changelog" "epios (${PROJECT_VERSION}) unstable; urgency=low

  * See CHANGELOG.md of the sources.

 -- ${CPACK_PACKAGE_CONTACT}  Sat, 28 Nov 2026 12:00:00 +0000
")
execute_process(COMMAND gzip --best --no-name --force --keep "${PROJECT_BINARY_DIR}/package/changelog")

# epios_package(<component> <package> <section> <depends> <one line> <more>)
function(epios_package component package section depends line more)
  string(TOUPPER ${component} key)
  set(CPACK_DEBIAN_${key}_PACKAGE_NAME ${package} PARENT_SCOPE)
  set(CPACK_DEBIAN_${key}_PACKAGE_SECTION ${section} PARENT_SCOPE)
  set(CPACK_DEBIAN_${key}_PACKAGE_DEPENDS "${depends}" PARENT_SCOPE)
  set(CPACK_COMPONENT_${key}_DESCRIPTION "${line}\n${more}" PARENT_SCOPE)
  foreach(file copyright changelog.gz)
    install(FILES "${PROJECT_BINARY_DIR}/package/${file}" DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package}
            COMPONENT ${component} EXCLUDE_FROM_ALL)
  endforeach()
  if(component MATCHES "^(ep_core|libraries)$")
    set(CPACK_DEBIAN_${key}_PACKAGE_CONTROL_EXTRA "${PROJECT_BINARY_DIR}/package/triggers" PARENT_SCOPE)
  endif()
endfunction()
# Who has the packages has no checkout.
install(DIRECTORY packaging/slurm packaging/grafana DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/epios/examples COMPONENT programs)
set(own "(= ${PROJECT_VERSION})")
set(major ${PROJECT_VERSION_MAJOR})
epios_package(ep_core libep-core${major} libs "" "MPI endpoints: threads as ranks of MPI"
  "The library that gives each thread of a process a rank of its own, over\nMPICH. Programs that use it need this package.")
epios_package(ep_core_dev libep-core-dev libdevel "libep-core${major} ${own}, libmpich-dev, g++" "MPI endpoints, to build programs with"
  "Headers, and the wrappers epcc, epcxx and epexec, which turn the\nranks of an MPI program into threads of few processes.")
epios_package(libraries libepios${major} libs "libep-core${major} ${own}" "I/O server for climate models, libraries"
  "What a model that writes through EPIOS needs when it runs. The NetCDF\ninside is its own and hidden.")
epios_package(dev libepios-dev libdevel "libepios${major} ${own}, libep-core-dev ${own}" "I/O server for climate models, to build models with"
  "Headers, modules of gfortran, CMake package and pkg-config files.")
epios_package(programs epios science "libepios${major} ${own}, mpich" "I/O server for climate models"
  "The server, and the programs that check configurations and look into files.")
if(TARGET epios_python)
  list(APPEND CPACK_COMPONENTS_ALL python)
  epios_package(python python3-epios python "libepios${major} ${own}, python3, python3-numpy" "I/O server for climate models, from Python"
    "Models in Python write through EPIOS from their numpy arrays.")
endif()
include(CPack)
