#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "query/types/search_types.h"
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

}  // namespace recall
