#include "ta2s2/io/checkpointed_fit.hpp"

#include <sstream>

#include "ta2s2/io/model_file.hpp"
#include "unit/data/caught_error.hpp"
#include "unit/data/temporary_file.hpp"
#include "unit/workflow/small_fit.hpp"

namespace ta2s2 {
namespace {

// The model file's text without times.
std::string text_of(MemberRecord record) {
  record.times = {};
  for (LevelSummary& level : record.levels) level.seconds = 0.0;
  std::ostringstream out;
  write_model(out, record);
  return out.str();
}

class StopAtLevel final : public Observer {
 public:
  explicit StopAtLevel(Index level) : level_(level) {}
  Verdict on_level(const LevelSummary& report) override {
    return report.level >= level_ ? Verdict::stop : Verdict::go_on;
  }

 private:
  Index level_;
};

class CheckpointedFitTest : public testing::Test {
 protected:
  MemberRecord fit_here(const std::vector<Setting>& settings, Observer& observer,
                        const OutputRuns& data = test::small_runs(), const std::vector<InputRange>& ranges = {}) {
    ThreadExecutor executor(2);
    Checkpoint checkpoint;
    checkpoint.file = path;
    checkpoint.command = {"/folder", "runs.csv", "model.json", "report.html"};
    return fit_with_checkpoints({data}, ValidFitOptions(test::small_options(settings)), ranges, {executor, observer},
                                checkpoint)
        .outputs.front()
        .members.front();
  }
  void interrupt(const std::vector<Setting>& settings, Index level) {
    StopAtLevel observer(level);
    test::expect_parts(test::message_of(ErrorCode::resumable, [&] { fit_here(settings, observer); }),
                       {"interrupted", "ta2s2 resume", "run.ckpt"});
  }
  std::string refusal(const std::vector<Setting>& settings, const OutputRuns& data = test::small_runs(),
                      const std::vector<InputRange>& ranges = {}) {
    Observer silent;
    return test::message_of(ErrorCode::bad_file, [&] { fit_here(settings, silent, data, ranges); });
  }

  const test::TemporaryFile other{"", "other"};
  const std::filesystem::path path = other.folder() / "run.ckpt";
};

// Two fits for --check; every sampler's own maps.
const std::vector<std::vector<Setting>> kFits = {
    {}, {{"check", "true"}}, {{"sampler", "plgp"}}, {{"sampler", "slice"}}, {{"sampler", "published"}},
};

TEST_F(CheckpointedFitTest, GoesOnToTheSameBits) {
  for (const std::vector<Setting>& settings : kFits) {
    const std::string whole = text_of(test::small_fit(settings));
    for (const Index level : {0, 2}) {
      interrupt(settings, level);
      Observer silent;
      EXPECT_EQ(text_of(fit_here(settings, silent)), whole);
      CheckpointFile(path).remove();
    }
  }
}

// The check can fail: another seed's checkpoint would not do.
TEST_F(CheckpointedFitTest, AnotherSeedGivesOtherBits) {
  EXPECT_NE(text_of(test::small_fit({{"seed", "2"}})), text_of(test::small_fit()));
}

TEST_F(CheckpointedFitTest, DoesNotDoItsWorkTwice) {
  interrupt({}, 2);
  const std::size_t kept = CheckpointFile(path).read().journal.maps.size();
  EXPECT_EQ(kept, 3u);  // levels 0, 1 and 2
  interrupt({}, 2);     // goes over the same levels again
  EXPECT_EQ(CheckpointFile(path).read().journal.maps.size(), kept);
}

TEST_F(CheckpointedFitTest, AddsUpTheSeconds) {
  interrupt({}, 2);
  SavedFit checkpoint = CheckpointFile(path).read();
  EXPECT_GT(checkpoint.header.seconds, 0.0);
  checkpoint.header.seconds = 1000.0;
  CheckpointFile(path).write(checkpoint.header, checkpoint.journal);
  Observer silent;
  EXPECT_GT(fit_here({}, silent).times.total_seconds, 1000.0);
}

TEST_F(CheckpointedFitTest, RefusesAnotherFitsCheckpoint) {
  interrupt({}, 1);
  test::expect_parts(refusal({{"seed", "2"}, {"trend", "linear"}}),
                     {"run.ckpt: is of a fit with other settings: --trend was \"constant\" and is \"linear\"",
                      "--seed was \"1\" and is \"2\"", "remove it"});
  test::expect_parts(refusal({}, test::small_runs(15)), {"run.ckpt: is of a fit of other runs (fingerprint "});
  test::expect_parts(refusal({}, test::small_runs(), {{"length", 0.0, 400.0}}), {"other declared ranges"});
  Observer silent;
  EXPECT_NO_THROW(fit_here({}, silent));
}

TEST_F(CheckpointedFitTest, RefusesAnotherVersionsCheckpoint) {
  interrupt({}, 1);
  SavedFit checkpoint = CheckpointFile(path).read();
  checkpoint.header.identity.version = "0.0.7";
  CheckpointFile(path).write(checkpoint.header, checkpoint.journal);
  test::expect_parts(refusal({}), {"run.ckpt: was made by ta2s2 0.0.7, this is "});
}

TEST_F(CheckpointedFitTest, StaysOnTheInstructionPathItWasBegunOn) {
  interrupt({{"simd", "baseline"}}, 1);
  Observer silent;
  EXPECT_EQ(text_of(fit_here({{"simd", "auto"}}, silent)), text_of(test::small_fit({{"simd", "baseline"}})));
  test::expect_parts(refusal({{"simd", "plain"}}), {"was begun on the instruction path baseline, found --simd plain"});
}

TEST_F(CheckpointedFitTest, RefusesAnInstructionPathThatIsNotHere) {
  interrupt({}, 1);
  SavedFit checkpoint = CheckpointFile(path).read();
  const std::vector<InstructionSet> here = supported_instruction_sets();
  const bool has_neon = std::find(here.begin(), here.end(), InstructionSet::neon) != here.end();
  for (Setting& setting : checkpoint.header.identity.settings) {
    if (setting.name == "simd") setting.text = has_neon ? "avx512" : "neon";
  }
  CheckpointFile(path).write(checkpoint.header, checkpoint.journal);
  test::expect_parts(refusal({}), {"run.ckpt: was begun on an instruction path that cannot be had here", "processor"});
}

TEST_F(CheckpointedFitTest, AFileThatCannotBeWrittenIsKnownAtOnce) {
  ThreadExecutor executor(1);
  Observer silent;
  Checkpoint checkpoint;
  checkpoint.file = other.folder() / "missing" / "run.ckpt";
  test::expect_parts(test::message_of(ErrorCode::cannot_write,
                                      [&] {
                                        fit_with_checkpoints({test::small_runs()},
                                                             ValidFitOptions(test::small_options()), {},
                                                             {executor, silent}, checkpoint);
                                      }),
                     {"run.ckpt: cannot be written"});
}

}  // namespace
}  // namespace ta2s2
