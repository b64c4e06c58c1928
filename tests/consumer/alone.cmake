# Configures `source` with ep_core alone, in a new folder `build`, builds it by way of `launcher` with
# the flags of the build in `like`, and installs it into `prefix`.
file(REMOVE_RECURSE "${build}" "${prefix}")
load_cache("${like}" READ_WITH_PREFIX like_ CMAKE_C_COMPILER CMAKE_CXX_COMPILER
           CMAKE_C_FLAGS_RELWITHDEBINFO CMAKE_CXX_FLAGS_RELWITHDEBINFO EPIOS_UNITY EPIOS_PRECOMPILED_HEADERS)
set(absent "")
foreach(package fmt spdlog pugixml nlohmann_json)
  list(APPEND absent "-DCMAKE_DISABLE_FIND_PACKAGE_${package}=ON")
endforeach()
execute_process(
  COMMAND ${CMAKE_COMMAND} -S "${source}" -B "${build}" -G "${generator}"
          -DEPIOS_ONLY_EP_CORE=ON -DEPIOS_BUILD_TESTS=OFF -DEPIOS_BUILD_EXAMPLES=OFF ${absent}
          "-DEPIOS_DEPS_DIR=${build}/no_netcdf" "-DCMAKE_BUILD_TYPE=${build_type}"
          "-DCMAKE_C_COMPILER=${like_CMAKE_C_COMPILER}"
          "-DCMAKE_CXX_COMPILER=${like_CMAKE_CXX_COMPILER}"
          "-DCMAKE_C_FLAGS_RELWITHDEBINFO=${like_CMAKE_C_FLAGS_RELWITHDEBINFO}"
          "-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=${like_CMAKE_CXX_FLAGS_RELWITHDEBINFO}"
          "-DEPIOS_UNITY=${like_EPIOS_UNITY}" "-DEPIOS_PRECOMPILED_HEADERS=${like_EPIOS_PRECOMPILED_HEADERS}"
          "-DCMAKE_CXX_COMPILER_LAUNCHER=${launcher}"
          --no-warn-unused-cli
  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
# A newer compiler has warnings that we do not know yet: they must not end the build of a user.
file(STRINGS "${build}/build.ninja" flags REGEX "-Wextra|-Werror")
if(NOT flags MATCHES "-Wextra" OR flags MATCHES "-Werror")
  message(FATAL_ERROR "Warnings are errors without having been asked for: '${flags}'")
endif()
execute_process(COMMAND ${CMAKE_COMMAND} --build "${build}" OUTPUT_VARIABLE said
                RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "${said}")
endif()
execute_process(COMMAND ${CMAKE_COMMAND} --install "${build}" --prefix "${prefix}"
                OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
foreach(file bin/epcc bin/epexec bin/ep_calibrate include/ep/ep.h)
  if(NOT EXISTS "${prefix}/${file}")
    message(FATAL_ERROR "${file} was not installed")
  endif()
endforeach()
foreach(file include/epios bin/epios)
  if(EXISTS "${prefix}/${file}")
    message(FATAL_ERROR "${file} was installed, too")
  endif()
endforeach()
