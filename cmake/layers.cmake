# ta2s2_layer(NAME DEPENDS ... [PRIVATE_INCLUDES ...] [PRIVATE_LIBRARIES ...] [OPTIMISE level])
# One static library per folder of src/ta2s2. Headers and sources stand side by side; none of these headers is installed,
# only those of include/. Every layer and all who link one align Eigen's memory alike (ta2s2/types.hpp). OPTIMISE: see
# ta2s2_compile_faster.
function(ta2s2_layer name)
  cmake_parse_arguments(LAYER "" "OPTIMISE" "DEPENDS;PRIVATE_INCLUDES;PRIVATE_LIBRARIES" ${ARGN})
  set(folder ${PROJECT_SOURCE_DIR}/src/ta2s2/${name})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${folder}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "/mpi_[a-z_]*\\.cpp$")  # a module of its own: cmake/mpi.cmake
  if(sources AND TA2S2_PREBUILT)
    add_library(ta2s2_${name} STATIC IMPORTED)
    set_target_properties(ta2s2_${name} PROPERTIES IMPORTED_LOCATION ${TA2S2_PREBUILT}/libta2s2_${name}.a)
    set(scope INTERFACE)
    target_link_libraries(ta2s2_${name} INTERFACE ${LAYER_PRIVATE_LIBRARIES})
  elseif(sources)
    add_library(ta2s2_${name} STATIC ${sources})
    set_target_properties(ta2s2_${name} PROPERTIES EXPORT_NAME ${name}
                          POSITION_INDEPENDENT_CODE ON)  # the Python extension links it
    set(scope PUBLIC)
    target_link_libraries(ta2s2_${name} PRIVATE ta2s2_build_flags ${LAYER_PRIVATE_LIBRARIES})
    target_include_directories(ta2s2_${name} SYSTEM PRIVATE ${LAYER_PRIVATE_INCLUDES})
    if(LAYER_OPTIMISE)
      ta2s2_compile_faster(ta2s2_${name} ${LAYER_OPTIMISE})
    endif()
  else()
    add_library(ta2s2_${name} INTERFACE)
    set_target_properties(ta2s2_${name} PROPERTIES EXPORT_NAME ${name})
    set(scope INTERFACE)
  endif()
  add_library(ta2s2::${name} ALIAS ta2s2_${name})
  target_compile_features(ta2s2_${name} ${scope} cxx_std_20)
  target_include_directories(ta2s2_${name} ${scope}
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>
    $<INSTALL_INTERFACE:include>)
  target_compile_definitions(ta2s2_${name} ${scope} EIGEN_MAX_ALIGN_BYTES=16)
  target_link_libraries(ta2s2_${name} ${scope} ${LAYER_DEPENDS})
  set_property(GLOBAL APPEND PROPERTY TA2S2_LAYERS ta2s2_${name})
endfunction()

# ta2s2_compile_faster(TARGET LEVEL): precompiled Eigen and standard headers, and -O<LEVEL> where the build type says -O3
# (other build types keep their level). TARGET must be position-independent code, as the precompiled headers are. There are
# precompiled headers for each level, since gcc takes the level of the precompiled header for the functions that use it.
# Sources include what they need all the same: -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON builds without.
function(ta2s2_compile_faster target level)
  if(NOT TA2S2_IS_O3)
    set(level default)
  endif()
  set(headers ta2s2_headers_${level})
  if(NOT TARGET ${headers})
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/${headers}.cpp CONTENT "")
    add_library(${headers} OBJECT ${PROJECT_BINARY_DIR}/generated/${headers}.cpp)
    set_target_properties(${headers} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    target_link_libraries(${headers} PRIVATE ta2s2_build_flags ta2s2::base)
    target_precompile_headers(${headers} PRIVATE <Eigen/Dense> ${TA2S2_PRECOMPILED_STD})
    if(NOT level STREQUAL default)
      target_compile_options(${headers} PRIVATE -O${level})
    endif()
  endif()
  if(NOT level STREQUAL default)
    target_compile_options(${target} PRIVATE -O${level})
  endif()
  target_precompile_headers(${target} REUSE_FROM ${headers})
endfunction()
string(TOUPPER "${CMAKE_BUILD_TYPE}" build_type)
string(REGEX MATCH "-O3" TA2S2_IS_O3 "${CMAKE_CXX_FLAGS_${build_type}}")
set(TA2S2_PRECOMPILED_STD <algorithm> <array> <chrono> <cmath> <cstdint> <filesystem> <functional> <map> <memory> <numbers>
    <numeric> <optional> <set> <span> <sstream> <stdexcept> <string> <string_view> <utility> <vector>)

# Flags of our own sources only: nothing here reaches a user of the installed library.
add_library(ta2s2_build_flags INTERFACE)
target_compile_options(ta2s2_build_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -fno-math-errno
                       -fno-semantic-interposition)
# gcc 12 reports overlaps (bug 105651), reads and writes out of bounds that cannot happen in std::string.
target_compile_options(ta2s2_build_flags INTERFACE "$<$<CXX_COMPILER_ID:GNU>:-Wno-restrict;-Wno-array-bounds;-Wno-stringop-overread;-Wno-stringop-overflow>")
# Files that are compiled into the library are long literals.
target_compile_options(ta2s2_build_flags INTERFACE "$<$<CXX_COMPILER_ID:Clang>:-Wno-overlength-strings>")
if(TA2S2_WERROR)
  target_compile_options(ta2s2_build_flags INTERFACE -Werror)
endif()
if(TA2S2_SANITIZE)
  add_compile_options(-fsanitize=${TA2S2_SANITIZE} -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${TA2S2_SANITIZE})
endif()
