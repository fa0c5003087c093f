// Messages between the processes of one job. The only thing that an MPI library has to supply, and small enough that
// tests have one of their own.
#pragma once

#include <optional>
#include <string>

namespace ta2s2 {

using Bytes = std::string;

struct Message {
  int from = 0;
  int kind = 0;
  Bytes bytes;
};

// Used by one thread of each process. Messages from one rank to another arrive in the order in which they were sent.
class Transport {
 public:
  virtual ~Transport() = default;

  virtual int rank() const = 0;
  virtual int size() const = 0;

  virtual void send(int to, int kind, Bytes bytes) = 0;  // never waits for the receiver
  virtual bool has_sent_all() = 0;                       // whether every message has left this process
  virtual std::optional<Message> receive() = 0;          // what has arrived, if anything has

  virtual void finish() = 0;                      // on every rank, once no message is under way
  [[noreturn]] virtual void abort(int code) = 0;  // ends every process of the job
};

// What a transport's module exports, under the name kTransportEntry.
using MakeTransport = Transport* (*)();
inline constexpr const char* kTransportEntry = "ta2s2_make_transport";

}  // namespace ta2s2
