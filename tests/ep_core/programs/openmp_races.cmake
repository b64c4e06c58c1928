# OpenMP threads as endpoints under clang's ThreadSanitizer: Archer, an OpenMP tool, tells it of
# regions, barriers and tasks. Built and run by scripts/archer (label openmp).

# The sanitizer must not look into the runtime itself, whose own synchronisation it cannot see.
list(TRANSFORM EPIOS_TEST_ENVIRONMENT REPLACE "^TSAN_OPTIONS=.*"
     "\\0 ignore_noninstrumented_modules=1" OUTPUT_VARIABLE observed_environment)
list(APPEND observed_environment "ARCHER_OPTIONS=verbose=1")

# A runtime has one tool, and ep_inherit_openmp is one: this one hands on what it hears to Archer. Like
# the runtime that calls it and orders its data, it is not looked into: a thread recalls its endpoint
# before Archer, whose turn comes second, says that the region's begin lies before.
add_library(ep_inherit_openmp_observed SHARED
            ${PROJECT_SOURCE_DIR}/ep_core/inherit/inherit_openmp.cpp)
target_include_directories(ep_inherit_openmp_observed SYSTEM PRIVATE ${EPIOS_OMPT_MULTIPLEX})
target_compile_options(ep_inherit_openmp_observed PRIVATE "SHELL:-include ompt-multiplex.h")
target_compile_definitions(ep_inherit_openmp_observed PRIVATE
                           CLIENT_TOOL_LIBRARIES_VAR="EPIOS_NEXT_OMP_TOOL")
target_link_libraries(ep_inherit_openmp_observed PRIVATE
                      ep_core OpenMP::OpenMP_CXX ${CMAKE_DL_LIBS})
target_link_options(ep_inherit_openmp_observed INTERFACE LINKER:--no-as-needed)

epios_add_own_main(ep_core_inherit_openmp_test 1 SOURCES programs/inherit_test.cpp
  LINK GTest::gtest ep_inherit_openmp_observed OpenMP::OpenMP_CXX)
epios_add_own_main(ep_core_openmp_test "1;2" SOURCES programs/openmp_test.cpp
  LINK GTest::gtest OpenMP::OpenMP_CXX)

set_tests_properties(ep_core_inherit_openmp_test ep_core_openmp_test_np1 ep_core_openmp_test_np2
  PROPERTIES LABELS openmp TIMEOUT 300)
set_tests_properties(ep_core_openmp_test_np1 ep_core_openmp_test_np2 PROPERTIES
  ENVIRONMENT "${observed_environment}")
set_tests_properties(ep_core_inherit_openmp_test PROPERTIES
  ENVIRONMENT "${observed_environment};EPIOS_NEXT_OMP_TOOL=${EPIOS_ARCHER}"
  FAIL_REGULAR_EXPRESSION "Loading .* failed")

# A race is seen with Archer, and what OpenMP orders is not taken for one.
add_executable(planted_openmp_race programs/planted_openmp_race.cpp)
target_link_libraries(planted_openmp_race PRIVATE OpenMP::OpenMP_CXX epios_build_flags)
foreach(how race barrier reduction task)
  add_test(NAME archer_on_${how} COMMAND planted_openmp_race ${how})
  set_tests_properties(archer_on_${how} PROPERTIES TIMEOUT 60 LABELS openmp
    ENVIRONMENT "${observed_environment}")
endforeach()
set_tests_properties(archer_on_race PROPERTIES
  PASS_REGULAR_EXPRESSION "ThreadSanitizer: data race")

add_custom_target(openmp_races
  DEPENDS ep_core ep_inherit_openmp ep_core_inherit_openmp_test ep_core_openmp_test planted_openmp_race)
