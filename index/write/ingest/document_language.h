#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "storage/documents/document_store.h"

namespace recall {

// Instead of a language: none, and what is detected even if one was given before.
inline constexpr std::string_view kNoLanguage = "none";
inline constexpr std::string_view kDetectLanguage = "detect";

// Whether nothing changes if a document is asked to have this language: a code (ISO 639-1) or one
// of the above.
bool HasLanguage(const DocRow& doc, std::string_view asked);

// Sets the language of a new version of a document: `asked`; or that of the live version, if it was
// given or the text is the same; or the one that is detected. Source code has none unless it is
// asked for. `text` is only needed if it is not that of the live version, or kDetectLanguage is
// asked for.
void SettleLanguage(std::string_view text, const std::optional<std::string>& asked,
                    const std::optional<DocRow>& live, DocRow* doc);

}  // namespace recall
