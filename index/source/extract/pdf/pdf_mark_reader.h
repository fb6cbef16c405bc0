#pragma once

#include <string_view>

#include "index/source/extract/pdf/pdf_marks.h"
#include "index/source/extract/types/extraction.h"

namespace recall {

// Reads the outline and the annotations of a file. Any bytes give marks, or none; those of a file
// that is encrypted are not read. Circles and repetitions are left out. Limits: max_members pages,
// sections and notes, max_text_bytes of texts. Linear in the file and what its streams unpack to.
PdfMarks ReadPdfMarks(std::string_view file, const ExtractLimits& limits);

}  // namespace recall
