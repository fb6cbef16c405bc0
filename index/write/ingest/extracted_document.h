#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "index/source/extract/process/extractor_pool.h"
#include "index/source/extract/types/extraction.h"
#include "index/source/secrets/redactor.h"
#include "index/write/ingest/text_file.h"
#include "storage/tables/extraction_table.h"

namespace recall {

// When a file that was extracted before, and has not changed, is extracted again.
struct ExtractAgain {
  bool failed = false;     // if it gave no text
  bool encrypted = false;  // if a password was needed
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

// The format and the extractor of text that was decoded from another charset than UTF-8:
// "text/1+windows-1251", or "text/1+given+windows-1251" if the user named it. The version must be
// raised whenever the same bytes would give another text.
inline constexpr std::string_view kDecodedFormat = "text";
inline constexpr std::string_view kTextDecoder = "text/1";

// What is recorded of a decoded text. Warnings: "charset_wrong", if bytes became U+FFFD.
ExtractionRow RowOfDecoded(const OriginalOfText& original);

// Its metadata, a JSON object: `front_matter`, a JSON object or "", and the keys charset, format,
// extracted and extractor.
std::string MetaOfDecoded(const OriginalOfText& original, const ExtractionRow& row,
                          std::string_view front_matter);

// The charset of a decoded text.
std::string CharsetOf(const ExtractionRow& row);

// The same if the user named it; "" if it was detected.
std::string GivenCharsetOf(const ExtractionRow& row);

// The record of locator spans for a text of which parts of lines were replaced: `after` has as many
// lines as `before`. The names of places are redacted, too.
std::string SpansOfRedacted(const Redactor& redactor, std::string_view record,
                            std::string_view before, std::string_view after);

}  // namespace recall
