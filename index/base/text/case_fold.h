#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace recall {

// Unicode's simple case folding (CaseFolding.txt, statuses C and S): one character to one
// character, the same in every language. "STRASSE" and "straße" stay different, "Σ" and "ς" become
// equal.
uint32_t FoldCase(uint32_t code_point);

// Appends the folded text; invalid UTF-8 is copied unchanged.
void FoldCaseAppend(std::string_view text, std::string* out);

// The folded text.
inline std::string InOneCase(std::string_view text) {
  std::string folded;
  FoldCaseAppend(text, &folded);
  return folded;
}

}  // namespace recall
