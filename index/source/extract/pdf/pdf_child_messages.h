#pragma once

#include <string>
#include <string_view>

#include "index/source/extract/types/extraction.h"

namespace recall {

// The result of a run of pdftotext.
struct PdfChildResult {
  // kText if the output can be read, even if pdftotext printed errors. Otherwise kEncrypted,
  // kDamaged or kUnsupported, and the output is useless.
  ExtractOutcome outcome = ExtractOutcome::kText;
  std::string reason;  // "" for kText
  // Parts of the file are broken: some text may be missing.
  bool has_errors = false;
};

// `messages`: what pdftotext (poppler-utils 22.12) wrote to its standard error, or the beginning of
// it; any bytes. `exit_status`: its exit status, 0 to 255; runs that a signal ended are for the
// caller to judge. The reason is UTF-8 on one line.
PdfChildResult ReadPdfChildMessages(std::string_view messages, int exit_status);

}  // namespace recall
