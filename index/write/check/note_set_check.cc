#include "index/write/check/note_set_check.h"

#include <utility>

#include "index/search/bitmap/bitmap.h"
#include "storage/base/bytes.h"
#include "storage/notes/note_set.h"
#include "storage/sqlite/connection.h"

namespace recall {
namespace {

// The chunk rowids of documents that are notes, or that are not.
Result<Bitmap> ChunksOf(Connection& connection, bool notes) {
  RECALL_ASSIGN(Statement select,
                connection.Prepare("SELECT first_chunk, chunk_count FROM doc NOT INDEXED "
                                   "WHERE (parser = 'note') = ?1 AND chunk_count > 0 "
                                   "AND first_chunk >= 0 "
                                   "AND first_chunk + chunk_count <= 4294967296"));
  select.BindInt(1, notes ? 1 : 0);
  Bitmap chunks;
  for (;;) {
    RECALL_ASSIGN(const bool row, select.Step());
    if (!row) return chunks;
    const int64_t first = select.ColumnInt(0);
    chunks.AddRange(static_cast<uint32_t>(first),
                    static_cast<uint32_t>(first + select.ColumnInt(1) - 1));
  }
}

// A set may still have the rowids of versions that were purged.
Status Compare(CheckRun& run) {
  RECALL_ASSIGN(const std::string bytes, ReadNoteSet(run.connection()));
  const auto stored = Bitmap::Parse(AsBytes(bytes));
  if (!stored) {
    run.findings().Add(FindingCode::kNoteDrift, "table note_set",
                       std::string(stored.error().message()));
    return Status::Ok();
  }
  RECALL_ASSIGN(const Bitmap notes, ChunksOf(run.connection(), true));
  RECALL_ASSIGN(const Bitmap others, ChunksOf(run.connection(), false));
  if (notes.AndNot(*stored).Empty() && stored->And(others).Empty()) return Status::Ok();
  run.findings().Add(FindingCode::kNoteDrift, "table note_set", "it is not the set of all notes");
  return Status::Ok();
}

}  // namespace

Status CheckNoteSet(CheckRun& run) {
  if (!run.HasTable("doc") || !run.HasTable("note_set")) return Status::Ok();
  return run.Absorb(Compare(run), FindingCode::kNoteDrift, "table note_set");
}

Status RepairNoteSet(Connection& connection) {
  RECALL_ASSIGN(const Bitmap notes, ChunksOf(connection, true));
  if (notes.Empty()) return connection.Execute("DELETE FROM note_set");
  const std::string bytes = notes.Serialize();
  return WriteNoteSet(connection, AsBytes(bytes));
}

}  // namespace recall
