#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "index/write/check/chunk_facts.h"
#include "query/types/maintenance_types.h"
#include "storage/base/clock.h"
#include "storage/base/thread_start.h"

namespace recall {

// The parameters of one call of RunDoctor, and its reports of progress.
struct DoctorCall {
  const DoctorRequest& request;
  const DoctorProgressFn& progress;
  const std::atomic<bool>* cancel;

  size_t threads() const { return request.threads > 0 ? request.threads : UsableCpus(); }
  void Begin(DoctorStage stage) const {
    if (progress) progress({.stage = stage});
  }
  CheckProgressFn Counting(DoctorStage stage) const {
    if (!progress) return {};
    return [this, stage, last = int64_t{0}](int64_t done, int64_t total) mutable {
      if (done < total && SteadyMicros() - last < kProgressMicros) return;
      last = SteadyMicros();
      progress({stage, done, total});
    };
  }
};

}  // namespace recall
