// An emulator: fitted to runs, or read from a model file; and all that can be asked of it.
#pragma once

#include <filesystem>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "ta2s2/dataset.hpp"
#include "ta2s2/design.hpp"
#include "ta2s2/judgement.hpp"
#include "ta2s2/posterior.hpp"
#include "ta2s2/prediction.hpp"
#include "ta2s2/sensitivity.hpp"
#include "ta2s2/settings.hpp"

namespace ta2s2 {

struct EmulatorRecord;

/// One HTML page that needs nothing else, and the record of what it shows.
struct Report {
  std::string html;  ///< the page
  std::string json;  ///< the record, from which redraw_report draws the page again
};

/// Copies are cheap and share everything. Nothing changes it; several threads may ask it at once.
class Emulator {
 public:
  /// Fits every output, by a single model or an average over several. With a checkpoint that is there it goes on from
  /// it, to the same bits; the caller removes the file once the emulator is safe (remove_checkpoint).
  static Emulator fit(const Dataset& runs, const FitSettings& settings = {}, const Context& context = {});

  /// From a model file of this version or an earlier one; Error{bad_file} if it is none, or damaged.
  static Emulator load(const std::filesystem::path& file);
  /// From a model file's content; `name` is for messages.
  static Emulator parse(const std::string& json, const std::string& name = "the text");
  /// The file appears whole or not at all.
  void save(const std::filesystem::path& file) const;
  /// The same to a stream.
  void write(std::ostream& out) const;
  /// The model file's content.
  std::string to_json() const;

  // ---- its parts, each an emulator of its own ----

  /// Error{usage} that lists what there is if there is none of this name. An empty name is the only output there is.
  Emulator output(const std::string& name) const;
  /// One model of an average, by its label; an empty label is the only model there is. Of one output.
  Emulator member(const std::string& label) const;
  /// The model with the largest weight, of one output.
  Emulator heaviest_member() const;
  /// Emulators of several outputs as one.
  static Emulator side_by_side(const std::vector<Emulator>& outputs);

  // ---- what it says of the simulator ----

  /// At each row of `points`, which are finite and have the columns of input_names(), in that order. Points are
  /// predicted in blocks of bounded memory, unless a covariance or joint draws are asked for.
  Prediction predict(MatrixView points, const PredictOptions& options = {}, const Context& context = {}) const;
  /// The same from a CSV file to a stream, for files of any length. Returns a warning if points lie outside the inputs'
  /// ranges, else an empty text.
  std::string predict_csv(const std::filesystem::path& points, std::ostream& out, const PredictOptions& options = {},
                          const Context& context = {}) const;
  /// Joint predictions of one output: the covariance between all points goes to `covariance`.
  std::string predict_csv(const std::filesystem::path& points, std::ostream& out, std::ostream& covariance,
                          const PredictOptions& options = {}, const Context& context = {}) const;

  /// On runs that it has not seen, of each output: read_runs() and take_runs() put columns into this emulator's order.
  std::vector<OutputValidation> validate(const Dataset& unseen, const Context& context = {}) const;
  /// Runs from a CSV file with this emulator's columns, to validate by or to add: nothing has to vary, and one run is
  /// enough.
  Dataset read_runs(const std::filesystem::path& file) const;
  /// The same of runs in memory: a column for each of input_names() and output_names().
  Dataset take_runs(MatrixView inputs, MatrixView outputs) const;

  /// Of one output. Inputs that no statement speaks of are uniform over their ranges, log-uniform on a log scale.
  Sensitivity sensitivity(const SensitivityOptions& options = {}, const std::vector<InputStatement>& inputs = {},
                          const Context& context = {}) const;

  /// Of one output: anywhere in the ranges, or among `candidates`, a point in each row. Error{usage} that names every
  /// problem if options do not fit the emulator.
  NextRuns next_runs(const NextRunsOptions& options = {}, const std::optional<Matrix>& candidates = std::nullopt,
                     const Context& context = {}) const;
  /// A picture of a criterion over one or two inputs, as SVG; `next` has a map. None without gnuplot on the PATH.
  std::optional<std::string> draw_next_runs(const NextRuns& next, const std::string& title) const;

  /// A new emulator that has learnt from these runs too, for a fraction of a fit; this one stays as it is.
  Emulator add_runs(const Dataset& more, const AddRunsOptions& options = {}, const Context& context = {}) const;
  /// Sentences for the user about the runs that `updated` has and this emulator has not.
  std::vector<std::string> notices_of_update(const Emulator& updated) const;
  /// What the latest update cost, one sentence for each model.
  std::vector<std::string> summaries_of_update() const;

  // ---- what there is to say of it ----

  /// Of each output: whether it may be used.
  std::vector<Judgement> judgements(const Context& context = {}) const;
  /// A page with a tab for each of several outputs; `validation`: runs that it has not seen.
  Report report(const Dataset* validation = nullptr, const Context& context = {}) const;
  /// A table for people: settings, posterior, modes, levels.
  std::string summary_text(const Context& context = {}) const;
  /// A few lines: runs, sample, evidence, judgement, time.
  std::string brief_text(const Context& context = {}) const;
  /// docs/file_formats.md has the keys.
  std::string summary_json(const Context& context = {}) const;
  /// The draws of one output's posterior; of an average, those of the model with the largest weight. summary_json() has
  /// modes, evidence and levels.
  Posterior posterior() const;
  /// The posterior's draws as CSV, of all models of one output: each draw weighs its weight times its model's.
  void write_draws(std::ostream& out) const;
  /// Of the model with the largest weight. Error{usage} of a fit without a sample.
  InferenceData inference_data() const;
  /// Sentences from the fits, without those about the runs.
  std::vector<std::string> notices() const;
  /// The notices of the runs and of the fits.
  std::vector<std::string> all_notices() const;

  std::vector<std::string> input_names() const;   ///< of all outputs together
  std::vector<InputScale> input_scales() const;   ///< of each of input_names()
  std::vector<std::string> output_names() const;  ///< in the order of the model file
  /// The models of one output by label, and what they weigh.
  std::vector<std::pair<std::string, double>> members() const;
  /// The runs that it was fitted to.
  Dataset runs() const;
  /// The settings that make one output again, as the model file has them.
  std::vector<Setting> settings() const;

  /// For the library's own use.
  explicit Emulator(EmulatorRecord record);
  /// For the library's own use.
  const EmulatorRecord& record() const;

 private:
  struct State;
  std::shared_ptr<const State> state_;
};

/// Two reports of one output side by side on one page, under these labels.
Report compare_reports(const std::string& first_label, const Report& first, const std::string& second_label,
                       const Report& second);
/// An earlier report, drawn anew: from its page, or from its record as JSON. Error{bad_file} if the text is neither, or
/// of a later release; `name` is for the message.
Report redraw_report(const std::string& text, const std::string& name);
/// Whether the text is a model file's, rather than a report's.
bool is_model_file(const std::string& text);

/// A fit that was ended: what was asked for, and how to ask for it again.
struct UnfinishedFit {
  FitRequest request;  ///< what was asked for
  FitCommand command;  ///< how to ask for it again
};
/// Error{bad_file} if it cannot be read, is damaged, or was made by another version.
UnfinishedFit read_checkpoint(const std::filesystem::path& file);
/// Whether there is a fit to go on with.
bool has_checkpoint(const std::filesystem::path& file);
/// Removes the file, and what killed processes left beside it.
void remove_checkpoint(const std::filesystem::path& file);

}  // namespace ta2s2
