#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "storage/base/coding.h"
#include "storage/base/result.h"
#include "storage/fts5/fts_structure.h"
#include "storage/fts5/posting.h"

struct sqlite3_blob;

namespace recall {

class FtsDoclist;

// Reads the postings of single tokens from FTS5's own tables `lexicon_data` and `lexicon_idx`: a
// few nanoseconds a match, where FTS5, which builds a row and an instance of each for a function to
// look at, takes seventy (docs/decisions/0018-postings-from-pages.md). It knows one version of that
// format, that of all SQLite libraries for tables without `contentless_delete` and `secure-delete`;
// of everything else it says so, and the caller asks FTS5.
//
// Bytes are not trusted. Belongs to its connection's thread, and to one transaction.
class FtsWords final {
 public:
  // Nothing when FTS5 must be asked (ReadableFtsRuns). Needs an open transaction.
  static Result<std::optional<FtsWords>> Open(Connection& connection);

  // The postings, from a row on, of a token of at most kMaxTokenBytes as FTS5's tokenizer leaves
  // it. Nothing when FTS5 must be asked: the pages are not what they should be. Leaves that only
  // have rows before are passed over.
  Result<std::optional<PostingList>> Read(std::string_view token, uint32_t first_row = 0);

  static constexpr size_t kMaxTokenBytes = 1024;

 private:
  FtsWords(Connection* connection, std::vector<FtsRun> runs)
      : connection_(connection), runs_(std::move(runs)) {}
  Result<std::optional<int64_t>> AskLeaf(const char* sql, const FtsRun& run, std::string_view key);
  Result<int64_t> FindLeaf(const FtsRun& run, std::string_view key);
  // Nothing when there is no such row. Valid until the next call.
  Result<std::optional<ByteSpan>> ReadLeaf(int64_t row);
  Result<int64_t> FindRow(const FtsRun& run, int64_t leaf, std::string_view key, uint32_t row);
  // These append to a list. False: the leaves are not what they should be.
  Result<bool> ReadRun(const FtsRun& run, std::string_view key, uint32_t first_row,
                       PostingList* list);
  Result<bool> ReadOn(const FtsRun& run, int64_t leaf, FtsDoclist* doclist);

  struct CloseBlob {
    void operator()(sqlite3_blob* blob) const;
  };

  Connection* connection_;
  std::vector<FtsRun> runs_;  // oldest first
  // Stays open from leaf to leaf: a statement would have SQLite examine the root of the table's
  // b-tree each time, whose thousands of cells take longer than all the rest.
  std::unique_ptr<sqlite3_blob, CloseBlob> blob_;
  std::vector<uint8_t> leaf_;
  std::string term_;
};

}  // namespace recall
