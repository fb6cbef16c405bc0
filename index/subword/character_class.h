#pragma once

// Classes of characters as the tokenizers of Hugging Face draw them. Thread-safe.

#include <cstdint>

namespace recall {

bool IsSubwordPunctuation(uint32_t c);  // Unicode P*, and all ASCII that is no letter or digit
bool IsWordCharacter(uint32_t c);       // \w: alphabetic, mark, decimal digit, connector, joiner
bool IsLetter(uint32_t c);              // \p{L}
bool IsNumeric(uint32_t c);             // \p{N}
bool IsUpperLike(uint32_t c);           // Lu, Lt, and what has no case: Lm, Lo, M*
bool IsLowerLike(uint32_t c);           // Ll, and the same
bool IsNonspacingMark(uint32_t c);      // Mn
bool IsAnyMark(uint32_t c);             // M*
// Control, format, private use: what BERT's clean-up drops, but for tab and line ends.
bool IsControl(uint32_t c);
// As ranges of BERT's; not all of Han.
bool IsBertChinese(uint32_t c);

}  // namespace recall
