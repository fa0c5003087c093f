#include "ta2s2/io/checkpointed_fit.hpp"

#include <chrono>

#include "ta2s2/base/fnv1a.hpp"
#include "ta2s2/error.hpp"
#include "ta2s2/exec/recording_executor.hpp"
#include "ta2s2/types.hpp"

namespace ta2s2 {
namespace {

// That of the runs; of several outputs a hash of theirs.
std::string fingerprint(const std::vector<OutputRuns>& outputs) {
  if (outputs.size() == 1) return outputs.front().fingerprint();
  Fnv1a hash;
  for (const OutputRuns& data : outputs) hash.add_text(data.fingerprint());
  return hash.hex();
}

std::string fingerprint(const std::vector<InputRange>& ranges) {
  Fnv1a hash;
  for (const InputRange& range : ranges) {
    hash.add_text(range.name);
    hash.add_number(range.low);
    hash.add_number(range.high);
  }
  return hash.hex();
}

// By its name or the one that it had when the checkpoint was written.
std::string setting_of(const FitIdentity& identity, const std::string& name) {
  for (const Setting& setting : identity.settings) {
    if (setting.name == name || setting.name == find_option(name)->alias) return setting.text;
  }
  return "";
}

[[noreturn]] void refuse(const CheckpointFile& file, const std::string& why) {
  throw Error(ErrorCode::bad_file, file.path().string() + ": " + why);
}

void require_same_settings(const CheckpointFile& file, const FitIdentity& kept, const FitIdentity& wanted) {
  std::string differences;
  for (const Setting& setting : wanted.settings) {
    const std::string before = setting_of(kept, setting.name);
    if (setting.name == "simd" || before == setting.text) continue;
    differences += (differences.empty() ? "" : ", ") + ("--" + setting.name) + " was \"" + before + "\" and is \"" +
                   setting.text + "\"";
  }
  if (differences.empty()) return;
  refuse(file, "is of a fit with other settings: " + differences + "; remove it, or name another checkpoint");
}

void require_same_fit(const CheckpointFile& file, const FitIdentity& kept, const FitIdentity& wanted) {
  if (kept.version != wanted.version) {
    refuse(file, "was made by ta2s2 " + kept.version + ", this is " + wanted.version +
                     ", whose numbers may differ: go on with that one, or remove it to start again");
  }
  if (kept.data != wanted.data) {
    refuse(file, "is of a fit of other runs (fingerprint " + kept.data + ", these have " + wanted.data +
                     "); remove it, or name another checkpoint");
  }
  if (kept.ranges != wanted.ranges) {
    refuse(file, "is of a fit with other declared ranges; remove it, or name another checkpoint");
  }
  require_same_settings(file, kept, wanted);
}

// The path the fit was begun on, also on a processor that has a faster one: another would change bits.
std::string path_to_go_on(const CheckpointFile& file, const FitIdentity& kept, const std::string& wanted) {
  const std::string path = setting_of(kept, "simd");
  if (wanted != "auto" && wanted != path) {
    refuse(file, "was begun on the instruction path " + path + ", found --simd " + wanted + "; leave that out");
  }
  try {
    choose_instruction_set(path);
  } catch (const Error& error) {
    refuse(file, "was begun on an instruction path that cannot be had here: " + std::string(error.what()));
  }
  return path;
}

}  // namespace

EmulatorRecord fit_with_checkpoints(const std::vector<OutputRuns>& outputs, const ValidFitOptions& options,
                                    const std::vector<InputRange>& ranges, Execution context,
                                    const Checkpoint& checkpoint) {
  CheckpointFile file(checkpoint.file);
  const FitCommand& command = checkpoint.command;
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  FitOptions here = options.get();
  SavedFit state{{{version(), fingerprint(outputs), fingerprint(ranges), recorded_settings(here)}, command}, {}};
  const bool goes_on = context.executor.agree({file.exists() ? 1.0 : 0.0}).front() == 1.0;
  if (goes_on) {
    SavedFit kept = file.read();
    require_same_fit(file, kept.header.identity, state.header.identity);
    here.simd = path_to_go_on(file, kept.header.identity, here.simd);
    state.header.seconds = kept.header.seconds;
    state.journal = std::move(kept.journal);
  } else {
    here.simd = instruction_set_name(choose_instruction_set(here.simd));
  }
  state.header.identity.settings = recorded_settings(here);

  const double seconds_before = state.header.seconds;
  RecordingExecutor::Save save = [&](const Journal& journal) {
    state.header.seconds = seconds_before + std::chrono::duration<double>(Clock::now() - begin).count();
    file.write(state.header, journal);
  };
  RecordingExecutor recorder(context.executor, std::move(state.journal), save, checkpoint.every_seconds);
  recorder.save_now();  // so that a file that cannot be written is known before the work begins
  try {
    EmulatorRecord model = fit_model(outputs, ValidFitOptions(here), ranges, {recorder, context.observer});
    for (OutputRecord& output : model.outputs) {
      for (MemberRecord& record : output.members) record.times.total_seconds += seconds_before;
    }
    return model;
  } catch (const Error& error) {
    if (error.code() != ErrorCode::interrupted) throw;
    recorder.save_now();
    throw Error(ErrorCode::resumable, "interrupted; what was done is kept: " + how_to_go_on(command, file.path()));
  }
}

}  // namespace ta2s2
