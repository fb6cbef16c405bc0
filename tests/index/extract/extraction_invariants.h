#pragma once

#include <string>

#include "index/extract/interface/extraction.h"
#include "index/text/utf8.h"

namespace recall {

// Returns: what the contract of extraction.h forbids in this extraction; "" if all is well.
inline std::string BrokenInvariant(const Extraction& extraction) {
  const auto is_clean = [](const std::string& text) {
    return IsValidUtf8(text) && text.find('\0') == std::string::npos;
  };
  if (!is_clean(extraction.text)) return "the text is not UTF-8 without NUL";
  if ((extraction.outcome == ExtractOutcome::kText) != extraction.reason.empty()) {
    return "reason and outcome disagree: " + extraction.reason;
  }
  if (extraction.outcome != ExtractOutcome::kText && !extraction.text.empty())
    return "text, but no outcome";
  if (!is_clean(extraction.reason)) return "the reason is not UTF-8";
  uint64_t at = 0;
  for (const LocatorSpan& span : extraction.spans) {
    if (span.start < at || span.start >= span.end) return "spans overlap or are empty";
    if (span.end > extraction.text.size()) return "a span ends after the text";
    if (!is_clean(span.locator.name) || !is_clean(span.locator.range))
      return "a locator is not UTF-8";
    at = span.end;
  }
  for (const auto& [key, values] : extraction.meta) {
    if (values.empty()) return key + " has no value";
    for (const std::string& value : values) {
      if (!is_clean(value)) return key + " is not UTF-8";
    }
  }
  for (const AttachedFile& file : extraction.files) {
    if (!is_clean(file.name)) return "the name of a file is not UTF-8";
  }
  for (size_t i = 1; i < extraction.warnings.size(); ++i) {
    if (extraction.warnings[i - 1] >= extraction.warnings[i]) return "warnings are not ascending";
  }
  return "";
}

}  // namespace recall
