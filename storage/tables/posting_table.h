#pragma once

// Precomputed block-max posting lists of common terms (docs/format/store.md, "posting_set,
// posting_list"). They repeat the postings of the full-text index for the chunk rowids below a
// set's end. Code that deletes postings of such rows from the index must delete the sets in the
// same transaction. index/search/lexical defines the bytes of a list.

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "storage/base/coding.h"
#include "storage/base/result.h"

namespace recall {

class Connection;

struct PostingSet {
  int64_t id = 0;
  uint32_t end_chunk = 0;     // the set covers the chunk rowids below this one
  double average_length = 0;  // mean lexical tokens of a live chunk when the set was built
};

// The complete set; nothing if there is none, or in stores of formats without sets.
Result<std::optional<PostingSet>> FindPostingSet(Connection& connection);

// Calls visit(list) with the list of a word, if the set has it.
Status ReadPostingList(Connection& connection, int64_t set, std::string_view word,
                       const std::function<void(ByteSpan list)>& visit);

// The first bytes of a list and its length; nothing of a word without a list.
struct StoredPostingList {
  std::vector<uint8_t> start;
  size_t size = 0;
};
Result<StoredPostingList> FindPostingList(Connection& connection, int64_t set,
                                          std::string_view word, size_t start_bytes);

// Calls visit(word, list) for all lists of a set, by word.
Status ScanPostingLists(Connection& connection, int64_t set,
                        const std::function<Status(std::string_view word, ByteSpan list)>& visit);

// The functions below require a write transaction.

// Begins a set, which searches ignore until it is complete. Returns: its id, which is never reused.
Result<int64_t> BeginPostingSet(Connection& connection, uint32_t end_chunk, double average_length);
// Returns false if another process has deleted the set.
Result<bool> HasPostingSet(Connection& connection, int64_t set);
// Requires: the set has no list of the word.
Status InsertPostingList(Connection& connection, int64_t set, std::string_view word, ByteSpan list);
// Makes this set the one that FindPostingSet returns, and deletes all others.
Status CompletePostingSet(Connection& connection, int64_t set);

// Deletes incomplete sets. A process that is building one notices with HasPostingSet.
Status DeleteUnfinishedPostingSets(Connection& connection);

// Deletes all sets, including incomplete ones, whose builders notice with HasPostingSet.
Status DeletePostingSets(Connection& connection);

}  // namespace recall
