// A fit under way, as a file: what was asked for and what has been done. docs/checkpoints.md has the format.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "ta2s2/exec/recording_executor.hpp"
#include "ta2s2/execution.hpp"
#include "ta2s2/workflow/fit.hpp"

namespace ta2s2 {

// What was asked for. Two fits with the same identity come to the same bits.
struct FitIdentity {
  std::string version;            // of the program
  std::string data, ranges;       // fingerprints
  std::vector<Setting> settings;  // all recorded ones, the instruction path by the name of the one in use
};

struct CheckpointHeader {
  FitIdentity identity;
  FitCommand command;
  double seconds = 0.0;  // of work so far
};

struct SavedFit {
  CheckpointHeader header;
  Journal journal;
};

// Written to another name, put on the disk, renamed: a crash at any moment leaves a whole checkpoint.
class CheckpointFile {
 public:
  // Nothing is opened yet. The path may be that of a previous() one, in the place of a damaged one: it is read, and
  // what is written goes under the usual name.
  explicit CheckpointFile(std::filesystem::path path);

  const std::filesystem::path& path() const { return path_; }
  bool exists() const;

  // Error{bad_file} if it cannot be read, is damaged, or of another format; the sentence offers the one before it if
  // that is whole.
  SavedFit read();
  // Error{bad_file} if what was read is of another version of the program, whose numbers and settings may differ.
  void require_this_version(const FitIdentity& kept) const;
  // The one before it stays, under previous(), if it is known to be whole. Error{cannot_write} leaves both as they
  // were.
  void write(const CheckpointHeader& header, const Journal& journal);
  // Both, and what killed processes left of unfinished ones.
  void remove() const;

  std::filesystem::path previous() const;

 private:
  std::filesystem::path source_, path_;
  bool is_whole_ = false;  // read or written here
};

// A fit that can be ended at any moment and goes on from where it was, to the same bits. Goes on from the checkpoint if
// it is there, and starts otherwise; saves to it on the way. The caller removes it once what the fit returned is safe.
// Error{bad_file} if it belongs to a fit of other runs or with other settings. If it is interrupted, Error{resumable}.
EmulatorRecord fit_with_checkpoints(const std::vector<OutputRuns>& outputs, const ValidFitOptions& options,
                                    const std::vector<InputRange>& ranges, Execution context,
                                    const Checkpoint& checkpoint);

}  // namespace ta2s2
