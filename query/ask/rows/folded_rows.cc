// Finds the ranked chunks that are one result: those with the same text, and the places of a file
// of code.
//
// Problem. Copies of a licence, of boilerplate, of a whole directory fill the page with one text.
// No index contains the texts, and reading a hundred of them takes longer than the search.
//
// Idea. Nearly all pairs are decided by the rows that are read for the page in any case. Texts of
// different sizes or numbers of tokens differ. The same range of two documents with the same hash
// is the same. Two chunks of one heading that differ in their BM25 differ in their text. Only what
// remains is read and compared.
//
// A row of a file of code that has a result already is a further place of it, whatever its text is.
// A file whose rows so far have the texts of other results has none yet, and gets one by its next
// row.
//
// Invariant. Identity is an equivalence, so each row is compared with the first row of each group.
//
// Cost: a table access for each row; the texts of rows that have the size and the number of tokens
// of one of the first `most` texts, each once.

#include "query/ask/rows/folded_rows.h"

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
Result<bool> Contains(FoldedRows& group, const RankedRow& row, std::optional<std::string>& text,
                      RowReader& rows) {
  if (const auto decided = DecideByRows(group.first, row)) return *decided;
  RECALL_TRY(ReadOnce(group.first.row, rows, group.text));
  RECALL_TRY(ReadOnce(row.row, rows, text));
  return *group.text == *text;
}

}  // namespace

Result<std::vector<FoldedRows>> FoldRows(std::vector<RankedRow> ranked, size_t most,
                                         CodePlaces places, RowReader& rows) {
  std::vector<FoldedRows> results;
  std::map<std::pair<uint64_t, uint64_t>, std::vector<size_t>> texts;  // by bytes and tokens
  std::map<int64_t, size_t> files;                                     // of code, by row
  for (RankedRow& row : ranked) {
    const bool folds = places == CodePlaces::kFold && IsSourceCode(*row.row.doc);
    const auto file = files.find(row.row.doc->row);
    if (folds && file != files.end()) {
      results[file->second].places.push_back(std::move(row));
      continue;
    }
    const ChunkRow& chunk = row.row.chunk;
    std::vector<size_t>& alike = texts[{SizeOf(chunk), chunk.tokens}];
    std::optional<std::string> text;
    FoldedRows* same = nullptr;
    for (size_t i = 0; i < alike.size() && same == nullptr; ++i) {
      RECALL_ASSIGN(const bool identical, Contains(results[alike[i]], row, text, rows));
      if (identical) same = &results[alike[i]];
    }
    if (same != nullptr) {
      same->further.push_back(std::move(row));
    } else if (results.size() < most) {
      alike.push_back(results.size());
      if (folds) files.emplace(row.row.doc->row, results.size());
      results.push_back({std::move(row), {}, {}, std::move(text)});
    }
  }
  return results;
}

}  // namespace recall
