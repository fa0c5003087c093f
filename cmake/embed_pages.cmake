# ta2s2_embed_pages(TARGET FILES ...): text files as strings (report/text.hpp), so that the program has them
# wherever it is installed.
function(ta2s2_embed_pages target)
  cmake_parse_arguments(EMBED "" "" "FILES" ${ARGN})
  set(TA2S2_PAGES "")
  foreach(path ${EMBED_FILES})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path})
    get_filename_component(name ${path} NAME)
    file(READ ${path} text)
    string(APPEND TA2S2_PAGES "      {\"${name}\", R\"ta2s2page(${text})ta2s2page\"},\n")
  endforeach()
  configure_file(${PROJECT_SOURCE_DIR}/cmake/page_files.cpp.in ${PROJECT_BINARY_DIR}/generated/page_files.cpp @ONLY)
  target_sources(${target} PRIVATE ${PROJECT_BINARY_DIR}/generated/page_files.cpp)
endfunction()
