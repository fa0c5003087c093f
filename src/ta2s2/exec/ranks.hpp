// The processes of one job as a team: what they say to each other besides tasks, and how they end together.
//
// Every rank runs the same program on the same bytes and so comes to the same waits. Whoever waits polls, with short
// sleeps, so that a failure anywhere is seen by everyone and nobody hangs: a rank that fails tells rank 0, rank 0 tells
// all.
#pragma once

#include <deque>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "ta2s2/exec/transport.hpp"

namespace ta2s2 {

// Thrown where a rank waits once rank 0 has ended the job. It is no std::exception, so that nobody on the way takes it
// for an error of its own.
struct JobEnded {};

// How one rank's work, or the job, came to its end: code 0 is well.
struct Ending {
  int code = 0;
  std::string sentence = {};
};

class Ranks {
 public:
  enum class Kind : int { broadcast, gather, task, result, stop, farewell, ended, close };

  explicit Ranks(Transport& transport) : transport_(transport) {}

  int rank() const { return transport_.rank(); }
  int size() const { return transport_.size(); }
  bool is_first() const { return rank() == 0; }

  void send(int to, Kind kind, Bytes bytes);

  // The next message of these kinds, if it has come. On rank 0: Error, if another rank has failed; elsewhere:
  // JobEnded.
  std::optional<Message> take(std::initializer_list<Kind> kinds);
  Message wait_for(std::initializer_list<Kind> kinds);

  // Rank 0's bytes, on every rank, down a binomial tree. `what` guards against ranks that are not at the same place.
  Bytes broadcast(char what, Bytes bytes);
  // As above for a rank that has taken the message itself.
  Bytes pass_on(char what, Bytes bytes);

  // Every rank's bytes, on rank 0; nothing elsewhere.
  std::vector<Bytes> gather(Bytes bytes);

  // Those of rank 0's words that every rank has, in its order.
  std::vector<std::string> in_common(const std::vector<std::string>& words);

  // Called once by every rank, whatever happened to it. Returns on all with rank 0's ending, or, if that is well, with
  // that of another rank that failed. A job whose ranks do not all arrive in time is aborted.
  Ending end(Ending own);

 private:
  void receive_all();
  std::optional<Message> find(std::initializer_list<Kind> kinds);
  void check_for_the_end();
  void flush();
  Ending collect_farewells(Ending own);

  Transport& transport_;
  std::deque<Message> inbox_;
  bool has_ended_ = false;
};

}  // namespace ta2s2
