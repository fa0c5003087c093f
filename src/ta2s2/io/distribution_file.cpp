#include "ta2s2/sensitivity.hpp"

#include <toml++/toml.h>

#include <algorithm>

#include "ta2s2/error.hpp"
#include "ta2s2/io/text_file.hpp"

namespace ta2s2 {
namespace {

std::string place(const std::filesystem::path& path, const toml::source_region& region) {
  return path.string() + ", line " + std::to_string(region.begin.line);
}

using Entry = std::pair<const toml::key*, const toml::node*>;

// A table is sorted by its keys.
std::vector<Entry> in_order_of_lines(const toml::table& table) {
  std::vector<Entry> entries;
  for (auto entry = table.cbegin(); entry != table.cend(); ++entry) entries.emplace_back(&entry->first, &entry->second);
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return a.first->source().begin < b.first->source().begin; });
  return entries;
}

}  // namespace

std::vector<InputStatement> read_input_statements(const std::filesystem::path& path) {
  const std::optional<std::string> content = read_text_file(path);
  if (!content) {
    throw Error(ErrorCode::bad_file,
                path.string() + ": cannot be read; expected a TOML file with lines such as x1 = \"normal(10,2)\"");
  }
  toml::table table;
  try {
    table = toml::parse(*content);
  } catch (const toml::parse_error& error) {
    throw Error(ErrorCode::usage, place(path, error.source()) + ": " + std::string(error.description()));
  }
  std::vector<InputStatement> statements;
  for (const auto& [key, value] : in_order_of_lines(table)) {
    const std::string name(key->str()), where = place(path, key->source());
    const auto* text = value->as_string();
    if (text == nullptr) {
      throw Error(ErrorCode::usage, where + ": \"" + name + "\" must be a text such as \"uniform(0,1)\"");
    }
    statements.push_back({name, text->get(), where});
  }
  return statements;
}

}  // namespace ta2s2
