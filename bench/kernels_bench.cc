// Compares the scan kernels with a plain sum over the same bytes in the same run. The counter
// `of_stream` is the bandwidth of the kernel divided by that of the sum; at 1.0, memory is the only
// limit.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <random>
#include <vector>

#include "simd/kernels.h"

namespace recall {
namespace {

constexpr size_t kVectors = 1'000'000;
constexpr size_t kDimension = 256;

template <typename T>
std::vector<T> RandomBytes(size_t count) {
  std::mt19937_64 random(1);
  std::vector<T> values(count);
  auto* bytes = reinterpret_cast<uint8_t*>(values.data());
  for (size_t i = 0; i + 8 <= count * sizeof(T); i += 8) {
    const uint64_t word = random();
    std::memcpy(bytes + i, &word, 8);
  }
  return values;
}

// The plain sum: four independent sums of 64-bit words, which compilers vectorise.
uint64_t SumWords(const void* data, size_t bytes) {
  const auto* words = static_cast<const uint64_t*>(data);
  uint64_t sums[4] = {};
  for (size_t i = 0; i + 4 <= bytes / 8; i += 4) {
    for (size_t lane = 0; lane < 4; ++lane) sums[lane] += words[i + lane];
  }
  return sums[0] ^ sums[1] ^ sums[2] ^ sums[3];
}

// Runs the kernel and the plain sum alternately, so that a busy machine slows both. Times each.
template <typename Kernel>
void AgainstStream(benchmark::State& state, const void* data, size_t bytes, Kernel kernel) {
  using Clock = std::chrono::steady_clock;
  std::chrono::duration<double> kernel_time{};
  std::chrono::duration<double> stream_time{};
  for (auto _ : state) {
    const auto start = Clock::now();
    kernel();
    benchmark::ClobberMemory();
    const auto middle = Clock::now();
    benchmark::DoNotOptimize(SumWords(data, bytes));
    const auto end = Clock::now();
    kernel_time += middle - start;
    stream_time += end - middle;
    state.SetIterationTime(std::chrono::duration<double>(middle - start).count());
  }
  const double scanned = static_cast<double>(bytes) * static_cast<double>(state.iterations());
  state.counters["GB/s"] = scanned / kernel_time.count() / 1e9;
  state.counters["stream_GB/s"] = scanned / stream_time.count() / 1e9;
  state.counters["of_stream"] = stream_time / kernel_time;
}

void SignCodeScan(benchmark::State& state) {
  constexpr size_t kBytes = kDimension / 8;
  constexpr size_t kBlocks = kVectors / kSignCodeBlock;
  const auto blocks = RandomBytes<uint8_t>(kVectors * kBytes);
  auto lookup = RandomBytes<uint8_t>(kBytes * 32);
  for (uint8_t& entry : lookup) entry &= 31;
  std::vector<SignCodeHits> kept(kBlocks);
  std::vector<uint16_t> scores(kVectors);
  // A threshold that about one vector in 5000 exceeds, as in a search for the best 200 of a
  // million.
  ScoreSignCodeBlocks(blocks.data(), kBlocks, kBytes, lookup.data(), scores.data());
  std::vector<uint16_t> sorted = scores;
  std::nth_element(sorted.begin(), sorted.end() - kVectors / 5000, sorted.end());
  const uint16_t threshold = sorted[kVectors - kVectors / 5000];
  AgainstStream(state, blocks.data(), blocks.size(), [&] {
    benchmark::DoNotOptimize(ScanSignCodeBlocks(blocks.data(), kBlocks, kBytes, lookup.data(),
                                                threshold, nullptr, kept.data(), scores.data()));
  });
}

void DotRowsScan(benchmark::State& state) {
  const auto rows = RandomBytes<int8_t>(kVectors * kDimension);
  auto query = RandomBytes<int16_t>(kDimension);
  for (int16_t& value : query) value = static_cast<int16_t>(value / 4);
  std::vector<int32_t> scores(kVectors);
  AgainstStream(state, rows.data(), rows.size(), [&] {
    DotI16I8Rows(query.data(), rows.data(), kDimension, kDimension, kVectors, scores.data());
  });
}

void DotF32Scan(benchmark::State& state) {
  constexpr size_t kRows = kVectors / 4;
  std::vector<float> rows(kRows * kDimension);
  for (size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<float>(i % 251) - 125.0f;
  const std::vector<float> query(rows.begin() + 7, rows.begin() + 7 + kDimension);
  AgainstStream(state, rows.data(), rows.size() * sizeof(float), [&] {
    float best = 0;
    for (size_t r = 0; r < kRows; ++r) {
      best = std::max(best, DotF32(query.data(), rows.data() + r * kDimension, kDimension));
    }
    benchmark::DoNotOptimize(best);
  });
}

// Compute-bound work in the cache: the rotation of one vector during ingest.
void Hadamard256(benchmark::State& state) {
  std::vector<float> values(kDimension, 1.0f);
  for (auto _ : state) {
    HadamardTransform(values.data(), kDimension);
    benchmark::DoNotOptimize(values.data());
    benchmark::ClobberMemory();
    std::fill(values.begin(), values.end(), 1.0f);
  }
}

void RegisterAll() {
  for (const std::string& target : SupportedSimdTargets()) {
    const auto add = [&](const char* name, void (*run)(benchmark::State&)) {
      return benchmark::RegisterBenchmark((std::string(name) + "/" + target).c_str(),
                                          [=](benchmark::State& state) {
                                            ForceSimdTarget(target);
                                            run(state);
                                            ForceSimdTarget("");
                                          })
          ->Unit(benchmark::kMillisecond);
    };
    add("signature_scan_1M_x_256_bits", SignCodeScan)->UseManualTime();
    add("dot_i16i8_rows_1M_x_256", DotRowsScan)->UseManualTime();
    add("dot_f32_250k_x_256", DotF32Scan)->UseManualTime();
    add("hadamard_256", Hadamard256)->Unit(benchmark::kNanosecond);
  }
}

}  // namespace
}  // namespace recall

int main(int argc, char** argv) {
  recall::RegisterAll();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
