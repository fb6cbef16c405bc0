#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace recall {

// The language of a text, by its function words, or by its script: "de" for German (ISO 639-1).
// Empty if the text is too short to tell, mixed, or no prose of a language that is known here.
// Looks at 4 KiB of the text at most, in pieces from all of it. The result points to static memory.
// Thread-safe.
std::string_view DetectLanguage(std::string_view text);

// Those of `languages` in which a question may be: all, unless its function words are mostly of one
// of them or of English.
std::vector<std::string> LanguagesOfQuestion(std::string_view question,
                                             std::span<const std::string> languages);

}  // namespace recall
