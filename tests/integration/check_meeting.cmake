# How contexts that exchange fields meet: several partners, in any order, and mistakes of some of them.

# epios_add_meeting(<name> <well|lives> <couplings> SAYS <text> [EDIT sed] [SETTINGS xml] COMPONENTS <a component each...>)
function(epios_add_meeting name kind couplings)
  cmake_parse_arguments(PARSE_ARGV 3 arg "" "SAYS;SETTINGS;EDIT" "COMPONENTS")
  epios_add_case(coupledmany ${name} 80 1 0 ${kind} "${couplings}" ${arg_COMPONENTS})
  foreach(word SAYS SETTINGS)
    if(DEFINED arg_${word})
      set_property(TEST coupledmany_${name} APPEND PROPERTY ENVIRONMENT "${word}=${arg_${word}}")
    endif()
  endforeach()
  if(DEFINED arg_EDIT)
    epios_edit_case(coupledmany_${name} "${arg_EDIT}")
  endif()
endfunction()

# One partner of two contexts of the same clients, which are closed one after the other: the order of
# names is none of theirs.
set(two_and_one "ocean::sea_atm::sky atm::sky_ocean::sea ocean::ice_atm::sky atm::sky_ocean::ice")
epios_add_meeting(two_of_one_client well "${two_and_one}"
  COMPONENTS "1 ocean sea,ice --threads 2" "1 atm sky --threads 3"
  SAYS "ocean client 1: 8 fields as expected
atm client 2: 8 fields as expected")
epios_add_meeting(two_of_one_client_other_order well "${two_and_one}"
  COMPONENTS "2 ocean ice,sea" "1 atm sky --threads 2"
  SAYS "ocean client 1: 8 fields as expected
atm client 1: 8 fields as expected")
# All three with each other, and two of them on the same clients.
epios_add_meeting(three_of_two_components well "${two_and_one} ocean::sea_ocean::ice ocean::ice_ocean::sea"
  COMPONENTS "1 ocean sea,ice --threads 3" "1 atm sky --threads 2"
  SAYS "ocean client 2: 16 fields as expected
atm client 0: 8 fields as expected")
set(all_of_three "o::a_p::b p::b_o::a p::b_q::c q::c_p::b q::c_o::a o::a_q::c")
epios_add_meeting(three_components well "${all_of_three}"
  COMPONENTS "1 o a --threads 2" "1 p b --threads 2" "1 q c --threads 2"
  SAYS "o client 1: 8 fields as expected
p client 1: 8 fields as expected
q client 1: 8 fields as expected")
# Contexts of one component, on clients of their own.
epios_add_meeting(one_component well "o::x_o::y o::y_o::x"
  COMPONENTS "1 o x:0-1,y:2-3 --threads 4"
  SAYS "o client 0: 4 fields as expected
o client 3: 4 fields as expected")

# Two pairs of one component, each on clients of its own: partners of equal ids are those of the same clients.
epios_add_meeting(pairs_of_one_id well "o::x_o::y o::y_o::x"
  COMPONENTS "1 o x:0-1,y:0-1,x:2-3,y:2-3 --threads 4"
  SAYS "o client 0: 8 fields as expected
o client 3: 8 fields as expected")

# What one context has sent by way of a step between clients leaves before another one of them waits.
epios_add_meeting(moved_of_another_context well "atm::sky_o::sea o::ice_atm::sky"
  COMPONENTS "1 o sea,ice --threads 2 --step-by-step" "1 atm sky --threads 2"
  EDIT "s|<field field_ref=.ice_sky. |&domain_ref=\"dealt\" |; s|(<domain id=.d.[^>]*>)|\\1<domain id=\"dealt\"><redistribute_domain type=\"column\"/></domain>|"
  SETTINGS [[<variable id="patience_s">3</variable><variable id="give_up_s">8</variable>]]
  SAYS "o client 1: 4 fields as expected
atm client 1: 4 fields as expected")
# Ids that are used again, on other clients.
epios_add_meeting(again_on_other_clients well "o::x_p::y p::y_o::x"
  COMPONENTS "1 o x:0-1 --threads 4 --again x:2-3" "1 p y:0-0 --threads 2 --again y:1-1"
  SETTINGS [[<variable id="patience_s">3</variable><variable id="give_up_s">8</variable>]]
  SAYS "o client 0: 4 fields as expected
o client 3: 4 fields as expected
p client 0: 4 fields as expected
p client 1: 4 fields as expected")

# Mistakes: nobody is left in a collective, also when models go on after the error.
epios_add_meeting(bad_partner lives "ocean::o_atm::a ocean::o_wave::w wave::w_ocean::o"
  COMPONENTS "1 atm a --threads 2 --lives-on" "1 ocean o --threads 2 --lives-on" "1 wave w --threads 2 --lives-on"
  EDIT "s|(coupler_out context=.atm::a.*freq_op=.)1h|\\12h|"
  SAYS "ocean client 1 goes on: .*field 'o_a' is sent every 2h
atm client 1 goes on: .*field 'o_a' is sent every 2h
wave client 1 goes on: .*'ocean::o'.*(has failed|could not be opened)")
epios_add_meeting(bad_partner_last lives "ocean::o_atm::a ocean::o_zero::w zero::w_ocean::o"
  COMPONENTS "1 atm a --threads 2 --lives-on" "1 ocean o --threads 2 --lives-on" "1 zero w --threads 2 --lives-on"
  EDIT "s|(coupler_out context=.zero::w.*freq_op=.)1h|\\12h|"
  SAYS "ocean client 1 goes on: .*field 'o_w' is sent every 2h
zero client 1 goes on: .*field 'o_w' is sent every 2h
atm client 1 goes on: .*'ocean::o'.*(has failed|could not be opened)")
epios_add_meeting(overlap lives "o::x_o::y o::y_o::x o::x_atm::sky atm::sky_o::x"
  COMPONENTS "1 o x:0-1,y:1-2 --threads 3 --lives-on" "1 atm sky --lives-on"
  SAYS "o client [01] goes on: .*contexts 'o::(x|y)' and 'o::(x|y)' exchange fields, and some of their clients are the same, others not")
# Which one is said goes by who comes when: before they meet, while they exchange, or after the end.
epios_add_meeting(two_of_one_id lives "o::x_p::y p::y_o::x"
  COMPONENTS "1 o x:0-0,x:1-1 --threads 2 --lives-on" "1 p y --lives-on"
  SAYS "o client [01] goes on: .*(component 'o' has two contexts 'x', whose first clients are [01] and [01] there|exchanges fields with another context 'o::x', whose first client is [01] of 'o'|waits for 'p::y' in vain .(all clients|client 0) of 'p' ha(ve|s) ended)")
# Opened when all who could answer have ended: the other component, or clients of the own one, in this process and in another.
epios_add_meeting(two_of_one_id_late lives "o::x_p::y p::y_o::x"
  COMPONENTS "1 o x:0-0,x:1-1 --threads 2 --lives-on --late 1500" "1 p y --lives-on"
  SAYS "o client 1 goes on: .*context 'o::x' waits for 'p::y' in vain .(all clients|client 0) of 'p' ha(ve|s) ended")
epios_add_meeting(nobody_left_in_process lives "o::x_o::y"
  COMPONENTS "1 o x:1-1 --threads 2 --lives-on --late 1500"
  SAYS "o client 1 goes on: .*context 'o::x' waits for 'o::y' in vain .client 0 of 'o' has ended without it")
epios_add_meeting(nobody_left_in_other_process lives "o::x_o::y"
  COMPONENTS "2 o x:1-1 --lives-on --late 1500"
  SAYS "o client 1 goes on: .*context 'o::x' waits for 'o::y' in vain .client 0 of 'o' has ended without it")
epios_add_meeting(nobody_left_in_two_processes lives "o::x_o::y"
  COMPONENTS "3 o x:2-2 --lives-on --late 1500"
  SAYS "o client 2 goes on: .*context 'o::x' waits for 'o::y' in vain .client [01] of 'o' has ended without it")
# buffer_bytes is for a process, whatever the number of contexts.
epios_add_meeting(memory_of_a_process lives "o::x_p::y o::x_q::z"
  COMPONENTS "1 o x --lives-on" "1 p y --lives-on" "1 q z --lives-on" SETTINGS [[<variable id="buffer_bytes">16384</variable>]]
  SAYS "p client 0: 4 fields as expected
q client 0: 4 fields as expected")
epios_add_meeting(memory_of_a_process_is_full lives "p::y_o::x q::z_o::x r::u_o::x s::v_o::x"
  COMPONENTS "1 o x --lives-on" "1 p y --lives-on" "1 q z --lives-on" "1 r u --lives-on" "1 s v --lives-on" SETTINGS [[<variable id="buffer_bytes">16384</variable>]]
  SAYS "o client 0 goes on: context 'x': the channels of a server need at least 4096 bytes .the budget is 16384, of which other contexts and couplings hold 16384.
[pqrs] client 0 goes on: .*context '[pqrs]::[yzuv]' waits for 'o::x' in vain .that one could not be opened: context 'x': the channels of a server need")
epios_add_meeting(nobody_of_that_id lives "o::x_o::y o::y_o::x"
  COMPONENTS "1 o x,y --threads 2 --lives-on" EDIT "s|context=.o::y.|context=\"o::yy\"|"
  SAYS "o client [01] goes on: .*context 'o::x' waits for 'o::yy' in vain .no client of 'o' that could open it is left")
epios_add_meeting(nobody_of_that_id_elsewhere lives "o::x_o::y o::y_o::x"
  COMPONENTS "1 o x:0-1,y:2-3 --threads 4 --lives-on" EDIT "s|context=.o::y.|context=\"o::yy\"|"
  SAYS "o client [0-3] goes on: .*'o::(x|y)' waits for '(o::yy|o::x)' in vain")
epios_add_meeting(unmatched_of_one_client lives "o::x_o::y"
  COMPONENTS "1 o x,y --threads 2 --lives-on" EDIT "s|coupler_in context=.o::x.|coupler_in context=\"o::z\"|"
  SAYS "o client 1 goes on: iodef.xml:[0-9:]+: context 'o::x' waits for 'o::y' in vain .that one exchanges nothing with it")

# Contexts of one client that would wait for themselves.
epios_add_meeting(waits_for_room_of_itself lives "o::x_o::y"
  COMPONENTS "1 o x,y --threads 2 --one-after-the-other"
  SAYS "o: error: .*field 'x_y' is sent for 2000-01-01 03:00:00 before 'o::y', which has the same clients as 'o::x', has received it for 2000-01-01 01:00:00")
epios_add_meeting(waits_for_what_it_sends lives "o::x_o::y o::y_o::x"
  COMPONENTS "1 o x,y --threads 2 --one-after-the-other"
  SAYS "o: error: .*field 'y_x' for 2000-01-01 01:00:00 has not been sent by 'o::y', which has the same clients as 'o::x'")
epios_add_meeting(ends_before_its_partner well "o::x_o::y"
  COMPONENTS "1 o x,y --threads 2 --one-after-the-other --steps 2" SAYS "o client 1: 2 fields as expected")

# Nothing is left out in silence.
epios_add_meeting(two_couplers_one_field lives "o::x_p::y o::x_p::y"
  COMPONENTS "1 o x --lives-on" "1 p y --lives-on"
  EDIT "s|<coupler_in context|<coupler_in enabled=\"true\" context|"
  SAYS "iodef.xml:[0-9:]+: two couplers of context '(o::x|p::y)' with '(o::x|p::y)' have a field 'x_y' .the other one is at iodef.xml:")
epios_add_meeting(partner_over well "o::x_p::y"
  COMPONENTS "1 o x --steps 8" "1 p y --steps 2"
  SAYS "epios: note: context 'x': field 'x_y': [0-9]+ (record was|records were) not received by 'p::y' .it had ended")
# Two programs that give one name.
epios_add_meeting(two_programs_of_one_name well "o::x_o::y"
  COMPONENTS "1 o x:0-0" "1 o y:1-1" SAYS "epios: warning: component 'o' is of 2 programs: '.*/coupled_many' .from process 0 on. and '.*/other_program' .from process 1 on..*Give each component a name of its own")
set_property(TEST coupledmany_two_programs_of_one_name APPEND PROPERTY ENVIRONMENT SECOND_PROGRAM=other_program)
