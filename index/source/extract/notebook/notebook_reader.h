#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "index/source/extract/types/extraction.h"

namespace recall {

enum class NotebookCellKind : uint8_t { kMarkdown, kCode, kRaw, kHeading };

// One output of a code cell, in its textual forms. Texts are UTF-8 as the file has them, with
// control characters and any line ends.
struct NotebookOutput {
  int64_t number = 0;     // from 1, among the outputs of its cell
  bool is_error = false;  // an exception: `plain` is its traceback
  std::string plain;      // of a stream, "text/plain", or a traceback
  std::string markdown;   // "text/markdown"
  std::string html;       // "text/html"
  std::string error_name, error_value;
};

struct NotebookCell {
  int64_t number = 0;  // from 1
  NotebookCellKind kind = NotebookCellKind::kRaw;
  int64_t level = 1;     // of a heading
  std::string id;        // may be ""
  std::string language;  // of nbformat 3; may be ""
  std::string source;
  std::vector<NotebookOutput> outputs;
  bool outputs_truncated = false;  // there is more than is kept here
};

struct Notebook {
  int64_t format = 0;  // the major version of nbformat
  std::string title, kernel, language;
  std::vector<std::string> authors;
  std::vector<NotebookCell> cells;
};

// The limit of the outputs of one cell that ReadNotebook keeps, in bytes.
inline constexpr size_t kMostNotebookOutputBytes = 256 << 10;

// Reads a Jupyter notebook of nbformat 3 or 4 (nbformat.readthedocs.io, "The Notebook file
// format"). Images, attachments, widgets and unknown keys are skipped without a copy.
// Accepts what Python's json module writes beyond RFC 8259: NaN, Infinity, single surrogates.
// Returns: kText and `*notebook`, or another outcome and `*reason`. Requires: *notebook is new.
ExtractOutcome ReadNotebook(std::string_view bytes, const ExtractLimits& limits, Notebook* notebook,
                            std::string* reason);

}  // namespace recall
