#include "ta2s2/exec/run_together.hpp"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>

namespace ta2s2 {
namespace {

// A call on a thread of its own, of which one side runs at a time: the caller's, or the thread's. (The language has
// coroutines, but those end at the function that yields: everything between work() and map() would have to be one.)
class Turns {
 public:
  // From the caller's side: lets the thread run until it yields or ends.
  void resume() {
    std::unique_lock lock(mutex_);
    is_inside_ = true;
    changed_.notify_all();
    changed_.wait(lock, [this] { return !is_inside_; });
  }
  // From the thread's side.
  void yield() {
    std::unique_lock lock(mutex_);
    is_inside_ = false;
    changed_.notify_all();
    changed_.wait(lock, [this] { return is_inside_; });
  }
  void wait_for_first_turn() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return is_inside_; });
  }
  void leave() {
    const std::lock_guard lock(mutex_);
    is_inside_ = false;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_inside_ = false;
};

// What a run asks of the executor and then waits for.
struct MapRequest {
  std::span<const double> costs;
  const Executor::Task* task = nullptr;
  const Executor::Arrival* arrival = nullptr;
  std::vector<Payload> results = {};
  std::exception_ptr error = nullptr;
};

// One run: the executor that its work sees, and the thread that it is done on.
class Run final : public Executor {
 public:
  Run(Executor& inner, std::function<void(Executor&)> work)
      : inner_(inner), work_(std::move(work)), thread_([this] { do_work(); }) {}
  ~Run() override { thread_.join(); }

  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  // ---- for the work, on its thread ----

  int num_workers() const override { return inner_.num_workers(); }
  bool is_first() const override { return inner_.is_first(); }
  bool stop_requested() const override { return inner_.stop_requested(); }

  using Executor::map;
  std::vector<Payload> map(std::span<const double> costs, const Task& task, const Arrival& arrival) override {
    request_ = std::make_unique<MapRequest>(MapRequest{costs, &task, &arrival});
    turns_.yield();
    const std::unique_ptr<MapRequest> done = std::move(request_);
    if (done->error) std::rethrow_exception(done->error);
    return std::move(done->results);
  }
  void for_each_here(Index count, const std::function<void(Index)>& work) override {
    on_callers_thread([&] { inner_.for_each_here(count, work); });
  }
  Payload agree(Payload payload) override {
    on_callers_thread([&] { payload = inner_.agree(std::move(payload)); });
    return payload;
  }

  // ---- for run_together, on the caller's thread ----

  // Until it waits for a map, or has ended.
  void go_on() {
    do {
      turns_.resume();
      if (errand_ == nullptr) return;
      (*errand_)();
    } while (true);
  }
  MapRequest* request() { return request_.get(); }
  bool has_ended() const { return has_ended_; }
  const std::exception_ptr& error() const { return error_; }

 private:
  void do_work() {
    turns_.wait_for_first_turn();
    try {
      work_(*this);
    } catch (...) {
      error_ = std::current_exception();
    }
    has_ended_ = true;
    turns_.leave();
  }

  // Processes may speak with one another from that thread alone.
  void on_callers_thread(const std::function<void()>& work) {
    std::exception_ptr error;
    const std::function<void()> errand = [&] {
      try {
        work();
      } catch (...) {
        error = std::current_exception();
      }
    };
    errand_ = &errand;
    turns_.yield();
    errand_ = nullptr;
    if (error) std::rethrow_exception(error);
  }

  Executor& inner_;
  std::function<void(Executor&)> work_;
  Turns turns_;
  std::unique_ptr<MapRequest> request_;
  const std::function<void()>* errand_ = nullptr;
  bool has_ended_ = false;
  std::exception_ptr error_;
  std::thread thread_;  // the last: it uses all others
};

using Runs = std::vector<std::unique_ptr<Run>>;

// All requests' tasks as one map: task t of the whole belongs to the last request that begins at or before it.
class JoinedMap {
 public:
  explicit JoinedMap(std::vector<MapRequest*> requests) : requests_(std::move(requests)) {
    for (const MapRequest* request : requests_) {
      begins_.push_back(static_cast<Index>(costs_.size()));
      costs_.insert(costs_.end(), request->costs.begin(), request->costs.end());
    }
  }

  void run(Executor& executor) {
    const Executor::Task task = [this](Index t, int worker) {
      const std::size_t k = owner(t);
      return (*requests_[k]->task)(t - begins_[k], worker);
    };
    const Executor::Arrival arrival = [this](Index t, const Payload& result) {
      const std::size_t k = owner(t);
      if (*requests_[k]->arrival != nullptr) (*requests_[k]->arrival)(t - begins_[k], result);
    };
    std::vector<Payload> results = executor.map(costs_, task, arrival);
    for (std::size_t k = 0; k < requests_.size(); ++k) {
      const auto begin = results.begin() + begins_[k];
      requests_[k]->results.assign(std::make_move_iterator(begin),
                                   std::make_move_iterator(begin + std::ssize(requests_[k]->costs)));
    }
  }

 private:
  std::size_t owner(Index task) const {
    return static_cast<std::size_t>(std::upper_bound(begins_.begin(), begins_.end(), task) - begins_.begin()) - 1;
  }

  std::vector<MapRequest*> requests_;
  std::vector<Index> begins_;
  std::vector<double> costs_;
};

std::exception_ptr first_error(const Runs& runs) {
  for (const auto& run : runs) {
    if (run->error()) return run->error();
  }
  return nullptr;
}

// Every run that has not ended waits for a map afterwards.
void go_on(Runs& runs) {
  for (const auto& run : runs) {
    if (!run->has_ended()) run->go_on();
  }
}

std::vector<MapRequest*> requests_of(Runs& runs) {
  std::vector<MapRequest*> requests;
  for (const auto& run : runs) {
    if (!run->has_ended()) requests.push_back(run->request());
  }
  return requests;
}

}  // namespace

void run_together(Executor& executor, Index num_runs, const std::function<void(Index run, Executor&)>& work) {
  if (num_runs == 1) return work(0, executor);
  Runs runs;
  for (Index k = 0; k < num_runs; ++k) {
    runs.push_back(std::make_unique<Run>(executor, [&work, k](Executor& own) { work(k, own); }));
  }
  std::exception_ptr error;
  go_on(runs);
  for (std::vector<MapRequest*> requests = requests_of(runs); !requests.empty(); requests = requests_of(runs)) {
    if (!error) error = first_error(runs);
    try {
      if (!error) JoinedMap(requests).run(executor);
    } catch (...) {
      error = std::current_exception();
    }
    for (MapRequest* request : requests) request->error = error;
    go_on(runs);
  }
  if (!error) error = first_error(runs);
  if (error) std::rethrow_exception(error);
}

}  // namespace ta2s2
