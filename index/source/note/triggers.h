#pragma once

#include <string>
#include <vector>

#include "index/source/secrets/redacted_text.h"

namespace recall {

inline constexpr size_t kMostExtractedTriggers = 10;

// The words of a note that are most likely to be asked for, at most kMostExtractedTriggers. Words
// are folded, have three characters or more, and are no English function words. A word's weight is
// its count, where the title counts three times; twice that with a digit, one and a half times with
// '_', and twice if it is in the title. Equal weights go by first place. The rule is that of
// an older memory program (docs/memory-import.md).
std::vector<std::string> ExtractTriggers(const RedactedText& title, const RedactedText& text);

}  // namespace recall
