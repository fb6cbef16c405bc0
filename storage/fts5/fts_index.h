#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "storage/base/result.h"
#include "storage/fts5/posting.h"

namespace recall {

class Connection;

// The FTS5 table `lexicon`: contentless, fed with texts that the caller has tokenised (tokens of
// [a-z0-9] and UTF-8 bytes >= 0x80, separated by single spaces), indexed by FTS5's
// built-in `ascii` tokenizer. Two columns:
//   body      the words, in order (phrases are matched here)
//   compound  whole identifiers whose parts are in `body` ("fooBar" -> foo bar | foobar)
// Row id = chunk rowid. The meaning of tokens and the scoring of postings are in
// index/search/lexical and index/base/text.

struct FtsPhrase {
  std::vector<std::string> tokens;  // adjacent, in order; never empty
  bool prefix = false;              // the last token is a prefix
  uint32_t first_row = 0;           // rows before this one are left out
};

Status InsertFtsRow(Connection& connection, uint32_t row, std::string_view body,
                    std::string_view compound);

// Requires: exactly the inserted text, because a contentless table does not store it.
Status DeleteFtsRow(Connection& connection, uint32_t row, std::string_view body,
                    std::string_view compound);

// Returns the rows of each phrase, in the order of `phrases`. Any number of phrases is allowed.
// Tokens may be any bytes (they are quoted), so no text makes this fail. Requires: an open
// transaction. Cost: one pass over each phrase's postings. A match of a single word takes about 10
// nanoseconds outside of write transactions; any other match about 80.
Result<std::vector<PostingList>> ReadPostings(Connection& connection,
                                              const std::vector<FtsPhrase>& phrases);

}  // namespace recall
