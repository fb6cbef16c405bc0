#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace recall {

// Languages whose letters are in the same single-byte charsets.
enum class ScriptFamily : uint8_t {
  kWestern,
  kCentral,
  kTurkish,
  kCyrillic,
  kGreek,
  kHebrew,
  kArabic,
};

// The pairs of letters of a language.
struct LetterPairs {
  ScriptFamily family;
  bool latin;                 // a to z are letters of it, too
  std::u16string_view lower;  // its letters beyond ASCII
  std::u16string_view upper;  // the same in upper case; equal where the script has none
  std::string_view costs;     // n * n, where n is the number of letters plus two
};

extern const LetterPairs kLetterPairs[];
extern const size_t kLetterPairsCount;

// The most frequent characters of East Asian languages, in the order of their code points.
extern const std::u16string_view kCommonSimplified;   // Chinese
extern const std::u16string_view kCommonTraditional;  // Chinese
extern const std::u16string_view kCommonHangul;
extern const std::u16string_view kCommonKanji;

}  // namespace recall
