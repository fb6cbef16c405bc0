#include "index/search/lexical/posting_merge.h"

#include <utility>

namespace recall {
namespace {

// Merges the posting lists of a clause's alternatives, such as the words with a prefix, into one
// list with added counts.
//
//   lists   a   b   c   d   e        merged in pairs, round by round
//            \ /     \ /    |
//            ab      cd     e
//              \    /       |
//               abcd        e  ->  abcde
//
// Invariants: the result ascends by chunk rowid and contains each rowid once. Counts are added, as
// if all alternatives were the same term: BM25 then saturates the sum instead of each part, and df
// counts a chunk once. Addition of integers is associative, so the order of merges has no effect.
//
// Cost: O(postings x log lists), as a heap would have, but each step is a linear merge of two
// arrays without an unpredictable heap operation for each posting. Memory: input and output of one
// round.

PostingList MergeTwo(const PostingList& a, const PostingList& b) {
  PostingList merged;
  merged.reserve(a.size() + b.size());
  size_t i = 0;
  size_t j = 0;
  while (i < a.size() && j < b.size()) {
    if (a[i].row == b[j].row) {
      merged.push_back({a[i].row, a[i].count + b[j].count});
      ++i;
      ++j;
    } else {
      merged.push_back(a[i].row < b[j].row ? a[i++] : b[j++]);
    }
  }
  merged.insert(merged.end(), a.begin() + static_cast<ptrdiff_t>(i), a.end());
  merged.insert(merged.end(), b.begin() + static_cast<ptrdiff_t>(j), b.end());
  return merged;
}

}  // namespace

PostingList MergePostings(std::vector<PostingList> lists) {
  if (lists.empty()) return {};
  while (lists.size() > 1) {
    std::vector<PostingList> halved;
    for (size_t i = 0; i < lists.size(); i += 2) {
      const bool paired = i + 1 < lists.size();
      halved.push_back(paired ? MergeTwo(lists[i], lists[i + 1]) : std::move(lists[i]));
    }
    lists = std::move(halved);
  }
  return std::move(lists.front());
}

}  // namespace recall
