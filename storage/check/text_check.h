#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "storage/check/check_run.h"
#include "storage/check/checked_documents.h"

namespace recall {

// A document whose text is to be read.
struct TextToCheck {
  size_t doc;        // index among the documents
  std::string name;  // for findings
  Digest hash;
  bool has_hash;  // false: the hash is not of this text
};

// Reads every block of text once, in the order of its rows, and sets text_ok of the documents whose
// text is whole.
Status CheckTexts(CheckRun& run, std::vector<TextToCheck> texts, DocumentFacts* facts);

}  // namespace recall
