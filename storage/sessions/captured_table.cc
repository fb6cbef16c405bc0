#include "storage/sessions/captured_table.h"

#include "storage/base/bytes.h"
#include "storage/sqlite/connection.h"
#include "storage/sqlite/user_version.h"

namespace recall {
namespace {

// A directory has no newline in practice; one that has is taken for two, and its transcript is read
// again.
std::string JoinLines(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += (text.empty() ? "" : "\n") + line;
  return text;
}

std::vector<std::string> SplitLines(std::string_view text) {
  std::vector<std::string> lines;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    lines.emplace_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

}  // namespace

Result<bool> HasSessionTables(Connection& connection) {
  constexpr int64_t kFirstFormatOfSessions = 14;
  return FormatIsAtLeast(connection, kFirstFormatOfSessions);
}

Result<std::map<std::string, CapturedSource>> ReadCaptured(Connection& connection) {
  std::map<std::string, CapturedSource> captured;
  RECALL_ASSIGN(const bool has_table, HasSessionTables(connection));
  if (!has_table) return captured;
  RECALL_ASSIGN(Statement select, connection.Prepare("SELECT source, agent, size, mtime, rules, "
                                                     "outside FROM captured ORDER BY source"));
  for (;;) {
    RECALL_ASSIGN(const bool row, select.Step());
    if (!row) return captured;
    captured.emplace_hint(captured.end(), std::string(select.ColumnText(0)),
                          CapturedSource{.agent = std::string(select.ColumnText(1)),
                                         .size = select.ColumnInt(2),
                                         .mtime = select.ColumnInt(3),
                                         .rules = select.ColumnInt(4),
                                         .outside = SplitLines(select.ColumnText(5))});
  }
}

Status WriteCaptured(Connection& connection, std::string_view source, const CapturedSource& row) {
  RECALL_ASSIGN(Statement * put,
                connection.Cached("INSERT OR REPLACE INTO captured(source, agent, size, mtime, "
                                  "rules, outside) VALUES(?1, ?2, ?3, ?4, ?5, ?6)"));
  const std::string outside = JoinLines(row.outside);  // binding does not copy
  put->BindText(1, source);
  put->BindText(2, row.agent);
  put->BindInt(3, row.size);
  put->BindInt(4, row.mtime);
  put->BindInt(5, row.rules);
  put->BindText(6, outside);
  return put->Run();
}

Status WriteTranscriptBlocks(Connection& connection, std::string_view source,
                             const std::vector<TranscriptBlock>& blocks) {
  RECALL_TRY(DeleteTranscript(connection, source));
  RECALL_ASSIGN(Statement * put,
                connection.Cached("INSERT INTO transcript(source, block, size, data) "
                                  "VALUES(?1, ?2, ?3, ?4)"));
  for (size_t i = 0; i < blocks.size(); ++i) {
    put->BindText(1, source);
    put->BindInt(2, static_cast<int64_t>(i));
    put->BindInt(3, blocks[i].size);
    put->BindBlob(4, AsBytes(blocks[i].data));
    RECALL_TRY(put->Run());
  }
  return Status::Ok();
}

Result<std::vector<TranscriptBlock>> ReadTranscriptBlocks(Connection& connection,
                                                          std::string_view source) {
  std::vector<TranscriptBlock> blocks;
  RECALL_ASSIGN(const bool has_table, HasSessionTables(connection));
  if (!has_table) return blocks;
  RECALL_ASSIGN(Statement select, connection.Prepare("SELECT size, data FROM transcript "
                                                     "WHERE source = ?1 ORDER BY block"));
  select.BindText(1, source);
  for (;;) {
    RECALL_ASSIGN(const bool row, select.Step());
    if (!row) return blocks;
    const ByteSpan data = select.ColumnBlob(1);
    blocks.push_back({select.ColumnInt(0),
                      std::string(reinterpret_cast<const char*>(data.data()), data.size())});
  }
}

Result<std::vector<std::string>> ListTranscripts(Connection& connection) {
  std::vector<std::string> sources;
  RECALL_ASSIGN(const bool has_table, HasSessionTables(connection));
  if (!has_table) return sources;
  RECALL_ASSIGN(Statement select,
                connection.Prepare("SELECT source FROM transcript WHERE block = 0"));
  for (;;) {
    RECALL_ASSIGN(const bool row, select.Step());
    if (!row) return sources;
    sources.emplace_back(select.ColumnText(0));
  }
}

Status DeleteTranscript(Connection& connection, std::string_view source) {
  RECALL_ASSIGN(Statement * remove, connection.Cached("DELETE FROM transcript WHERE source = ?1"));
  remove->BindText(1, source);
  return remove->Run();
}

}  // namespace recall
