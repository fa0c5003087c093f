// The files that people write: settings of a fit, and how inputs vary.
#include <toml++/toml.h>

#include <algorithm>

#include "ta2s2/base/text.hpp"
#include "ta2s2/error.hpp"
#include "ta2s2/io/text_file.hpp"
#include "ta2s2/sensitivity.hpp"
#include "ta2s2/settings.hpp"

namespace ta2s2 {
namespace {

std::string line_of(const std::filesystem::path& path, const toml::source_region& region) {
  return path.string() + ", line " + std::to_string(region.begin.line);
}

std::string place_of(const std::filesystem::path& path, const toml::source_region& region) {
  return line_of(path, region) + ", column " + std::to_string(region.begin.column);
}

// `where` is one of the two, for what is no TOML.
toml::table read_toml(const std::filesystem::path& path, const std::string& expected, decltype(line_of)* where) {
  const std::optional<std::string> content = read_text_file(path);
  if (!content) throw Error(ErrorCode::bad_file, path.string() + ": cannot be read; expected a TOML file " + expected);
  try {
    return toml::parse(*content);
  } catch (const toml::parse_error& error) {
    throw Error(ErrorCode::usage, where(path, error.source()) + ": " + std::string(error.description()));
  }
}

std::string scalar_text(const toml::node& node, const std::filesystem::path& path, const std::string& key) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* whole = node.as_integer()) return std::to_string(whole->get());
  if (const auto* number = node.as_floating_point()) return format_number(number->get());
  if (const auto* truth = node.as_boolean()) return truth->get() ? "true" : "false";
  throw Error(ErrorCode::usage, place_of(path, node.source()) + ": \"" + key +
                                    "\" must be a text, a number, true, false or an array of those");
}

std::string node_text(const toml::node& node, const std::filesystem::path& path, const std::string& key) {
  const auto* array = node.as_array();
  if (array == nullptr) return scalar_text(node, path, key);
  std::string text;
  for (const toml::node& element : *array) text += (text.empty() ? "" : ",") + scalar_text(element, path, key);
  return text;
}

}  // namespace

std::vector<Setting> read_config(const std::filesystem::path& path) {
  std::vector<Setting> settings;
  const toml::table table = read_toml(path, "with settings", place_of);
  for (const auto& [key, node] : table) {
    const std::string name(key.str());
    if (find_option(name) == nullptr) {
      throw Error(ErrorCode::usage, place_of(path, key.source()) + ": there is no setting called \"" + name + "\"");
    }
    settings.push_back({name, node_text(node, path, name)});
  }
  return settings;
}

std::vector<InputStatement> read_input_statements(const std::filesystem::path& path) {
  const toml::table table = read_toml(path, "with lines such as x1 = \"normal(10,2)\"", line_of);
  // A table is sorted by its keys.
  using Entry = std::pair<const toml::key*, const toml::node*>;
  std::vector<Entry> entries;
  for (auto entry = table.cbegin(); entry != table.cend(); ++entry) entries.emplace_back(&entry->first, &entry->second);
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return a.first->source().begin < b.first->source().begin; });
  std::vector<InputStatement> statements;
  for (const auto& [key, value] : entries) {
    const std::string name(key->str()), where = line_of(path, key->source());
    const auto* text = value->as_string();
    if (text == nullptr) {
      throw Error(ErrorCode::usage, where + ": \"" + name + "\" must be a text such as \"uniform(0,1)\"");
    }
    statements.push_back({name, text->get(), where});
  }
  return statements;
}

}  // namespace ta2s2
