#include "ta2s2/io/record_json.hpp"

#include <nlohmann/json.hpp>

namespace ta2s2 {
namespace {

using Json = nlohmann::ordered_json;

const Json& json_of(const std::shared_ptr<const void>& node) {
  return *static_cast<const Json*>(node.get());
}

// A path in another encoding than UTF-8 must not stop a record from being written.
std::string dumped(const Json& json, int indent = -1) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

// ---- writing ----

void ToJson::write_string(std::string_view text) {
  text_ += dumped(text);
}

void ToJson::write_number(double value) {
  text_ += dumped(value);
}

void ToJson::write_numbers(std::span<const double> values) {
  text_ += dumped(Json::array_t(values.begin(), values.end()));
}

std::string indented(const std::string& json) {
  return dumped(Json::parse(json), 2);
}

// ---- reading ----

JsonValue parse_json(const std::string& text) {
  try {
    return JsonValue(std::make_shared<const Json>(Json::parse(text)));
  } catch (const Json::exception&) {
    throw JsonError("is not a whole JSON document");
  }
}

void JsonValue::refuse(const std::string& why) const {
  throw JsonError(place_.empty() ? why : place_ + ": " + why);
}

void JsonValue::expect(bool is_right, const char* what) const {
  if (!is_right) refuse(std::string("found ") + json_of(node_).type_name() + ", expected " + what);
}

JsonValue JsonValue::member(const void* node, std::string_view key) const {
  return JsonValue({node_, node}, (place_.empty() ? "" : place_ + ".") + std::string(key));
}

bool JsonValue::is_object() const {
  return json_of(node_).is_object();
}

bool JsonValue::is_null() const {
  return json_of(node_).is_null();
}

std::optional<JsonValue> JsonValue::find(std::string_view key) const {
  expect(is_object(), "object");
  const auto found = json_of(node_).find(key);
  if (found == json_of(node_).end()) return std::nullopt;
  return member(&*found, key);
}

JsonValue JsonValue::at(std::string_view key) const {
  if (std::optional<JsonValue> found = find(key)) return *std::move(found);
  refuse("key '" + std::string(key) + "' not found");
}

Named<JsonValue> JsonValue::members() const {
  expect(is_object(), "object");
  Named<JsonValue> members;
  for (const auto& [key, value] : json_of(node_).items()) members.emplace_back(key, member(&value, key));
  return members;
}

std::vector<JsonValue> JsonValue::items() const {
  expect(json_of(node_).is_array(), "array");
  std::vector<JsonValue> items;
  for (const Json& item : json_of(node_)) {
    items.push_back(JsonValue({node_, &item}, place_ + "[" + std::to_string(items.size()) + "]"));
  }
  return items;
}

std::string JsonValue::text() const {
  return dumped(json_of(node_));
}

void JsonValue::get(bool& value) const {
  expect(json_of(node_).is_boolean(), "boolean");
  value = json_of(node_).get<bool>();
}

void JsonValue::get(std::int64_t& value) const {
  expect(json_of(node_).is_number(), "number");
  value = json_of(node_).get<std::int64_t>();
}

void JsonValue::get(std::uint64_t& value) const {
  expect(json_of(node_).is_number(), "number");
  value = json_of(node_).get<std::uint64_t>();
}

void JsonValue::get(double& value) const {
  expect(json_of(node_).is_number(), "number");
  value = json_of(node_).get<double>();
}

void JsonValue::get(std::string& value) const {
  expect(json_of(node_).is_string(), "string");
  value = json_of(node_).get<std::string>();
}

void JsonValue::get(std::vector<double>& values) const {
  const Json& json = json_of(node_);
  expect(json.is_array(), "array");
  values.clear();
  for (const Json& item : json) {
    if (!item.is_number()) items()[values.size()].expect(false, "number");
    values.push_back(item.get<double>());
  }
}

void JsonValue::get(Vector& values) const {
  const auto numbers = from_json<std::vector<double>>(*this);
  values = Eigen::Map<const Vector>(numbers.data(), static_cast<Index>(numbers.size()));
}

void JsonValue::get(Matrix& columns) const {
  const std::vector<JsonValue> parts = items();
  columns.resize(0, 0);
  for (std::size_t j = 0; j < parts.size(); ++j) {
    const Vector column = from_json<Vector>(parts[j]);
    if (j == 0) columns.resize(column.size(), static_cast<Index>(parts.size()));
    if (column.size() != columns.rows()) throw std::invalid_argument(place_ + ": rows differ in length");
    columns.col(static_cast<Index>(j)) = column;
  }
}

}  // namespace ta2s2
