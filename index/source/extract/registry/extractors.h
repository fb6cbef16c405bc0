#pragma once

#include <string_view>

#include "index/source/extract/types/document_format.h"
#include "index/source/extract/types/extraction.h"

namespace recall {

// Extracts the text of a file of a format, or of a PDF's words and boxes as `pdftotext
// -bbox-layout` writes them. The result is what extraction.h promises: an outcome without text has
// no spans, facts are few and short. Thread-safe.
Extraction ExtractDocument(DocumentFormat format, bool all_html, std::string_view bytes,
                           const ExtractLimits& limits);

// Repairs or drops the parts of an extraction that break the promises above.
Extraction Presentable(Extraction extraction);

// Loads the libraries of all formats that are installed.
void LoadExtractorLibraries();

}  // namespace recall
