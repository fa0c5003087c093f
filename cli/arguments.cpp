#include "arguments.hpp"

#include <algorithm>

#include "ta2s2/error.hpp"

namespace ta2s2::cli {

// ---- words and flags ----

void add_console_flags(CLI::App& command, ConsoleOptions& options) {
  add_word_option<ProgressLines>(
      command, "--progress", options.progress,
      {{"auto", ProgressLines::automatic}, {"plain", ProgressLines::plain}, {"none", ProgressLines::none}},
      "auto (only on a terminal), plain (a line per level), none");
  command.add_flag("--quiet,-q", options.quiet, "say nothing on stderr but errors");
}

void add_threads(CLI::App& command, int& threads) {
  command.add_option("--threads", threads, "threads to use; 0 takes every core")->check(CLI::Range(0, 1024));
}

void add_model_target(CLI::App& command, std::string& file) {
  command.add_option("-o,--out", file, "model file to write; - is standard output")
      ->required()
      ->check(
          [](const std::string& path) { return path.empty() ? std::string("found no name, expected a file") : ""; });
}

void add_strict_flag(CLI::App& command, bool& is_strict) {
  command.add_flag("--strict", is_strict, "end with exit code 8 if the judgement is bad; all files are written first");
}

void require_not_bad(const std::vector<Judgement>& judgements, bool is_strict) {
  std::string names;
  for (const Judgement& judgement : judgements) {
    if (judgement.grade() == Grade::bad) names += (names.empty() ? "" : ", ") + judgement.output;
  }
  if (is_strict && !names.empty()) {
    throw Error(ErrorCode::judged_bad, "--strict: the judgement of " + names + " is bad");
  }
}

std::vector<std::string> warnings_of(const std::vector<Judgement>& judgements) {
  std::vector<std::string> warnings;
  for (const Judgement& judgement : judgements) {
    const std::string name = judgements.size() > 1 ? judgement.output + ": " : "";
    for (const std::string& warning : judgement.warnings()) warnings.push_back(name + warning);
  }
  return warnings;
}

// ---- a part of a model file ----

Emulator EmulatorChoice::part_of(const Emulator& all) const {
  const Emulator of_output = output.empty() ? all : all.output(output);
  return member.empty() ? of_output : of_output.member(member);
}

void add_output_choice(CLI::App& command, EmulatorChoice& choice) {
  command.add_option("model", choice.path, "model file made by `ta2s2 fit`")->required();
  command.add_option("--output", choice.output, "one output of a model file that holds several");
}

void add_member_choice(CLI::App& command, EmulatorChoice& choice) {
  add_output_choice(command, choice);
  command.add_option("--member,--model", choice.member, "one model of an average, as `ta2s2 show` names it");
}

// ---- settings of a fit ----

namespace {

bool shows_all = false;

void add_setting(CLI::App& command, const Option& option, FitArguments& arguments) {
  const std::string name = "--" + option.name + (option.alias.empty() ? "" : ",--" + option.alias);
  CLI::Option* added = nullptr;
  if (option.is_flag) {
    added = command.add_flag(name, arguments.flags[option.name], option.help);
  } else {
    const std::string symbol = option.symbol.empty() ? "" : " [paper: " + option.symbol + "]";
    const std::string help = shows_all ? option.help + symbol + ": " + option.range : option.help;
    added = command.add_option(name, arguments.texts[option.name], help);
    added->option_text("TEXT" + (option.default_text.empty() ? "" : " [" + option.default_text + "]"));
  }
  if (!shows_all && option.audience != Audience::everyone) added->group("");
}

}  // namespace

void show_all_settings() {
  shows_all = true;
}

void add_fit_settings(CLI::App& command, FitArguments& arguments) {
  command.add_flag("--help-all")->description("print this help with every setting and what it allows");
  command.add_option("--config", arguments.config, "TOML file with settings, by the names below; typed options win");
  for (const Option& option : option_table()) add_setting(command, option, arguments);
}

void add_settings(CLI::App& command, const std::vector<std::string>& names, FitArguments& arguments) {
  for (const std::string& name : names) add_setting(command, *find_option(name), arguments);
}

FitRequest gather_request(const CLI::App& command, const FitArguments& arguments,
                          const std::vector<std::string>& others) {
  FitRequest request;
  if (!arguments.config.empty()) set_options(request, read_config(arguments.config));
  std::vector<Setting> typed;
  for (const Option& option : option_table()) {
    const bool is_known = arguments.texts.contains(option.name) || arguments.flags.contains(option.name);
    if (!is_known || command.count("--" + option.name) == 0) continue;
    if (std::find(others.begin(), others.end(), option.name) != others.end()) continue;
    const std::string flag =
        option.is_flag && arguments.flags.at(option.name) ? "true" : "false";  // also --check=false
    typed.push_back({option.name, option.is_flag ? flag : arguments.texts.at(option.name)});
  }
  set_options(request, typed);
  return request;
}

}  // namespace ta2s2::cli
