// Every SIMD target gives the same bits for any input that meets the requirements of
// simd/kernels.h.

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "fuzz/fuzz_target.h"
#include "simd/kernels.h"

namespace recall {
namespace {

// The bytes of a kernel's result.
template <typename T>
std::string BytesOf(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

void ExpectSameOnAllTargets(const std::function<std::string()>& run) {
  static const std::vector<std::string> targets = SupportedSimdTargets();
  std::string first;
  for (const std::string& target : targets) {
    RECALL_CHECK(ForceSimdTarget(target));
    const std::string result = run();
    if (target == targets.front()) first = result;
    RECALL_CHECK(result == first);
  }
  RECALL_CHECK(ForceSimdTarget(""));
}

template <typename T>
std::vector<T> TakeArray(ByteReader& reader, size_t count) {
  std::vector<T> values(count);
  for (T& value : values) value = reader.Read<T>();
  return values;
}

// Finite floats of very different magnitude. NaNs are excluded, because their payload may depend on
// the target.
std::vector<float> TakeFloats(ByteReader& reader, size_t count) {
  std::vector<float> values(count);
  for (float& value : values) {
    value = std::ldexp(static_cast<float>(reader.Read<int16_t>()), reader.Read<int8_t>() / 8);
  }
  return values;
}

void CheckDots(ByteReader& reader) {
  const size_t n = reader.remaining() / 6;
  const std::vector<float> a = TakeFloats(reader, n);
  const std::vector<float> b = TakeFloats(reader, n);
  ExpectSameOnAllTargets([&] { return BytesOf<float>({DotF32(a.data(), b.data(), n)}); });
}

void CheckRows(ByteReader& reader) {
  const size_t n = reader.Read<uint8_t>() + 1;
  const size_t stride = n + reader.Read<uint8_t>() % 8;
  const auto q = TakeArray<int16_t>(reader, n);
  const auto rows = TakeArray<int8_t>(reader, reader.remaining());
  const size_t count = rows.size() < n ? 0 : (rows.size() - n) / stride + 1;
  ExpectSameOnAllTargets([&] {
    std::vector<int32_t> scores(count);
    const size_t paired = std::min<size_t>(count, 40);
    std::vector<int32_t> products(paired * paired);
    std::vector<const int8_t*> pointers;
    for (size_t r = 0; r < paired; ++r) pointers.push_back(rows.data() + r * stride);
    DotI8Pairs(pointers.data(), n, paired, products.data());
    DotI16I8Rows(q.data(), rows.data(), stride, n, count, scores.data());
    for (size_t r = 0; r < count; ++r) {
      const int8_t* row = rows.data() + r * stride;
      int32_t gathered = 0;
      DotI16I8Gather(q.data(), &row, n, 1, &gathered);
      RECALL_CHECK(scores[r] == DotI16I8(q.data(), row, n) && gathered == scores[r]);
      scores.push_back(DotI8(row, rows.data(), n));
      RECALL_CHECK(r >= paired || products[r * paired] == scores.back());
    }
    return BytesOf(scores);
  });
}

void CheckSignCodes(ByteReader& reader) {
  const size_t bytes = reader.Read<uint8_t>() % 40 + 1;
  const auto threshold = reader.Read<uint16_t>();
  auto lookup = TakeArray<uint8_t>(reader, bytes * 32);
  for (uint8_t& entry : lookup) entry &= 31;
  const auto blocks = TakeArray<uint8_t>(reader, reader.remaining());
  const size_t count = blocks.size() / (bytes * kSignCodeBlock);
  ExpectSameOnAllTargets([&] {
    std::vector<uint16_t> all(count * kSignCodeBlock);
    ScoreSignCodeBlocks(blocks.data(), count, bytes, lookup.data(), all.data());
    std::vector<uint16_t> scores(all.size());
    std::vector<SignCodeHits> kept(count);
    const size_t kept_count = ScanSignCodeBlocks(blocks.data(), count, bytes, lookup.data(),
                                                 threshold, nullptr, kept.data(), scores.data());
    scores.resize(kept_count * kSignCodeBlock);
    for (size_t i = 0; i < kept_count; ++i) {
      const uint16_t* block = all.data() + kept[i].block * kSignCodeBlock;
      for (size_t v = 0; v < kSignCodeBlock; ++v) {
        RECALL_CHECK(scores[i * kSignCodeBlock + v] == block[v]);
        RECALL_CHECK((kept[i].hits >> v & 1) == (block[v] > threshold));
      }
    }
    return BytesOf(all) + BytesOf(scores);
  });
}

void CheckHadamard(ByteReader& reader) {
  const size_t n = std::bit_floor(std::max<size_t>(reader.remaining() / 3, 1));
  const std::vector<float> values = TakeFloats(reader, n);
  ExpectSameOnAllTargets([&] {
    std::vector<float> transformed = values;
    HadamardTransform(transformed.data(), n);
    return BytesOf(transformed);
  });
}

void CheckHamming(ByteReader& reader) {
  const size_t n = reader.remaining();
  const auto a = TakeArray<uint8_t>(reader, n);
  ExpectSameOnAllTargets([&] { return BytesOf<uint64_t>({CountBits(a.data(), n)}); });
}

void CheckFindBytes(ByteReader& reader) {
  const size_t wanted_size = reader.Read<uint8_t>() % 16 + 1;
  if (reader.remaining() < wanted_size) return;
  const auto wanted = TakeArray<uint8_t>(reader, wanted_size);
  const auto bytes = TakeArray<uint8_t>(reader, reader.remaining());
  ExpectSameOnAllTargets([&] { return BytesOf<uint64_t>({FindBytes(bytes, wanted)}); });
}

void CheckPanels(ByteReader& reader) {
  const size_t columns = reader.Read<uint8_t>() % 70 + 1;
  const std::vector<float> x = TakeFloats(reader, reader.remaining() / 3);
  const size_t rows = x.size() / columns;
  if (rows == 0) return;
  std::vector<uint32_t> chosen;
  for (size_t i = 0; i < rows; ++i) chosen.push_back(static_cast<uint32_t>((i * 7 + 3) % rows));
  ExpectSameOnAllTargets([&] {
    std::vector<float> out(columns);
    SumScaledRowsF32(x.data(), chosen.data(), rows, x.data(), columns, columns, out.data());
    AddScaledF32(out.data(), x[0], x.data(), columns);
    std::vector<float> product(columns * columns);
    MultiplyF32(x.data(), 1, columns, x.data(), columns, columns, rows, columns, product.data(),
                columns);
    return BytesOf(out) + BytesOf(product);
  });
}

}  // namespace

void FuzzOne(ByteSpan input) {
  ByteReader reader(input);
  switch (reader.Read<uint8_t>() % 7) {
    case 0:
      return CheckDots(reader);
    case 1:
      return CheckRows(reader);
    case 2:
      return CheckSignCodes(reader);
    case 3:
      return CheckHadamard(reader);
    case 4:
      return CheckHamming(reader);
    case 5:
      return CheckPanels(reader);
    case 6:
      return CheckFindBytes(reader);
  }
}

}  // namespace recall
