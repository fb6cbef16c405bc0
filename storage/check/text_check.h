#pragma once

// Checks of the stored texts: every block exists and decompresses, and the text has the right hash.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "storage/check/check_run.h"
#include "storage/check/checked_documents.h"

namespace recall {

class Connection;

// The blocks of one text as they are stored.
struct StoredText {
  struct Block {
    int64_t number;  // from 0
    std::string frame;
  };
  std::vector<Block> blocks;  // ascending
  std::string fault;          // why blocks are lacking that could not be read; may be empty
  std::string grams;          // its trigrams, as they are stored; empty if it has none
};

struct TextFault {
  FindingCode code;
  std::string what;
  int64_t count = 1;
};

// A text, or why it is damaged.
struct CheckedText {
  std::optional<std::string> text;
  std::vector<TextFault> faults;  // of a text that is there, those of its trigrams
};

// Decides to which document each block belongs: sets first_own_block. Reports blocks that belong to
// none, unless rows of documents are unreadable, to which they may belong. Requires: table
// text_block.
Status AssignTextBlocks(CheckRun& run, DocumentFacts* facts);

// Reads the blocks of a document. Damage is part of the result. Errors: those that end an
// examination. Requires: facts.has_texts.
Result<StoredText> ReadStoredText(Connection& connection, const CheckedDoc& doc);

// Decompresses a text and compares it with its hash. Thread-safe.
CheckedText CheckText(const CheckedDoc& doc, const StoredText& stored);

// Adds the faults of a text to the findings.
void ReportTextFaults(CheckRun& run, const CheckedDoc& doc, std::span<const TextFault> faults);

// Checks all texts, on this thread.
Status CheckTexts(CheckRun& run, const DocumentFacts& facts);

}  // namespace recall
