#include "storage/fts5/fts_vocabulary.h"

#include "storage/fts5/fts_scan.h"
#include "storage/sqlite/connection.h"

namespace recall {
namespace {

// `kind`: of fts5vocab. query_only forbids changes of temporary tables, too.
Status MakeTable(Connection& connection, const std::string& kind) {
  if (connection.borrowed()) {
    return Status::Corruption(connection.path() + ": the full-text index is damaged",
                              "run `recall doctor --fix`");
  }
  RECALL_ASSIGN(const int64_t query_only, connection.QueryInt("PRAGMA query_only"));
  RECALL_TRY(connection.Execute("PRAGMA query_only=OFF"));
  const Status made = connection.Execute("CREATE VIRTUAL TABLE IF NOT EXISTS temp.lexicon_" + kind +
                                         " USING fts5vocab(main, lexicon, " + kind + ")");
  if (query_only != 0) RECALL_TRY(connection.Execute("PRAGMA query_only=ON"));
  return made;
}

}  // namespace

Status ScanFtsInstances(Connection& connection,
                        const std::function<Status(const FtsInstance&)>& visit) {
  RECALL_TRY(MakeTable(connection, "instance"));
  RECALL_ASSIGN(Statement select, connection.Prepare("SELECT term, doc, col, offset "
                                                     "FROM temp.lexicon_instance"));
  for (;;) {
    RECALL_ASSIGN(const bool found, select.Step());
    if (!found) return Status::Ok();
    RECALL_TRY(visit({.term = select.ColumnText(0),
                      .row = select.ColumnInt(1),
                      .compound = select.ColumnText(2) == "compound",
                      .offset = select.ColumnInt(3)}));
  }
}

Status ScanFtsTokens(Connection& connection, const std::function<void(std::string_view)>& visit) {
  RECALL_ASSIGN(const bool sound, MeasureFtsLists(connection, [&](std::string_view token,
                                                                  uint64_t) { visit(token); }));
  if (sound) return Status::Ok();
  RECALL_TRY(MakeTable(connection, "row"));
  RECALL_ASSIGN(Statement select, connection.Prepare("SELECT term FROM temp.lexicon_row"));
  for (;;) {
    RECALL_ASSIGN(const bool found, select.Step());
    if (!found) return Status::Ok();
    visit(select.ColumnText(0));
  }
}

}  // namespace recall
