#include "ta2s2/exec/ranks.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <ios>
#include <stdexcept>
#include <thread>
#include <utility>

#include "ta2s2/error.hpp"

namespace ta2s2 {
namespace {

using Clock = std::chrono::steady_clock;

// How long ranks may take to leave what they are at, after one of them failed, before the job is aborted.
constexpr auto kGrace = std::chrono::seconds(10);

void pause(const detail::Patience& patience) {
  std::this_thread::sleep_for(patience.pause());
}

Bytes packed(const Ending& ending) {
  Bytes bytes;
  detail::put(bytes, ending.code);
  detail::put_text(bytes, ending.sentence);
  return bytes;
}

Ending unpacked(const Message& farewell) {
  detail::Unpacker unpacker(farewell.bytes);
  const int code = unpacker.number<int>();
  std::string sentence = unpacker.text();
  if (code != 0) sentence = "rank " + std::to_string(farewell.from) + ": " + sentence;
  return {code, std::move(sentence)};
}

constexpr char kWords = 'w';

Bytes packed(const std::vector<std::string>& words) {
  Bytes bytes;
  for (const std::string& word : words) detail::put_text(bytes, word);
  return bytes;
}

std::vector<std::string> unpacked(const Bytes& bytes) {
  std::vector<std::string> words;
  for (detail::Unpacker unpacker(bytes); !unpacker.at_end();) words.push_back(unpacker.text());
  return words;
}

}  // namespace

void Ranks::send(int to, Kind kind, Bytes bytes) {
  transport_.send(to, static_cast<int>(kind), std::move(bytes));
}

void Ranks::receive_all() {
  while (std::optional<Message> message = transport_.receive()) inbox_.push_back(std::move(*message));
}

std::optional<Message> Ranks::find(std::initializer_list<Kind> kinds) {
  const auto found = std::find_if(inbox_.begin(), inbox_.end(), [&](const Message& message) {
    return std::find(kinds.begin(), kinds.end(), static_cast<Kind>(message.kind)) != kinds.end();
  });
  if (found == inbox_.end()) return std::nullopt;
  Message message = std::move(*found);
  inbox_.erase(found);
  return message;
}

void Ranks::check_for_the_end() {
  if (find({Kind::ended})) has_ended_ = true;
  if (has_ended_) throw JobEnded{};
  // Rank 0 is at work, so whoever has left has failed.
  const auto left = std::find_if(inbox_.begin(), inbox_.end(),
                                 [](const Message& m) { return static_cast<Kind>(m.kind) == Kind::farewell; });
  if (left == inbox_.end()) return;
  const Ending ending = unpacked(*left);
  if (ending.code == 0) throw Error(ErrorCode::internal, "a rank has ended before the others");
  throw Error(static_cast<ErrorCode>(ending.code), ending.sentence);
}

std::optional<Message> Ranks::take(std::initializer_list<Kind> kinds) {
  receive_all();
  std::optional<Message> message = find(kinds);
  if (!message) check_for_the_end();
  return message;
}

Message Ranks::wait_for(std::initializer_list<Kind> kinds) {
  for (const detail::Patience patience;; pause(patience)) {
    if (std::optional<Message> message = take(kinds)) return std::move(*message);
  }
}

// Nobody looks for failures here: a rank that has failed still receives, so this ends, and then every rank comes to its
// own end of what it was told.
void Ranks::flush() {
  const detail::Patience patience;
  for (receive_all(); !transport_.has_sent_all(); receive_all()) pause(patience);
}

Bytes Ranks::broadcast(char what, Bytes bytes) {
  return pass_on(what, is_first() ? what + std::move(bytes) : wait_for({Kind::broadcast}).bytes);
}

Bytes Ranks::pass_on(char what, Bytes bytes) {
  if (bytes.empty() || bytes.front() != what) {
    throw Error(ErrorCode::internal, "the ranks are not at the same place of the program");
  }
  const auto own = static_cast<unsigned>(rank()), count = static_cast<unsigned>(size());
  for (unsigned step = std::bit_floor(count); step > std::bit_floor(own); step /= 2) {
    if (own + step < count) send(static_cast<int>(own + step), Kind::broadcast, bytes);
  }
  flush();
  return bytes.substr(1);
}

std::vector<Bytes> Ranks::gather(Bytes bytes) {
  if (!is_first()) {
    send(0, Kind::gather, std::move(bytes));
    flush();
    return {};
  }
  std::vector<Bytes> gathered(static_cast<std::size_t>(size()));
  gathered.front() = std::move(bytes);
  for (int missing = size() - 1; missing > 0; --missing) {
    Message message = wait_for({Kind::gather});
    gathered[static_cast<std::size_t>(message.from)] = std::move(message.bytes);
  }
  return gathered;
}

std::vector<std::string> Ranks::in_common(const std::vector<std::string>& words) {
  const std::vector<Bytes> lists = gather(packed(words));
  std::vector<std::string> common = words;
  for (const Bytes& list : lists) {
    const std::vector<std::string> others = unpacked(list);
    std::erase_if(
        common, [&](const std::string& word) { return std::find(others.begin(), others.end(), word) == others.end(); });
  }
  return unpacked(broadcast(kWords, packed(common)));
}

Ending Ranks::collect_farewells(Ending own) {
  auto latest = Clock::time_point::max();
  const auto fail = [&] {
    for (int rank = 1; rank < size(); ++rank) send(rank, Kind::ended, {});
    latest = Clock::now() + kGrace;
  };
  if (own.code != 0) fail();
  const detail::Patience patience;
  for (int missing = size() - 1; missing > 0; pause(patience)) {
    receive_all();
    while (const std::optional<Message> farewell = find({Kind::farewell})) {
      --missing;
      if (own.code != 0) continue;
      own = unpacked(*farewell);
      if (own.code != 0) fail();
    }
    if (Clock::now() > latest) transport_.abort(own.code);
  }
  return own;
}

Ending Ranks::end(Ending own) {
  if (is_first()) {
    own = collect_farewells(std::move(own));
    for (int rank = 1; rank < size(); ++rank) send(rank, Kind::close, packed(own));
    flush();
  } else {
    flush();
    send(0, Kind::farewell, packed(own));
    const detail::Patience patience;
    std::optional<Message> close;
    for (; !close; pause(patience)) {
      receive_all();
      close = find({Kind::close});
    }
    own = unpacked(*close);
  }
  transport_.finish();
  return own;
}

namespace detail {
namespace {

constexpr char kOutcome = 'm', kResults = 'r';

// Results travel several to a message, which must stay below MPI's 2^31 bytes.
constexpr std::size_t kMessageBytes = std::size_t{1} << 24;

}  // namespace

TaskError TaskError::from(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const Error& known) {
    return {static_cast<int>(known.code()), known.what()};
  } catch (const std::exception& other) {
    return {std::nullopt, other.what()};
  } catch (...) {
    return {std::nullopt, "a task threw something that is no exception"};
  }
}

void TaskError::raise() const {
  if (code) throw Error(static_cast<ErrorCode>(*code), sentence);
  throw std::runtime_error(sentence);
}

void put_error(Bytes& bytes, const TaskError& error) {
  put(bytes, error.code.has_value());
  put(bytes, error.code.value_or(0));
  put_text(bytes, error.sentence);
}

TaskError take_error(Unpacker& unpacker) {
  TaskError error;
  const bool has_code = unpacker.number<bool>();
  const int code = unpacker.number<int>();
  if (has_code) error.code = code;
  error.sentence = unpacker.text();
  return error;
}

void broadcast_outcome(Ranks& ranks, const MapOutcome& outcome) {
  Bytes head;
  put(head, outcome.is_stopped);
  put(head, outcome.error.has_value());
  if (outcome.error) put_error(head, *outcome.error);
  ranks.broadcast(kOutcome, std::move(head));
  Bytes part;
  for (std::size_t task = 0; task < outcome.results.size(); ++task) {
    put_numbers(part, outcome.results[task]);
    if (part.size() < kMessageBytes && task + 1 < outcome.results.size()) continue;
    ranks.broadcast(kResults, std::exchange(part, {}));
  }
}

MapOutcome receive_outcome(Ranks& ranks, Message first, std::size_t num_tasks) {
  const Bytes head = ranks.pass_on(kOutcome, std::move(first.bytes));
  Unpacker unpacker(head);
  MapOutcome outcome;
  outcome.is_stopped = unpacker.number<bool>();
  if (unpacker.number<bool>()) outcome.error = take_error(unpacker);
  if (outcome.is_stopped || outcome.error) return outcome;
  while (outcome.results.size() < num_tasks) {
    const Bytes part = ranks.broadcast(kResults, {});
    for (Unpacker results(part); !results.at_end();) outcome.results.push_back(results.numbers());
  }
  return outcome;
}

}  // namespace detail

namespace {

constexpr char kOpened = 'o', kBlock = 'b';
constexpr std::size_t kBlockBytes = std::size_t{1} << 20;

class SharedFile final : public std::streambuf {
 public:
  // `local` is rank 0's own; null elsewhere.
  SharedFile(Ranks& ranks, std::unique_ptr<std::streambuf> local) : ranks_(ranks), local_(std::move(local)) {}

 private:
  int_type underflow() override {
    block_ = ranks_.broadcast(kBlock, read_block());
    const bool has_failed = block_.back() != 0;
    block_.pop_back();
    if (has_failed) throw std::ios_base::failure("reading the file failed");
    setg(block_.data(), block_.data(), block_.data() + block_.size());
    return block_.empty() ? traits_type::eof() : traits_type::to_int_type(block_.front());
  }

  // With a last byte that says whether reading failed.
  Bytes read_block() {
    if (!local_) return {};
    Bytes block(kBlockBytes, '\0');
    try {
      block.resize(static_cast<std::size_t>(local_->sgetn(block.data(), static_cast<std::streamsize>(kBlockBytes))));
    } catch (const std::ios_base::failure&) {
      return Bytes(1, '\1');
    }
    return block + '\0';
  }

  Ranks& ranks_;
  std::unique_ptr<std::streambuf> local_;
  Bytes block_;
};

}  // namespace

InputFile open_shared_file(Ranks& ranks, const std::filesystem::path& path) {
  InputFile local;
  Bytes bytes;
  if (ranks.is_first()) {
    local = open_local_file(path);
    detail::put(bytes, local.bytes != nullptr);
    detail::put(bytes, local.is_directory);
    detail::put(bytes, local.error_number);
  }
  bytes = ranks.broadcast(kOpened, std::move(bytes));
  detail::Unpacker unpacker(bytes);
  const bool is_open = unpacker.number<bool>();
  InputFile shared;
  shared.is_directory = unpacker.number<bool>();
  shared.error_number = unpacker.number<int>();
  if (is_open) shared.bytes = std::make_unique<SharedFile>(ranks, std::move(local.bytes));
  return shared;
}

}  // namespace ta2s2
