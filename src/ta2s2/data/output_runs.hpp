// The runs of a simulator: what was put in and what came out, in the user's units.
#pragma once

#include <string>
#include <vector>

#include "ta2s2/types.hpp"

namespace ta2s2 {

// Where runs came from. All of it may be empty, for runs that were made in memory.
struct RunSource {
  std::string path;
  std::vector<int> lines;                   // of each run in the file, from 1
  std::vector<std::string> unused_columns;  // neither inputs nor the output: constant, or not chosen
  std::vector<std::string> notices;         // sentences that the user should see
};

// Promise, checked here once: at least one run and one input, sizes agree, every number finite, names unique
// and not empty. Throws Error{bad_data} otherwise.
class OutputRuns {
 public:
  OutputRuns(Matrix inputs, Vector output, std::vector<std::string> input_names, std::string output_name,
             RunSource source = {});

  Index num_runs() const { return inputs_.rows(); }
  Index num_inputs() const { return inputs_.cols(); }
  const Matrix& inputs() const { return inputs_; }  // (n, p)
  const Vector& output() const { return output_; }  // (n)
  const std::vector<std::string>& input_names() const { return input_names_; }
  const std::string& output_name() const { return output_name_; }
  const std::string& path() const { return source_.path; }
  const std::vector<int>& lines() const { return source_.lines; }
  const std::vector<std::string>& unused_columns() const { return source_.unused_columns; }
  const std::vector<std::string>& notices() const { return source_.notices; }

  // For messages: its line in the file, or its number from 1 if it came from no file.
  int line_of(Index run) const;
  // runs.csv, line 7
  std::string where(Index run) const;

  // 64-bit FNV-1a of the names and the exact bits of every number, as 16 hex digits; the same on every
  // machine.
  std::string fingerprint() const;

 private:
  void check_sizes() const;
  void check_names() const;
  void check_numbers() const;

  Matrix inputs_;
  Vector output_;
  std::vector<std::string> input_names_;
  std::string output_name_;
  RunSource source_;
};

struct DuplicateRuns {
  Index groups = 0;  // sets of two or more runs with equal inputs
  bool differing_outputs = false;
  int first_line = 0,
      second_line = 0;  // the first pair with equal inputs and different outputs (OutputRuns::line_of)
};

DuplicateRuns find_duplicate_runs(const OutputRuns& data);

}  // namespace ta2s2
