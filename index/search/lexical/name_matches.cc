// Finds documents by the words of their names.
//
// Problem. "Budget Antarctica.md" says neither word in its text, and a person expects to find it by
// them. But each chunk of a document has the words of its path, and a query with a common word such
// as "python" must not match every chunk below python/.
//
// Idea. A name is a weaker answer than a text. So names are looked at only if few chunks contain
// all words of the query; a document counts only if its name has a large part of the words,
// measured by their idf, and if none of its chunks matches anyhow; and it is represented by one
// chunk.
//
// Invariants. The result depends on nothing but the live chunks and the filter. If the words that
// occur in names are too small a part of the query, only the counts of postings are read.
//
// Cost. Otherwise one pass over the masks of the words, one step for each chunk whose path has a
// word, and a look-up for each of up to kMostNamed documents. The chunks of a directory have
// neighbouring rowids, so they are kept as runs, which are few.

#include "index/search/lexical/name_matches.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <map>

#include "storage/documents/chunk_scan.h"

namespace recall {
namespace {

using Rows = std::vector<uint64_t>;

// Whether at least kEnoughTexts chunks contain all words.
bool AreThereEnoughTexts(const MatchedBlocks& blocks, std::span<const NamedWord> words) {
  Rows all(blocks.size(), ~uint64_t{0});
  for (const NamedWord& word : words) {
    const Rows with = blocks.RowsWith(blocks.clauses()[word.text]);
    for (size_t i = 0; i < all.size(); ++i) all[i] &= with[i];
  }
  uint64_t count = 0;
  for (const uint64_t rows : all) count += static_cast<uint64_t>(std::popcount(rows));
  return count >= kEnoughTexts;
}

// Neighbouring chunk rowids in whose paths the words weigh as much.
struct NamedRun {
  double share = 0;
  uint32_t first = 0;
  uint32_t end = 0;  // past the last one
};

// The runs of at least this share, the largest share first, then by rowid.
std::vector<NamedRun> RunsNamed(const MatchedBlocks& blocks, std::span<const NamedWord> words,
                                const Rows& eligible, double least) {
  std::vector<std::pair<Rows, double>> named;
  for (const NamedWord& word : words) {
    if (word.path) named.emplace_back(blocks.RowsWith(blocks.clauses()[*word.path]), word.idf);
  }
  std::vector<NamedRun> runs;
  for (size_t block = 0; block < blocks.size(); ++block) {
    uint64_t some = 0;
    for (const auto& [with, idf] : named) some |= with[block];
    for (uint64_t left = some & eligible[block]; left != 0; left &= left - 1) {
      const auto slot = static_cast<uint32_t>(std::countr_zero(left));
      double share = 0;
      for (const auto& [with, idf] : named) share += (with[block] >> slot & 1) != 0 ? idf : 0;
      if (share < least) continue;
      const uint32_t row = blocks.first_row(block) + slot;
      if (runs.empty() || runs.back().end != row || runs.back().share != share) {
        runs.push_back({share, row, row});
      }
      ++runs.back().end;
    }
  }
  std::ranges::stable_sort(runs, std::greater(), &NamedRun::share);
  return runs;
}

bool AnyMatches(const MatchedBlocks& blocks, const ChunkRowRange& span) {
  constexpr uint32_t kRows = PostingBlocks::kRows;
  const uint64_t end = uint64_t{span.first} + span.count;
  for (uint64_t row = span.first; row < end; row = (row / kRows + 1) * kRows) {
    const auto block = blocks.Find(static_cast<uint32_t>(row));
    if (!block) continue;
    uint64_t rows = blocks.rows(*block) & ~uint64_t{0} << row % kRows;
    if ((row / kRows + 1) * kRows > end) rows &= (uint64_t{1} << end % kRows) - 1;
    if (rows != 0) return true;
  }
  return false;
}

}  // namespace

Result<Rows> FindNamedRows(Connection& connection, const MatchedBlocks& blocks,
                           std::span<const NamedWord> words, std::span<const uint64_t> allowed,
                           std::span<const uint64_t> removed) {
  double all = 0;
  double named = 0;
  for (const NamedWord& word : words) {
    all += word.idf;
    if (word.path) named += word.idf;
  }
  const double least = kLeastNamedShare * all;
  if (named == 0 || named < least || AreThereEnoughTexts(blocks, words)) return Rows();

  Rows eligible(blocks.size(), ~uint64_t{0});
  for (size_t i = 0; i < eligible.size(); ++i) {
    if (!allowed.empty()) eligible[i] &= allowed[i];
    if (!removed.empty()) eligible[i] &= ~removed[i];
  }
  for (const MatchedBlocks::Clause& clause : blocks.clauses()) {
    if (clause.occur != LexicalClause::Occur::kMustNot) continue;
    const Rows with = blocks.RowsWith(clause);
    for (size_t i = 0; i < eligible.size(); ++i) eligible[i] &= ~with[i];
  }

  Rows found;
  std::map<uint32_t, uint32_t> seen;  // documents: the first chunk, and past the last one
  for (const NamedRun& run : RunsNamed(blocks, words, eligible, least)) {
    for (uint32_t row = run.first; row < run.end;) {
      const auto after = seen.upper_bound(row);
      if (after != seen.begin() && row < std::prev(after)->second) {
        row = std::prev(after)->second;
        continue;
      }
      if (seen.size() == kMostNamed) return found;
      RECALL_ASSIGN(const auto span, FindRowsOfDocument(connection, row));
      const uint32_t end = span ? span->first + span->count : row + 1;
      seen.emplace(span ? span->first : row, end);
      if (span && !AnyMatches(blocks, *span)) {
        found.resize(blocks.size());
        found[*blocks.Find(row)] |= uint64_t{1} << row % PostingBlocks::kRows;
      }
      row = end;
    }
  }
  return found;
}

}  // namespace recall
