#include "ta2s2/report/picture.hpp"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "ta2s2/error.hpp"
#include "ta2s2/io/text_file.hpp"
#include "ta2s2/report/text.hpp"

namespace ta2s2 {
namespace {

// Gone when it goes out of scope.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "ta2s2-picture-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) {
      throw Error(ErrorCode::cannot_write, name + ": found no way to make this folder, expected one for the picture");
    }
    path_ = name;
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

void write_rows(std::ostream& out, const Matrix& rows) {
  for (Index i = 0; i < rows.rows(); ++i) out << rows.row(i) << '\n';
  out << "\n\n";
}

// The grid of the map is even along these axes.
Matrix along_axes(Matrix points, const Scaling& scaling) {
  for (Index d = 0; d < points.cols(); ++d) {
    if (scaling.is_log(d)) points.col(d) = points.col(d).array().log10();
  }
  return points;
}

std::vector<std::string> axis_labels(const OutputRuns& runs, const Scaling& scaling) {
  std::vector<std::string> labels = runs.input_names();
  for (std::size_t d = 0; d < labels.size(); ++d) {
    if (scaling.is_log(static_cast<Index>(d))) labels[d] = "log10 of " + labels[d];
  }
  return labels;
}

// Block 0 the map, an empty line between its scans; block 1 the runs; block 2 the chosen points.
std::string data_of(const OutputRuns& runs, const Scaling& scaling, const NextRuns& next) {
  std::ostringstream out;
  out.precision(10);
  const Matrix points = along_axes(next.map.points, scaling);
  const Index scan = points.cols() == 1 ? points.rows() : static_cast<Index>(std::lround(std::sqrt(points.rows())));
  for (Index i = 0; i < points.rows(); ++i) {
    out << points.row(i) << ' ' << next.map.values[i] << '\n';
    if ((i + 1) % scan == 0 && i + 1 < points.rows()) out << '\n';
  }
  out << "\n\n";
  write_rows(out, along_axes(runs.inputs(), scaling));
  write_rows(out, along_axes(next.points, scaling));
  return out.str();
}

int wait_for(pid_t process) {
  int status = 0;
  while (::waitpid(process, &status, 0) < 0) {
    if (errno != EINTR) throw Error(ErrorCode::internal, std::string("gnuplot was lost: ") + std::strerror(errno));
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

std::optional<int> run_gnuplot(const std::vector<std::string>& arguments) {
  std::vector<std::string> words = arguments;
  words.insert(words.begin(), "gnuplot");
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  pid_t process = 0;
  const int error = ::posix_spawnp(&process, "gnuplot", nullptr, nullptr, pointers.data(), ::environ);
  if (error == ENOENT || error == EACCES) return std::nullopt;
  if (error != 0) throw Error(ErrorCode::internal, std::string("gnuplot cannot be started: ") + std::strerror(error));
  return wait_for(process);
}

std::optional<std::string> draw_next_runs(const OutputRuns& runs, const Scaling& scaling, const NextRuns& next,
                                          const std::string& title) {
  const ScratchFolder folder;
  const std::string script = folder.file("picture.gp"), data = folder.file("picture.dat"),
                    picture = folder.file("picture.svg");
  std::ofstream(script) << report::page_file("style.gp") << report::page_file("next_runs.gp");
  std::ofstream(data) << data_of(runs, scaling, next);
  std::vector<std::string> arguments{"-d", "-c", script, data, picture, title};
  for (const std::string& label : axis_labels(runs, scaling)) arguments.push_back(label);
  const std::optional<int> status = run_gnuplot(arguments);
  if (!status) return std::nullopt;
  if (*status != 0) {
    throw Error(ErrorCode::cannot_write,
                "found gnuplot's exit code " + std::to_string(*status) + ", expected a picture of the criterion");
  }
  return read_text_file(picture).value_or("");
}

}  // namespace ta2s2
