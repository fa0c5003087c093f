// An option that takes one of a few words.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace ta2s2::cli {

template <typename Value>
struct Word {
  std::string word;
  Value value;
};

// Unlike CLI11's own transformer it answers a wrong word with a sentence.
template <typename Value>
void add_word_option(CLI::App& command, const std::string& name, Value& target, const std::vector<Word<Value>>& words,
                     const std::string& help) {
  const auto choose = [&target, words, name](const std::string& text) {
    std::string allowed;
    for (const Word<Value>& word : words) {
      if (word.word == text) {
        target = word.value;
        return true;
      }
      allowed += (allowed.empty() ? "" : ", ") + word.word;
    }
    throw CLI::ValidationError(name, "found \"" + text + "\", expected one of " + allowed);
  };
  command.add_option_function<std::string>(name, choose, help)->option_text("WORD [" + words.front().word + "]");
}

}  // namespace ta2s2::cli
