// The one file that knows MPI. It is built once for each MPI library found, as a module that the program loads when a
// launcher has started it (exec/launcher.cpp); it uses nothing of the program but the interface.
#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <limits>
#include <list>
#include <stdexcept>

#include "ta2s2/exec/transport.hpp"

namespace {

using ta2s2::Bytes;
using ta2s2::Message;

class MpiTransport final : public ta2s2::Transport {
 public:
  MpiTransport() {
    int provided = MPI_THREAD_SINGLE;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) {
      throw std::runtime_error("this MPI library does not allow threads beside the one that sends and receives");
    }
    // Ours alone, so that no message of another library in this process is taken for one of ours.
    MPI_Comm_dup(MPI_COMM_WORLD, &ranks_);
    MPI_Comm_rank(ranks_, &rank_);
    MPI_Comm_size(ranks_, &size_);
  }

  int rank() const override { return rank_; }
  int size() const override { return size_; }

  void send(int to, int kind, Bytes bytes) override {
    if (bytes.size() > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
      throw std::length_error("a message between ranks is longer than the 2 GB that MPI sends");
    }
    Sending& sending = under_way_.emplace_back();
    sending.bytes = std::move(bytes);
    MPI_Isend(sending.bytes.data(), static_cast<int>(sending.bytes.size()), MPI_BYTE, to, kind, ranks_,
              &sending.request);
  }

  bool has_sent_all() override {
    forget_what_was_sent();
    return under_way_.empty();
  }

  std::optional<Message> receive() override {
    forget_what_was_sent();
    int has_come = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, ranks_, &has_come, &status);
    if (has_come == 0) return std::nullopt;
    int count = 0;
    MPI_Get_count(&status, MPI_BYTE, &count);
    Message message{status.MPI_SOURCE, status.MPI_TAG, Bytes(static_cast<std::size_t>(count), '\0')};
    MPI_Recv(message.bytes.data(), count, MPI_BYTE, message.from, message.kind, ranks_, MPI_STATUS_IGNORE);
    return message;
  }

  void finish() override {
    MPI_Comm_free(&ranks_);
    MPI_Finalize();
  }

  [[noreturn]] void abort(int code) override {
    std::fflush(nullptr);
    MPI_Abort(MPI_COMM_WORLD, code);
    std::_Exit(code);
  }

 private:
  struct Sending {
    Bytes bytes;
    MPI_Request request = MPI_REQUEST_NULL;
  };

  void forget_what_was_sent() {
    under_way_.remove_if([](Sending& sending) {
      int is_sent = 0;
      MPI_Test(&sending.request, &is_sent, MPI_STATUS_IGNORE);
      return is_sent != 0;
    });
  }

  MPI_Comm ranks_ = MPI_COMM_NULL;
  int rank_ = 0, size_ = 1;
  std::list<Sending> under_way_;  // MPI reads their bytes where they are
};

}  // namespace

extern "C" __attribute__((visibility("default"))) ta2s2::Transport* ta2s2_make_transport() {
  return new MpiTransport;
}
