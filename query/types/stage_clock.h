#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "query/types/answer_facts.h"
#include "query/types/stage_events.h"
#include "storage/base/clock.h"

namespace recall {

// Measures the consecutive steps of a search.
class StageClock final {
 public:
  StageClock() : started_(SteadyMicros()) {}
  // Ends the step that began at construction or at the previous call.
  void Finish(std::string name, std::vector<StageTiming>& timings) {
    const int64_t now = SteadyMicros();
    timings.push_back({std::move(name), now - started_});
    started_ = now;
  }

 private:
  int64_t started_;
};

// Tells a listener that a stage begins, and that it ends: by End, or at the latest when this object
// does, because of an error. The listener must outlive it.
class ReportedStage final {
 public:
  // `listener`: null or empty if nobody listens.
  ReportedStage(const StageListener* listener, std::string_view stage)
      : listener_(listener && *listener ? listener : nullptr), stage_(stage) {
    if (!listener_) return;
    started_ = SteadyMicros();
    (*listener_)({.stage = stage_});
  }
  ~ReportedStage() { End(0); }
  ReportedStage(const ReportedStage&) = delete;
  ReportedStage& operator=(const ReportedStage&) = delete;

  void End(int64_t count) {
    if (!listener_) return;
    const StageListener& listener = *std::exchange(listener_, nullptr);
    listener({stage_, /*ended=*/true, SteadyMicros() - started_, count});
  }

 private:
  const StageListener* listener_;
  const std::string_view stage_;
  int64_t started_ = 0;
};

}  // namespace recall
