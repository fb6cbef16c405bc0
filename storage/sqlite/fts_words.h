#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "storage/base/result.h"
#include "storage/sqlite/fts_index.h"
#include "storage/sqlite/fts_structure.h"

namespace recall {

// Reads the postings of single tokens from FTS5's own tables `lexicon_data` and `lexicon_idx`: a
// few nanoseconds a match, where FTS5, which builds a row and an instance of each for a function to
// look at, takes seventy (docs/decisions/0018-postings-from-pages.md). It knows one version of that
// format, that of all SQLite libraries for tables without `contentless_delete` and `secure-delete`;
// of everything else it says so, and the caller asks FTS5.
//
// Bytes are not trusted. Belongs to its connection's thread, and to one transaction.
class FtsWords final {
 public:
  // Nothing when FTS5 must be asked: within a write transaction, of which FTS5 holds what nobody
  // else can see, or when the index is of another version. Needs an open transaction.
  static Result<std::optional<FtsWords>> Open(Connection& connection);

  // The postings of a token of at most kMaxTokenBytes as FTS5's tokenizer leaves it. Nothing when
  // FTS5 must be asked: the pages are not what they should be.
  Result<std::optional<PostingList>> Read(std::string_view token);

  static constexpr size_t kMaxTokenBytes = 1024;

 private:
  FtsWords(Connection* connection, std::vector<FtsRun> runs)
      : connection_(connection), runs_(std::move(runs)) {}
  Result<int64_t> FindLeaf(const FtsRun& run, std::string_view key);
  // Appends to `list`. False: the leaves are not what they should be.
  Result<bool> ReadRun(const FtsRun& run, std::string_view key, PostingList* list);

  Connection* connection_;
  std::vector<FtsRun> runs_;  // oldest first
  std::string term_;
};

}  // namespace recall
