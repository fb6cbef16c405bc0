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

// Reads the postings of single tokens from FTS5's own tables `lexicon_data` and `lexicon_idx`, at a
// few nanoseconds a match. FTS5 builds a row and an instance for each match, which takes about
// seventy (docs/decisions/0018-postings-from-pages.md). One version of the format is supported: the
// one that all SQLite libraries use for tables without `contentless_delete` and `secure-delete`.
// For others the functions return nothing, and the caller must use FTS5.
//
// Bytes are untrusted. Belongs to its connection's thread, and to one transaction.
class FtsWords final {
 public:
  // Returns nothing if FTS5 must be used instead (ReadableFtsRuns). Requires: an open transaction.
  static Result<std::optional<FtsWords>> Open(Connection& connection);

  // Returns the postings, from `first_row` on, of a token of at most kMaxTokenBytes as FTS5's
  // tokenizer produces it. Leaves that contain only earlier rows are skipped. Returns nothing if
  // FTS5 must be used instead because a page is damaged.
  Result<std::optional<PostingList>> Read(std::string_view token, uint32_t first_row = 0);

  static constexpr size_t kMaxTokenBytes = 1024;

 private:
  FtsWords(Connection* connection, std::vector<FtsRun> runs)
      : connection_(connection), runs_(std::move(runs)) {}
  Result<std::optional<int64_t>> AskLeaf(const char* sql, const FtsRun& run, std::string_view key);
  Result<int64_t> FindLeaf(const FtsRun& run, std::string_view key);
  // Returns nothing if there is no such row. Valid until the next call.
  Result<std::optional<ByteSpan>> ReadLeaf(int64_t row);
  Result<int64_t> FindRow(const FtsRun& run, int64_t leaf, std::string_view key, uint32_t row);
  // Both functions append to the list and return false if a leaf is damaged.
  Result<bool> ReadRun(const FtsRun& run, std::string_view key, uint32_t first_row,
                       PostingList* list);
  Result<bool> ReadOn(const FtsRun& run, int64_t leaf, FtsDoclist* doclist);

  struct CloseBlob {
    void operator()(sqlite3_blob* blob) const;
  };

  Connection* connection_;
  std::vector<FtsRun> runs_;  // oldest first
  // Kept open from leaf to leaf. A statement would make SQLite parse the root page of the table's
  // b-tree for each leaf; its thousands of cells take longer than everything else.
  std::unique_ptr<sqlite3_blob, CloseBlob> blob_;
  std::vector<uint8_t> leaf_;
};

}  // namespace recall
