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
// Invariants. The result depends on nothing but the live chunks and the filter. A query of whose
// words no name has enough reads nothing but the counts of its postings.
//
// Cost. For the others, a pass over the masks of each word, and one look-up for each of up to
// kMostNamed documents.

#include "index/search/lexical/name_matches.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <map>

#include "storage/documents/chunk_scan.h"

namespace recall {
namespace {

using Rows = std::vector<uint64_t>;

// Whether so many chunks contain all words that nobody needs a name.
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

struct NamedRow {
  double share = 0;
  size_t block = 0;
  uint32_t slot = 0;
};

// The rows in whose paths the words weigh at least `least`, the heaviest first, then by rowid.
std::vector<NamedRow> RowsNamed(const MatchedBlocks& blocks, std::span<const NamedWord> words,
                                const Rows& eligible, double least) {
  std::vector<std::pair<Rows, double>> named;
  for (const NamedWord& word : words) {
    if (word.in_names) named.emplace_back(blocks.RowsWith(blocks.clauses()[word.path]), word.idf);
  }
  std::vector<NamedRow> rows;
  for (size_t block = 0; block < blocks.size(); ++block) {
    uint64_t some = 0;
    for (const auto& [with, idf] : named) some |= with[block];
    for (uint64_t left = some & eligible[block]; left != 0; left &= left - 1) {
      const auto slot = static_cast<uint32_t>(std::countr_zero(left));
      double share = 0;
      for (const auto& [with, idf] : named) share += (with[block] >> slot & 1) != 0 ? idf : 0;
      if (share >= least) rows.push_back({share, block, slot});
    }
  }
  std::ranges::stable_sort(rows, std::greater(), &NamedRow::share);
  return rows;
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
    if (word.in_names) named += word.idf;
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
  for (const NamedRow& row : RowsNamed(blocks, words, eligible, least)) {
    const uint32_t chunk = blocks.first_row(row.block) + row.slot;
    const auto after = seen.upper_bound(chunk);
    if (after != seen.begin() && chunk < std::prev(after)->second) continue;
    if (seen.size() == kMostNamed) break;
    RECALL_ASSIGN(const auto span, FindRowsOfDocument(connection, chunk));
    if (!span) continue;
    seen.emplace(span->first, span->first + span->count);
    if (AnyMatches(blocks, *span)) continue;
    found.resize(blocks.size());
    found[row.block] |= uint64_t{1} << row.slot;
  }
  return found;
}

}  // namespace recall
