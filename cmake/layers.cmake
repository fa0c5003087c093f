# ta2s2_layer(NAME DEPENDS ... [PRIVATE_INCLUDES ...] [PRIVATE_LIBRARIES ...])
# One static library per folder of src/ta2s2. Headers and sources stand side by side; every header that is not in a
# detail/ folder is public and installed.
function(ta2s2_layer name)
  cmake_parse_arguments(LAYER "" "" "DEPENDS;PRIVATE_INCLUDES;PRIVATE_LIBRARIES" ${ARGN})
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
  target_link_libraries(ta2s2_${name} ${scope} ${LAYER_DEPENDS})
  set_property(GLOBAL APPEND PROPERTY TA2S2_LAYERS ta2s2_${name})
endfunction()

# Flags of our own sources only: nothing here reaches a user of the installed library.
add_library(ta2s2_build_flags INTERFACE)
target_compile_options(ta2s2_build_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -fno-math-errno
                       -fno-semantic-interposition)
# gcc 12 reports overlaps that cannot happen in std::string concatenation (gcc bug 105651).
target_compile_options(ta2s2_build_flags INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
if(TA2S2_WERROR)
  target_compile_options(ta2s2_build_flags INTERFACE -Werror)
endif()
if(TA2S2_SANITIZE)
  add_compile_options(-fsanitize=${TA2S2_SANITIZE} -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${TA2S2_SANITIZE})
endif()
