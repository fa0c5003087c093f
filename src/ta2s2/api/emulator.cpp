// The emulator's life: fitted, written, read, taken apart, given more runs; and what there is to say of it.
#include "ta2s2/emulator.hpp"

#include <algorithm>
#include <sstream>

#include "ta2s2/api/state.hpp"
#include "ta2s2/api/workers.hpp"
#include "ta2s2/base/text.hpp"
#include "ta2s2/data/load_runs.hpp"
#include "ta2s2/io/checkpoint.hpp"
#include "ta2s2/io/model_file.hpp"
#include "ta2s2/io/summary.hpp"
#include "ta2s2/workflow/add_runs.hpp"
#include "ta2s2/workflow/fit.hpp"
#include "ta2s2/workflow/input_activity.hpp"
#include "ta2s2/workflow/model_average.hpp"
#include "ta2s2/workflow/summary.hpp"

namespace ta2s2 {

Emulator::Emulator(EmulatorRecord record) : state_(std::make_shared<State>(std::move(record))) {}

const EmulatorRecord& Emulator::record() const {
  return state_->record;
}

const OutputRecord& Emulator::State::only_output() const {
  return find_output(record, "");
}

const EmulatorRecord& Emulator::State::complete(const Context& context) const {
  const auto has_activity = [](const OutputRecord& output) { return output.activity.has_value(); };
  if (std::all_of(record.outputs.begin(), record.outputs.end(), has_activity)) return record;
  const std::scoped_lock lock(completion_mutex);
  if (!completed) {
    Workers workers(context);
    EmulatorRecord all = record;
    for (OutputRecord& output : all.outputs) output.activity = activity_of(output, workers.executor());
    completed = std::move(all);
  }
  return *completed;
}

// ---- made, written and read ----

Emulator Emulator::fit(const Dataset& runs, const FitSettings& settings, const Context& context) {
  const ValidFitOptions options = resolve({runs.columns(), settings, context});
  Workers workers(context);
  if (context.checkpoint.file.empty()) {
    return Emulator(fit_model(runs.by_output(), options, runs.ranges(), workers.execution()));
  }
  return Emulator(
      fit_with_checkpoints(runs.by_output(), options, runs.ranges(), workers.execution(), context.checkpoint));
}

Emulator Emulator::load(const std::filesystem::path& file) {
  return Emulator(read_models(file));
}

Emulator Emulator::parse(const std::string& json, const std::string& name) {
  return Emulator(parse_models(json, name));
}

void Emulator::write(std::ostream& out) const {
  write_model(out, record());
}

void Emulator::save(const std::filesystem::path& path) const {
  AtomicFile file(path);
  write(file.stream());
  file.commit();
}

std::string Emulator::to_json() const {
  std::ostringstream out;
  write(out);
  return std::move(out).str();
}

UnfinishedFit read_checkpoint(const std::filesystem::path& file) {
  CheckpointFile checkpoint(file);
  const CheckpointHeader header = checkpoint.read().header;
  checkpoint.require_this_version(header.identity);
  UnfinishedFit fit{{}, header.command};
  set_options(fit.request, header.identity.settings);
  return fit;
}

bool has_checkpoint(const std::filesystem::path& file) {
  return CheckpointFile(file).exists();
}

void remove_checkpoint(const std::filesystem::path& file) {
  CheckpointFile(file).remove();
}

// ---- its parts ----

Emulator Emulator::output(const std::string& name) const {
  return Emulator(EmulatorRecord{{find_output(record(), name)}});
}

Emulator Emulator::member(const std::string& label) const {
  return Emulator(EmulatorRecord{{single_member(find_member(state_->only_output(), label))}});
}

Emulator Emulator::heaviest_member() const {
  return Emulator(EmulatorRecord{{single_member(ta2s2::heaviest_member(state_->only_output()))}});
}

Emulator Emulator::side_by_side(const std::vector<Emulator>& outputs) {
  EmulatorRecord all;
  for (const Emulator& emulator : outputs) {
    all.outputs.insert(all.outputs.end(), emulator.record().outputs.begin(), emulator.record().outputs.end());
  }
  return Emulator(std::move(all));
}

std::vector<std::string> Emulator::input_names() const {
  return runs().input_names();
}

// An input has one scale in all outputs: it comes from one option and one file of ranges.
std::vector<InputScale> Emulator::input_scales() const {
  const std::vector<std::string> names = input_names();
  std::vector<InputScale> scales(names.size());
  for (const OutputRecord& output : record().outputs) {
    const MemberRecord& fit = output.members.front();
    const std::vector<Index> columns = columns_of(fit.data.input_names(), names);
    for (std::size_t d = 0; d < columns.size(); ++d) {
      scales[static_cast<std::size_t>(columns[d])] = fit.scaling.scale(static_cast<Index>(d));
    }
  }
  return scales;
}

std::vector<std::string> Emulator::output_names() const {
  return ta2s2::output_names(record());
}

std::vector<std::pair<std::string, double>> Emulator::members() const {
  const OutputRecord& output = state_->only_output();
  std::vector<std::pair<std::string, double>> members;
  for (std::size_t k = 0; k < output.members.size(); ++k) {
    members.emplace_back(member_label(output.members[k].options), output.weights[k]);
  }
  return members;
}

Dataset Emulator::runs() const {
  std::vector<OutputRuns> outputs;
  for (const OutputRecord& output : record().outputs) outputs.push_back(output.members.front().data);
  const FitOptions& options = record().outputs.front().members.front().options;
  return {std::move(outputs), {}, {options.output, options.inputs, options.ranges}};
}

std::vector<Setting> Emulator::settings() const {
  return recorded_settings(options_of(state_->only_output()));
}

// ---- more runs ----

Dataset Emulator::read_runs(const std::filesystem::path& file) const {
  std::vector<OutputRuns> outputs;
  for (const OutputRecord& output : record().outputs) {
    outputs.push_back(load_test_runs(file, output.members.front().data.input_names(), output.name()));
  }
  return {std::move(outputs), {}, {}};
}

Dataset Emulator::take_runs(MatrixView inputs, MatrixView outputs) const {
  const std::vector<std::string> names = input_names();
  require_columns(inputs, names, "inputs");
  require_columns(outputs, output_names(), "outputs");
  std::vector<OutputRuns> runs;
  for (const OutputRecord& output : record().outputs) {
    const OutputRuns& known = output.members.front().data;
    runs.emplace_back(inputs(Eigen::all, columns_of(known.input_names(), names)),
                      outputs.col(static_cast<Index>(runs.size())), known.input_names(), known.output_name());
  }
  return {std::move(runs), {}, {}};
}

Emulator Emulator::add_runs(const Dataset& more, const AddRunsOptions& options, const Context& context) const {
  Workers workers(context);
  return Emulator(options.afresh ? fit_all_afresh(record(), more.by_output(), options, workers.execution())
                                 : ta2s2::add_runs(record(), more.by_output(), options, workers.execution()));
}

std::vector<std::string> Emulator::notices_of_update(const Emulator& updated) const {
  return ta2s2::notices_of_update(record(), updated.record());
}

std::vector<std::string> Emulator::summaries_of_update() const {
  return ta2s2::summaries_of_update(record());
}

// ---- what there is to say of it ----

std::vector<Judgement> Emulator::judgements(const Context& context) const {
  const EmulatorRecord& complete = state_->complete(context);
  const std::scoped_lock lock(state_->mutex);
  if (!state_->judgements) {
    Workers workers(context);
    std::vector<Judgement> judgements;
    for (const OutputRecord& output : complete.outputs) {
      judgements.push_back(judge(output, left_out_facts(output, workers.executor())));
    }
    state_->judgements = std::move(judgements);
  }
  return *state_->judgements;
}

std::string Emulator::summary_text(const Context& context) const {
  return ta2s2::summary_text(state_->complete(context), judgements(context));
}

std::string Emulator::brief_text(const Context& context) const {
  return ta2s2::brief_text(state_->complete(context), judgements(context));
}

std::string Emulator::summary_json(const Context& context) const {
  return ta2s2::summary_json(state_->complete(context), judgements(context));
}

Posterior Emulator::posterior() const {
  const MemberRecord& fit = ta2s2::heaviest_member(state_->only_output());
  return {member_label(fit.options), draw_column_names(fit),     draw_rows(fit),
          fit.has_sample(),          sample_size(fit).of_chains, fit.times.total_seconds};
}

// Of an average each draw weighs its own weight times its model's, as in a prediction.
void Emulator::write_draws(std::ostream& out) const {
  const OutputRecord& output = state_->only_output();
  const std::vector<std::string> columns = draw_column_names(output);
  std::vector<std::string> names = columns;
  if (!is_single(output)) names.insert(names.begin(), "model");
  write_csv_header(out, names);
  if (is_single(output)) return write_csv_rows(out, draw_rows(output.members.front()));
  for (std::size_t k = 0; k < output.members.size(); ++k) {
    Matrix rows = draw_rows(output.members[k], columns);
    rows.rightCols(1) *= output.weights[k];
    write_csv_rows(out, member_label(output.members[k].options), rows);
  }
}

InferenceData Emulator::inference_data() const {
  return ta2s2::inference_data(ta2s2::heaviest_member(state_->only_output()));
}

std::vector<std::string> Emulator::notices() const {
  const std::vector<std::string> of_runs = runs().notices();
  std::vector<std::string> notices = all_notices();
  std::erase_if(notices, [&](const std::string& notice) { return contains(of_runs, notice); });
  return notices;
}

std::vector<std::string> Emulator::all_notices() const {
  std::vector<std::string> notices;
  for (const OutputRecord& output : record().outputs) {
    for (const MemberRecord& fit : output.members) {
      for (const std::string& notice : fit.notices) add_once(notices, notice);
    }
  }
  return notices;
}

}  // namespace ta2s2
