#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <utility>

#include "storage/base/ordered_pipeline.h"
#include "storage/base/result.h"

namespace recall {

// Has other threads work on the texts of documents, and takes the outputs in the order of the
// documents, so that an answer is the same for any number of threads. Few bytes are worked on by
// the caller's thread, because that is done sooner than threads are started. Memory is bounded by
// the documents in flight.
template <typename Job, typename Output>
class TextPipeline final {
 public:
  using Work = std::function<Output(Job)>;

  // `make_work`: called once for each thread, on it. `take`: called on the caller's thread.
  TextPipeline(uint32_t threads, std::function<Work()> make_work,
               std::function<Status(Output)> take)
      : threads_(threads), make_work_(std::move(make_work)), take_(std::move(take)) {}

  // `bytes`: of the text. Errors: those of `take` for an earlier job.
  Status Submit(Job job, size_t bytes) {
    if (!others_ && (threads_ < 2 || bytes_before_ < kWorthThreads)) {
      bytes_before_ += bytes;
      if (!own_work_) own_work_ = make_work_();
      return take_(own_work_(std::move(job)));
    }
    if (!others_) others_.emplace(threads_ - 1, make_work_);
    while (!in_flight_.empty() &&
           (bytes_in_flight_ + bytes > kBytesInFlight || in_flight_.size() >= kMostInFlight)) {
      RECALL_TRY(TakeOldest());
    }
    others_->Submit(std::move(job));
    in_flight_.push_back(bytes);
    bytes_in_flight_ += bytes;
    return Status::Ok();
  }

  // Takes what is in flight.
  Status Finish() {
    while (!in_flight_.empty()) RECALL_TRY(TakeOldest());
    return Status::Ok();
  }

 private:
  static constexpr size_t kBytesInFlight = 32 << 20;
  static constexpr size_t kMostInFlight = 256;
  static constexpr size_t kWorthThreads = 1 << 20;

  Status TakeOldest() {
    bytes_in_flight_ -= in_flight_.front();
    in_flight_.pop_front();
    return take_(others_->Take());
  }

  const uint32_t threads_;
  const std::function<Work()> make_work_;
  const std::function<Status(Output)> take_;
  Work own_work_;
  size_t bytes_before_ = 0;
  std::deque<size_t> in_flight_;
  size_t bytes_in_flight_ = 0;
  std::optional<OrderedPipeline<Job, Output, Work>> others_;
};

}  // namespace recall
