#include "storage/check/side_checks.h"

#include <utility>

#include "storage/base/thread_start.h"

namespace recall {

SideChecks::~SideChecks() {
  next_ = checks_.size();
  Join();
}

Status SideChecks::Start(std::vector<Check> checks) {
  checks_ = std::move(checks);
  outcomes_.resize(checks_.size());
  threads_.reserve(readers_.size());
  for (const auto& reader : readers_) {
    auto thread = StartThread(
        [this, connection = reader.get()] { failure_.Guard([&] { RunChecks(connection); }); });
    if (!thread) break;
    threads_.push_back(*std::move(thread));
  }
  if (!threads_.empty()) return Status::Ok();
  const Findings own = std::exchange(run_.findings(), {});
  for (; next_ < checks_.size(); ++next_) {
    Outcome& outcome = outcomes_[next_];
    outcome.status = checks_[next_](run_);
    outcome.findings = std::exchange(run_.findings(), {});
    RECALL_TRY(outcome.status);
  }
  run_.findings() = own;
  return Status::Ok();
}

void SideChecks::RunChecks(Connection* connection) {
  CheckRun run(connection, run_.cancel(), run_.tables());
  for (size_t i = next_++; i < checks_.size() && !failure_.failed(); i = next_++) {
    outcomes_[i].status = checks_[i](run);
    outcomes_[i].findings = std::exchange(run.findings(), {});
  }
}

void SideChecks::Join() {
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

Status SideChecks::Finish() {
  Join();
  failure_.Rethrow();
  Findings all;
  for (const Outcome& outcome : outcomes_) {
    RECALL_TRY(outcome.status);
    all.Append(outcome.findings);
  }
  all.Append(run_.findings());
  run_.findings() = std::move(all);
  return Status::Ok();
}

}  // namespace recall
