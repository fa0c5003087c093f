#include <cstdio>

#include "commands.hpp"
#include "output.hpp"
#include "ta2s2/workflow/options.hpp"

namespace ta2s2::cli {
namespace {

// A bar would end the cell.
std::string cell(const std::string& text) {
  std::string escaped;
  for (const char letter : text) escaped += letter == '|' ? "\\|" : std::string(1, letter);
  return escaped;
}

void run_options() {
  Output output("", {});
  output.stream() << "| setting | paper | default | allowed | what it does |\n|---|---|---|---|---|\n";
  for (const OptionSpec& spec : option_table()) {
    output.stream() << "| `" << spec.name << "` | " << cell(spec.symbol) << " | " << cell(spec.default_text) << " | "
                    << cell(spec.range) << " | " << cell(spec.help) << " |\n";
  }
  output.commit();
}

}  // namespace

void add_options_command(CLI::App& app) {
  CLI::App& command = *app.add_subcommand("options", "List every setting of a fit, as a Markdown table");
  command.footer("Example:\n  ta2s2 options");
  command.callback([] { run_options(); });
}

}  // namespace ta2s2::cli
