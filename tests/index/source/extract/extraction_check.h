#pragma once

#include <algorithm>
#include <functional>
#include <string>

#include "index/base/text/utf8.h"
#include "index/source/extract/types/extraction.h"

namespace recall {

// What every extraction promises, whatever the file was. Returns: the first rule that is broken; ""
// if all hold.
inline std::string BrokenRuleOf(const Extraction& extraction, const ExtractLimits& limits = {}) {
  const std::string& text = extraction.text;
  const auto is_text = [](const std::string& value) {
    return IsValidUtf8(value) && value.find('\0') == value.npos;
  };
  if (!is_text(text)) return "the text is not UTF-8 without NUL";
  if (text.find('\r') != text.npos) return "the text has carriage returns";
  if (text.size() > limits.max_text_bytes) return "the text is longer than the limit";
  if ((extraction.outcome == ExtractOutcome::kText) != extraction.reason.empty()) {
    return "the reason does not fit the outcome: " + extraction.reason;
  }
  if ((extraction.outcome == ExtractOutcome::kText) == text.empty() && extraction.files.empty()) {
    return "the text does not fit the outcome";
  }
  if (!is_text(extraction.reason)) return "the reason is not UTF-8";
  uint64_t last = 0;
  for (const LocatorSpan& span : extraction.spans) {
    if (span.start < last) return "spans overlap or descend";
    if (span.end <= span.start) return "a span is empty";
    if (span.end > text.size()) return "a span is outside the text";
    for (const uint64_t at : {span.start, span.end}) {
      if (FloorToCharacter(text, at) != at) return "a span divides a character";
    }
    if (span.locator.number < 0) return "a place has a negative number";
    if (!is_text(span.locator.name) || !is_text(span.locator.range)) return "a place is not UTF-8";
    last = span.end;
  }
  for (const auto& [key, values] : extraction.meta) {
    const bool fits = !key.empty() && std::ranges::all_of(key, [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
    });
    if (!fits) return "a key of the facts is not in lower case: " + key;
    if (values.empty()) return "a fact has no value: " + key;
    if (!std::ranges::all_of(values, is_text)) return "a fact is not UTF-8: " + key;
  }
  if (std::ranges::adjacent_find(extraction.warnings, std::greater_equal<>()) !=
      extraction.warnings.end()) {
    return "the warnings do not ascend";
  }
  if (static_cast<int64_t>(extraction.files.size()) > limits.max_files) return "too many files";
  for (const AttachedFile& file : extraction.files) {
    if (!is_text(file.name)) return "a file's name is not UTF-8";
  }
  return "";
}

// The text of all spans with this place's kind and number, and range if it is not empty.
inline std::string TextAt(const Extraction& extraction, LocatorKind kind, int64_t number,
                          const std::string& range = "") {
  std::string text;
  for (const LocatorSpan& span : extraction.spans) {
    if (span.locator.kind != kind || span.locator.number != number) continue;
    if (!range.empty() && span.locator.range != range) continue;
    text += extraction.text.substr(span.start, span.end - span.start);
  }
  return text;
}

}  // namespace recall
