#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "storage/base/result.h"

namespace recall {

// A barrier for several children: all continue when it opens. It can be used once.
class StartGate final {
 public:
  static Result<std::unique_ptr<StartGate>> Create();
  ~StartGate();
  StartGate(const StartGate&) = delete;
  StartGate& operator=(const StartGate&) = delete;

  // Called in a child. Signals that the child is ready and waits until the gate opens or the parent
  // exits.
  void Pass();

 private:
  friend class MeasuringChild;
  StartGate() = default;

  int ready_[2] = {-1, -1};  // pipe: one byte for each ready child
  int open_[2] = {-1, -1};   // pipe: end of file when the gate opens
};

// A child process that runs one function and returns its result. When this object is destroyed, it
// gets SIGTERM, and a second later SIGKILL; when the parent process exits, SIGKILL.
class MeasuringChild final {
 public:
  // The function that the child runs; Finish returns its bytes. It must not use locks or other
  // state of the parent's threads, because only the calling thread exists in the child (see
  // RunBench).
  using Work = std::function<Result<std::string>()>;

  // `gate` may be null. Otherwise `work` calls gate->Pass() when it is ready.
  static Result<std::unique_ptr<MeasuringChild>> Start(const Work& work, StartGate* gate = nullptr);
  ~MeasuringChild();
  MeasuringChild(const MeasuringChild&) = delete;
  MeasuringChild& operator=(const MeasuringChild&) = delete;

  // Waits until all children are ready, or one has ended, and opens the gate.
  static Status OpenGate(StartGate* gate,
                         const std::vector<std::unique_ptr<MeasuringChild>>& children,
                         const std::atomic<bool>& cancel);

  struct Outcome {
    std::string bytes;
    int64_t peak_memory_bytes = 0;
  };
  // Waits for the child. Errors: those of the work; Cancelled once *cancel is true; Internal if the
  // child was killed.
  Result<Outcome> Finish(const std::atomic<bool>& cancel);

  // Calls Start and Finish.
  static Result<Outcome> Run(const Work& work, const std::atomic<bool>& cancel);

 private:
  MeasuringChild(pid_t pid, int from) : pid_(pid), from_(from) {}
  bool HasEnded() const;

  pid_t pid_;
  int from_;  // the pipe from which its result is read
};

}  // namespace recall
