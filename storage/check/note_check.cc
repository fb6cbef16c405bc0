#include "storage/check/note_check.h"

#include <limits>
#include <string>

#include "storage/notes/activity_table.h"
#include "storage/notes/card_table.h"
#include "storage/notes/name_table.h"
#include "storage/sqlite/connection.h"

namespace recall {
namespace {

// Links, uses and reviews are source data: nothing confirms them, so they are only checked for
// values that no writer writes. `card` and `activity` are computed again, row by row, and compared.
// Memory does not grow with the number of notes.

struct RecordCheck {
  const char* sql;  // rows that are damaged: a key, and a number of the row
  const char* what;
};

constexpr RecordCheck kRecordChecks[] = {
    {"SELECT 'link ' || id FROM link WHERE typeof(weight) NOT IN ('real', 'integer') OR "
     "NOT weight BETWEEN 0 AND 1 OR source = target OR origin NOT IN ('user', 'text', 'near') OR "
     "typeof(relation) <> 'text' OR relation = ''",
     "its weight, relation or origin is invalid"},
    {"SELECT 'link ' || id FROM link WHERE source NOT IN (SELECT id FROM name) OR "
     "target NOT IN (SELECT id FROM name)",
     "it refers to a name that does not exist"},
    {"SELECT 'use of name ' || name FROM use_log WHERE name NOT IN (SELECT id FROM name) OR "
     "typeof(count) <> 'integer' OR count < 1",
     "its count is invalid, or its name does not exist"},
    {"SELECT 'review of name ' || name FROM review_log WHERE name NOT IN (SELECT id FROM name) OR "
     "NOT coalesce(quality, 0) BETWEEN 0 AND 5 OR easiness < 130 OR interval_days < 0",
     "its values are invalid, or its name does not exist"},
};

Status CheckRecords(CheckRun& run) {
  for (const RecordCheck& check : kRecordChecks) {
    RECALL_TRY(run.CheckCancelled());
    RECALL_ASSIGN(Statement select, run.connection().Prepare(check.sql));
    for (;;) {
      RECALL_ASSIGN(const bool row, select.Step());
      if (!row) break;
      run.findings().Add(FindingCode::kNoteRecord, std::string(select.ColumnText(0)), check.what);
    }
  }
  return Status::Ok();
}

void ReportCard(CheckRun& run, int64_t doc, const char* what) {
  run.findings().Add(FindingCode::kNoteDrift, "document row " + std::to_string(doc), what);
}

// Compares the card of each live document that must have one.
Status CheckCards(CheckRun& run) {
  Connection& connection = run.connection();
  RECALL_ASSIGN(Statement select,
                connection.Prepare("SELECT d.id, d.first_chunk, d.chunk_count, d.parser = 'note', "
                                   "coalesce(d.meta, ''), d.mtime, n.id FROM doc AS d NOT INDEXED "
                                   "LEFT JOIN name AS n ON n.path = d.path WHERE d.removed_seq IS "
                                   "NULL AND (d.parser = 'note' OR n.id IS NOT NULL)"));
  int64_t cards = 0;
  for (;;) {
    RECALL_TRY(run.CheckCancelled());
    RECALL_ASSIGN(const bool row, select.Step());
    if (!row) break;
    const int64_t doc = select.ColumnInt(0);
    RECALL_ASSIGN(const auto card, FindCardOfDoc(connection, doc));
    if (!card) {
      ReportCard(run, doc, "it has no card");
      continue;
    }
    ++cards;
    const bool is_note = select.ColumnInt(3) != 0;
    const NoteCard expected =
        is_note ? ReadNoteCard(select.ColumnText(4), select.ColumnOptionalInt(5)) : NoteCard();
    const bool same = card->is_note == is_note && card->name == select.ColumnInt(6) &&
                      card->first_chunk == select.ColumnInt(1) &&
                      card->chunk_count == select.ColumnInt(2) && card->card == expected;
    if (!same) ReportCard(run, doc, "its card is not that of its metadata");
  }
  RECALL_ASSIGN(const int64_t all, connection.QueryInt("SELECT count(*) FROM card"));
  if (all == cards) return Status::Ok();
  run.findings().Add(FindingCode::kNoteDrift, "table card", "it has cards of other documents",
                     all - cards);
  return Status::Ok();
}

Status CheckActivity(CheckRun& run) {
  Connection& connection = run.connection();
  RECALL_ASSIGN(Statement select,
                connection.Prepare("SELECT name FROM use_log UNION SELECT name FROM review_log "
                                   "UNION SELECT name FROM activity"));
  constexpr UnixNanos kEnd = std::numeric_limits<UnixNanos>::max();
  for (;;) {
    RECALL_TRY(run.CheckCancelled());
    RECALL_ASSIGN(const bool row, select.Step());
    if (!row) return Status::Ok();
    const int64_t name = select.ColumnInt(0);
    RECALL_ASSIGN(const Activity stored, FindActivity(connection, name, kEnd));
    RECALL_ASSIGN(const Activity expected, ComputeActivity(connection, name, kEnd));
    if (stored == expected) continue;
    run.findings().Add(FindingCode::kNoteDrift, "name " + std::to_string(name),
                       "its sums are not those of its uses and reviews");
  }
}

}  // namespace

Status CheckNotes(CheckRun& run) {
  for (const char* table : {"doc", "name", "card", "link", "use_log", "review_log", "activity"}) {
    if (!run.HasTable(table)) return Status::Ok();
  }
  RECALL_TRY(run.Absorb(CheckRecords(run), FindingCode::kNoteRecord, "links, uses and reviews"));
  RECALL_TRY(run.Absorb(CheckCards(run), FindingCode::kNoteDrift, "table card"));
  return run.Absorb(CheckActivity(run), FindingCode::kNoteDrift, "table activity");
}

Status RepairNotes(Connection& connection) {
  RECALL_TRY(connection.Execute("DELETE FROM card; DELETE FROM activity"));
  RECALL_TRY(FillCards(connection));
  return FillActivity(connection);
}

}  // namespace recall
