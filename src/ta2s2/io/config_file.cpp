#include "ta2s2/settings.hpp"

#include <toml++/toml.h>

#include "ta2s2/error.hpp"
#include "ta2s2/gp/spec.hpp"
#include "ta2s2/io/text_file.hpp"

namespace ta2s2 {
namespace {

std::string place(const std::filesystem::path& path, const toml::source_region& region) {
  return path.string() + ", line " + std::to_string(region.begin.line) + ", column " +
         std::to_string(region.begin.column);
}

std::string scalar_text(const toml::node& node, const std::filesystem::path& path, const std::string& key) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* whole = node.as_integer()) return std::to_string(whole->get());
  if (const auto* number = node.as_floating_point()) return format_number(number->get());
  if (const auto* truth = node.as_boolean()) return truth->get() ? "true" : "false";
  throw Error(ErrorCode::usage, place(path, node.source()) + ": \"" + key +
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
  const std::optional<std::string> content = read_text_file(path);
  if (!content) {
    throw Error(ErrorCode::bad_file, path.string() + ": cannot be read; expected a TOML file with settings");
  }
  toml::table table;
  try {
    table = toml::parse(*content);
  } catch (const toml::parse_error& error) {
    throw Error(ErrorCode::usage, place(path, error.source()) + ": " + std::string(error.description()));
  }
  std::vector<Setting> settings;
  for (const auto& [key, node] : table) {
    const std::string name(key.str());
    if (find_option(name) == nullptr) {
      throw Error(ErrorCode::usage, place(path, key.source()) + ": there is no setting called \"" + name + "\"");
    }
    settings.push_back({name, node_text(node, path, name)});
  }
  return settings;
}

}  // namespace ta2s2
