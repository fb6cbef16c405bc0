#pragma once

// Character classes as the tokenizers of Hugging Face define them. Thread-safe.

#include <cstdint>

namespace recall {

bool IsSubwordPunctuation(uint32_t c);  // Unicode P*, and all visible ASCII but letters and digits
bool IsWordCharacter(uint32_t c);       // \w: alphabetic, mark, decimal digit, connector, joiner
bool IsLetter(uint32_t c);              // \p{L}
bool IsNumeric(uint32_t c);             // \p{N}
bool IsUpperLike(uint32_t c);           // Lu, Lt, and characters without case: Lm, Lo, M*
bool IsLowerLike(uint32_t c);           // Ll, and characters without case
bool IsNonspacingMark(uint32_t c);      // Mn
bool IsAnyMark(uint32_t c);             // M*
// Control, format and private-use characters. BERT's clean-up drops these, except tab and line
// ends.
bool IsControl(uint32_t c);
// The ranges that BERT defines; they do not contain all Han characters.
bool IsBertChinese(uint32_t c);

}  // namespace recall
