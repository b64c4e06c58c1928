# The examples of an unstructured and of a curvilinear grid: their numbers as an independent reader sees
# them, their pictures, and the same bits in every layout.
if(NOT TARGET hexagons)
  return()
endif()
add_test(NAME example_hexagons
         COMMAND ${PROJECT_SOURCE_DIR}/examples/hexagons/run.sh ${PROJECT_BINARY_DIR} --level 5
                 --output ${CMAKE_CURRENT_BINARY_DIR}/hexagons)
set_tests_properties(example_hexagons PROPERTIES
  PASS_REGULAR_EXPRESSION "hexagons_check: cells, amounts and places are right.*globe: .*dust.png")
add_test(NAME example_tsunami
         COMMAND ${PROJECT_SOURCE_DIR}/examples/tsunami/run.sh ${PROJECT_BINARY_DIR} --hours 6
                 --output ${CMAKE_CURRENT_BINARY_DIR}/tsunami)
set_tests_properties(example_tsunami PROPERTIES
  PASS_REGULAR_EXPRESSION "client 2 of 6 has land only.*tsunami_check: cells, land, volume, speed and gauges are right.*map: .*tsunami.png")
# Levels as stores of Zarr, and stations, as xarray sees them: would have found that a level has another mean.
add_test(NAME example_levels
         COMMAND ${PROJECT_SOURCE_DIR}/examples/ocean_heat/levels.sh ${PROJECT_BINARY_DIR}
                 --output ${CMAKE_CURRENT_BINARY_DIR}/levels)
set_tests_properties(example_levels PROPERTIES
  PASS_REGULAR_EXPRESSION "ocean.zarr +nside  32 .*ocean_level3.zarr +nside   4 +192 pixels +31 days.*Mauritius +[0-9.]+ degC, 111 km")
# epios_add_example_layouts(<example> <file> <layouts> <options...>)
function(epios_add_example_layouts example file layouts)
  add_test(NAME example_${example}_layouts
           COMMAND ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/check_example_layouts.sh $<TARGET_FILE:${example}>
                   $<TARGET_FILE:epios_server_main> $<TARGET_FILE:check_same_data>
                   ${PROJECT_SOURCE_DIR}/examples/${example}/iodef.xml
                   ${CMAKE_CURRENT_BINARY_DIR}/${example}_layouts ${file} ${layouts} ${ARGN})
endfunction()
epios_add_example_layouts(hexagons dust_means.nc "1x1+1 2x2+1 3x1+2shared 1x3+0" --level 3 --days 3)
epios_add_example_layouts(tsunami tsunami_highest.nc
  "1x1+1,--columns,1 3x2+1,--columns,3 2x2+2shared,--columns,2 3x1+0,--columns,1" --hours 6)
add_test(NAME example_words
         COMMAND ${CMAKE_CURRENT_LIST_DIR}/check_example_words.sh ${PROJECT_SOURCE_DIR}/examples
                 $<TARGET_FILE:hexagons> $<TARGET_FILE:tsunami> $<TARGET_FILE:epios_server_main>)
# Two models that exchange fields, against what CDO makes of what was sent.
add_test(NAME example_coupled
         COMMAND ${PROJECT_SOURCE_DIR}/examples/coupled/run.sh ${PROJECT_BINARY_DIR} --days 3
                 --output ${CMAKE_CURRENT_BINARY_DIR}/coupled)
set_tests_properties(example_coupled PROPERTIES
  PASS_REGULAR_EXPRESSION "wind_u that the ocean has received: 12 records of 10918 cells, within [0-9.e-]+ of what CDO.*heat that the ocean has received: 12 records.*atmosphere has received: 12 records of 1999 cells.*map: .*coupled.png")
add_test(NAME example_coupled_layouts
         COMMAND ${CMAKE_CURRENT_LIST_DIR}/check_coupled_layouts.sh $<TARGET_FILE:coupled_ocean> $<TARGET_FILE:coupled_atmosphere>
                 $<TARGET_FILE:epios_server_main> $<TARGET_FILE:check_same_data>
                 ${PROJECT_SOURCE_DIR}/examples/coupled/iodef.xml ${CMAKE_CURRENT_BINARY_DIR}/coupled_layouts)
foreach(test example_levels example_words example_coupled example_coupled_layouts example_hexagons example_tsunami example_hexagons_layouts example_tsunami_layouts)
  set_tests_properties(${test} PROPERTIES ${EPIOS_MPI_JOB} TIMEOUT 240 LABELS integration
    ENVIRONMENT "${EPIOS_TEST_ENVIRONMENT};EPIOS_MPIEXEC=${EPIOS_MPIEXEC}")
endforeach()
