#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "index/source/extract/process/extractor_pool.h"
#include "index/source/extract/types/extraction.h"
#include "index/source/secrets/redactor.h"
#include "storage/tables/extraction_table.h"

namespace recall {

// When a file that was extracted before, and has not changed, is extracted again.
struct ExtractAgain {
  bool failed = false;  // if it gave no text
  bool all = false;
};

// The text of a file of another format.
struct ExtractedText {
  std::string text;  // "" unless the outcome is "text"
  std::string meta;  // a JSON object: facts of the file; format, extracted, extractor
  ExtractionRow row;
  std::vector<AttachedFile> files;
};

// Extracts the text of a file. `before`: the extraction of the live version, if its text may be
// kept. Returns: nothing if it is kept, because the file is the same and nothing asks for another
// try. A failure that a newer extractor may not have is tried again with another extractor, one
// that was out of time or crashed only on request. Thread-safe.
std::optional<ExtractedText> ExtractText(std::string_view bytes, const ExtractorChoice& extractor,
                                         const std::optional<ExtractionRow>& before,
                                         ExtractAgain again, ExtractorPool& extractors);

// The record of locator spans for a text of which parts of lines were replaced: `after` has as many
// lines as `before`. The names of places are redacted, too.
std::string SpansOfRedacted(const Redactor& redactor, std::string_view record,
                            std::string_view before, std::string_view after);

}  // namespace recall
