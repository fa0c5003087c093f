// Where and how work is done: threads, a request to stop, progress, checkpoints, the ranks of a job. Nothing here
// changes a bit of any result.
#pragma once

#include <atomic>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <optional>
#include <ostream>
#include <string>

#include "ta2s2/posterior.hpp"

namespace ta2s2 {

/// A signal handler or another thread sets it to end the work early.
using StopFlag = std::atomic<bool>;

/// What long work says while it goes on. Calls come one at a time, perhaps from other threads.
struct Progress {
  std::string task;                           ///< what is done: the name of a fit, "functions", "next runs", a model
  Index done = 0;                             ///< how much of it is done
  std::optional<Index> total = std::nullopt;  ///< how much there is, where that is known
  const LevelSummary* level = nullptr;        ///< the level that a fit has just ended
};

/// How to ask for a fit again: the folder that it was begun in, and paths as they were given there. All empty: a fit of
/// runs in memory, which only its caller can ask for again.
struct FitCommand {
  std::string folder,  ///< that the fit was begun in
      runs,            ///< the file with the runs
      model,           ///< the model file to write
      report;          ///< the report to write; or empty
  /// Whether only the caller can ask for it again.
  bool is_in_memory() const { return runs.empty(); }
};

/// Where a path of the command points to, if that is in the checkpoint's own folder; else nothing. A checkpoint may be
/// a stranger's: what it names elsewhere is no file to overwrite.
std::optional<std::string> path_beside(const FitCommand& command, const std::string& path,
                                       const std::filesystem::path& checkpoint);

/// The words for it, to end a sentence.
std::string how_to_go_on(const FitCommand& command, const std::filesystem::path& checkpoint);

/// A file that keeps what a fit has done, so that a fit that was ended goes on to the same bits.
struct Checkpoint {
  std::string file = {};          ///< no name: no checkpoints
  double every_seconds = 60.0;    ///< how often a long level is saved
  double time_limit = kInfinity;  ///< seconds after which the fit is saved and ended with Error{resumable}
  FitCommand command = {};        ///< kept in the file, for whoever reads it (read_checkpoint)
};

class Job;

/// How to do the work. An empty context: every core of this process, no progress, no checkpoint.
struct Context {
  int threads = 0;                                             ///< 0: every core that this process may run on
  const StopFlag* stop = nullptr;                              ///< ends the work with Error{interrupted}
  std::function<void(const Progress&)> on_progress = nullptr;  ///< called now and then while work goes on
  Checkpoint checkpoint = {};                                  ///< of a fit
  Job* job = nullptr;                                          ///< the ranks that share the work
};

/// How many threads a context of so many asks for on this machine.
int threads_in_use(int threads);

/// The processes of one piece of work: this one, or those that an MPI launcher started. The first one reads, writes and
/// prints.
class Job {
 public:
  /// Finds out whether a launcher started several processes, and joins them; `modules` is the folder of the MPI
  /// modules. In all of them but the first, standard output goes nowhere. What fails here, run() tells of.
  explicit Job(const std::filesystem::path& modules);
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;
  ~Job();

  /// Whether this process reads, writes and prints.
  bool is_first() const;
  /// For work that all ranks do together: from here on their files are the first rank's, and none of them uses
  /// instructions that another lacks.
  void share();
  /// Does the work and returns the exit code: 0, or that of the Error that ended it. Called once by every rank; all
  /// return the job's code. Prints the message of the first rank, or of the rank that failed alone.
  int run(const std::function<void()>& work);

  struct State;
  /// For the library's own use.
  State& state() { return *state_; }

 private:
  std::unique_ptr<State> state_;
};

/// A file that appears whole or not at all. It is written beside its target under another name; prepare() puts every
/// byte on the disk, and commit() renames it, after prepare() if that was not done. Several files that belong together
/// are all prepared before the first is committed. Without commit() nothing is left behind. A link is followed. A
/// target that is no regular file (/dev/stdout, a pipe) is written directly. Every failure is Error{cannot_write}.
class AtomicFile {
 public:
  /// Opens it at once, so that a path that cannot be written is known before the work begins.
  explicit AtomicFile(std::filesystem::path target);
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  ~AtomicFile();

  /// What is written here is the file's content.
  std::ostream& stream() { return stream_; }
  /// The path that was asked for.
  const std::filesystem::path& target() const { return target_; }
  void prepare();  ///< puts every byte on the disk
  void commit();   ///< gives the file its name

  /// How the name of an unfinished file begins; a process that was killed leaves one.
  static std::filesystem::path unfinished_prefix(std::filesystem::path target);

 private:
  [[noreturn]] void fail(const std::string& what) const;

  std::filesystem::path target_, temporary_;
  bool is_direct_ = false;
  bool is_prepared_ = false;
  bool is_committed_ = false;
  std::ofstream stream_;
};

}  // namespace ta2s2
