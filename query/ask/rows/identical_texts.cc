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
// Cost: a table access for each row; the texts of rows that have the size and the number of tokens
// of one of the first `most` texts, each once.

#include "query/ask/rows/identical_texts.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
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
  // What has no text is not the same document.
  if (SizeOf(left) == 0) return false;
  const bool same_document = a.row.doc->hash == b.row.doc->hash;
  if (same_document && left.start_byte == right.start_byte) return true;
  const bool same_score = a.fused.candidate.lexical == b.fused.candidate.lexical;
  if (left.heading == right.heading && !same_score) return false;
  return std::nullopt;
}

Status ReadOnce(const Located& row, RowReader& rows, std::optional<std::string>& text) {
  if (text) return Status::Ok();
  RECALL_ASSIGN(text, rows.texts().ReadText(*row.doc, row.chunk.start_byte, row.chunk.end_byte));
  return Status::Ok();
}

// `text`: the text of `row`, once it has been read.
Result<bool> Contains(IdenticalRows& group, const RankedRow& row, std::optional<std::string>& text,
                      RowReader& rows) {
  if (const auto decided = DecideByRows(group.first, row)) return *decided;
  RECALL_TRY(ReadOnce(group.first.row, rows, group.text));
  RECALL_TRY(ReadOnce(row.row, rows, text));
  return *group.text == *text;
}

}  // namespace

Result<std::vector<IdenticalRows>> GroupIdentical(std::vector<RankedRow> ranked, size_t most,
                                                  RowReader& rows) {
  std::vector<IdenticalRows> groups;
  std::map<std::pair<uint64_t, uint64_t>, std::vector<size_t>> places;  // by bytes and tokens
  for (RankedRow& row : ranked) {
    const ChunkRow& chunk = row.row.chunk;
    std::vector<size_t>& alike = places[{SizeOf(chunk), chunk.tokens}];
    std::optional<std::string> text;
    IdenticalRows* group = nullptr;
    for (size_t i = 0; i < alike.size() && group == nullptr; ++i) {
      RECALL_ASSIGN(const bool identical, Contains(groups[alike[i]], row, text, rows));
      if (identical) group = &groups[alike[i]];
    }
    if (group != nullptr) {
      group->further.push_back(std::move(row));
    } else if (groups.size() < most) {
      alike.push_back(groups.size());
      groups.push_back({std::move(row), {}, std::move(text)});
    }
  }
  return groups;
}

}  // namespace recall
