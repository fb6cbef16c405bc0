#include "storage/fts5/fts_vocabulary.h"

#include "storage/sqlite/connection.h"

namespace recall {
namespace {

// query_only forbids changes of temporary tables, too.
Status MakeTable(Connection& connection) {
  RECALL_ASSIGN(const int64_t query_only, connection.QueryInt("PRAGMA query_only"));
  RECALL_TRY(connection.Execute("PRAGMA query_only=OFF"));
  const Status made = connection.Execute(
      "CREATE VIRTUAL TABLE IF NOT EXISTS temp.lexicon_instances "
      "USING fts5vocab(main, lexicon, instance)");
  if (query_only != 0) RECALL_TRY(connection.Execute("PRAGMA query_only=ON"));
  return made;
}

}  // namespace

Status ScanFtsInstances(Connection& connection,
                        const std::function<Status(const FtsInstance&)>& visit) {
  RECALL_TRY(MakeTable(connection));
  RECALL_ASSIGN(Statement select, connection.Prepare("SELECT term, doc, col, offset "
                                                     "FROM temp.lexicon_instances"));
  for (;;) {
    RECALL_ASSIGN(const bool found, select.Step());
    if (!found) return Status::Ok();
    RECALL_TRY(visit({.term = select.ColumnText(0),
                      .row = select.ColumnInt(1),
                      .compound = select.ColumnText(2) == "compound",
                      .offset = select.ColumnInt(3)}));
  }
}

}  // namespace recall
