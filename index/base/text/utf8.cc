#include "index/base/text/utf8.h"

#include <cstring>

#include "storage/base/coding.h"

namespace recall {
namespace {

constexpr uint32_t kReplacement = 0xFFFD;

// The first position >= `position` of a byte >= 0x80, or the size. Scans 32 bytes per step.
size_t SkipAscii(std::string_view text, size_t position) {
  const auto* bytes = reinterpret_cast<const uint8_t*>(text.data());
  constexpr uint64_t kHighBits = 0x8080808080808080;
  while (text.size() - position >= 32) {
    uint64_t words[4];
    std::memcpy(words, bytes + position, sizeof(words));
    if (((words[0] | words[1] | words[2] | words[3]) & kHighBits) != 0) break;
    position += 32;
  }
  while (position < text.size() && bytes[position] < 0x80) ++position;
  return position;
}

bool IsContinuation(uint8_t byte) { return (byte & 0xC0) == 0x80; }

// The length of a sequence with this first byte; 0 for a byte that starts none.
size_t SequenceLength(uint8_t lead) {
  if (lead < 0x80) return 1;
  if (lead < 0xC2) return 0;  // continuation bytes; C0 and C1, which start only overlong forms
  if (lead < 0xE0) return 2;
  if (lead < 0xF0) return 3;
  return lead < 0xF5 ? 4 : 0;
}

// Decodes the sequence at `position`, which must be inside the text. Returns its length, or 0 if it
// is ill-formed (RFC 3629, section 4).
size_t DecodeSequence(std::string_view text, size_t position, uint32_t* code_point) {
  const auto* bytes = reinterpret_cast<const uint8_t*>(text.data()) + position;
  const size_t length = SequenceLength(bytes[0]);
  if (length == 0 || length > text.size() - position) return 0;
  if (length == 1) {
    *code_point = bytes[0];
    return 1;
  }
  uint32_t value = bytes[0] & (0x7Fu >> length);
  for (size_t i = 1; i < length; ++i) {
    if (!IsContinuation(bytes[i])) return 0;
    value = value << 6 | (bytes[i] & 0x3Fu);
  }
  constexpr uint32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = value >= 0xD800 && value <= 0xDFFF;
  if (value < kSmallest[length] || value > 0x10FFFF || surrogate) return 0;
  *code_point = value;
  return length;
}

}  // namespace

bool IsValidUtf8(std::string_view text, size_t* bad_byte) {
  size_t position = SkipAscii(text, 0);
  while (position < text.size()) {
    uint32_t code_point;
    const size_t length = DecodeSequence(text, position, &code_point);
    if (length == 0) {
      if (bad_byte) *bad_byte = position;
      return false;
    }
    position += length;
    if (length == 1) position = SkipAscii(text, position);
  }
  return true;
}

uint32_t DecodeUtf8(std::string_view text, size_t* position) {
  uint32_t code_point = kReplacement;
  const size_t length = DecodeSequence(text, *position, &code_point);
  *position += length == 0 ? 1 : length;
  return code_point;
}

void AppendRepairedUtf8(std::string_view text, std::string* out) {
  for (size_t position = 0; position < text.size();) {
    AppendUtf8(DecodeUtf8(text, &position), out);
  }
}

bool IsWhiteSpace(uint32_t code_point) {
  if (code_point <= 0x20) return code_point == 0x20 || (code_point >= 0x09 && code_point <= 0x0D);
  if (code_point < 0x1680) return code_point == 0x85 || code_point == 0xA0;
  return code_point == 0x1680 || (code_point >= 0x2000 && code_point <= 0x200A) ||
         code_point == 0x2028 || code_point == 0x2029 || code_point == 0x202F ||
         code_point == 0x205F || code_point == 0x3000;
}

size_t FloorToCharacter(std::string_view text, size_t position) {
  if (position >= text.size()) return text.size();
  for (size_t back = 1; back <= 3 && back <= position; ++back) {
    const size_t start = position - back;
    uint32_t code_point;
    if (DecodeSequence(text, start, &code_point) > back) return start;
  }
  return position;
}

size_t FloorToWord(std::string_view text, size_t position) {
  if (position >= text.size()) return text.size();
  const auto visible = [&](size_t at) { return text[at] > 0x20 && text[at] < 0x7F; };
  if (visible(position)) {
    while (position > 0 && visible(position - 1)) --position;
  }
  return FloorToCharacter(text, position);
}

}  // namespace recall
