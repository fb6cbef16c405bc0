#pragma once

#include <string_view>

#include "index/source/extract/types/extraction.h"

namespace recall {

// The limit of the outputs of one cell in the text, in bytes.
inline constexpr size_t kMostNotebookCellOutput = 16 << 10;

// The text of a Jupyter notebook (nbformat 3 or 4), cell by cell in order. Markdown and raw cells
// are as they are; the source of a code cell is a fenced block of the language of its kernel, or of
// its cell magic ("%%bash"). Each output is a fenced block of "text": streams, "text/plain", else
// "text/markdown" or the text of "text/html"; tracebacks, without escape sequences of terminals. Of
// the outputs of a cell the first 16 KiB are kept, with the warning "truncated_output". Images,
// widgets and attachments are left out.
//
// Locators: kCell, the cell's number and id; "source" or "output 1" (from 1, among all outputs of
// the cell). Meta: "title" (metadata.title, else the first heading), "authors", "language",
// "kernel".
//
// Outcomes: kDamaged with the offset of the byte that breaks the JSON, or when it is no notebook;
// kUnsupported for another nbformat; kTooLarge for limits.max_text_bytes, max_members (cells) and
// max_depth (values in values); kNoText.
Extraction ExtractNotebook(std::string_view bytes, const ExtractLimits& limits);

}  // namespace recall
