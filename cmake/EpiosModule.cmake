# epios_precompile(<target> <header>...)
function(epios_precompile target)
  if(NOT EPIOS_PRECOMPILED_HEADERS)
    return()
  endif()
  foreach(header IN LISTS ARGN)
    target_precompile_headers(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:<${header}$<ANGLE-R>>")
  endforeach()
endfunction()

# Objects of an earlier build, of this checkout or another one.
find_program(EPIOS_CCACHE ccache)
mark_as_advanced(EPIOS_CCACHE)
if(EPIOS_CCACHE AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_C_COMPILER_LAUNCHER ${EPIOS_CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${EPIOS_CCACHE})
endif()
# Foreign headers that most sources include are parsed once per target. Caches like ccache keep whole
# objects instead, and clang-tidy looks at sources as they are: each must compile without them, too.
if(EPIOS_CCACHE OR NOT CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  set(epios_precompiled_default OFF)
else()
  set(epios_precompiled_default ON)
endif()
option(EPIOS_PRECOMPILED_HEADERS "Precompile the standard headers of modules and tests (g++ without ccache)"
       ${epios_precompiled_default})

# Programs that use a shared library are as before when only its inside has changed.
set(CMAKE_LINK_DEPENDS_NO_SHARED ON)

# What costs a build is not our code but the headers of the standard library, read again for every
# source. With EPIOS_UNITY the sources of one room of a target are compiled together, so many at a time
# that a unit stays a matter of seconds. Names of anonymous namespaces must be distinct in a room;
# each source must compile by itself, too (scripts/tidy looks that it does).
option(EPIOS_UNITY "Compile the sources of a room together" OFF)
set(EPIOS_UNITY_BYTES 80000 CACHE STRING "Source text in one unit of EPIOS_UNITY; a longer room has several")

# epios_compile_together(<target>): for a target whose sources are all named.
function(epios_compile_together target)
  if(NOT EPIOS_UNITY)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  get_target_property(folder ${target} SOURCE_DIR)
  foreach(source IN LISTS sources)
    if(NOT source MATCHES "\\.cpp$")
      continue()
    endif()
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${folder} NORMALIZE)
    if(NOT EXISTS ${source})
      continue()  # generated
    endif()
    cmake_path(GET source PARENT_PATH room)
    string(MD5 room ${room})
    file(SIZE ${source} bytes)
    if(NOT DEFINED unit_${room})
      set(unit_${room} 0)
      set(bytes_${room} 0)
    elseif(bytes_${room} GREATER 0 AND NOT bytes_${room} LESS EPIOS_UNITY_BYTES)
      math(EXPR unit_${room} "${unit_${room}} + 1")
      set(bytes_${room} 0)
    endif()
    math(EXPR bytes_${room} "${bytes_${room}} + ${bytes}")
    set_source_files_properties(${source} TARGET_DIRECTORY ${target} PROPERTIES
                                UNITY_GROUP ${room}_${unit_${room}})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()

# epios_version_names(<target>)
#
# Gives the names of a shared library a version (see symbols.map.in).
configure_file(${CMAKE_CURRENT_LIST_DIR}/symbols.map.in ${PROJECT_BINARY_DIR}/symbols.map @ONLY)
function(epios_version_names target)
  if(BUILD_SHARED_LIBS)
    target_link_options(${target} PRIVATE "LINKER:--version-script,${PROJECT_BINARY_DIR}/symbols.map")
    set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS ${PROJECT_BINARY_DIR}/symbols.map)
  endif()
endfunction()

# epios_add_module(<name> SOURCES ... [PUBLIC ...] [PRIVATE ...] [PRECOMPILED <header>...])
#
# One library per folder. Its headers live in <folder>/include, what may be included and linked is
# exactly what PUBLIC and PRIVATE name: a forbidden include does not compile, a forbidden call does
# not link (-z defs).
function(epios_add_module name)
  cmake_parse_arguments(arg "" "" "SOURCES;PUBLIC;PRIVATE;PRECOMPILED" ${ARGN})
  add_library(${name} ${arg_SOURCES})
  add_library(epios::${name} ALIAS ${name})
  target_include_directories(${name}
    PUBLIC $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/include>
           $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
    PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/src)
  target_link_libraries(${name} PUBLIC ${arg_PUBLIC} PRIVATE ${arg_PRIVATE} epios_build_flags)
  set_target_properties(${name} PROPERTIES VERSION ${PROJECT_VERSION}
                                           SOVERSION ${PROJECT_VERSION_MAJOR})
  epios_version_names(${name})
  epios_precompile(${name} ${arg_PRECOMPILED})
  epios_compile_together(${name})
  if(BUILD_SHARED_LIBS AND NOT EPIOS_SANITIZE)
    target_link_options(${name} PRIVATE LINKER:-z,defs)
  endif()
endfunction()

# epios_optimise_little(<target>)
#
# For what works on text and definitions, once in a run, never on the values of fields: -O3 costs
# several times as long to build and nobody would notice it.
function(epios_optimise_little target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()

# epios_optimise_as_a_whole(<name>)
#
# For libraries that models call often: a small call costs as much in calls from file to file as in
# work, so what users run is optimised over all files, calls of its own functions without asking who
# else has them, and finds what belongs to a thread without a call. (Not in a static library, which
# would ask for this very compiler.)
include(CheckCXXCompilerFlag)
check_cxx_compiler_flag(-mtls-dialect=gnu2 EPIOS_HAS_TLS_DESCRIPTORS)
function(epios_optimise_as_a_whole name)
  if(NOT BUILD_SHARED_LIBS)
    return()
  endif()
  set(flags -fno-semantic-interposition)
  if(EPIOS_HAS_TLS_DESCRIPTORS)
    list(APPEND flags -mtls-dialect=gnu2)
  endif()
  set_target_properties(${name} PROPERTIES INTERPROCEDURAL_OPTIMIZATION_RELEASE ON)
  target_compile_options(${name} PRIVATE $<$<AND:$<CONFIG:Release>,$<COMPILE_LANGUAGE:C,CXX>>:${flags}>)
  target_link_options(${name} PRIVATE $<$<CONFIG:Release>:LINKER:-Bsymbolic-functions;${flags}>)
endfunction()

# Flags every target of this project is compiled with; never exported.
add_library(epios_build_flags INTERFACE)
target_compile_options(epios_build_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion
  $<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor -Wold-style-cast -Woverloaded-virtual>
  # In a unit of several sources names of one hide those of another, and all but the unit itself are headers.
  $<IF:$<BOOL:${EPIOS_UNITY}>,$<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-subobject-linkage>,-Wshadow>
  $<$<BOOL:${EPIOS_WERROR}>:-Werror>
  # At -O3, and where headers are precompiled, g++ 12 takes the strings of its own library for
  # uninitialised or overflowing.
  $<$<OR:$<CONFIG:Release>,$<BOOL:${EPIOS_PRECOMPILED_HEADERS}>>:-Wno-maybe-uninitialized;-Wno-stringop-overflow;-Wno-stringop-overread;-Wno-restrict;-Wno-array-bounds>)
if(EPIOS_SANITIZE)
  # The checks that sanitizers add make g++ 12 take <regex> for uninitialised.
  target_compile_options(epios_build_flags INTERFACE
    -fsanitize=${EPIOS_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all
    $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  target_link_options(epios_build_flags INTERFACE -fsanitize=${EPIOS_SANITIZE})
endif()

# What users run stops a program that writes beyond a buffer, and gives an attacker no fixed addresses and no table of functions
# to overwrite. scripts/hardening checks it. Sanitizers have checks of their own, which these would hide.
option(EPIOS_HARDENING "Release: checked buffers, protected stacks, position-independent programs with read-only tables" ON)
check_cxx_compiler_flag(-fcf-protection EPIOS_HAS_CF_PROTECTION)
if(EPIOS_HARDENING AND NOT EPIOS_SANITIZE)
  set(hardening -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3 -fstack-protector-strong)
  if(EPIOS_HAS_CF_PROTECTION)
    list(APPEND hardening -fcf-protection)
  endif()
  # With checked buffers glibc also warns of results that are cast to void, by which we say that we do not need them.
  list(APPEND hardening -Wno-unused-result)
  target_compile_options(epios_build_flags INTERFACE
    $<$<AND:$<CONFIG:Release>,$<COMPILE_LANGUAGE:C,CXX>>:${hardening}>)
  target_link_options(epios_build_flags INTERFACE
    $<$<CONFIG:Release>:LINKER:-z,relro,-z,now>
    $<$<AND:$<CONFIG:Release>,$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>>:-pie>)
endif()

# Targets in Fortran, for which the flags above are not made: only what sanitizers need. gfortran
# computes with the bounds of arrays that are absent, which is undefined where it does no harm.
function(epios_sanitize target)
  if(EPIOS_SANITIZE)
    string(REPLACE ",undefined" "" sanitizers ${EPIOS_SANITIZE})
    target_compile_options(${target} PRIVATE -fsanitize=${sanitizers} -fno-omit-frame-pointer)
    target_link_options(${target} PRIVATE -fsanitize=${EPIOS_SANITIZE})
  endif()
endfunction()

# Tests. A program has the cases of many sources, since linking costs more than they do; a CTest test
# starts it for some of them, so that one can still be run by its name. The programs fail where a start
# chooses no case, and a test of its own (<program>_complete) fails where no start chooses a case.

# epios_add_test_program(<program> SOURCES ... LINK ... [INCLUDE ...] [DEFINE ...] [MPI] [COMPILED_ALONE])
#
# A GoogleTest executable. With MPI its main is that of tests/mpi_main.cpp, which initialises through
# ep_core and fails every rank when one fails. COMPILED_ALONE: with flags of its own, for which the
# headers of other tests are not precompiled.
function(epios_add_test_program program)
  cmake_parse_arguments(arg "MPI;COMPILED_ALONE" "" "SOURCES;LINK;INCLUDE;DEFINE" ${ARGN})
  add_executable(${program} ${arg_SOURCES})
  if(arg_MPI)
    target_link_libraries(${program} PRIVATE epios_mpi_main ep_core)
  endif()
  target_link_libraries(${program} PRIVATE ${arg_LINK} epios_test_main GTest::gtest GTest::gmock epios_build_flags)
  target_include_directories(${program} PRIVATE ${arg_INCLUDE})
  target_compile_definitions(${program} PRIVATE ${arg_DEFINE})
  set_target_properties(${program} PROPERTIES EPIOS_IS_MPI "${arg_MPI}")
  if(EPIOS_PRECOMPILED_HEADERS AND NOT arg_COMPILED_ALONE)
    target_precompile_headers(${program} REUSE_FROM epios_test_headers)
  endif()
  epios_compile_together(${program})
endfunction()

# epios_start_together(<program> <test> [FILES <source>...] [NP 1 2 ...] [ARGS ...] [TIMEOUT seconds] [LABELS ...]
#                      [TESTS <variable>])
#
# One start of the cases of the sources, all without FILES; with NP one per listed number of processes,
# whose tests are <test>_np<number>. Several processes take the whole machine, since waiting inside MPI
# spins; one alone never waits there, and its threads sleep. The variable gets the names of the tests.
function(epios_start_together program test)
  cmake_parse_arguments(arg "" "TIMEOUT;TESTS" "FILES;NP;ARGS;LABELS" ${ARGN})
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 60)
  endif()
  if(EPIOS_SANITIZE)
    math(EXPR arg_TIMEOUT "5 * ${arg_TIMEOUT}")  # threads that take turns on few cores, watched
  endif()
  if(arg_FILES)
    list(JOIN arg_FILES "," files)
    list(PREPEND arg_ARGS --cases_of=${files})
    set_property(TARGET ${program} APPEND PROPERTY EPIOS_STARTED ${arg_FILES})
    epios_check_starts(${program})
  endif()
  set(tests "")
  if(NOT arg_NP)
    add_test(NAME ${test} COMMAND ${program} ${arg_ARGS})
    set(tests ${test})
  endif()
  foreach(np IN LISTS arg_NP)
    add_test(NAME ${test}_np${np} COMMAND ${EPIOS_MPIEXEC} -n ${np} $<TARGET_FILE:${program}> ${arg_ARGS})
    list(APPEND tests ${test}_np${np})
    if(np GREATER 1)
      set_tests_properties(${test}_np${np} PROPERTIES PROCESSORS 2 RESOURCE_LOCK mpi)
    endif()
  endforeach()
  set_tests_properties(${tests} PROPERTIES TIMEOUT ${arg_TIMEOUT} LABELS "${arg_LABELS}"
                       ENVIRONMENT "${EPIOS_TEST_ENVIRONMENT}")
  if(arg_TESTS)
    set(${arg_TESTS} ${tests} PARENT_SCOPE)
  endif()
endfunction()

# epios_start_each(<program> <source>... [NP ...] [TIMEOUT ...] [LABELS ...])
#
# A start for each source, whose test is <folder below tests>_<source without .cpp>.
function(epios_start_each program)
  cmake_parse_arguments(arg "" "" "NP;TIMEOUT;LABELS" ${ARGN})
  cmake_path(GET CMAKE_CURRENT_SOURCE_DIR FILENAME module)
  foreach(source IN LISTS arg_UNPARSED_ARGUMENTS)
    cmake_path(GET source STEM name)
    epios_start_together(${program} ${module}_${name} FILES ${source} NP ${arg_NP} TIMEOUT ${arg_TIMEOUT}
                         LABELS ${arg_LABELS})
  endforeach()
endfunction()

# The test that each case of a program is in a source that some start names.
function(epios_check_starts program)
  if(TEST ${program}_complete)
    return()
  endif()
  get_target_property(is_mpi ${program} EPIOS_IS_MPI)
  set(launcher "")
  if(is_mpi)
    set(launcher ${EPIOS_MPIEXEC} -n 1)
  endif()
  add_test(NAME ${program}_complete
           COMMAND ${launcher} $<TARGET_FILE:${program}>
                   "--cases_only_in=$<JOIN:$<REMOVE_DUPLICATES:$<TARGET_PROPERTY:${program},EPIOS_STARTED>>,$<COMMA>>")
  set_tests_properties(${program}_complete PROPERTIES TIMEOUT 60 LABELS unit ENVIRONMENT "${EPIOS_TEST_ENVIRONMENT}")
endfunction()

# epios_add_test(<name> SOURCES ... LINK ... [NP 1 2 ...] [ARGS ...] [TIMEOUT seconds] [LABELS ...]
#                [INCLUDE ...] [DEFINE ...] [COMPILED_ALONE])
#
# A program of its own, started as a whole: for sources that share no process and no flags with others.
function(epios_add_test name)
  cmake_parse_arguments(arg "COMPILED_ALONE" "TIMEOUT" "SOURCES;LINK;INCLUDE;DEFINE;NP;ARGS;LABELS" ${ARGN})
  set(flags "")
  if(arg_NP)
    list(APPEND flags MPI)
  endif()
  if(arg_COMPILED_ALONE)
    list(APPEND flags COMPILED_ALONE)
  endif()
  epios_add_test_program(${name} SOURCES ${arg_SOURCES} LINK ${arg_LINK} INCLUDE ${arg_INCLUDE} DEFINE ${arg_DEFINE}
                         ${flags})
  epios_start_together(${name} ${name} NP ${arg_NP} ARGS ${arg_ARGS} TIMEOUT ${arg_TIMEOUT} LABELS ${arg_LABELS})
endfunction()

# epios_skipped_tests(<reason> <test>...)
#
# Tests of what this MPI or launcher cannot do: they are listed, and say why they do not run.
function(epios_skipped_tests reason)
  foreach(test IN LISTS ARGN)
    add_test(NAME ${test} COMMAND ${CMAKE_COMMAND} -E echo "skipped: ${reason}")
    set_tests_properties(${test} PROPERTIES SKIP_REGULAR_EXPRESSION "skipped: " TIMEOUT 60 LABELS unit)
  endforeach()
endfunction()

# What sanitizer runs of MPI programs need: UCX hooks memory calls, and MPICH keeps some memory.
set(EPIOS_TEST_ENVIRONMENT "")
if(EPIOS_SANITIZE)
  set(EPIOS_TEST_ENVIRONMENT
    "UCX_MEM_EVENTS=no"
    # hwloc unloads its plug-ins: what they leak can then not be told from our own.
    "HWLOC_PLUGINS_PATH=${PROJECT_BINARY_DIR}/no_plugins"
    "LSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/tests/lsan.supp"
    # A test asks for more memory than there is; others preload spies, before the sanitizer.
    "ASAN_OPTIONS=allocator_may_return_null=1:verify_asan_link_order=0"
    "TSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/tests/tsan.supp second_deadlock_stack=1 history_size=7 allocator_may_return_null=1"
    "UBSAN_OPTIONS=print_stacktrace=1")
endif()
