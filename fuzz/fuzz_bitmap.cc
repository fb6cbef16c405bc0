// Bytes that parse are a set, and a set has one form.

#include <algorithm>
#include <functional>

#include "fuzz/fuzz_target.h"
#include "index/filter/bitmap.h"

namespace recall {

void FuzzOne(ByteSpan input) {
  const Result<Bitmap> parsed = Bitmap::Parse(input);
  if (!parsed) {
    RECALL_CHECK(parsed.error().code() == StatusCode::kCorruption);
    return;
  }
  const std::string bytes = parsed->Serialize();
  const Result<Bitmap> again = Bitmap::Parse(AsBytes(bytes));
  RECALL_CHECK(again && *again == *parsed && again->Serialize() == bytes);

  const std::vector<uint32_t> values = parsed->Values();
  RECALL_CHECK(values.size() == parsed->Count());
  RECALL_CHECK(std::adjacent_find(values.begin(), values.end(), std::greater_equal<>()) ==
               values.end());
  Bitmap rebuilt;
  for (const uint32_t value : values) rebuilt.Add(value);
  RECALL_CHECK(rebuilt == *parsed && rebuilt.Serialize() == bytes);
  RECALL_CHECK(parsed->AndNot(rebuilt).Empty());
  if (values.empty()) return;
  const uint32_t middle = values[values.size() / 2];
  RECALL_CHECK(parsed->Contains(middle));
  RECALL_CHECK(parsed->CountRange(0, middle) == values.size() / 2 + 1);
}

}  // namespace recall
