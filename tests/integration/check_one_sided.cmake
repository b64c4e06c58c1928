# The carrier one_sided, in each mode where servers live: where clients see the servers' memory they
# write to it, and once more (EP_SHM=0) through windows of MPI, as between nodes.
set(one_sided [[<variable id="carrier">one_sided</variable>]])
set(least_budget [[<variable id="buffer_bytes">8192</variable>]])
set(one_sided_of_xios [[<variable id="transport_protocol">one_sided</variable>]])

# Makes a test the one that goes through MPI.
function(epios_keep_far name)
  set_property(TEST ${name} APPEND PROPERTY ENVIRONMENT EP_SHM=0)
endfunction()

epios_add_run(one_sided_of_xios 2 1 SETTINGS ${one_sided_of_xios})
foreach(way near far)
  set(added run_one_sided_${way} run_one_sided_shared_${way} run_one_sided_by_threads_${way}
            run_one_sided_hosted_${way} run_one_sided_hosted_shared_${way} run_one_sided_attached_${way}
            run_one_sided_model_initialises_mpi_${way} run_one_sided_least_budget_${way}
            run_one_sided_two_contexts_${way} run_one_sided_next_context_${way}
            kill_one_sided_server_${way} kill_one_sided_model_${way} kill_one_sided_hosted_${way}
            bad_one_sided_other_field_${way} bad_one_sided_throws_${way})
  epios_add_run(one_sided_${way} 2 1 SETTINGS ${one_sided})
  epios_add_run(one_sided_shared_${way} 2 2 SETTINGS ${shared}${one_sided})
  epios_add_run(one_sided_by_threads_${way} 1 2 SETTINGS ${shared}${one_sided} ARGS --threads 3)
  epios_add_run(one_sided_hosted_${way} 2 0 SETTINGS ${one_sided} ARGS --threads 2 --host-server)
  epios_add_run(one_sided_hosted_shared_${way} 2 0 SETTINGS ${shared}${one_sided} ARGS --threads 2 --host-server)
  epios_add_run(one_sided_attached_${way} 2 0 SETTINGS ${shared}${one_sided} ARGS --threads 2)
  epios_add_run(one_sided_model_initialises_mpi_${way} 2 1 SETTINGS ${one_sided} ARGS --init-mpi)
  epios_add_run(one_sided_least_budget_${way} 2 1
    SETTINGS "${one_sided}${least_budget}")
  epios_add_run(one_sided_two_contexts_${way} 2 1 SETTINGS ${one_sided} ARGS --second at_once)
  epios_add_run(one_sided_next_context_${way} 2 2 SETTINGS ${shared}${one_sided} ARGS --second after)
  epios_add_case(kill one_sided_server_${way} 80 2 1 epios_server "${one_sided}" ${long})
  epios_add_case(kill one_sided_model_${way} 80 2 1 toy_model "${one_sided}" ${long})
  epios_add_case(kill one_sided_hosted_${way} 80 2 0 toy_model "${one_sided}" --threads 2 --host-server ${long})
  epios_add_bad_run(one_sided_other_field_${way} 2 2 "clients made different calls.*rank.*field"
    EDIT "s|<!--settings-->|${one_sided}|" ARGS --mistake one_client_other_field ${big})
  epios_add_bad_run(one_sided_throws_${way} 2 1 "the model blew up"
    EDIT "s|<!--settings-->|${one_sided}|" ARGS --mistake throw ${big})
  if(way STREQUAL far)
    foreach(name ${added})
      epios_keep_far(${name})
    endforeach()
  endif()
endforeach()
epios_add_case(delay one_sided 200 2 1 "${one_sided}" $<TARGET_FILE:message_delays>)
epios_keep_far(delay_one_sided)
# Without room for a segment parts are put: nobody need be told.
epios_add_case(shm one_sided 80 2 1 mount:64m success "${one_sided}" ${voluminous})
# Nobody leaves before all answers through windows are taken.
epios_add_case(message one_sided_3_2 80 3 2 "${one_sided}" $<TARGET_FILE:message_spy>)
epios_add_case(message one_sided_shared_3_2 80 3 2 "${shared}${one_sided}" $<TARGET_FILE:message_spy> --threads 2)
epios_add_case(message one_sided_two_contexts 80 3 2 "${one_sided}" $<TARGET_FILE:message_spy> --second after)
