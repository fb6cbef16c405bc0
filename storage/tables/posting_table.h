#pragma once

// Postings of common words that are kept ready beside the lexical index (docs/format/store.md,
// "posting_set, posting_list"). They say again what the index says of the chunk rowids below a
// set's end, so whoever takes postings of such rows out of the index deletes the sets in the same
// transaction. What a list's bytes mean is index/lexical's business.

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "storage/base/coding.h"
#include "storage/base/result.h"

namespace recall {

class Connection;

struct PostingSet {
  int64_t id = 0;
  uint32_t end_chunk = 0;     // chunk rowids below this one
  double average_length = 0;  // lexical tokens of a live chunk when it was made
};

// The set that is complete; none in stores of formats that had none.
Result<std::optional<PostingSet>> FindPostingSet(Connection& connection);

// Calls visit(list) with the list of a word, if there is one.
Status ReadPostingList(Connection& connection, int64_t set, std::string_view word,
                       const std::function<void(ByteSpan list)>& visit);

// Calls visit(word, list) for all lists of a set, by word.
Status ScanPostingLists(Connection& connection, int64_t set,
                        const std::function<Status(std::string_view word, ByteSpan list)>& visit);

// The rest needs a write transaction.

// Begins a set, which nobody finds until it is complete. Returns: its id, which is never reused.
Result<int64_t> BeginPostingSet(Connection& connection, uint32_t end_chunk, double average_length);
// Returns: false when the set is gone. Requires: no list of the word is there.
Result<bool> HasPostingSet(Connection& connection, int64_t set);
Status InsertPostingList(Connection& connection, int64_t set, std::string_view word, ByteSpan list);
// From now on this set is the one that is found; the others go.
Status CompletePostingSet(Connection& connection, int64_t set);

// Deletes sets that are not complete. Whoever is making one will notice.
Status DeleteUnfinishedPostingSets(Connection& connection);

// Deletes all sets, also those that somebody is making, who will notice.
Status DeletePostingSets(Connection& connection);

}  // namespace recall
