#include "cli/server/http/job_queue.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace recall {
namespace {

constexpr std::chrono::seconds kIdleTime{2};

}  // namespace

HttpJobQueue::Pushed HttpJobQueue::Push(HttpJob job) {
  const std::lock_guard lock(mutex_);
  if (jobs_.size() >= most_) return Pushed::kFull;
  const auto found = waiting_.find(job.client);
  if (found != waiting_.end() && found->second >= most_of_client_) return Pushed::kClientFull;
  size_t& count = waiting_[job.client];
  jobs_.push_back(std::move(job));
  ++count;
  changed_.notify_one();
  return Pushed::kYes;
}

std::optional<HttpJob> HttpJobQueue::Pop(const std::function<void()>& when_idle) {
  std::unique_lock lock(mutex_);
  const auto ready = [&] { return (ended_ && jobs_.empty()) || NextJob() != jobs_.end(); };
  if (!changed_.wait_for(lock, kIdleTime, ready)) {
    lock.unlock();
    if (when_idle) when_idle();
    lock.lock();
    changed_.wait(lock, ready);
  }
  if (jobs_.empty()) return std::nullopt;
  HttpJob job = Take(NextJob());
  if (!job.waits_for.empty()) {
    ++answering_[job.waits_for];
    ++answering_for_servers_;
  }
  return job;
}

void HttpJobQueue::Done(const std::string& waited_for) {
  if (waited_for.empty()) return;
  const std::lock_guard lock(mutex_);
  const auto count = answering_.find(waited_for);
  if (--count->second == 0) answering_.erase(count);
  --answering_for_servers_;
  changed_.notify_all();
}

HttpJobQueue::Jobs::iterator HttpJobQueue::NextJob() {
  return std::ranges::find_if(jobs_, [this](const HttpJob& job) {
    if (job.waits_for.empty()) return true;
    const auto count = answering_.find(job.waits_for);
    const bool server_has_room = count == answering_.end() || count->second < most_for_server_;
    return server_has_room && answering_for_servers_ < most_for_servers_;
  });
}

void HttpJobQueue::Drop(const HttpReply* reply) {
  std::unique_lock lock(mutex_);
  const auto job = std::ranges::find_if(
      jobs_, [&](const HttpJob& waiting) { return waiting.reply.get() == reply; });
  if (job == jobs_.end()) return;
  const HttpJob dropped = Take(job);
  lock.unlock();
}

HttpJob HttpJobQueue::Take(Jobs::iterator at) {
  HttpJob job = std::move(*at);
  jobs_.erase(at);
  const auto count = waiting_.find(job.client);
  if (--count->second == 0) waiting_.erase(count);
  // The last job of an ended queue is gone: workers that wait for it end.
  if (ended_ && jobs_.empty()) changed_.notify_all();
  return job;
}

void HttpJobQueue::End() {
  const std::lock_guard lock(mutex_);
  ended_ = true;
  changed_.notify_all();
}

}  // namespace recall
