#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace recall {

// Unicode's simple case folding (CaseFolding.txt, statuses C and S): one character for one, in
// every language alike. "STRASSE" and "straße" stay different, "Σ" and "ς" become equal.
uint32_t FoldCase(uint32_t code_point);

// Appends the folded text; bytes that are no UTF-8 stay as they are.
void FoldCaseAppend(std::string_view text, std::string* out);

}  // namespace recall
