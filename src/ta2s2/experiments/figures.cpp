#include "ta2s2/experiments/figures.hpp"

#include "ta2s2/error.hpp"
#include "ta2s2/experiments/detail/crps_figures.hpp"
#include "ta2s2/experiments/detail/figure_scripts.hpp"
#include "ta2s2/experiments/detail/gnuplot.hpp"
#include "ta2s2/experiments/detail/levels_figure.hpp"
#include "ta2s2/experiments/detail/scatter_figures.hpp"
#include "ta2s2/experiments/result_file.hpp"
#include "ta2s2/io/atomic_file.hpp"

namespace ta2s2 {
namespace {

using detail::Figure;

const char* const kNoGnuplot =
    "no figure was drawn: found no gnuplot on the PATH (Debian: gnuplot-nox); the tables are complete without";

std::vector<Figure> figures_of(const std::filesystem::path& folder) {
  std::vector<Figure> figures;
  if (std::filesystem::exists(folder / "results.csv")) {
    figures = detail::crps_figures(detail::FigureTable(folder / "results.csv"));
  }
  for (Figure& figure : detail::scatter_figures(folder)) figures.push_back(std::move(figure));
  if (std::optional<Figure> levels = detail::levels_figure(folder)) figures.push_back(std::move(*levels));
  return figures;
}

void write_file(const std::filesystem::path& path, const std::string& text) {
  AtomicFile file(path);
  file.stream() << text;
  file.commit();
}

// False if there is no gnuplot. The figure appears whole or not at all.
bool draw(const Figure& figure, const std::filesystem::path& folder) {
  const std::filesystem::path kept = folder / "figures", data = kept / (figure.name + ".dat"),
                              script = kept / (figure.script + ".gp"), partial = kept / (figure.name + ".svg");
  write_file(data, figure.data);
  write_file(script, detail::figure_script("style") + detail::figure_script(figure.script));
  std::vector<std::string> arguments{"-d", "-c", script.string(), data.string(), partial.string()};
  arguments.insert(arguments.end(), figure.arguments.begin(), figure.arguments.end());
  const std::optional<int> status = detail::run_gnuplot(arguments);
  if (!status) return false;
  if (*status != 0) {
    throw Error(ErrorCode::cannot_write, (folder / figure.name).string() +
                                             ".svg: gnuplot could not draw it (exit code " + std::to_string(*status) +
                                             ")");
  }
  std::filesystem::rename(partial, folder / partial.filename());
  return true;
}

}  // namespace

FigureReport draw_figures(const std::filesystem::path& folder) {
  FigureReport report;
  make_folder(folder / "figures");
  for (const Figure& figure : figures_of(folder)) {
    if (!draw(figure, folder)) {
      report.notice = kNoGnuplot;
      break;
    }
    report.drawn.push_back(folder / (figure.name + ".svg"));
  }
  return report;
}

}  // namespace ta2s2
