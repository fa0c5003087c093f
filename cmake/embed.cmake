# ta2s2_embed(TARGET NAMESPACE FUNCTION FILES ...): defines NAMESPACE::FUNCTION, a map from the names of these text files to
# their texts, so that a program has them wherever it is installed.
function(ta2s2_embed target namespace function)
  cmake_parse_arguments(EMBED "" "" "FILES" ${ARGN})
  set(texts "")
  foreach(path ${EMBED_FILES})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path})
    get_filename_component(name ${path} NAME)
    file(READ ${path} text)
    string(APPEND texts "      {\"${name}\", R\"ta2s2text(${text})ta2s2text\"},\n")
  endforeach()
  set(source ${PROJECT_BINARY_DIR}/generated/${function}.cpp)
  file(CONFIGURE OUTPUT ${source} @ONLY CONTENT [[
// Written by CMake (cmake/embed.cmake).
#include <map>
#include <string>

namespace @namespace@ {

const std::map<std::string, std::string>& @function@() {
  static const std::map<std::string, std::string> files{
@texts@  };
  return files;
}

}  // namespace @namespace@
]])
  target_sources(${target} PRIVATE ${source})
endfunction()
