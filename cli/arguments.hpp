// Arguments that several commands take: settings of a fit, a part of a model file, flags.
#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <string>
#include <vector>

#include "console.hpp"
#include "ta2s2/emulator.hpp"

namespace ta2s2::cli {

// ---- words and flags ----

template <typename Value>
struct Word {
  std::string word;
  Value value;
};

// An option that takes one of a few words. Unlike CLI11's own transformer it answers a wrong word with a sentence.
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

void add_console_flags(CLI::App& command, ConsoleOptions& options);
void add_threads(CLI::App& command, int& threads);
void add_model_target(CLI::App& command, std::string& file);  // -o, which a command that writes a model needs

// --strict, and the Error{judged_bad} that it asks for: it names the outputs whose judgement is bad.
void add_strict_flag(CLI::App& command, bool& is_strict);
void require_not_bad(const std::vector<Judgement>& judgements, bool is_strict);
// Of several outputs each begins with its output's name.
std::vector<std::string> warnings_of(const std::vector<Judgement>& judgements);

// ---- a part of a model file ----

struct EmulatorChoice {
  std::string path, output, member;

  // The whole file, or the output and the member that are named.
  Emulator load() const { return part_of(Emulator::load(path)); }
  Emulator part_of(const Emulator& all) const;
};

// The model file's argument and --output; then the same with --member.
void add_output_choice(CLI::App& command, EmulatorChoice& choice);
void add_member_choice(CLI::App& command, EmulatorChoice& choice);

// ---- settings of a fit ----

struct FitArguments {
  std::string config;
  std::map<std::string, std::string> texts;  // by option name, as typed
  std::map<std::string, bool> flags;
};

// Every setting that is not for everyone is hidden, unless --help-all was asked for.
void show_all_settings();
// --config and every entry of the option table. `arguments` must live as long as the command.
void add_fit_settings(CLI::App& command, FitArguments& arguments);
// Some entries of the table by their names.
void add_settings(CLI::App& command, const std::vector<std::string>& names, FitArguments& arguments);

// The config file first, then what was typed: the command line wins. What was typed for `others` is left aside.
FitRequest gather_request(const CLI::App& command, const FitArguments& arguments,
                          const std::vector<std::string>& others = {});

}  // namespace ta2s2::cli
