#include "storage/notes/card_table.h"

#include <limits>
#include <string>

#include "storage/notes/name_table.h"
#include "storage/sqlite/connection.h"

namespace recall {
namespace {

#define RECALL_CARD_COLUMNS                                                              \
  "name, doc, first_chunk, chunk_count, is_note, status, created, touched, age_window, " \
  "valid_until, obsolete"

CardRow CardOf(const Statement& row) {
  CardRow card;
  card.name = row.ColumnInt(0);
  card.doc_row = row.ColumnInt(1);
  card.first_chunk = static_cast<uint32_t>(row.ColumnInt(2));
  card.chunk_count = static_cast<uint32_t>(row.ColumnInt(3));
  card.is_note = row.ColumnInt(4) != 0;
  card.card.status = row.ColumnText(5);
  card.card.created = row.ColumnOptionalInt(6);
  card.card.touched = row.ColumnOptionalInt(7);
  card.card.window = row.ColumnOptionalInt(8);
  card.card.valid_until = row.ColumnOptionalInt(9);
  card.card.obsolete = row.ColumnInt(10) != 0;
  return card;
}

Result<std::optional<CardRow>> FindCard(Connection& connection, const char* sql, int64_t key) {
  RECALL_ASSIGN(Statement * cached, connection.Cached(sql));
  const StatementScope select(cached);
  select->BindInt(1, key);
  RECALL_ASSIGN(const bool row, select->Step());
  if (!row) return std::nullopt;
  return CardOf(*select);
}

Status InsertRow(Connection& connection, int64_t name, const CardOwner& owner, CardTable table) {
  const NoteCard card = owner.is_note ? ReadNoteCard(owner.meta, owner.mtime) : NoteCard();
  RECALL_ASSIGN(Statement * insert,
                connection.Cached(table == CardTable::kLive
                                      ? "INSERT INTO main.card(" RECALL_CARD_COLUMNS
                                        ") VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)"
                                      : "INSERT INTO temp.snapshot_card(" RECALL_CARD_COLUMNS
                                        ") VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)"));
  insert->BindInt(1, name);
  insert->BindInt(2, owner.doc_row);
  insert->BindInt(3, owner.first_chunk);
  insert->BindInt(4, owner.chunk_count);
  insert->BindInt(5, owner.is_note ? 1 : 0);
  if (owner.is_note) insert->BindText(6, card.status);
  insert->BindOptionalInt(7, card.created);
  insert->BindOptionalInt(8, card.touched);
  insert->BindOptionalInt(9, card.window);
  insert->BindOptionalInt(10, card.valid_until);
  insert->BindInt(11, card.obsolete ? 1 : 0);
  return insert->Run();
}

// Adds the card of each live document that `select` yields: id, first_chunk, chunk_count, path,
// parser = 'note', meta, mtime.
Status InsertSelected(Connection& connection, Statement& select) {
  for (;;) {
    RECALL_ASSIGN(const bool row, select.Step());
    if (!row) return Status::Ok();
    RECALL_TRY(InsertCard(connection, {.doc_row = select.ColumnInt(0),
                                       .first_chunk = static_cast<uint32_t>(select.ColumnInt(1)),
                                       .chunk_count = static_cast<uint32_t>(select.ColumnInt(2)),
                                       .path = select.ColumnText(3),
                                       .is_note = select.ColumnInt(4) != 0,
                                       .meta = select.ColumnText(5),
                                       .mtime = select.ColumnOptionalInt(6)}));
  }
}

}  // namespace

Status InsertCard(Connection& connection, const CardOwner& owner, CardTable table) {
  std::optional<int64_t> name;
  if (owner.is_note && table == CardTable::kLive) {
    RECALL_ASSIGN(name, FindOrInsertName(connection, owner.path));
  } else {
    RECALL_ASSIGN(name, FindName(connection, owner.path));
  }
  return name ? InsertRow(connection, *name, owner, table) : Status::Ok();
}

Status DeleteCard(Connection& connection, int64_t doc_row) {
  RECALL_ASSIGN(Statement * remove, connection.Cached("DELETE FROM card WHERE doc = ?1"));
  remove->BindInt(1, doc_row);
  return remove->Run();
}

Status InsertCardOfName(Connection& connection, std::string_view path) {
  RECALL_ASSIGN(Statement * cached,
                connection.Cached("SELECT id, first_chunk, chunk_count, path, parser = 'note', "
                                  "meta, mtime FROM doc WHERE path = ?1 AND removed_seq IS NULL "
                                  "AND NOT EXISTS (SELECT 1 FROM card WHERE card.doc = doc.id)"));
  const StatementScope select(cached);
  select->BindText(1, path);
  return InsertSelected(connection, *select);
}

Status FillCards(Connection& connection) {
  RECALL_ASSIGN(Statement select,
                connection.Prepare("SELECT id, first_chunk, chunk_count, path, parser = 'note', "
                                   "meta, mtime FROM doc NOT INDEXED WHERE removed_seq IS NULL "
                                   "AND (parser = 'note' OR path IN (SELECT path FROM name))"));
  return InsertSelected(connection, select);
}

Status ScanCards(Connection& connection, const std::function<void(const CardRow&)>& visit) {
  RECALL_ASSIGN(Statement * cached,
                connection.Cached("SELECT " RECALL_CARD_COLUMNS " FROM card ORDER BY name"));
  const StatementScope select(cached);
  for (;;) {
    RECALL_ASSIGN(const bool row, select->Step());
    if (!row) return Status::Ok();
    visit(CardOf(*select));
  }
}

Result<std::optional<CardRow>> FindCardOfDoc(Connection& connection, int64_t doc_row) {
  return FindCard(connection, "SELECT " RECALL_CARD_COLUMNS " FROM card WHERE doc = ?1", doc_row);
}

Result<std::optional<CardRow>> FindCardOfName(Connection& connection, int64_t name) {
  return FindCard(connection, "SELECT " RECALL_CARD_COLUMNS " FROM card WHERE name = ?1", name);
}

}  // namespace recall
