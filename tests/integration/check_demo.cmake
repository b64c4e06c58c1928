# The example, checked by independent readers.
if(NOT TARGET ocean_heat)
  return()
endif()
add_executable(check_same_data ${CMAKE_CURRENT_LIST_DIR}/check_same_data.cpp)
target_link_libraries(check_same_data PRIVATE PkgConfig::SERIAL_NETCDF epios_build_flags)

# A year: the files against the model's own dump, ncdump, cdo, and the map.
add_test(NAME demo_numbers
         COMMAND ${PROJECT_SOURCE_DIR}/examples/ocean_heat/run.sh ${PROJECT_BINARY_DIR}
                 --check --output ${CMAKE_CURRENT_BINARY_DIR}/demo_numbers -- --timestep 6)
# epios_add_layouts(<name> <servers> <owned|shared|levels>)
function(epios_add_layouts name servers files)
  # The whole demo, a year of an ocean: ten seconds.
  add_test(NAME demo_layouts_${name}
           COMMAND ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/check_layouts.sh $<TARGET_FILE:ocean_heat>
                   $<TARGET_FILE:epios_server_main> $<TARGET_FILE:check_same_data>
                   ${PROJECT_SOURCE_DIR}/examples/ocean_heat
                   ${CMAKE_CURRENT_BINARY_DIR}/demo_layouts_${name} ${servers} ${files})
endfunction()
epios_add_layouts(one_server 1 owned)
epios_add_layouts(two_servers 2 owned)
epios_add_layouts(shared_files 2 shared)
epios_add_layouts(levels 3 levels)
epios_add_layouts(levels_two_by_two 4 levels)
epios_add_layouts(attached 0 owned)
epios_add_layouts(attached_shared_files 0 shared)
add_test(NAME demo_errors
         COMMAND ${CMAKE_CURRENT_LIST_DIR}/check_demo_errors.sh $<TARGET_FILE:ocean_heat>
                 $<TARGET_FILE:epios_server_main> ${PROJECT_SOURCE_DIR}/examples/ocean_heat
                 ${CMAKE_CURRENT_BINARY_DIR}/demo_errors)
add_test(NAME demo_text
         COMMAND ${CMAKE_CURRENT_LIST_DIR}/check_demo_text.sh
                 ${PROJECT_SOURCE_DIR}/examples/ocean_heat/run.sh ${PROJECT_BINARY_DIR}
                 ${PROJECT_SOURCE_DIR}/examples/ocean_heat ${CMAKE_CURRENT_BINARY_DIR}/demo_text)
add_test(NAME demo_restart
         COMMAND ${CMAKE_CURRENT_LIST_DIR}/check_restart.sh $<TARGET_FILE:ocean_heat>
                 $<TARGET_FILE:epios_server_main> $<TARGET_FILE:check_same_data>
                 ${PROJECT_SOURCE_DIR}/examples/ocean_heat ${CMAKE_CURRENT_BINARY_DIR}/demo_restart)
set_tests_properties(demo_numbers demo_errors demo_restart demo_text
  demo_layouts_one_server demo_layouts_two_servers demo_layouts_shared_files
  demo_layouts_levels demo_layouts_levels_two_by_two demo_layouts_attached demo_layouts_attached_shared_files PROPERTIES
  ${EPIOS_MPI_JOB} TIMEOUT 240 LABELS integration
  ENVIRONMENT "${EPIOS_TEST_ENVIRONMENT};EPIOS_MPIEXEC=${EPIOS_MPIEXEC}")
