#include "ta2s2/io/checkpoint_file.hpp"

#include <bit>
#include <cstring>
#include <nlohmann/json.hpp>
#include <ostream>

#include "ta2s2/base/fnv1a.hpp"
#include "ta2s2/error.hpp"
#include "ta2s2/execution.hpp"
#include "ta2s2/io/text_file.hpp"

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
  for (const Json& map : header.at("maps")) {
    checkpoint.journal.maps.push_back({map.at("costs_hash"), {}});
    checkpoint.journal.maps.back().results.resize(map.at("tasks"));
  }
}

SavedFit parse(std::string_view content) {
  Reader reader(checked_content(content));
  SavedFit checkpoint;
  try {
    read_header(Json::parse(reader.bytes(reader.word())), checkpoint);
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
  try {
    const std::optional<std::string> content = read_text_file(path);
    if (!content) return std::nullopt;
    return parse(*content);
  } catch (const Unreadable&) {
    return std::nullopt;
  }
}

std::filesystem::path with_suffix(std::filesystem::path path, std::string_view suffix) {
  path += suffix;
  return path;
}

// A second name for the file: at no moment is there none under the first.
void link_as(const std::filesystem::path& path, const std::filesystem::path& other) {
  std::error_code error;
  std::filesystem::remove(other, error);
  std::filesystem::create_hard_link(path, other, error);
  if (error) std::filesystem::copy_file(path, other, error);  // file systems without links
}

}  // namespace

std::string how_to_go_on(const FitCommand& command, const std::filesystem::path& path) {
  if (!command.is_in_memory()) return "ta2s2 resume " + path.string();
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
  return with_suffix(path_, kPreviousSuffix);
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
    std::string sentence = source_.string() + ": is no whole checkpoint: " + reason.why;
    const std::optional<SavedFit> before = source_ == path_ ? read_if_whole(previous()) : std::nullopt;
    if (before) sentence += "; the one before it is whole: " + how_to_go_on(before->header.command, previous());
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

}  // namespace ta2s2
