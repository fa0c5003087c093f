// Choices that the user spells as text: "matern52", "gamma(2,0.5)".
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ta2s2/base/text.hpp"
#include "ta2s2/error.hpp"

namespace ta2s2 {

struct ParsedSpec {
  std::string name;
  std::vector<std::string> arguments;
};

// "name" or "name(a,b)", blanks around each part ignored; nothing if the text is neither.
std::optional<ParsedSpec> parse_spec(std::string_view text);

// "name" or "name(1,0.5)": each number by the fewest digits that read back as the same double.
std::string format_spec(const std::string& name, const std::vector<double>& arguments = {});

// The whole text as one finite number; else Error{usage} that says what it was for.
double parse_number(const std::string& text, const std::string& purpose);

// Error{usage} unless value > 0.
void require_positive(double value, const std::string& what);

// One line of a list of choices.
template <class Product>
struct Choice {
  std::string form;           // as help shows it: "gamma(shape,rate)"; without numbers it is the spec itself
  std::size_t num_arguments;  // numbers that follow the name
  std::string example;        // one valid spec
  std::function<std::unique_ptr<Product>(const std::vector<double>&)> make;
};

// "'x' is not a correlation; choose one of a, b(c)."
Error unknown_choice(const std::string& kind, std::string_view text, const std::vector<std::string>& forms);

template <class Product>
std::vector<std::string> forms(const std::vector<Choice<Product>>& choices) {
  std::vector<std::string> result;
  for (const auto& choice : choices) result.push_back(choice.form);
  return result;
}

template <class Product>
std::vector<std::string> examples(const std::vector<Choice<Product>>& choices) {
  std::vector<std::string> result;
  for (const auto& choice : choices) result.push_back(choice.example);
  return result;
}

// The choice that `text` names, made with its numbers; nullptr if no line of the list fits.
template <class Product>
std::unique_ptr<Product> find_choice(std::string_view text, const std::vector<Choice<Product>>& choices) {
  const std::optional<ParsedSpec> spec = parse_spec(text);
  if (!spec) return nullptr;
  for (const auto& choice : choices) {
    if (choice.num_arguments == 0) {
      if (trimmed(text) == choice.form) return choice.make({});
      continue;
    }
    if (parse_spec(choice.form)->name != spec->name || spec->arguments.size() != choice.num_arguments) continue;
    std::vector<double> numbers;
    for (const auto& argument : spec->arguments) numbers.push_back(parse_number(argument, choice.form));
    return choice.make(numbers);
  }
  return nullptr;
}

template <class Product>
std::unique_ptr<Product> make_choice(const std::string& kind, std::string_view text,
                                     const std::vector<Choice<Product>>& choices) {
  if (auto made = find_choice(text, choices)) return made;
  throw unknown_choice(kind, text, forms(choices));
}

}  // namespace ta2s2
