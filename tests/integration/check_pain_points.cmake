# What users of I/O servers have met before: docs/pain_points.md says which test is for what.
add_library(late_start MODULE late_start.cpp)
target_link_libraries(late_start PRIVATE epios_mpi epios_build_flags)

add_executable(check_alike check_alike.cpp)
target_link_libraries(check_alike PRIVATE PkgConfig::SERIAL_NETCDF epios_build_flags)

# The leader of the clients, another client, two servers.
foreach(process 0 1 2 3)
  epios_add_case(pain late_${process} 60 2 2 late "${defaults}" ${process} $<TARGET_FILE:late_start>)
endforeach()
epios_add_case(pain late_messages 60 2 1 late "${messages}" 2 $<TARGET_FILE:late_start>)
epios_add_case(pain left_open 60 2 2 left_open "${defaults}")
epios_add_case(pain left_open_shared 60 1 3 left_open "${shared}")
epios_add_case(pain left_open_attached 60 2 0 left_open "${defaults}")
epios_add_case(pain many_fields 200 2 1 many_fields "${defaults}")
epios_add_case(pain many_fields_shared 200 1 3 many_fields "${shared}")
epios_add_case(pain many_fields_cdf5 200 2 2 many_fields "${shared}" [[format="cdf5"]])
set(no_report [[<variable id="info_level">0</variable>]])
epios_add_case(pain quiet 60 2 2 quiet "${defaults}" 6)
epios_add_case(pain quiet_attached 60 2 0 quiet "${defaults}" 6)
epios_add_case(pain quiet_without_report 60 2 2 quiet "${no_report}" 0)
epios_add_case(pain too_large 60 2 1 too_large "${defaults}")
epios_add_case(pain too_large_shared 60 2 2 too_large "${shared}")
epios_add_case(pain too_large_levels 60 2 4 too_large "${levels}")
epios_add_case(pain too_large_attached 60 2 0 too_large "${defaults}")
# Numbers of servers that divide nothing: of rows, columns and levels, nor of clients.
epios_add_run(odd_servers 2 3 SETTINGS ${shared} ARGS --nx 19 --ny 13 --nz 7)
epios_add_case(pain odd_servers 60 1 5 any "${shared}" --nx 7 --ny 3 --nz 1)
epios_add_case(pain odd_clients 60 3 3 any "${shared}" --nx 5 --ny 2 --nz 2)
# Sizes of buffers that were tuned for another library, or for another machine; a name that is none.
epios_add_run(buffers_of_xios 2 1 SETTINGS [[<variable id="optimal_buffer_size">performance</variable><variable id="buffer_size_factor">0.001</variable><variable id="min_buffer_size">1</variable>]])
epios_add_run(misspelt_variable 2 1 SETTINGS [[<variable id="buffer_size_faktor">2</variable>]]
  SAYS "iodef.xml:[0-9:]+ warning: variable 'buffer_size_faktor' has no effect .it is no setting of the run.. Did you mean 'buffer_size_factor'")
