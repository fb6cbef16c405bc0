// Finds the ranked chunks that have the same text.
//
// Problem. Copies of a licence, of boilerplate, of a whole directory fill the page with one text.
// No index contains the texts, and reading a hundred of them takes longer than the search.
//
// Idea. Nearly all pairs are decided by the rows that are read for the page in any case. Texts of
// different sizes or numbers of tokens differ. The same range of two documents with the same hash
// is the same. Two chunks of one heading that differ in their BM25 differ in their text. Only what
// remains is read and compared.
//
// Invariant. Identity is an equivalence, so each row is compared with the first row of each group.
//
// Cost: a hash table access for each row; the texts of chunks that have the same size and the same
// number of tokens, each once.

#include "query/rows/identical_texts.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

namespace recall {
namespace {

using Located = RowReader::Located;

uint64_t SizeOf(const ChunkRow& chunk) { return chunk.end_byte - chunk.start_byte; }

// Whether two rows of the same size and number of tokens have the same text; nothing if only their
// texts can tell.
std::optional<bool> DecideByRows(const RankedRow& a, const RankedRow& b) {
  const ChunkRow& left = a.row.chunk;
  const ChunkRow& right = b.row.chunk;
  const bool same_document = a.row.doc->hash == b.row.doc->hash;
  if (same_document && left.start_byte == right.start_byte) return true;
  const bool same_score = a.fused.candidate.lexical == b.fused.candidate.lexical;
  if (left.heading == right.heading && !same_score) return false;
  return std::nullopt;
}

class TextReader final {
 public:
  explicit TextReader(RowReader& rows) : rows_(rows) {}

  Result<const std::string*> Read(const Located& row) {
    const auto known = texts_.find(row.chunk.row);
    if (known != texts_.end()) return &known->second;
    RECALL_ASSIGN(std::string text,
                  rows_.texts().ReadText(*row.doc, row.chunk.start_byte, row.chunk.end_byte));
    return &texts_.emplace(row.chunk.row, std::move(text)).first->second;
  }

 private:
  RowReader& rows_;
  std::unordered_map<uint32_t, std::string> texts_;  // by chunk rowid
};

Result<bool> AreIdentical(const RankedRow& a, const RankedRow& b, TextReader& texts) {
  if (const auto decided = DecideByRows(a, b)) return *decided;
  RECALL_ASSIGN(const std::string* const left, texts.Read(a.row));
  RECALL_ASSIGN(const std::string* const right, texts.Read(b.row));
  return *left == *right;
}

}  // namespace

Result<std::vector<IdenticalRows>> GroupIdentical(std::vector<RankedRow> ranked, RowReader& rows) {
  std::vector<IdenticalRows> groups;
  std::map<std::pair<uint64_t, uint64_t>, std::vector<size_t>> places;  // by bytes and tokens
  TextReader texts(rows);
  for (RankedRow& row : ranked) {
    const ChunkRow& chunk = row.row.chunk;
    std::vector<size_t>& alike = places[{SizeOf(chunk), chunk.tokens}];
    IdenticalRows* group = nullptr;
    for (size_t i = 0; i < alike.size() && group == nullptr; ++i) {
      RECALL_ASSIGN(const bool identical, AreIdentical(groups[alike[i]].first, row, texts));
      if (identical) group = &groups[alike[i]];
    }
    if (group != nullptr) {
      group->further.push_back(std::move(row));
      continue;
    }
    alike.push_back(groups.size());
    groups.push_back({std::move(row), {}});
  }
  return groups;
}

}  // namespace recall
