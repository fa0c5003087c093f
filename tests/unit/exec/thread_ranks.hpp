// Ranks that are threads of one process, so that what several ranks do together can be tested without MPI.
#pragma once

#include <atomic>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "ta2s2/exec/ranks.hpp"

namespace ta2s2::test {

// The mailboxes of all ranks.
struct Post {
  explicit Post(int size) : boxes(static_cast<std::size_t>(size)) {}

  struct Box {
    std::mutex mutex;
    std::deque<Message> messages;
  };
  std::vector<Box> boxes;
  std::atomic<int> num_finished{0};
  std::atomic<int> abort_code{0};
};

struct Aborted {};

class PostTransport final : public Transport {
 public:
  PostTransport(Post& post, int rank) : post_(post), rank_(rank) {}

  int rank() const override { return rank_; }
  int size() const override { return static_cast<int>(post_.boxes.size()); }

  void send(int to, int kind, Bytes bytes) override {
    Post::Box& box = post_.boxes[static_cast<std::size_t>(to)];
    const std::scoped_lock lock(box.mutex);
    box.messages.push_back({rank_, kind, std::move(bytes)});
  }
  bool has_sent_all() override { return true; }
  std::optional<Message> receive() override {
    if (post_.abort_code != 0) throw Aborted{};
    Post::Box& box = post_.boxes[static_cast<std::size_t>(rank_)];
    const std::scoped_lock lock(box.mutex);
    if (box.messages.empty()) return std::nullopt;
    Message message = std::move(box.messages.front());
    box.messages.pop_front();
    return message;
  }
  void finish() override { ++post_.num_finished; }
  [[noreturn]] void abort(int code) override {
    post_.abort_code = code;
    throw Aborted{};
  }

 private:
  Post& post_;
  int rank_;
};

// Runs the same function on every rank, each a thread, and returns what they threw (null: nothing), by rank.
inline std::vector<std::exception_ptr> run_ranks(int size, const std::function<void(Ranks&)>& program) {
  Post post(size);
  std::vector<std::exception_ptr> errors(static_cast<std::size_t>(size));
  {
    std::vector<std::jthread> threads;
    for (int rank = 0; rank < size; ++rank) {
      threads.emplace_back([&, rank] {
        PostTransport transport(post, rank);
        Ranks ranks(transport);
        try {
          program(ranks);
        } catch (...) {
          errors[static_cast<std::size_t>(rank)] = std::current_exception();
        }
      });
    }
  }
  return errors;
}

}  // namespace ta2s2::test
