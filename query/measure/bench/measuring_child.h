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

// Lets several children begin at the same moment. Used once.
class StartGate final {
 public:
  static Result<std::unique_ptr<StartGate>> Create();
  ~StartGate();
  StartGate(const StartGate&) = delete;
  StartGate& operator=(const StartGate&) = delete;

  // In a child: says that it is ready and waits until the gate is open, or its parent gone.
  void Pass();

 private:
  friend class MeasuringChild;
  StartGate() = default;

  int ready_[2] = {-1, -1};  // a byte for each child that is ready
  int open_[2] = {-1, -1};   // ends when the gate opens
};

// A process that does one piece of work and tells what came of it. It ends with this object, and
// with the process that started it.
class MeasuringChild final {
 public:
  // What the child does; its bytes are what Finish gives. It must not return to its caller's
  // caller, nor touch what other threads of the parent hold: see RunBench.
  using Work = std::function<Result<std::string>()>;

  // The child passes through `gate`, if there is one, whenever its work asks it to.
  static Result<std::unique_ptr<MeasuringChild>> Start(const Work& work, StartGate* gate = nullptr);
  ~MeasuringChild();
  MeasuringChild(const MeasuringChild&) = delete;
  MeasuringChild& operator=(const MeasuringChild&) = delete;

  // Waits until all are ready, or one has ended, and opens the gate.
  static Status OpenGate(StartGate* gate,
                         const std::vector<std::unique_ptr<MeasuringChild>>& children,
                         const std::atomic<bool>& cancel);

  struct Outcome {
    std::string bytes;
    int64_t peak_memory_bytes = 0;
  };
  // Waits for it. Errors: the work's; Cancelled once *cancel is true; Internal when it died.
  Result<Outcome> Finish(const std::atomic<bool>& cancel);

  // Start and Finish.
  static Result<Outcome> Run(const Work& work, const std::atomic<bool>& cancel);

 private:
  MeasuringChild(pid_t pid, int from) : pid_(pid), from_(from) {}
  bool HasEnded() const;

  pid_t pid_;
  int from_;  // where its outcome comes from
};

}  // namespace recall
