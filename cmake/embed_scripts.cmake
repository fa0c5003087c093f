# ta2s2_embed_scripts(TARGET FILES ...): text files as strings (experiments/detail/figure_scripts.hpp), so that the program
# has them wherever it is installed.
function(ta2s2_embed_scripts target)
  cmake_parse_arguments(EMBED "" "" "FILES" ${ARGN})
  set(TA2S2_SCRIPTS "")
  foreach(path ${EMBED_FILES})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path})
    get_filename_component(name ${path} NAME_WE)
    file(READ ${path} text)
    string(APPEND TA2S2_SCRIPTS "      {\"${name}\", R\"script(${text})script\"},\n")
  endforeach()
  configure_file(${PROJECT_SOURCE_DIR}/cmake/figure_scripts.cpp.in ${PROJECT_BINARY_DIR}/generated/figure_scripts.cpp @ONLY)
  target_sources(${target} PRIVATE ${PROJECT_BINARY_DIR}/generated/figure_scripts.cpp)
endfunction()
