// Bitmap: bytes that parse are a set, each set has one encoding, and its operations are those of
// sets.

#include <algorithm>
#include <functional>
#include <iterator>
#include <vector>

#include "fuzz/fuzz_target.h"
#include "index/search/bitmap/bitmap.h"

namespace recall {
namespace {

using Values = std::vector<uint32_t>;

Bitmap FromValues(const Values& values) {
  Bitmap bitmap;
  for (const uint32_t value : values) bitmap.Add(value);
  return bitmap;
}

// Checks that `bitmap` contains exactly `values`, and that a bitmap built value by value has the
// same bytes.
void ExpectHolds(const Bitmap& bitmap, const Values& values) {
  RECALL_CHECK(bitmap.Values() == values && bitmap.Count() == values.size());
  const std::string bytes = bitmap.Serialize();
  RECALL_CHECK(FromValues(values).Serialize() == bytes);
  const Result<Bitmap> again = Bitmap::Parse(AsBytes(bytes));
  RECALL_CHECK(again && *again == bitmap && again->Serialize() == bytes);
}

// Compares the operations with those of std::set_*. The other set is a range whose ends are
// members, so that the ends of runs coincide.
void CheckAlgebra(const Bitmap& bitmap, const Values& values) {
  const uint32_t first = values[values.size() / 3];
  const uint32_t last = values[values.size() * 2 / 3];
  if (last - first > 1 << 20) return;  // the oracle enumerates the range
  Values range(size_t{last} - first + 1);
  for (size_t i = 0; i < range.size(); ++i) range[i] = first + static_cast<uint32_t>(i);
  Bitmap other;
  other.AddRange(first, last);

  const auto expect = [&](const Bitmap& result, auto set_operation) {
    Values expected;
    set_operation(values.begin(), values.end(), range.begin(), range.end(),
                  std::back_inserter(expected));
    ExpectHolds(result, expected);
  };
  expect(bitmap.And(other), [](auto... arguments) { std::set_intersection(arguments...); });
  expect(bitmap.Or(other), [](auto... arguments) { std::set_union(arguments...); });
  expect(bitmap.AndNot(other), [](auto... arguments) { std::set_difference(arguments...); });
  Bitmap removed = bitmap;
  removed.RemoveRange(first, last);
  expect(removed, [](auto... arguments) { std::set_difference(arguments...); });
  RECALL_CHECK(bitmap.ValuesIn(first, last) == bitmap.And(other).Values());
  RECALL_CHECK(bitmap.CountRange(first, last) == bitmap.And(other).Count());
}

}  // namespace

void FuzzOne(ByteSpan input) {
  const Result<Bitmap> parsed = Bitmap::Parse(input);
  if (!parsed) {
    RECALL_CHECK(parsed.error().code() == StatusCode::kCorruption);
    return;
  }
  const Values values = parsed->Values();
  RECALL_CHECK(std::adjacent_find(values.begin(), values.end(), std::greater_equal<>()) ==
               values.end());
  ExpectHolds(*parsed, values);
  if (!values.empty()) CheckAlgebra(*parsed, values);
}

}  // namespace recall
