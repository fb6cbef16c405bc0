// The kernels of simd/, by SIMD target: scans of more memory than caches hold, compared with a
// plain sum (against_stream.h), and work within the cache.

#include <algorithm>
#include <cstring>
#include <random>
#include <vector>

#include "bench/micro/against_stream.h"
#include "bench/micro/micro.h"
#include "simd/kernels.h"

namespace recall {
namespace {

constexpr size_t kDimension = 256;

// A million, so that no cache holds them.
size_t Vectors() { return Options().small ? 20'000 : 1'000'000; }

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

template <typename Kernel>
void ScanAll(benchmark::State& state, const void* data, size_t bytes, Kernel kernel) {
  const auto* begin = static_cast<const uint8_t*>(data);
  AgainstStream(state, bytes, kernel, [&] { return SumWords(begin, bytes); });
}

void SignCodeScan(benchmark::State& state) {
  constexpr size_t kBytes = kDimension / 8;
  const size_t count = Vectors() / kSignCodeBlock * kSignCodeBlock;
  const size_t block_count = count / kSignCodeBlock;
  static const auto blocks = RandomBytes<uint8_t>(count * kBytes);
  auto lookup = RandomBytes<uint8_t>(kBytes * 32);
  for (uint8_t& entry : lookup) entry &= 31;
  std::vector<SignCodeHits> kept(block_count);
  std::vector<uint16_t> scores(count);
  // A threshold that about one vector in 5000 exceeds, as in a search for the best 200 of a
  // million.
  ScoreSignCodeBlocks(blocks.data(), block_count, kBytes, lookup.data(), scores.data());
  std::vector<uint16_t> sorted = scores;
  const auto place = sorted.end() - static_cast<ptrdiff_t>(count / 5000);
  std::nth_element(sorted.begin(), place, sorted.end());
  const uint16_t threshold = *place;
  ScanAll(state, blocks.data(), blocks.size(), [&] {
    benchmark::DoNotOptimize(ScanSignCodeBlocks(blocks.data(), block_count, kBytes, lookup.data(),
                                                threshold, nullptr, kept.data(), scores.data()));
  });
}

void DotRowsScan(benchmark::State& state) {
  static const auto rows = RandomBytes<int8_t>(Vectors() * kDimension);
  auto query = RandomBytes<int16_t>(kDimension);
  for (int16_t& value : query) value = static_cast<int16_t>(value / 4);
  std::vector<int32_t> scores(Vectors());
  ScanAll(state, rows.data(), rows.size(), [&] {
    DotI16I8Rows(query.data(), rows.data(), kDimension, kDimension, scores.size(), scores.data());
  });
}

void DotF32Scan(benchmark::State& state) {
  const size_t row_count = Vectors() / 4;
  static const std::vector<float> rows = [&] {
    std::vector<float> values(row_count * kDimension);
    for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i % 251) - 125.0f;
    return values;
  }();
  const std::vector<float> query(rows.begin() + 7, rows.begin() + 7 + kDimension);
  ScanAll(state, rows.data(), rows.size() * sizeof(float), [&] {
    float best = 0;
    for (size_t r = 0; r < row_count; ++r) {
      best = std::max(best, DotF32(query.data(), rows.data() + r * kDimension, kDimension));
    }
    benchmark::DoNotOptimize(best);
  });
}

// Compute-bound work in the cache: the rotation of one vector during ingest.
void Hadamard256(benchmark::State& state) {
  std::vector<float> values(kDimension, 1.0f);
  const KernelCounts counts(state);
  for (auto _ : state) {
    HadamardTransform(values.data(), kDimension);
    benchmark::DoNotOptimize(values.data());
    benchmark::ClobberMemory();
    std::fill(values.begin(), values.end(), 1.0f);
  }
  state.SetItemsProcessed(state.iterations());
}

// For each SIMD target of this processor.
const bool registered = [] {
  for (const std::string& target : SupportedSimdTargets()) {
    const auto add = [&](const char* name, void (*run)(benchmark::State&)) {
      return benchmark::RegisterBenchmark(("kernels/" + std::string(name) + "/" + target).c_str(),
                                          [=](benchmark::State& state) {
                                            ForceSimdTarget(target);
                                            run(state);
                                            ForceSimdTarget("");
                                          })
          ->Unit(benchmark::kMillisecond);
    };
    add("sign_code_scan", SignCodeScan)->UseManualTime();
    add("dot_i16i8_rows", DotRowsScan)->UseManualTime();
    add("dot_f32", DotF32Scan)->UseManualTime();
    add("hadamard_256", Hadamard256)->Unit(benchmark::kNanosecond);
  }
  return true;
}();

}  // namespace
}  // namespace recall
