#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "storage/base/result.h"
#include "storage/fts5/posting.h"

namespace recall {

class Connection;

// The FTS5 table `lexicon`: contentless, fed with text that the caller has already tokenised
// (tokens of [a-z0-9] and UTF-8 bytes >= 0x80, separated by single spaces), indexed by FTS5's
// built-in `ascii` tokenizer. Two columns:
//   body      the words, in order (phrases are matched here)
//   compound  whole identifiers whose parts are in `body` ("fooBar" -> foo bar | foobar)
// Row id = chunk rowid. What a token means, and how postings are scored, is index/'s business.

struct FtsPhrase {
  std::vector<std::string> tokens;  // adjacent, in order; never empty
  bool prefix = false;              // the last token is only a beginning
  uint32_t first_row = 0;           // rows before this one are not wanted
};

Status InsertFtsRow(Connection& connection, uint32_t row, std::string_view body,
                    std::string_view compound);

// Requires: the very text that was inserted (a contentless table cannot look it up).
Status DeleteFtsRow(Connection& connection, uint32_t row, std::string_view body,
                    std::string_view compound);

// One bit of merging all runs of the index into one, about 8 MiB of it; `first` begins a merge that
// takes in every run there is. Until all is merged a deleted row's words are still in the file,
// with a mark beside each that they do not count. Returns: true when there is more.
Result<bool> MergeFts(Connection& connection, bool first);

// Makes one run of the next level out of those of each level that has sixteen beside what a merge
// in progress takes in.
Status MergeFullFtsLevels(Connection& connection);

// The rows of each phrase, in the order of `phrases`. Any number of phrases; tokens may be any
// bytes (they are quoted), so no text makes this fail. Needs an open transaction.
// Cost: one pass over each phrase's postings, about 10 nanoseconds a match of a single word,
// outside of write transactions; about 80 of everything else.
Result<std::vector<PostingList>> ReadPostings(Connection& connection,
                                              const std::vector<FtsPhrase>& phrases);

}  // namespace recall
