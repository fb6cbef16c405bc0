// DecodeUtf8 never reads outside the text. A text is valid exactly if all characters survive a
// round trip.

#include <string>

#include "fuzz/fuzz_target.h"
#include "index/base/text/utf8.h"

namespace recall {
namespace {

constexpr uint32_t kReplacement = 0xFFFD;

// Decodes the whole text. Returns: the offset of the first ill-formed byte, or the size.
size_t FirstBadByte(std::string_view text) {
  size_t first_bad = text.size();
  for (size_t position = 0; position < text.size();) {
    const size_t start = position;
    const uint32_t code_point = DecodeUtf8(text, &position);
    RECALL_CHECK(position > start && position <= text.size());
    std::string encoded;
    AppendUtf8(code_point, &encoded);
    const bool well_formed = encoded == text.substr(start, position - start);
    RECALL_CHECK(well_formed || (code_point == kReplacement && position == start + 1));
    if (!well_formed && first_bad == text.size()) first_bad = start;
  }
  return first_bad;
}

}  // namespace

void FuzzOne(ByteSpan input) {
  const std::string_view text = AsText(input);
  const size_t first_bad = FirstBadByte(text);
  size_t reported = text.size();
  RECALL_CHECK(IsValidUtf8(text, &reported) == (first_bad == text.size()));
  RECALL_CHECK(first_bad == text.size() || reported == first_bad);
  for (size_t position = 0; position <= text.size() + 1; ++position) {
    const size_t floor = FloorToCharacter(text, position);
    RECALL_CHECK(floor <= position && floor <= text.size());
    RECALL_CHECK(position > text.size() || position - floor < 4);
    RECALL_CHECK(FloorToCharacter(text, floor) == floor);
  }
}

}  // namespace recall
