#include "index/source/extract/types/locator_record.h"

#include <algorithm>

#include "index/base/text/utf8.h"
#include "storage/base/byte_cursor.h"
#include "storage/base/leb128.h"

namespace recall {
namespace {

constexpr uint64_t kSameText = kMostLocatorText + 1;

void PutText(const std::string& text, const std::string* before, std::string* out) {
  if (before != nullptr && *before == text && !text.empty()) {
    AppendLeb128(kSameText, out);
    return;
  }
  AppendSizedText(text, out);
}

bool IsLocatorText(std::string_view text) {
  return std::none_of(text.begin(), text.end(),
                      [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }) &&
         IsValidUtf8(text);
}

// Reads a name or range; `before` is that of the previous span, null for the first. Returns false
// if the bytes are no text.
bool TakeText(ByteCursor* cursor, const std::string* before, std::string* text) {
  const uint64_t size = cursor->Number();
  if (size == kSameText && before != nullptr) {
    *text = *before;
    return true;
  }
  if (size > kMostLocatorText) return false;
  *text = std::string(cursor->Text(size));
  return IsLocatorText(*text);
}

}  // namespace

std::string EncodeLocatorSpans(const std::vector<LocatorSpan>& spans) {
  std::string record;
  AppendLeb128(spans.size(), &record);
  uint64_t end = 0;
  int64_t number = 0;
  const Locator* before = nullptr;
  for (const LocatorSpan& span : spans) {
    AppendLeb128(span.start - end, &record);
    AppendLeb128(span.end - span.start, &record);
    AppendLeb128(static_cast<uint64_t>(span.locator.kind), &record);
    const int64_t step = span.locator.number - number;
    AppendLeb128(static_cast<uint64_t>(step) << 1 ^ static_cast<uint64_t>(step >> 63), &record);
    PutText(span.locator.name, before ? &before->name : nullptr, &record);
    PutText(span.locator.range, before ? &before->range : nullptr, &record);
    end = span.end;
    number = span.locator.number;
    before = &span.locator;
  }
  return record;
}

std::optional<std::vector<LocatorSpan>> DecodeLocatorSpans(std::string_view record,
                                                           uint64_t text_size) {
  ByteCursor cursor(record);
  const uint64_t count = cursor.Number();
  if (count > text_size || count > record.size()) return std::nullopt;  // a span takes six bytes
  std::vector<LocatorSpan> spans;
  spans.reserve(count);
  uint64_t end = 0;
  uint64_t number = 0;
  for (uint64_t i = 0; i < count; ++i) {
    const Locator* const before = spans.empty() ? nullptr : &spans.back().locator;
    LocatorSpan span;
    const uint64_t gap = cursor.Number();
    const uint64_t size = cursor.Number();
    if (gap > text_size - end || size == 0 || size > text_size - end - gap) return std::nullopt;
    span.start = end + gap;
    span.end = span.start + size;
    const uint64_t kind = cursor.Number();
    if (kind > static_cast<uint64_t>(LocatorKind::kCell)) return std::nullopt;
    span.locator.kind = static_cast<LocatorKind>(kind);
    const uint64_t step = cursor.Number();
    number += step >> 1 ^ (0 - (step & 1));
    span.locator.number = static_cast<int64_t>(number);
    if (span.locator.number < 0) return std::nullopt;
    if (!TakeText(&cursor, before ? &before->name : nullptr, &span.locator.name) ||
        !TakeText(&cursor, before ? &before->range : nullptr, &span.locator.range) ||
        cursor.broken()) {
      return std::nullopt;
    }
    end = span.end;
    spans.push_back(std::move(span));
  }
  if (!cursor.finished()) return std::nullopt;
  return spans;
}

std::string CleanLocatorText(std::string_view text) {
  std::string clean;
  for (const char c : text) {
    const bool control = static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
    if (!control) clean.push_back(c);
  }
  if (!IsValidUtf8(clean)) return {};
  clean.resize(FloorToWord(clean, kMostLocatorText));
  return clean;
}

std::vector<uint64_t> PageStartsOf(std::string_view record, uint64_t text_size) {
  std::vector<uint64_t> starts;
  const auto spans = DecodeLocatorSpans(record, text_size);
  if (!spans) return starts;
  for (const LocatorSpan& span : *spans) {
    if (span.locator.kind == LocatorKind::kPage) starts.push_back(span.start);
  }
  return starts;
}

}  // namespace recall
