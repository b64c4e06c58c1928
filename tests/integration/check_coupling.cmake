# Models that exchange fields.

# epios_add_coupled(<name> <kind> <processes of the ocean> <of the atmosphere> <servers> <ocean's arguments> <atmosphere's> [SAYS text] [SETTINGS xml] [EDIT sed])
function(epios_add_coupled name kind ocean atm servers ocean_arguments atm_arguments)
  cmake_parse_arguments(PARSE_ARGV 7 arg "" "SAYS;SETTINGS;EDIT;REPORTS" "")
  epios_add_case(coupled ${name} 110 ${ocean} ${servers} "${kind}" ${atm}
                 "--iodef iodef.xml ${ocean_arguments}" "--iodef iodef.xml ${atm_arguments}")
  foreach(word SAYS SETTINGS REPORTS)
    if(DEFINED arg_${word})
      set_property(TEST coupled_${name} APPEND PROPERTY ENVIRONMENT "${word}=${arg_${word}}")
    endif()
  endforeach()
  if(DEFINED arg_EDIT)
    epios_edit_case(coupled_${name} "${arg_EDIT}")
  endif()
endfunction()

set(move_sst_and_wind [[s|(<field field_ref="sst" operation="instant" freq_op="2h")|\1 domain_ref="dealt"|; s|(<field_group freq_op="2h" operation="instant"><field field_ref="wind")|\1 domain_ref="dealt"|; s|(<domain id="d" type="curvilinear" ni_glo="20" nj_glo="14"/>.*)</domain_definition>|\1<domain id="dealt"><redistribute_domain type="column"/></domain></domain_definition>|]])
epios_add_coupled(attached run 1 1 0 "--threads 2" "--threads 3 --layout columns")
epios_add_coupled(shared_servers run 1 1 1 "--threads 3 --layout scattered" "--threads 2 --layout columns")
epios_add_coupled(processes run 2 1 1 "--layout columns" "--layout scattered")
epios_add_coupled(some_have_nothing run 1 1 0 "--threads 3 --layout last" "--threads 2 --layout last")
epios_add_coupled(messages messages 1 1 1 "--threads 2 --layout scattered" "--threads 3")
epios_add_coupled(one_sided one_sided 2 1 1 "--threads 2 --layout scattered" "--threads 3")
set_property(TEST coupled_one_sided APPEND PROPERTY ENVIRONMENT EP_SHM=0)
epios_add_coupled(same_clients same_clients 1 0 0 "--contexts sea,sky --threads 3 --layout scattered" "")
# A signal ends no context whose partners would have to end at the same date.
set_property(TEST coupled_same_clients APPEND PROPERTY ENVIRONMENT "EPIOS_SET=stop_on_signal=TERM"
             "SAYS=^epios: warning: context 'sea': stop_on_signal has no effect .it exchanges fields with other contexts")
epios_add_coupled(same_clients_two same_clients 2 0 1 "--contexts sea,sky" "")
epios_add_coupled(received_before_its_period_ends early 1 1 0 "" "")
epios_add_coupled(what_nobody_receives_is_dropped ignores 1 1 0 "--mistake ignores" "")
epios_add_coupled(once once 1 1 1 "--threads 2" "--threads 2 --layout columns")
# Grids of the partner.
set(sky_takes [[s|<domain_definition><domain id="d" [^>]*></domain_definition>|<domain_definition><domain id="d"/></domain_definition>|; s|<axis id="depths" n_glo="3"/>|<axis id="depths"/>|]])
string(REGEX REPLACE ";[^;]*depths.*" "" sky_takes_domain "${sky_takes}")
set(sea_takes [[s|<domain id="d" type="curvilinear" ni_glo="20" nj_glo="14"/><domain id="wet"|<domain id="d"/><domain id="wet"|]])
set(both_take "${sky_takes_domain}; ${sea_takes}")
set(as_expected "ocean: received 40 fields as expected
atm: received 18 fields as expected
sky: domain d is curvilinear of 20 x 14 points, [1-9][0-9]* longitudes of [1-9][0-9]* here")
epios_add_coupled(takes_grid takes_grid 1 1 1 "--threads 2 --layout scattered --coordinates" "--threads 3 --layout columns --tells-grid"
  EDIT "${sky_takes}" SAYS "${as_expected}")
epios_add_coupled(takes_grid_attached takes_grid 2 1 0 "--layout columns --coordinates" "--tells-grid"
  EDIT "${sky_takes}" SAYS "${as_expected}")
# Each takes what the other one sends: one gives before its own definition is complete.
epios_add_coupled(takes_grids_of_each_other takes_grid 1 1 0 "--threads 3 --coordinates --tells-grid" "--threads 2 --layout columns --tells-grid"
  EDIT "${both_take}" SAYS "${as_expected}
sea: domain d is curvilinear of 20 x 14 points, [1-9][0-9]* longitudes of [1-9][0-9]* here")
# What a transformation makes there is told when its parts are known.
epios_add_coupled(takes_grid_of_a_transformation takes_grid 1 1 0 "--threads 2 --layout columns --coordinates" "--threads 2 --tells-grid"
  EDIT "${sky_takes}; s|<domain id=.wet.[^>]*/>|&<domain id=\"part\"><extract_domain ibegin=\"0\" jbegin=\"0\" ni=\"20\" nj=\"14\"/></domain>|; s|<field (field_ref=.sst. operation=.instant. freq_op=.2h./>)|<field id=\"part_sst\" domain_ref=\"part\" \\1|; s|<field id=.sst. (domain_ref=.d. freq_op)|<field id=\"part_sst\" \\1|; s|<field id=.wind. domain_ref=.d./>|&<field id=\"sst\" field_ref=\"part_sst\" read_access=\"true\"/>|"
  SAYS "sky: domain d is curvilinear of 20 x 14 points, [1-9][0-9]* longitudes of [1-9][0-9]* here")
# What cannot be: a grid of other elements, a field that is not sent, two that wait for each other, one that is closed later.
epios_add_coupled(takes_grid_of_other_elements bad 1 1 0 "--threads 2" "--threads 2" EDIT "s|<axis id=.depths. n_glo=.3./>|<axis id=\"depths\"/>|; s|(<grid id=.deep.>).*</grid>|\\1<axis axis_ref=\"depths\"/></grid>|"
  SAYS "iodef.xml:[0-9:]+: the grid of field 'current' is domain x axis in 'ocean::sea', and axis here: it cannot be taken. Give the field a grid of the same elements")
epios_add_coupled(takes_grid_of_what_is_not_sent bad 1 1 0 "" "" EDIT "${sky_takes}; s|<field field_ref=.sst. operation=.instant. freq_op=.2h./>||"
  SAYS "iodef.xml:[0-9:]+: field 'sst' of 'ocean::sea', whose grid 'atm::sky' takes, is not sent. Is it in a coupler_out there, with context=\"atm::sky\"")
epios_add_coupled(takes_grid_of_another_type bad 1 1 0 "" "--threads 2" EDIT "${sky_takes}; s|<domain_definition><domain id=.d./></domain_definition>|<domain_definition><domain id=\"d\" type=\"rectilinear\"/></domain_definition>|"
  SAYS "iodef.xml:[0-9:]+: domain 'd' is taken from context 'ocean::sea' .field 'sst'., but its type is 'rectilinear' here, 'curvilinear' there. Leave open what the partner says of it")
epios_add_coupled(takes_grid_of_another_width bad 1 1 0 "" "--threads 2" EDIT "${sky_takes}; s|<domain_definition><domain id=.d./></domain_definition>|<domain_definition><domain id=\"d\" ni_glo=\"19\"/></domain_definition>|"
  SAYS "iodef.xml:[0-9:]+: domain 'd' is taken from context 'ocean::sea' .field 'sst'., but its ni_glo is '19' here, '20' there")
epios_add_coupled(takes_grid_of_a_partner_that_never_comes bad 1 1 0 "--mistake sleeps" "" EDIT "${sky_takes}"
  SETTINGS [[<variable id="patience_s">0.3</variable><variable id="give_up_s">2</variable>]]
  SAYS "client 0 of 'atm': [0-9.]+ s for client 0 of 'ocean': the end of the definitions of 'ocean::sea' .iodef.xml:[0-9:]+., whose grids 'atm::sky' takes
give_up_s of context xios")
epios_add_coupled(takes_grids_in_a_circle bad 1 1 0 "" "" EDIT "${both_take}; s|(field id=.sst. domain_ref=.)wet|\\1d|"
  SETTINGS [[<variable id="patience_s">0.3</variable><variable id="give_up_s">2</variable>]]
  SAYS "a circle, which nobody can leave: client 0 of '(atm|ocean)' waits for client 0 of '(atm|ocean)', which waits for")
epios_add_coupled(takes_grid_of_an_unmatched_context bad 1 1 0 "" "" EDIT "${sky_takes}; s|context=.atm::sky.|context=\"atm::air\"|"
  SAYS "context 'atm::sky' waits for the grids of 'ocean::sea' in vain .that one exchanges nothing with it|context 'ocean::sea' waits for 'atm::air' in vain")
epios_add_coupled(takes_grid_of_a_later_one bad 1 0 0 "--contexts sky,sea --code-id ocean" "" EDIT "s|atm::sky|ocean::sky|; ${sky_takes}"
  SAYS "context 'ocean::sky' takes the grid of a field from 'ocean::sea', which has some of its clients and whose definition is closed later")
epios_add_coupled(takes_grid_of_an_earlier_one takes_grid 1 0 0 "--contexts sea,sky --threads 2 --coordinates" "" EDIT "s|atm::sky|ocean::sky|; ${sky_takes}"
  SAYS "ocean: received 58 fields as expected")
# No context of that id, and nobody else who could open it; itself.
epios_add_coupled(takes_grid_of_nobody bad 2 0 0 "--threads 2" "" EDIT "s|atm::sky|ocean::sky|; ${sea_takes}"
  SAYS "context 'ocean::sea' waits for 'ocean::sky' in vain .no client of 'ocean' that could open it is left")
epios_add_coupled(takes_grid_of_itself bad 1 1 0 "" "" EDIT "${sky_takes}; s|ocean::sea|atm::sky|"
  SAYS "iodef.xml:[0-9:]+: context 'atm::sky' exchanges fields with itself")
# Clients of one context that take other things.
epios_add_coupled(takes_grids_of_different_fields bad 1 1 0 "" "--threads 2 --mistake takes_another" EDIT "${sky_takes}"
  SAYS "error: context 'sky': what is read or received, or its grids, differs between clients")
epios_add_coupled(receive_first_in_one run 1 1 0 "" "--receive-first")
# What is on its way between the clients of one side, as each receives what the other one has not finished.
epios_add_coupled(moved_before_it_is_sent run 1 1 0 "--threads 2" "--threads 3 --layout columns" EDIT "${move_sst_and_wind}")
# A mean whose last value never comes leaves with its period, at the end of the run, too, where both wait.
epios_add_coupled(late late 1 1 0 "--mistake sends_late" "--mistake sends_late")
# Of a partner that goes on, it is told who waits for it, and the job does not end for that.
epios_add_coupled(partner_lingers lingers 1 1 0 "" "--mistake lingers"
  SAYS "client 0 of 'ocean': [0-9.]+ s for client 0 of 'atm': the end of 'atm::sky', which 'ocean::sea' exchanges fields with
ocean: received 40 fields as expected
atm: received 18 fields as expected")
epios_add_coupled(delays delays 1 1 1 "--threads 2 --layout scattered" "--threads 2 --layout columns")
epios_add_coupled(delays_messages delays 2 1 1 "--layout columns" "--layout scattered" SETTINGS ${messages})
epios_add_coupled(kills kills 1 1 1 "--hours 7200 --threads 2" "--hours 7200")
foreach(name delays delays_messages)
  set_property(TEST coupled_${name} APPEND PROPERTY ENVIRONMENT "DELAYS=$<TARGET_FILE:message_delays>")
endforeach()
# Each is many runs, one for each place of a delay or a kill.
set_tests_properties(coupled_delays coupled_delays_messages coupled_kills PROPERTIES TIMEOUT 240)
epios_add_coupled(circle circle 1 1 0 "--receive-first" "--receive-first")

# What bad input gets.
set(gives_up [[<variable id="patience_s">0.3</variable><variable id="give_up_s">2</variable>]])
epios_add_coupled(no_component bad 1 0 0 "" ""
  SAYS "iodef.xml:[0-9]+:[0-9]+: context 'ocean::sea' exchanges fields with 'atm::sky', but no component of this job is 'atm' .there is 'ocean'")
epios_add_coupled(never_opens bad 1 1 0 "" "--mistake never_opens"
  SAYS "context 'ocean::sea' waits for 'atm::sky' in vain .client 0 of 'atm' has ended without it")
epios_add_coupled(never_comes bad 1 1 0 "" "--mistake sleeps" SETTINGS ${gives_up}
  SAYS "client 0 of 'ocean': [0-9.]+ s for client 0 of 'atm': the end of the definitions of 'atm::sky' .iodef.xml:[0-9:]+., which 'ocean::sea' exchanges fields with
give_up_s of context xios")
epios_add_coupled(stops bad 1 1 0 "" "--mistake stops" SETTINGS ${gives_up}
  SAYS "client 0 of 'ocean': [0-9.]+ s for client 0 of 'atm': 'atm::sky' to send field 'wind' for 2000-01-01 08:00:00
field 'wind' at 2000-01-01 08:00:00: .*give_up_s of context xios")
epios_add_coupled(unmatched_context bad 1 1 0 "" "" EDIT "s|context=.ocean::sea.|context=\"ocean::lake\"|"
  SAYS "context 'ocean::sea' waits for 'atm::sky' in vain .that one exchanges nothing with it: no coupler_in or coupler_out there has context=.ocean::sea..*Add one")
epios_add_coupled(another_id bad 1 1 0 "" "" EDIT "s|field_ref=.wind./><field field|id=\"wnd\" field_ref=\"wind\"/><field field|"
  SAYS "field 'wind' .iodef.xml:[0-9:]+. is sent by nobody .the coupler_out of 'atm::sky' has co2, rain, wnd.. Did you mean 'wnd'")
epios_add_coupled(other_grid bad 1 1 0 "" "" EDIT "s|(<grid id=.deep.>.*)depths|\\1one_level|; s|<axis id=.depths. n_glo=.3./>|&<axis id=\"one_level\" n_glo=\"4\"/>|"
  SAYS "field 'current' is sent on grid 'volume' with 20 x 14 x 3 points .iodef.xml:[0-9:]+., and received on grid 'deep' with 20 x 14 x 4 points")
epios_add_coupled(other_period bad 1 1 0 "" "" EDIT "s|(<field id=.rain. [^>]*freq_op=.)6h|\\1 3h|"
  SAYS "field 'rain' is sent every 6h .iodef.xml:[0-9:]+., and received every 3h .iodef.xml:[0-9:]+.: their dates never meet")
epios_add_coupled(other_start bad 1 1 0 "" "" EDIT "s|2000-01-01(. timestep=.30mi)|2000-01-01 01:00\\1|"
  SAYS "field 'wind' is exchanged every 2h, but one run begins at 2000-01-01 01:00:00 .iodef.xml:[0-9:]+., the other one at 2000-01-01 00:00:00")
epios_add_coupled(later_start bad 1 1 0 "" "" EDIT "s|2000-01-01(. timestep=.30mi)|2000-01-02\\1|"
  SAYS "field 'wind' is wanted from the period that begins at .* on .iodef.xml:[0-9:]+., and sent from that at 2000-01-02 00:00:00 on")
epios_add_coupled(other_calendar bad 1 1 0 "" "" EDIT "s|NoLeap(.*30mi)|Gregorian\\1|"
  SAYS "their calendars differ .'(noleap|gregorian)' and '(noleap|gregorian)'")
epios_add_coupled(ends_early bad 1 1 0 "" "--hours 12"
  SAYS "field 'wind' of context 'atm::sky' does not come for 2000-01-01 14:00:00 .context 'atm::sky' has ended; the last one was 2000-01-01 12:00:00"
  REPORTS "\"error\": \".*field 'wind' of context 'atm::sky' does not come for 2000-01-01 14:00:00")
epios_add_coupled(skips bad 1 1 0 "" "--mistake skips"
  SAYS "field 'wind' of context 'atm::sky' does not come for 2000-01-01 06:00:00 .no data of its period were sent there")
epios_add_coupled(throws bad 1 1 0 "" "--mistake throws" SAYS "atm: error: the model blew up, received 4 fields as expected")
epios_add_coupled(dies bad 1 1 1 "" "--mistake dies" SAYS "atm: leaves without a word to EPIOS, received 4 fields as expected")
epios_add_coupled(too_little_memory bad 1 1 0 "" "" SETTINGS [[<variable id="buffer_bytes">20000</variable>]]
  SAYS "context '(ocean::sea|atm::sky)': what it receives from '(ocean::sea|atm::sky)' needs channels of [0-9]+ bytes on one client .buffer_bytes of context xios allows 20000 in a process, of which other channels of this process hold [0-9]+.")
# What is received fits, but data sent as messages wait at the sender, too.
epios_add_coupled(too_little_memory_to_send bad 1 1 0 "" ""
  SETTINGS [[<variable id="carrier">messages</variable><variable id="buffer_bytes">40000</variable>]]
  SAYS "context '(ocean::sea|atm::sky)': what it sends as messages to '(ocean::sea|atm::sky)' needs channels of [0-9]+ bytes on one client .buffer_bytes of context xios allows 40000 in a process, of which other channels of this process hold [0-9]+.")
epios_add_coupled(itself bad 1 1 0 "" "" EDIT "s|ocean::sea|atm::sky|" SAYS "context 'atm::sky' exchanges fields with itself")
