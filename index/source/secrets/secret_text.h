#pragma once

// Questions about bytes and values that several files of this room ask.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace recall {

// Classes of ASCII; all other bytes are neither letters nor digits.
inline bool IsSecretDigit(char c) { return c >= '0' && c <= '9'; }
inline bool IsSecretLower(char c) { return c >= 'a' && c <= 'z'; }
inline bool IsSecretUpper(char c) { return c >= 'A' && c <= 'Z'; }
inline bool IsSecretLetter(char c) { return IsSecretLower(c) || IsSecretUpper(c); }
inline bool IsSecretAlnum(char c) { return IsSecretLetter(c) || IsSecretDigit(c); }
inline bool IsSecretHex(char c) {
  return IsSecretDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}
inline char SecretLowered(char c) { return IsSecretUpper(c) ? static_cast<char>(c + 32) : c; }

std::string SecretLowered(std::string_view text);

int DistinctBytes(std::string_view text);

// Shannon's entropy of the bytes of a text, in bits a byte. The same bits on every CPU.
double EntropyOf(std::string_view text);

// From 0 to 1: the share of neighbouring letters and digits that do not follow each other in words
// and names: a letter and a digit, pairs of letters that English and identifiers hardly have, and,
// as a half, a change from lower to upper case. Random letters and digits have about 0.67, names
// about 0.1.
double Randomness(std::string_view text);

// Whether a hand ran over the keys of a keyboard: `asdkjfh234`. Of its pairs of letters and digits
// half or more lie in one row of keys, and many are neighbours there. One of some 200 random texts
// of 16 lower-case letters and digits looks so too.
bool LooksTyped(std::string_view text);

// Whether text[begin - 1] may stand before a secret that begins at text[begin]: it is no letter and
// no digit, or the end of an escape: `\n`, `\u0022`, `%3D`, ESC[32m.
bool MayBeginSecret(std::string_view text, size_t begin);

}  // namespace recall
