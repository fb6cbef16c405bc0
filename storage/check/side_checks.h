#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "storage/base/thread_failure.h"
#include "storage/check/check_run.h"
#include "storage/sqlite/connection.h"

namespace recall {

// Checks that need no result of others, beside those of the calling thread. They run on threads of
// their own, each with a connection to the same commit. Each check has findings of its own, so the
// result does not depend on the number of threads.
class SideChecks final {
 public:
  using Check = std::function<Status(CheckRun&)>;

  // `readers`: connections in transactions that read the same commit as `run`, which must outlive
  // the object.
  SideChecks(CheckRun& run, std::vector<std::unique_ptr<Connection>> readers)
      : run_(run), readers_(std::move(readers)) {}
  // Waits for the checks that have begun.
  ~SideChecks();
  SideChecks(const SideChecks&) = delete;
  SideChecks& operator=(const SideChecks&) = delete;

  // Starts the checks, the first ones first. Without readers, or where the system starts no thread,
  // they run now, on the calling thread. Call it once.
  Status Start(std::vector<Check> checks);

  // Waits for all checks. Places their findings, in the order of the checks, before those of the
  // run. Errors: the first one of the checks. An exception of a check is thrown again.
  Status Finish();

 private:
  struct Outcome {
    Status status;
    Findings findings;
  };
  void RunChecks(Connection* connection);
  void Join();

  CheckRun& run_;
  std::vector<std::unique_ptr<Connection>> readers_;
  std::vector<Check> checks_;
  std::vector<Outcome> outcomes_;  // parallel to checks_
  std::atomic<size_t> next_ = 0;   // the next check to begin
  ThreadFailure failure_;
  std::vector<std::thread> threads_;
};

}  // namespace recall
