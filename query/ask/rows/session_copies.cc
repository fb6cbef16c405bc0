// Finds sessions that say the same.
//
// Problem. An agent that goes on with a session may copy what was said to a new transcript, with a
// new id. Each copy has the same best turn, so they stand one behind the other and fill the page.
// No index compares whole sessions.
//
// Idea. The best turn of copies is the same one. So only results that show a turn of the same
// number, size and number of tokens are compared, and of these the sizes and roles of their turns
// before any text is read. Times and lines of the transcript differ in copies and do not count.
//
// The first of a group in the ranking stands for it, so scores stay in order. A session of one turn
// is no beginning of another: many conversations begin with the same words.
//
// Invariant. What a folded session shows is shown: its best turn is among those that both have.
// Each session is compared with the first one of each group. Where a session was forked, those that
// go on differently may stand in one group, behind what they have in common.
//
// Cost: a table access for each result; for results that show the same turn, the rows of their
// turns up to the first difference, and the texts of those without one.

#include "query/ask/rows/session_copies.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "index/base/text/turn_heading.h"

namespace recall {
namespace {

// Whether two chunks are of a turn of the same number and role, and may have the same text.
bool MayBeSameTurn(const ChunkRow& a, const ChunkRow& b) {
  const auto left = ParseTurnHeading(a.heading);
  const auto right = ParseTurnHeading(b.heading);
  return left && right && left->turn == right->turn && left->role == right->role &&
         a.end_byte - a.start_byte == b.end_byte - b.start_byte && a.tokens == b.tokens;
}

// Whether the first `count` chunks of two sessions say the same.
Result<bool> BeginAlike(const DocRow& a, const DocRow& b, uint32_t count, RowReader& rows) {
  std::vector<std::pair<ChunkRow, ChunkRow>> pairs;
  uint64_t left_end = 0;
  uint64_t right_end = 0;
  for (uint32_t i = 0; i < count; ++i) {
    RECALL_ASSIGN(const auto left, rows.Read(a.first_chunk + i));
    RECALL_ASSIGN(const auto right, rows.Read(b.first_chunk + i));
    if (!MayBeSameTurn(left.chunk, right.chunk)) return false;
    left_end = std::max(left_end, left.chunk.end_byte);
    right_end = std::max(right_end, right.chunk.end_byte);
    pairs.emplace_back(left.chunk, right.chunk);
  }
  RECALL_ASSIGN(const std::string left_text, rows.texts().ReadText(a, 0, left_end));
  RECALL_ASSIGN(const std::string right_text, rows.texts().ReadText(b, 0, right_end));
  const auto part = [](const std::string& text, const ChunkRow& chunk) {
    return std::string_view(text).substr(chunk.start_byte, chunk.end_byte - chunk.start_byte);
  };
  return std::ranges::all_of(pairs, [&](const auto& pair) {
    return part(left_text, pair.first) == part(right_text, pair.second);
  });
}

// Of two sessions that show the same turn.
Result<bool> AreCopies(const DocRow& a, const DocRow& b, RowReader& rows) {
  if (a.hash == b.hash) return true;
  const bool a_is_shorter = a.chunk_count < b.chunk_count;
  const DocRow& shorter = a_is_shorter ? a : b;
  const DocRow& longer = a_is_shorter ? b : a;
  const uint32_t count = shorter.chunk_count;
  if (count < longer.chunk_count) {
    // The shorter one must end where a turn of the longer one ends.
    RECALL_ASSIGN(const auto last, rows.Read(shorter.first_chunk + (count - 1)));
    RECALL_ASSIGN(const auto next, rows.Read(longer.first_chunk + count));
    const auto last_turn = ParseTurnHeading(last.chunk.heading);
    const auto next_turn = ParseTurnHeading(next.chunk.heading);
    if (!last_turn || !next_turn || last_turn->turn == 0) return false;
    if (last_turn->turn == next_turn->turn) return false;
  }
  return BeginAlike(a, b, count, rows);
}

}  // namespace

Result<std::vector<FoldedRows>> FoldSessionCopies(std::vector<RankedRow> ranked, size_t most,
                                                  RowReader& rows) {
  std::vector<FoldedRows> results;
  // By the place, the size and the tokens of the chunk that is shown.
  std::map<std::tuple<uint32_t, uint64_t, uint32_t>, std::vector<size_t>> shown;
  for (RankedRow& row : ranked) {
    const ChunkRow& chunk = row.row.chunk;
    const DocRow& doc = *row.row.doc;
    const bool is_session = doc.parser == kSessionParser;
    std::vector<size_t>& alike =
        shown[{chunk.row - doc.first_chunk, chunk.end_byte - chunk.start_byte, chunk.tokens}];
    FoldedRows* same = nullptr;
    for (size_t i = 0; is_session && i < alike.size() && same == nullptr; ++i) {
      RECALL_ASSIGN(const bool copies, AreCopies(*results[alike[i]].first.row.doc, doc, rows));
      if (copies) same = &results[alike[i]];
    }
    if (same != nullptr) {
      same->further.push_back(std::move(row));
    } else if (results.size() < most) {
      if (is_session) alike.push_back(results.size());
      results.push_back({std::move(row), {}, {}, {}});
    }
  }
  return results;
}

}  // namespace recall
