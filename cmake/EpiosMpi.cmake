# epios::mpi: the MPI of this build, for C; EPIOS_MPIEXEC: how tests start its jobs.
#
# CMake's FindMPI finds it: by MPI_HOME (a variable of CMake or the environment), by MPI_C_COMPILER or MPICC (a wrapper
# such as mpicc), or because the compiler is itself one, such as Cray's cc. Without any of them Debian's MPICH is taken
# where it is, also beside others. What an MPI has is tried here; nothing is concluded from its name.
include_guard(GLOBAL)

set(epios_mpicc "")
if(DEFINED MPICC)
  set(epios_mpicc "${MPICC}")
elseif(DEFINED ENV{MPICC} AND NOT "$ENV{MPICC}" STREQUAL "")
  set(epios_mpicc "$ENV{MPICC}")
endif()
if(epios_mpicc AND NOT MPI_C_COMPILER)
  find_program(MPI_C_COMPILER NAMES "${epios_mpicc}" DOC "MPI compiler for C" REQUIRED)
endif()
set(epios_mpi_suffix "")
if(MPI_C_COMPILER MATCHES "[.](mpich|openmpi)$")
  set(epios_mpi_suffix ".${CMAKE_MATCH_1}")
elseif(NOT MPI_C_COMPILER AND NOT MPI_HOME AND "$ENV{MPI_HOME}" STREQUAL "" AND NOT MPI_EXECUTABLE_SUFFIX)
  find_program(EPIOS_DEBIAN_MPICH mpicc.mpich)
  mark_as_advanced(EPIOS_DEBIAN_MPICH)
  if(EPIOS_DEBIAN_MPICH)
    set(epios_mpi_suffix .mpich)
  endif()
endif()
# The wrapper's siblings (for Fortran, mpiexec) are those with its suffix, else those of its folder.
if(epios_mpi_suffix AND NOT MPI_EXECUTABLE_SUFFIX)
  set(MPI_EXECUTABLE_SUFFIX ${epios_mpi_suffix})
endif()
if(MPI_C_COMPILER AND NOT MPI_HOME)
  cmake_path(GET MPI_C_COMPILER PARENT_PATH epios_mpi_bin)
  cmake_path(GET epios_mpi_bin PARENT_PATH MPI_HOME)
endif()

# The deprecated bindings for C++ are another library, which nobody here uses.
set(MPI_CXX_SKIP_MPICXX ON)
find_package(MPI REQUIRED COMPONENTS C)
if(EPIOS_FORTRAN AND NOT EPIOS_ONLY_EP_CORE)
  # Module xios hands on integers; only models in Fortran, as those of tests and examples, call MPI.
  find_package(MPI COMPONENTS Fortran)
endif()
# What FindMPI made is visible in this folder's scope and below; the target's name is ours in what is installed.
add_library(epios_mpi INTERFACE)
add_library(epios::mpi ALIAS epios_mpi)
target_link_libraries(epios_mpi INTERFACE $<BUILD_INTERFACE:MPI::MPI_C>)
# (Where the header has them in it, it is told by a word of its own.)
file(STRINGS "${MPI_C_HEADER_DIR}/mpi.h" epios_mpi_word REGEX "OMPI_SKIP_MPICXX" LIMIT_COUNT 1)
if(epios_mpi_word)
  target_compile_definitions(epios_mpi INTERFACE $<BUILD_INTERFACE:OMPI_SKIP_MPICXX=1>)
endif()
# Who links what is installed takes this very MPI, without a search of its own. (What is cross-compiled is installed on
# another system, whose root is a folder here.)
set(epios_mpi_installed ${MPI_C_INCLUDE_DIRS})
set(epios_mpi_libraries ${MPI_C_LIBRARIES})
if(CMAKE_SYSROOT)
  string(REPLACE "${CMAKE_SYSROOT}/" "/" epios_mpi_installed "${epios_mpi_installed}")
  string(REPLACE "${CMAKE_SYSROOT}/" "/" epios_mpi_libraries "${epios_mpi_libraries}")
endif()
foreach(folder IN LISTS epios_mpi_installed)
  target_include_directories(epios_mpi SYSTEM INTERFACE $<INSTALL_INTERFACE:${folder}>)
endforeach()
foreach(library IN LISTS epios_mpi_libraries)
  target_link_libraries(epios_mpi INTERFACE $<INSTALL_INTERFACE:${library}>)
endforeach()
set_target_properties(epios_mpi PROPERTIES EXPORT_NAME mpi)

# The wrappers of this MPI, for tests and for what tells users which ones they take.
cmake_path(GET MPI_C_COMPILER PARENT_PATH epios_mpi_bin)
find_program(EPIOS_MPICC NAMES mpicc${MPI_EXECUTABLE_SUFFIX} HINTS "${epios_mpi_bin}" DOC "MPI's wrapper for C")
find_program(EPIOS_MPICXX NAMES mpicxx${MPI_EXECUTABLE_SUFFIX} HINTS "${epios_mpi_bin}" DOC "MPI's wrapper for C++")
find_program(EPIOS_MPI_FORTRAN_WRAPPER NAMES mpif90${MPI_EXECUTABLE_SUFFIX} mpifort${MPI_EXECUTABLE_SUFFIX}
             HINTS "${epios_mpi_bin}" DOC "MPI's wrapper for Fortran")

include(CheckCSourceCompiles)
include(CMakePushCheckState)
cmake_push_check_state(RESET)
set(CMAKE_REQUIRED_LIBRARIES MPI::MPI_C)
# epios_mpi_can(<variable> <meaning> <statement>): tries whether a call compiles and links.
function(epios_mpi_can variable meaning statement)
  check_c_source_compiles("#include <mpi.h>
    int main(void) { ${statement} return 0; }" ${variable})
endfunction()
epios_mpi_can(EPIOS_MPI_HAS_REQUIRED "MPI-3.1"
  "MPI_Comm c; MPI_Message m; MPI_Count n; MPI_Status s; int f;
   MPI_Comm_create_group(MPI_COMM_WORLD, MPI_GROUP_EMPTY, 0, &c); MPI_Improbe(0, 0, c, &f, &m, &s);
   MPI_Get_elements_x(&s, MPI_BYTE, &n); MPI_Comm_split_type(c, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &c);")
epios_mpi_can(EPIOS_MPI_HAS_LARGE_COUNTS "large counts"
  "MPI_Request r; MPI_Message m; MPI_Count n = 0; MPI_Isend_c(&n, n, MPI_BYTE, 0, 0, MPI_COMM_SELF, &r);
   MPI_Imrecv_c(&n, n, MPI_BYTE, &m, &r); MPI_Pack_external_c(\"external32\", &n, n, MPI_INT, &n, n, &n);")
cmake_pop_check_state()
if(NOT EPIOS_MPI_HAS_REQUIRED)
  message(FATAL_ERROR "The MPI of ${MPI_C_COMPILER} (${MPI_C_INCLUDE_DIRS}) lacks calls of MPI-3.1, or programs with it do not link "
                      "(${CMAKE_BINARY_DIR}/CMakeFiles/CMakeError.log says why). Point MPI_HOME or MPICC at another one.")
endif()

# The launcher. Tests and scripts write MPICH's words (-n, -env, -genv, ':'); for another launcher a script of the build
# translates them. Its kind is asked of it.
set(EPIOS_MPIEXEC_OF_MPI "${MPIEXEC_EXECUTABLE}")
if(NOT EPIOS_MPIEXEC_OF_MPI)
  message(FATAL_ERROR "No mpiexec was found for the MPI of ${MPI_C_COMPILER}. Set MPIEXEC_EXECUTABLE.")
endif()
execute_process(COMMAND "${EPIOS_MPIEXEC_OF_MPI}" --version OUTPUT_VARIABLE epios_mpiexec_says
                ERROR_VARIABLE epios_mpiexec_says RESULT_VARIABLE epios_ignored)
if(epios_mpiexec_says MATCHES "HYDRA|Hydra|Intel")
  set(EPIOS_MPIEXEC_KIND hydra)
elseif(epios_mpiexec_says MATCHES "Open MPI|OpenRTE|PRRTE|prte")
  set(EPIOS_MPIEXEC_KIND openmpi)
else()
  set(EPIOS_MPIEXEC_KIND other)
endif()
if(NOT EPIOS_MPIEXEC)
  if(EPIOS_MPIEXEC_KIND STREQUAL hydra)
    set(epios_mpiexec "${EPIOS_MPIEXEC_OF_MPI}")
  else()
    set(epios_mpiexec "${PROJECT_BINARY_DIR}/mpiexec")
  endif()
  set(EPIOS_MPIEXEC "${epios_mpiexec}" CACHE FILEPATH "What starts the jobs of tests, with the words of MPICH's mpiexec")
endif()
if(NOT EPIOS_MPIEXEC_KIND STREQUAL hydra)
  configure_file("${CMAKE_CURRENT_LIST_DIR}/mpiexec.in" "${PROJECT_BINARY_DIR}/mpiexec" @ONLY
                 FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
endif()
set(epios_counts "large counts")
if(NOT EPIOS_MPI_HAS_LARGE_COUNTS)
  set(epios_counts "no large counts: derived types instead")
endif()
message(STATUS "MPI: ${MPI_C_INCLUDE_DIRS} (version ${MPI_C_VERSION} of the standard, ${epios_counts}), launcher "
               "${EPIOS_MPIEXEC_OF_MPI} (${EPIOS_MPIEXEC_KIND})")
