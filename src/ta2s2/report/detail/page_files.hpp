// The files of report/page and report/picture and the plotting library, as text (cmake/embed.cmake).
#pragma once

#include <map>
#include <string>

namespace ta2s2::detail {

const std::map<std::string, std::string>& page_files();

// By its name, as "report.css".
inline const std::string& page_file(const std::string& name) {
  return page_files().at(name);
}

}  // namespace ta2s2::detail
