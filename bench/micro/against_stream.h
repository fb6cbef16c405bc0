#pragma once

// Memory bandwidth as the measure: what is scanned is compared with a plain sum over the same bytes
// in the same loop, so that a busy machine slows both. The counter `of_stream` is the bandwidth of
// the scan divided by that of the sum; at 1.0, memory is the only limit.

#include <chrono>

#include "bench/micro/micro.h"
#include "storage/base/coding.h"

namespace recall {

// Four independent sums of 64-bit words, which compilers vectorise.
inline uint64_t SumWords(const uint8_t* bytes, size_t size) {
  uint64_t sums[4] = {};
  for (size_t i = 0; i + 4 <= size / 8; i += 4) {
    for (size_t lane = 0; lane < 4; ++lane) {
      sums[lane] += LoadLittle<uint64_t>(bytes + (i + lane) * 8);
    }
  }
  return sums[0] ^ sums[1] ^ sums[2] ^ sums[3];
}

// Times `scan` alone, for UseManualTime. `sum` returns a number made of all the bytes.
template <typename Scan, typename Sum>
void AgainstStream(benchmark::State& state, size_t bytes, Scan scan, Sum sum) {
  using Clock = std::chrono::steady_clock;
  std::chrono::duration<double> scan_time{};
  std::chrono::duration<double> sum_time{};
  for (auto _ : state) {
    const auto start = Clock::now();
    scan();
    benchmark::ClobberMemory();
    const auto middle = Clock::now();
    benchmark::DoNotOptimize(sum());
    const auto end = Clock::now();
    scan_time += middle - start;
    sum_time += end - middle;
    state.SetIterationTime(std::chrono::duration<double>(middle - start).count());
  }
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(bytes));
  state.counters["of_stream"] = sum_time / scan_time;
}

}  // namespace recall
