#include "ta2s2/io/checkpoint.hpp"

#include <cmath>
#include <cstring>
#include <fstream>
#include <functional>
#include <sstream>

#include "ta2s2/base/fnv1a.hpp"
#include "ta2s2/io/model_file.hpp"
#include "unit/data/caught_error.hpp"
#include "unit/data/temporary_file.hpp"
#include "unit/workflow/small_fit.hpp"

namespace ta2s2 {
namespace {

// ---- the file ----

CheckpointHeader some_header() {
  return {{"1.2.3", "0123456789abcdef", "fedcba9876543210", {{"output", "y"}, {"inputs", "a,\"b\""}, {"seed", "7"}}},
          {"/some/folder", "runs.csv", "model.json", "report.html"},
          12.5};
}

Journal some_journal() {
  Journal journal;
  journal.maps.push_back({UINT64_MAX - 1, {Payload{1.0, -0.0, 5e-324}, Payload{}, std::nullopt}});
  journal.maps.push_back({3, {}});
  journal.maps.push_back({4, {std::nullopt, Payload{-std::numeric_limits<double>::infinity()}}});
  return journal;
}

class CheckpointFileTest : public testing::Test {
 protected:
  // The sentence with which the file is refused.
  std::string refusal() const {
    return test::message_of(ErrorCode::bad_file, [this] { CheckpointFile(path).read(); });
  }

  const test::TemporaryFile other{"", "other"};
  const std::filesystem::path path = other.folder() / "run.ckpt";
};

TEST_F(CheckpointFileTest, ReadsWhatWasWritten) {
  EXPECT_FALSE(CheckpointFile(path).exists());
  CheckpointFile(path).write(some_header(), some_journal());
  CheckpointFile file(path);
  EXPECT_TRUE(file.exists());
  const SavedFit read = file.read();
  const CheckpointHeader header = some_header();
  EXPECT_EQ(read.header.identity.version, header.identity.version);
  EXPECT_EQ(read.header.identity.data, header.identity.data);
  EXPECT_EQ(read.header.identity.ranges, header.identity.ranges);
  ASSERT_EQ(read.header.identity.settings.size(), 3u);
  EXPECT_EQ(read.header.identity.settings[1].name, "inputs");
  EXPECT_EQ(read.header.identity.settings[1].text, "a,\"b\"");
  EXPECT_EQ(read.header.command.folder, "/some/folder");
  EXPECT_EQ(read.header.command.runs, "runs.csv");
  EXPECT_EQ(read.header.command.model, "model.json");
  EXPECT_EQ(read.header.command.report, "report.html");
  EXPECT_EQ(read.header.seconds, 12.5);
  const Journal journal = some_journal();
  ASSERT_EQ(read.journal.maps.size(), journal.maps.size());
  for (std::size_t i = 0; i < journal.maps.size(); ++i) {
    EXPECT_EQ(read.journal.maps[i].costs_hash, journal.maps[i].costs_hash);
    EXPECT_EQ(read.journal.maps[i].results, journal.maps[i].results);
  }
  EXPECT_TRUE(std::signbit((*read.journal.maps[0].results[0])[1]));
}

TEST_F(CheckpointFileTest, KeepsTheOneBefore) {
  CheckpointFile file(path);
  file.write(some_header(), {});
  const std::string first = test::content_of(path);
  file.write(some_header(), some_journal());
  EXPECT_EQ(test::content_of(file.previous()), first);
  EXPECT_NE(test::content_of(path), first);
}

// Every cut and every changed byte, one at a time.
TEST_F(CheckpointFileTest, RefusesAnyDamage) {
  CheckpointFile(path).write(some_header(), some_journal());
  const std::string whole = test::content_of(path);
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string changed = whole;
    changed[i] = static_cast<char>(changed[i] ^ 4);
    std::ofstream(path, std::ios::binary) << changed;
    test::expect_parts(refusal(), {"run.ckpt: is not a complete checkpoint: "});
    std::ofstream(path, std::ios::binary) << whole.substr(0, i);
    test::expect_parts(refusal(), {"run.ckpt: is not a complete checkpoint: "});
  }
  std::ofstream(path, std::ios::binary) << whole + "x";
  test::expect_parts(refusal(), {"run.ckpt: is not a complete checkpoint: ", "checksum"});
}

TEST_F(CheckpointFileTest, RefusesWhatIsNone) {
  test::expect_parts(refusal(), {"run.ckpt: cannot be read", "fit --checkpoint"});
  std::ofstream(path) << "x1,x2,y\n1,2,3\n";
  test::expect_parts(refusal(),
                     {"run.ckpt: is not a complete checkpoint: its first line is not \"ta2s2 checkpoint 1\""});
}

TEST_F(CheckpointFileTest, OffersTheOneBeforeADamagedOneAndLeavesItWhole) {
  CheckpointFile file(path);
  file.write(some_header(), {});
  file.write(some_header(), some_journal());
  std::ofstream(path, std::ios::binary) << "half";
  test::expect_parts(refusal(), {"the one before it is complete: ta2s2 resume", "run.ckpt.previous"});

  CheckpointFile offered(file.previous());
  EXPECT_TRUE(offered.read().journal.maps.empty());
  const std::string before = test::content_of(file.previous());
  offered.write(some_header(), some_journal());  // in the damaged one's place
  EXPECT_EQ(test::content_of(file.previous()), before);
  EXPECT_EQ(CheckpointFile(path).read().journal.maps.size(), 3u);

  std::ofstream(path, std::ios::binary) << "half";
  std::ofstream(file.previous(), std::ios::binary) << "half";
  EXPECT_EQ(refusal().find("the one before"), std::string::npos);
}

TEST_F(CheckpointFileTest, AWriteThatFailsLeavesBothAsTheyWere) {
  CheckpointFile file(path);
  file.write(some_header(), {});
  file.write(some_header(), {});
  const std::string before = test::content_of(path);
  std::filesystem::create_directory(other.folder() / ("run.ckpt.partial-" + std::to_string(::getpid())));
  test::expect_parts(test::message_of(ErrorCode::cannot_write, [&] { file.write(some_header(), some_journal()); }),
                     {"run.ckpt: cannot be written"});
  EXPECT_EQ(test::content_of(path), before);
  EXPECT_EQ(test::content_of(file.previous()), before);
}

TEST_F(CheckpointFileTest, RemovesAllThatBelongsToIt) {
  CheckpointFile file(path);
  file.write(some_header(), {});
  file.write(some_header(), {});
  std::ofstream(other.folder() / "run.ckpt.partial-123") << "of a process that was killed";
  file.remove();
  std::vector<std::string> left;
  for (const auto& entry : std::filesystem::directory_iterator(other.folder())) left.push_back(entry.path().filename());
  EXPECT_EQ(left, (std::vector<std::string>{"other"}));
}

// ---- the fit ----

// The model file's text without times.
std::string text_of_record(MemberRecord record) {
  record.times = {};
  for (LevelSummary& level : record.levels) level.seconds = 0.0;
  std::ostringstream out;
  write_model(out, {{single_member(std::move(record))}});
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
    {},
    {{"check", "true"}},
    {{"sampler", "annealed"}},
    {{"sampler", "plgp"}},
    {{"sampler", "slice"}},
    {{"sampler", "published"}},
};

TEST_F(CheckpointedFitTest, GoesOnToTheSameBits) {
  for (const std::vector<Setting>& settings : kFits) {
    const std::string whole = text_of_record(test::small_fit(settings));
    for (const Index level : {0, 2}) {
      interrupt(settings, level);
      Observer silent;
      EXPECT_EQ(text_of_record(fit_here(settings, silent)), whole);
      CheckpointFile(path).remove();
    }
  }
}

// The check can fail: another seed's checkpoint would not do.
TEST_F(CheckpointedFitTest, AnotherSeedGivesOtherBits) {
  EXPECT_NE(text_of_record(test::small_fit({{"seed", "2"}})), text_of_record(test::small_fit()));
}

TEST_F(CheckpointedFitTest, DoesNotDoItsWorkTwice) {
  const std::vector<Setting> annealed = {{"sampler", "annealed"}};
  interrupt(annealed, 2);
  const std::size_t kept = CheckpointFile(path).read().journal.maps.size();
  EXPECT_EQ(kept, 3u);     // levels 0, 1 and 2
  interrupt(annealed, 2);  // goes over the same levels again
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
  EXPECT_EQ(text_of_record(fit_here({{"simd", "auto"}}, silent)),
            text_of_record(test::small_fit({{"simd", "baseline"}})));
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

// ---- checkpoints that a stranger made ----

// Its checksum is right, so what it says is believed only as far as it is looked at. Each of these was made from a
// checkpoint of this very fit.
class StrangersCheckpointTest : public CheckpointedFitTest {
 protected:
  // Stops in the first pass: all kinds of maps have been made by then (searches, Hessians, starts, chains).
  class StopInPass final : public Observer {
   public:
    Verdict on_level(const LevelSummary& level) override {
      return level.stage == "pass 1" && level.level == 1 ? Verdict::stop : Verdict::go_on;
    }
  };

  void SetUp() override {
    StopInPass observer;
    test::message_of(ErrorCode::resumable, [&] { fit_here(kPasses, observer); });
    saved = CheckpointFile(path).read();
    ASSERT_GE(saved.journal.maps.size(), 6u);
  }

  // The sentence with which the fit is refused that goes on from this.
  std::string refusal_of(const Journal& journal) {
    CheckpointFile(path).write(saved.header, journal);
    return refusal(kPasses);
  }

  void expect_refused(std::size_t map, const std::function<void(Payload&)>& change) {
    Journal journal = saved.journal;
    change(*journal.maps[map].results.front());
    SCOPED_TRACE("map " + std::to_string(map));
    test::expect_parts(refusal_of(journal),
                       {"the checkpoint holds a result that no step of this fit gives", "remove it"});
  }

  // Points one after another: position, start energy, tempered energy, reason.
  bool is_of_points(const Payload& payload) const {
    const std::size_t width = kDimOfFit + 3;
    if (payload.size() % width != 0) return false;
    for (std::size_t i = width - 1; i < payload.size(); i += width) {
      if (!(payload[i] >= 0.0 && payload[i] < kNumImpossible && payload[i] == std::floor(payload[i]))) return false;
    }
    return true;
  }

  static constexpr std::size_t kDimOfFit = 3;  // two lengths and the nugget
  const std::vector<Setting> kPasses = {{"sampler", "ta2s2"}, {"nugget", "log-uniform"}};
  SavedFit saved;
};

TEST_F(StrangersCheckpointTest, IsRefusedIfAResultIsTooShortOrTooLong) {
  for (std::size_t map = 0; map < saved.journal.maps.size(); ++map) {
    expect_refused(map, [](Payload& payload) { payload.pop_back(); });
    expect_refused(map, [](Payload& payload) { payload.push_back(0.0); });
    expect_refused(map, [](Payload& payload) { payload.clear(); });
  }
}

TEST_F(StrangersCheckpointTest, IsRefusedIfAReasonIsNone) {
  int num_maps = 0;
  for (std::size_t map = 0; map < saved.journal.maps.size(); ++map) {
    if (!is_of_points(*saved.journal.maps[map].results.front())) continue;
    ++num_maps;
    for (const double reason : {4.0, 255.0, 0.5, -1.0, 1e300, std::nan("")}) {
      expect_refused(map, [&](Payload& payload) { payload.back() = reason; });
    }
  }
  EXPECT_GE(num_maps, 2);
}

// A level's chains begin with counts: of impossible points, and of gradients.
TEST_F(StrangersCheckpointTest, IsRefusedIfACountIsNone) {
  int num_maps = 0;
  for (std::size_t map = 0; map < saved.journal.maps.size(); ++map) {
    const Payload& payload = *saved.journal.maps[map].results.front();
    if (is_of_points(payload) || payload.size() < 100) continue;
    ++num_maps;
    for (const double count : {std::nan(""), -1.0, 0.25, kInfinity}) {
      expect_refused(map, [&](Payload& changed) { changed.front() = count; });
    }
  }
  EXPECT_GE(num_maps, 3);
}

TEST_F(StrangersCheckpointTest, IsRefusedIfItHasOtherTasks) {
  Journal fewer = saved.journal, more = saved.journal, others = saved.journal;
  fewer.maps.front().results.pop_back();
  more.maps.front().results.push_back(Payload{1.0});
  others.maps.back().costs_hash += 1;
  for (const Journal& journal : {fewer, more, others}) {
    test::expect_parts(refusal_of(journal), {"is not what this program does there", "start again without it"});
  }
}

// A number that no density gives is no reason to refuse, but none to crash or to go on for ever either.
TEST_F(StrangersCheckpointTest, MayHoldAnyNumbers) {
  for (const double number : {std::nan(""), kInfinity, -kInfinity, 1e300, -1e300, 0.0}) {
    for (std::size_t map = 0; map < saved.journal.maps.size(); ++map) {
      Journal journal = saved.journal;
      for (std::optional<Payload>& result : journal.maps[map].results) {
        std::fill(result->begin(), result->end(), number);
      }
      CheckpointFile(path).write(saved.header, journal);
      StopInPass observer;
      EXPECT_THROW(fit_here(kPasses, observer), Error) << "map " << map << ", " << number;
    }
  }
}

// ---- headers that promise too much ----

// With the length of the header and the checksum that belong to it.
std::string with_header(const std::string& content, const std::function<void(std::string&)>& change) {
  const std::size_t first_line = content.find('\n') + 1;
  std::uint64_t length = 0;
  std::memcpy(&length, content.data() + first_line, sizeof length);
  std::string header = content.substr(first_line + sizeof length, length);
  const std::string rest = content.substr(first_line + sizeof length + length);
  change(header);
  length = header.size();
  std::string changed = content.substr(0, first_line);
  changed.append(reinterpret_cast<const char*>(&length), sizeof length);
  changed += header + rest.substr(0, rest.size() - sizeof(std::uint64_t));
  Fnv1a hash;
  hash.add_bytes(changed);
  const std::uint64_t checksum = hash.value();
  changed.append(reinterpret_cast<const char*>(&checksum), sizeof checksum);
  return changed;
}

TEST_F(CheckpointFileTest, RefusesAHeaderThatPromisesMoreThanTheFileHolds) {
  CheckpointFile(path).write(some_header(), some_journal());
  const std::string whole = test::content_of(path);
  const auto write_with_tasks = [&](const std::string& tasks) {
    const std::string changed = with_header(whole, [&](std::string& header) {
      const std::size_t at = header.find("\"tasks\":3");
      ASSERT_NE(at, std::string::npos);
      header.replace(at, 9, "\"tasks\":" + tasks);
    });
    std::ofstream(path, std::ios::binary) << changed;
  };
  write_with_tasks("3");  // the same file
  EXPECT_EQ(CheckpointFile(path).read().journal.maps.front().results.size(), 3u);
  for (const std::string tasks : {"1000000000000", "18446744073709551615", "9", "-1", "2.5", "1e12", "\"3\"", "null"}) {
    write_with_tasks(tasks);
    test::expect_parts(refusal(), {"run.ckpt: is not a complete checkpoint: it ends too early"});
  }
  write_with_tasks("2");
  test::expect_parts(refusal(), {"run.ckpt: is not a complete checkpoint: "});
}

// Each map alone would fit into what is left of the file; all of them together do not.
TEST_F(CheckpointFileTest, RefusesAHeaderWhoseMapsTogetherPromiseTooMuch) {
  CheckpointFile(path).write(some_header(), some_journal());
  const std::string changed = with_header(test::content_of(path), [](std::string& header) {
    const std::string maps = "\"maps\":[";
    std::string many;
    for (int i = 0; i < 100; ++i) many += "{\"costs_hash\":1,\"tasks\":3},";
    header.insert(header.find(maps) + maps.size(), many);
  });
  std::ofstream(path, std::ios::binary) << changed;
  test::expect_parts(refusal(), {"run.ckpt: is not a complete checkpoint: it ends too early"});
}

}  // namespace
}  // namespace ta2s2
