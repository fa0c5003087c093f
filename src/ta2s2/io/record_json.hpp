// JSON of any type with a list of its fields (workflow/record_fields.hpp says how to write one), without a JSON
// library's header:
//   std::string text = to_json(thing);
//   Thing thing = from_json<Thing>(parse_json(text));
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <ranges>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "ta2s2/workflow/record_fields.hpp"

namespace ta2s2 {

template <class T>
inline constexpr bool kIsOptional = false;
template <class T>
inline constexpr bool kIsOptional<std::optional<T>> = true;
template <class T>
inline constexpr bool kIsNamed = false;
template <class T>
inline constexpr bool kIsNamed<Named<T>> = true;
// A span of words, one for each enumerator from 0 on: words_of(Enum), found by ADL.
template <class T>
concept HasWords = std::is_enum_v<T> && requires(T value) {
  words_of(value);
};
// Every field may be missing in a file of an earlier version: may_lack_fields(record), found by ADL.
template <class T>
concept MayLackFields = requires(const T& value) {
  may_lack_fields(value);
};
template <class T>
concept HasStoredForm = requires(const T& value) {
  stored_form(value);
};

// ---- writing ----

// What becomes of fields whose Missing is is_left_out.
enum class Defaults { are_left_out, are_written };

template <class T>
bool is_left_out(const T& value, Missing missing) {
  if constexpr (kIsOptional<T>) {
    return missing == Missing::is_left_out && !value;
  } else if constexpr (std::is_arithmetic_v<T>) {
    return missing == Missing::is_left_out && value == T{};
  } else if constexpr (requires { value.is_none(); }) {
    return missing == Missing::is_left_out && value.is_none();
  } else if constexpr (requires { value.empty(); }) {
    return missing == Missing::is_left_out && value.empty();
  } else {
    return false;
  }
}

// The visitor that writes an object's fields.
class ToJson {
 public:
  explicit ToJson(Defaults defaults = Defaults::are_left_out) : defaults_(defaults) {}

  template <class T>
  void operator()(std::string_view key, const T& value, Missing missing = Missing::is_error) {
    if (defaults_ == Defaults::are_left_out && is_left_out(value, missing)) return;
    separate('{');
    write_string(key);
    text_ += ':';
    write(value);
  }

  // A number that is not finite, and an optional without a value, is null.
  template <class T>
  void write(const T& value) {
    if constexpr (HasStoredForm<T>) {
      write(stored_form(value));
    } else if constexpr (kIsOptional<T>) {
      value ? write(*value) : void(text_ += "null");
    } else if constexpr (HasWords<T>) {
      write_string(words_of(value)[static_cast<std::size_t>(value)]);
    } else if constexpr (std::same_as<T, bool>) {
      text_ += value ? "true" : "false";
    } else if constexpr (std::integral<T>) {
      text_ += std::to_string(value);
    } else if constexpr (std::convertible_to<T, double>) {
      write_number(value);
    } else if constexpr (std::convertible_to<T, std::string_view>) {
      write_string(value);
    } else if constexpr (std::same_as<T, Matrix>) {  // an array for each column
      text_ += '[';
      for (Index j = 0; j < value.cols(); ++j) {
        separate('[');
        write_numbers({value.data() + j * value.rows(), static_cast<std::size_t>(value.rows())});
      }
      text_ += ']';
    } else if constexpr (std::same_as<T, Vector> || std::same_as<T, std::vector<double>>) {
      write_numbers({value.data(), static_cast<std::size_t>(value.size())});
    } else if constexpr (kIsNamed<T>) {
      write(Fields{[&](auto& field) {
        for (const auto& [key, part] : value) field(key, part);
      }});
    } else if constexpr (std::ranges::range<const T>) {
      text_ += '[';
      for (const auto& item : value) {
        separate('[');
        write(item);
      }
      text_ += ']';
    } else {
      text_ += '{';
      visit_fields(value, *this);
      text_ += '}';
    }
  }

  std::string take() { return std::move(text_); }

 private:
  // No value ends with an opening bracket.
  void separate(char opening) {
    if (!text_.empty() && text_.back() != opening) text_ += ',';
  }
  void write_string(std::string_view text);  // what is no UTF-8 is replaced
  void write_number(double value);
  void write_numbers(std::span<const double> values);

  Defaults defaults_;
  std::string text_;
};

template <class T>
std::string to_json(const T& value, Defaults defaults = Defaults::are_left_out) {
  ToJson json(defaults);
  json.write(value);
  return json.take();
}

// An array of what `describe` says of each item, such as Fields.
template <class Item, class Describe>
auto each(const std::vector<Item>& items, Describe describe) {
  std::vector<decltype(describe(items.front()))> described;
  for (const Item& item : items) described.push_back(describe(item));
  return described;
}

// The same document for people: a line per value.
std::string indented(const std::string& json);

// ---- reading ----

// A document that is no JSON, or does not hold what is read. The message begins with the place in the document.
struct JsonError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A value in a parsed document, which lives as long as any value of it.
class JsonValue {
 public:
  explicit JsonValue(std::shared_ptr<const void> node, std::string place = {})
      : node_(std::move(node)), place_(std::move(place)) {}

  bool is_object() const;
  bool is_null() const;
  JsonValue at(std::string_view key) const;
  std::optional<JsonValue> find(std::string_view key) const;
  Named<JsonValue> members() const;      // of an object
  std::vector<JsonValue> items() const;  // of an array
  std::string text() const;              // without blanks
  [[noreturn]] void refuse(const std::string& why) const;

  void get(bool& value) const;
  void get(std::int64_t& value) const;
  void get(std::uint64_t& value) const;
  void get(double& value) const;
  void get(std::string& value) const;
  void get(std::vector<double>& values) const;
  void get(Vector& values) const;
  void get(Matrix& columns) const;  // std::invalid_argument if they differ in length

 private:
  JsonValue member(const void* node, std::string_view key) const;
  void expect(bool is_right, const char* what) const;

  std::shared_ptr<const void> node_;
  std::string place_;
};

JsonValue parse_json(const std::string& text);

template <class T>
void read_json(const JsonValue& json, T& value);

template <class T>
T from_json(const JsonValue& json) {
  if constexpr (requires { blank(std::type_identity<T>{}); }) {
    T value = blank(std::type_identity<T>{});
    read_json(json, value);
    return value;
  } else {
    T value{};
    read_json(json, value);
    return value;
  }
}

// The visitor that reads an object's fields.
class FromJson {
 public:
  explicit FromJson(const JsonValue& object, bool may_lack_fields = false)
      : object_(object), may_lack_fields_(may_lack_fields) {}

  template <class T>
  void operator()(std::string_view key, T&& value, Missing missing = Missing::is_error) const {
    if (missing == Missing::is_error && !may_lack_fields_) return read_json(object_.at(key), value);
    if (const std::optional<JsonValue> found = object_.find(key)) read_json(*found, value);
  }

 private:
  const JsonValue& object_;
  bool may_lack_fields_;
};

template <class T>
void read_json(const JsonValue& json, T& value) {
  if constexpr (HasStoredForm<T>) {
    restore(value, from_json<decltype(stored_form(value))>(json));
  } else if constexpr (kIsOptional<T>) {
    value.reset();
    if (!json.is_null()) value = from_json<typename T::value_type>(json);
  } else if constexpr (HasWords<T>) {
    const auto words = words_of(value);
    const auto found = std::find(std::begin(words), std::end(words), from_json<std::string>(json));
    if (found == std::end(words)) json.refuse("is none of the words that can stand here");
    value = static_cast<T>(found - std::begin(words));
  } else if constexpr (requires { json.get(value); }) {
    json.get(value);
  } else if constexpr (std::integral<T>) {
    value = static_cast<T>(from_json<std::int64_t>(json));
  } else if constexpr (kIsNamed<T>) {
    value.clear();
    for (const auto& [key, part] : json.members()) {
      value.emplace_back(key, from_json<typename T::value_type::second_type>(part));
    }
  } else if constexpr (std::ranges::range<T>) {
    value.clear();
    for (const JsonValue& item : json.items()) value.push_back(from_json<typename T::value_type>(item));
  } else {
    visit_fields(value, FromJson(json, MayLackFields<T>));
  }
}

}  // namespace ta2s2
