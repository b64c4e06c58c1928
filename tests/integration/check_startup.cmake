# How jobs start: ensembles, processes that never call the library, nodes.

# epios_add_ensemble(<name> <processes of each member> <servers> <kind> <members> [SAYS text] [CHANGE sed] [NUMBERED_BY code_id|nobody] [OTHERS options] [LAST options] [TIMES number] [ARGS ...])
function(epios_add_ensemble name processes servers kind members)
  cmake_parse_arguments(PARSE_ARGV 5 arg "" "SAYS;CHANGE;NUMBERED_BY;OTHERS;LAST;TIMES" "ARGS")
  epios_add_case(ensemble ${name} 110 ${processes} ${servers} ${kind} ${members} ${arg_ARGS})
  foreach(word SAYS CHANGE NUMBERED_BY OTHERS LAST TIMES)
    if(DEFINED arg_${word})
      string(REPLACE ";" "\\;" value "${arg_${word}}")
      set_property(TEST ensemble_${name} APPEND PROPERTY ENVIRONMENT "${word}=${value}")
    endif()
  endforeach()
endfunction()

# The data of each member are the same, bit for bit, as if it were alone: every run is compared with the formulas.
epios_add_ensemble(folders 1 1 folders 3)
epios_add_ensemble(folders_two_servers 1 2 folders 2 ARGS --threads 2)
epios_add_ensemble(folders_attached 1 0 folders 3)
# A member that ends earlier leaves the others alone.
epios_add_ensemble(one_ends_early 1 1 folders 3 OTHERS "--steps 120")
epios_add_ensemble(names 1 1 names 3)
epios_add_ensemble(names_by_code_id 2 1 names 2 NUMBERED_BY code_id)
epios_add_ensemble(kills 1 1 kills 3 ARGS --steps 40000 --nx 4 --ny 3 --nz 1)
set_tests_properties(ensemble_kills PROPERTIES TIMEOUT 200)  # two runs
epios_add_ensemble(same_file 1 1 same_file 2 SAYS "%member%")
# (They must meet, hence more steps.)
epios_add_ensemble(same_file_attached 1 0 same_file 2 SAYS "%member%" ARGS --steps 1000)
# Files in the order in which they are opened: three.
epios_add_ensemble(same_file_later_attached 1 0 same_file_later 2 LAST "--after run_toy_001.json" TIMES 3
  SAYS "epios: warning: file 'instant.nc' of context 'toy' of component 'toy_002': context 'toy' of component 'toy_001' writes it, too, in this job .the later one replaces the earlier.. Give one of them another name, members of an ensemble by %member%")
epios_add_ensemble(same_file_later 1 1 same_file 2 LAST "--after run_toy_001.json"
  SAYS "instant.nc' of context 'toy' of component 'toy_002': it would replace that of file 'instant' of context 'toy' of component 'toy_001', which this run has written")
epios_add_ensemble(no_number 1 1 bad 1 NUMBERED_BY nobody CHANGE "s|<file id=\"instant\"|& name=\"i_%member%\"|"
  SAYS "iodef.xml:[0-9:]+: error: attribute 'name' of <file> has the value 'i_%member%' .component 'toy001' is no member of an ensemble, for which %member% stands.. Start each member with a number of its own in EPIOS_MEMBER")

# Some processes never call the library.
function(epios_add_foreign name processes servers kind says)
  cmake_parse_arguments(PARSE_ARGV 5 arg "" "RANKS;SETTINGS" "ARGS")
  epios_add_case(foreign ${name} 110 ${processes} ${servers} ${kind} ${arg_ARGS})
  set_property(TEST foreign_${name} APPEND PROPERTY ENVIRONMENT "SAYS=${says}")
  foreach(word RANKS SETTINGS)
    if(DEFINED arg_${word})
      set_property(TEST foreign_${name} APPEND PROPERTY ENVIRONMENT "${word}=${arg_${word}}")
    endif()
  endforeach()
endfunction()
epios_add_foreign(before_and_between 2 1 well "${anything}")
epios_add_foreign(one_client 1 1 well "${anything}")
epios_add_foreign(attached 2 0 well "${anything}")
epios_add_foreign(codes 1 1 well "warning: clients_code_id of context 'xios' has 'atm', and there is no such component in this job .toy.. Does it start with another name, or does EPIOS_RANKS lack it"
  SETTINGS [[<variable id="clients_code_id">toy,atm</variable>]])
epios_add_foreign(nobody_says 1 1 waits "epios: waiting: 1 s for all 4 processes of the job to start EPIOS. Do programs run in it that do not use it .EPIOS_RANKS lists those that do")
set_property(TEST foreign_nobody_says APPEND PROPERTY ENVIRONMENT AFTER=6 EP_WATCHDOG_S=1)
epios_add_foreign(not_listed 1 1 bad "EPIOS_RANKS is '1' .rank 3, which uses EPIOS, is not in it.. List the ranks in MPI_COMM_WORLD of all processes of models and servers" RANKS 1)

# Settings of one run. Which carrier it was, the log of the server says.
function(epios_set_for_run name pairs)
  set_property(TEST ${name} APPEND PROPERTY ENVIRONMENT "EPIOS_SET=${pairs}")
endfunction()
epios_add_run(set_for_a_run 2 1 SAYS "opened: 2 clients .2 by one_sided.")
epios_set_for_run(run_set_for_a_run "carrier = one_sided\\; patience_s = 20")
epios_add_run(set_servers_for_a_run 2 0 SAYS "info: server 0: process 0 on node '.+' .PID [0-9]+., beside client 0 of 'toy'")
epios_set_for_run(run_set_servers_for_a_run "servers_per_process=1")
epios_add_run(set_what_nobody_knows 2 1 SAYS "EPIOS_SET:2:1: warning: variable 'carier' has no effect")
epios_set_for_run(run_set_what_nobody_knows "carier=messages")
