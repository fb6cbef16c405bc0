#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "storage/check/check_run.h"
#include "storage/check/checked_documents.h"

namespace recall {

// A document whose text will be read.
struct TextToCheck {
  size_t doc;        // index among the documents
  std::string name;  // for findings
  Digest hash;
  bool has_hash;  // false: the hash is not that of the text
};

// Reads every block of text once, by row, and sets text_ok of the documents whose text is complete
// and has the right hash.
Status CheckTexts(CheckRun& run, std::vector<TextToCheck> texts, DocumentFacts* facts);

}  // namespace recall
