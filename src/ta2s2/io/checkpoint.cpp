#include "ta2s2/io/checkpoint.hpp"

#include <bit>
#include <chrono>
#include <cstring>
#include <nlohmann/json.hpp>
#include <ostream>

#include "ta2s2/base/fnv1a.hpp"
#include "ta2s2/base/text.hpp"
#include "ta2s2/error.hpp"
#include "ta2s2/io/text_file.hpp"
#include "ta2s2/types.hpp"

namespace ta2s2 {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kFirstLine = "ta2s2 checkpoint 1\n";
constexpr std::string_view kPreviousSuffix = ".previous";

static_assert(std::endian::native == std::endian::little, "a checkpoint's numbers are little-endian");

// ---- writing ----

Json to_json(const CheckpointHeader& header, const Journal& journal) {
  const FitIdentity& identity = header.identity;
  Json settings = Json::object();
  for (const Setting& setting : identity.settings) settings[setting.name] = setting.text;
  Json maps = Json::array();
  for (const MapRecord& map : journal.maps) {
    maps.push_back({{"costs_hash", map.costs_hash}, {"tasks", map.results.size()}});
  }
  return {{"version", identity.version},     {"data", identity.data},
          {"ranges", identity.ranges},       {"settings", settings},
          {"folder", header.command.folder}, {"runs", header.command.runs},
          {"model", header.command.model},   {"report", header.command.report},
          {"seconds", header.seconds},       {"maps", maps}};
}

// Hashes what it writes.
class HashedWriter {
 public:
  explicit HashedWriter(std::ostream& out) : out_(out) {}
  void bytes(std::string_view bytes) {
    hash_.add_bytes(bytes);
    out_.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  }
  void word(std::uint64_t word) { bytes({reinterpret_cast<const char*>(&word), sizeof word}); }
  void numbers(const Payload& numbers) {
    bytes({reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(double)});
  }
  std::uint64_t hash() const { return hash_.value(); }

 private:
  std::ostream& out_;
  Fnv1a hash_;
};

// A task that has not ended has this length.
constexpr std::uint64_t kMissing = UINT64_MAX;

void write_checkpoint(std::ostream& out, const CheckpointHeader& header, const Journal& journal) {
  HashedWriter writer(out);
  const std::string text = to_json(header, journal).dump();
  writer.bytes(kFirstLine);
  writer.word(text.size());
  writer.bytes(text);
  for (const MapRecord& map : journal.maps) {
    for (const std::optional<Payload>& result : map.results) {
      writer.word(result ? result->size() : kMissing);
      if (result) writer.numbers(*result);
    }
  }
  writer.word(writer.hash());
}

// ---- reading ----

// What makes a file no checkpoint, for the sentence that names the file.
struct Unreadable {
  std::string why;
};

class Reader {
 public:
  explicit Reader(std::string_view bytes) : left_(bytes) {}
  std::string_view bytes(std::uint64_t count) {
    if (count > left_.size()) throw Unreadable{"it ends too early"};
    const std::string_view taken = left_.substr(0, count);
    left_.remove_prefix(count);
    return taken;
  }
  std::uint64_t word() {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes(sizeof word).data(), sizeof word);
    return word;
  }
  Payload numbers(std::uint64_t count) {
    if (count > left_.size() / sizeof(double)) throw Unreadable{"it ends too early"};
    Payload numbers(count);
    if (count > 0) std::memcpy(numbers.data(), bytes(count * sizeof(double)).data(), count * sizeof(double));
    return numbers;
  }
  std::size_t num_left() const { return left_.size(); }
  bool is_at_end() const { return left_.empty(); }

 private:
  std::string_view left_;
};

// The part before the checksum.
std::string_view checked_content(std::string_view content) {
  if (content.substr(0, kFirstLine.size()) != kFirstLine) {
    throw Unreadable{"its first line is not \"" + std::string(kFirstLine.substr(0, kFirstLine.size() - 1)) + "\""};
  }
  if (content.size() < kFirstLine.size() + sizeof(std::uint64_t)) throw Unreadable{"it ends too early"};
  const std::string_view covered = content.substr(0, content.size() - sizeof(std::uint64_t));
  Fnv1a hash;
  hash.add_bytes(covered);
  if (Reader(content.substr(covered.size())).word() != hash.value()) {
    throw Unreadable{"its checksum does not fit its content"};
  }
  return covered.substr(kFirstLine.size());
}

void read_header(const Json& header, SavedFit& checkpoint) {
  FitIdentity& identity = checkpoint.header.identity;
  identity.version = header.at("version");
  identity.data = header.at("data");
  identity.ranges = header.at("ranges");
  for (const auto& [name, text] : header.at("settings").items()) identity.settings.push_back({name, text});
  checkpoint.header.command = {header.at("folder"), header.at("runs"), header.at("model"), header.at("report")};
  checkpoint.header.seconds = header.at("seconds");
}

// Every task has at least its length in what is left of the file: no count is believed before that is known.
void make_room(const Json& header, Journal& journal, std::size_t bytes_left) {
  std::size_t most_tasks = bytes_left / sizeof(std::uint64_t);
  for (const Json& map : header.at("maps")) {
    const Json& count = map.at("tasks");
    if (!count.is_number_unsigned() || count.get<std::uint64_t>() > most_tasks) throw Unreadable{"it ends too early"};
    most_tasks -= count.get<std::size_t>();
    journal.maps.push_back({map.at("costs_hash").get<std::uint64_t>(), {}});
    journal.maps.back().results.resize(count.get<std::size_t>());
  }
}

SavedFit parse(std::string_view content) {
  Reader reader(checked_content(content));
  SavedFit checkpoint;
  try {
    const Json header = Json::parse(reader.bytes(reader.word()));
    read_header(header, checkpoint);
    make_room(header, checkpoint.journal, reader.num_left());
  } catch (const Json::exception& error) {
    throw Unreadable{std::string("its header cannot be read: ") + error.what()};
  }
  for (MapRecord& map : checkpoint.journal.maps) {
    for (std::optional<Payload>& result : map.results) {
      const std::uint64_t length = reader.word();
      if (length != kMissing) result = reader.numbers(length);
    }
  }
  if (!reader.is_at_end()) throw Unreadable{"it goes on after its end"};
  return checkpoint;
}

// Nothing if it is not there or damaged.
std::optional<SavedFit> read_if_whole(const std::filesystem::path& path) {
  const std::optional<std::string> content = read_text_file(path);
  try {
    return content ? std::optional(parse(*content)) : std::nullopt;
  } catch (const Unreadable&) {
    return std::nullopt;
  }
}

// A second name for the file: at no moment is there none under the first.
void link_as(const std::filesystem::path& path, const std::filesystem::path& other) {
  std::error_code error;
  std::filesystem::remove(other, error);
  std::filesystem::create_hard_link(path, other, error);
  if (error) std::filesystem::copy_file(path, other, error);  // file systems without links
}

}  // namespace

std::optional<std::string> path_beside(const FitCommand& command, const std::string& path,
                                       const std::filesystem::path& checkpoint) {
  namespace fs = std::filesystem;
  const fs::path target = fs::weakly_canonical(fs::path(command.folder) / path);
  const fs::path own = fs::weakly_canonical(fs::absolute(checkpoint)).parent_path();
  return target.parent_path() == own ? std::optional(target.string()) : std::nullopt;
}

std::string how_to_go_on(const FitCommand& command, const std::filesystem::path& path) {
  const auto named = [&](const char* option, const std::string& target) {
    const bool is_known = target.empty() || target == "-" || path_beside(command, target, path);
    return is_known ? "" : option + target;
  };
  if (!command.is_in_memory()) {
    return "ta2s2 resume " + path.string() + named(" -o ", command.model) + named(" --report ", command.report);
  }
  return "call fit() again with the same data and settings and checkpoint=\"" + path.string() + "\"";
}

CheckpointFile::CheckpointFile(std::filesystem::path path) : source_(std::move(path)), path_(source_) {
  if (source_.extension() == kPreviousSuffix) path_.replace_extension();
}

bool CheckpointFile::exists() const {
  std::error_code ignored;
  return std::filesystem::exists(source_, ignored);
}

std::filesystem::path CheckpointFile::previous() const {
  return path_.string() + std::string(kPreviousSuffix);
}

void CheckpointFile::require_this_version(const FitIdentity& kept) const {
  if (kept.version == version()) return;
  throw Error(ErrorCode::bad_file, path_.string() + ": was made by ta2s2 " + kept.version + ", this is " + version() +
                                       ", whose numbers may differ: go on with that one, or remove it to start again");
}

SavedFit CheckpointFile::read() {
  const std::optional<std::string> content = read_text_file(source_);
  if (!content) {
    throw Error(ErrorCode::bad_file,
                source_.string() + ": cannot be read; expected a checkpoint made by `ta2s2 fit --checkpoint`");
  }
  try {
    SavedFit checkpoint = parse(*content);
    is_whole_ = source_ == path_;
    return checkpoint;
  } catch (const Unreadable& reason) {
    std::string sentence = source_.string() + ": is not a complete checkpoint: " + reason.why;
    const std::optional<SavedFit> before = source_ == path_ ? read_if_whole(previous()) : std::nullopt;
    if (before) sentence += "; the one before it is complete: " + how_to_go_on(before->header.command, previous());
    throw Error(ErrorCode::bad_file, sentence);
  }
}

void CheckpointFile::write(const CheckpointHeader& header, const Journal& journal) {
  AtomicFile file(path_);
  write_checkpoint(file.stream(), header, journal);
  file.prepare();
  if (is_whole_) link_as(path_, previous());
  file.commit();
  is_whole_ = true;
}

void CheckpointFile::remove() const {
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);
  std::filesystem::remove(previous(), ignored);
  const std::string unfinished = AtomicFile::unfinished_prefix(path_).filename().string();
  const std::filesystem::path folder = path_.has_parent_path() ? path_.parent_path() : ".";
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    if (entry.path().filename().string().rfind(unfinished, 0) == 0) std::filesystem::remove(entry.path(), ignored);
  }
}

// ---- the fit ----

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
    hash.add_word(static_cast<std::uint64_t>(range.scale));
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
  std::vector<std::string> differences;
  for (const Setting& setting : wanted.settings) {
    const std::string before = setting_of(kept, setting.name);
    if (setting.name == "simd" || before == setting.text) continue;
    differences.push_back("--" + setting.name + " was \"" + before + "\" and is \"" + setting.text + "\"");
  }
  if (differences.empty()) return;
  refuse(file,
         "is of a fit with other settings: " + join(differences, ", ") + "; remove it, or name another checkpoint");
}

void require_same_fit(const CheckpointFile& file, const FitIdentity& kept, const FitIdentity& wanted) {
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
    file.require_this_version(kept.header.identity);
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
