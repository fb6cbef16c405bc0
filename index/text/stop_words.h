#pragma once

#include <string_view>

namespace recall {

// English function words, which say nothing about what a text is about. `word` is folded.
bool IsStopWord(std::string_view word);

// Whether `stem` is what the index holds of one of these words. Thread-safe.
bool IsStopStem(std::string_view stem);

}  // namespace recall
