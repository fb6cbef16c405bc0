#include "query/ask/rows/turn_replies.h"

#include <algorithm>
#include <string>
#include <utility>

#include "index/base/text/turn_heading.h"
#include "index/base/text/utf8.h"
#include "storage/documents/document_store.h"

namespace recall {
namespace {

// An answer is looked for in this number of chunks.
constexpr size_t kMostAnswerChunks = 8;

}  // namespace

std::string_view RoleOfTurn(const RowReader::Located& row) {
  if (row.doc->parser != kSessionParser) return {};
  const auto heading = ParseTurnHeading(row.chunk.heading);
  return heading ? heading->role : std::string_view();
}

Result<std::vector<RowReader::Located>> ChunksToAnswer(const RowReader::Located& question,
                                                       RowReader& rows, const Bitmap* allowed) {
  std::vector<RowReader::Located> chunks;
  if (RoleOfTurn(question) != kAskingRole) return chunks;
  bool answered = false;
  const int64_t end = question.doc->first_chunk + question.doc->chunk_count;
  for (int64_t at = int64_t{question.chunk.row} + 1; at < end && chunks.size() < kMostAnswerChunks;
       ++at) {
    if (allowed && !allowed->Contains(static_cast<uint32_t>(at))) break;
    RECALL_ASSIGN(auto next, rows.Read(static_cast<uint32_t>(at)));
    const bool answers = RoleOfTurn(next) == kAnsweringRole;
    if (answered && !answers) break;
    answered = answered || answers;
    chunks.push_back(std::move(next));
  }
  if (!answered) chunks.clear();
  return chunks;
}

Result<std::optional<TurnReply>> ReplyReader::Read(const RowReader::Located& question,
                                                   size_t most_bytes) {
  if (RoleOfTurn(question) != kAskingRole) return std::nullopt;
  if (!knows_visible_) {
    RECALL_ASSIGN(visible_, snapshot_.filters().Visible(FilterDomain::kChunks));
    knows_visible_ = true;
  }
  RECALL_ASSIGN(const auto chunks,
                ChunksToAnswer(question, rows_, visible_ ? &*visible_ : nullptr));
  const auto first = std::ranges::find(chunks, kAnsweringRole, RoleOfTurn);
  if (first == chunks.end()) return std::nullopt;
  const ChunkRow& chunk = first->chunk;
  RECALL_ASSIGN(std::string text,
                rows_.texts().ReadText(*first->doc, chunk.start_byte, chunk.end_byte));
  text.resize(FloorToCharacter(text, std::min(text.size(), most_bytes)));
  text.erase(text.find_last_not_of(" \t\r\n") + 1);
  TurnReply reply;
  reply.turn = ParseTurnHeading(chunk.heading)->turn;
  reply.start_line = chunk.start_line;
  reply.end_line =
      chunk.start_line + static_cast<uint32_t>(std::count(text.begin(), text.end(), '\n'));
  reply.text = std::move(text);
  return reply;
}

}  // namespace recall
