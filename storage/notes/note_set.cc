#include "storage/notes/note_set.h"

#include "storage/base/bytes.h"
#include "storage/sqlite/connection.h"

namespace recall {

Result<std::string> ReadNoteSet(Connection& connection) {
  RECALL_ASSIGN(Statement * cached, connection.Cached("SELECT bitmap FROM note_set WHERE id = 1"));
  const StatementScope select(cached);
  RECALL_ASSIGN(const bool row, select->Step());
  return row ? std::string(AsText(select->ColumnBlob(0))) : std::string();
}

Result<bool> HasNoteSet(Connection& connection) {
  RECALL_ASSIGN(Statement * cached, connection.Cached("SELECT 1 FROM note_set"));
  const StatementScope select(cached);
  return select->Step();
}

Status WriteNoteSet(Connection& connection, ByteSpan roaring) {
  RECALL_ASSIGN(Statement * write,
                connection.Cached("INSERT OR REPLACE INTO note_set(id, bitmap) VALUES(1, ?1)"));
  write->BindBlob(1, roaring);
  return write->Run();
}

}  // namespace recall
