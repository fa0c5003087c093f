#include "ta2s2/exec/shared_files.hpp"

#include <ios>

#include "ta2s2/exec/ranks.hpp"

namespace ta2s2 {
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
