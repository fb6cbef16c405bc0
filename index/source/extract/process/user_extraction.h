#pragma once

#include <atomic>
#include <string_view>

#include "index/source/extract/types/extraction.h"
#include "index/source/extract/types/user_extractor.h"

namespace recall {

// Runs the user's program on a file: the file is its standard input, its standard output is the
// text, in UTF-8, with the marks of Markdown if it likes. A form feed begins a page, as pdftotext
// and others write it: the pages are places (kPage, from 1). It is in no sandbox: it is the user's.
//
// Outcomes: kText; kNoText if it writes nothing but white space; kDamaged if it fails, with the
// last line of its standard error, or its output is no UTF-8; kTooLarge, kTimedOut; kUnsupported if
// there is no such program. `cancel` ends the wait soon; the result is then of no use. Thread-safe.
Extraction ExtractByUser(const UserExtractor& extractor, std::string_view bytes,
                         const ExtractLimits& limits, const std::atomic<bool>& cancel);

// Divides the output of such a program into its text and its pages.
Extraction ReadPagedText(std::string_view output);

}  // namespace recall
