#include "storage/notes/link_table.h"

#include <algorithm>

#include "storage/sqlite/connection.h"

namespace recall {
namespace {

#define RECALL_LINK_COLUMNS "id, source, target, relation, weight, reason, origin, at"

LinkRow LinkOf(const Statement& row) {
  return {.id = row.ColumnInt(0),
          .source = row.ColumnInt(1),
          .target = row.ColumnInt(2),
          .relation = std::string(row.ColumnText(3)),
          .weight = row.ColumnDouble(4),
          .reason = row.ColumnOptionalText(5),
          .origin = std::string(row.ColumnText(6)),
          .at = row.ColumnInt(7)};
}

Status InsertLink(Connection& connection, const LinkRow& link, int64_t sequence) {
  RECALL_ASSIGN(Statement * insert,
                connection.Cached("INSERT INTO link(source, target, relation, weight, reason, "
                                  "origin, at, added_seq) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)"));
  insert->BindInt(1, link.source);
  insert->BindInt(2, link.target);
  insert->BindText(3, link.relation);
  insert->BindDouble(4, link.weight);
  insert->BindOptionalText(5, link.reason);
  insert->BindText(6, link.origin);
  insert->BindInt(7, link.at);
  insert->BindInt(8, sequence);
  return insert->Run();
}

}  // namespace

Result<std::vector<LinkRow>> LinksAt(Connection& connection, LinkEnd end, int64_t name) {
  RECALL_ASSIGN(Statement * cached,
                connection.Cached(end == LinkEnd::kSource
                                      ? "SELECT " RECALL_LINK_COLUMNS
                                        " FROM link WHERE source = ?1 AND removed_seq IS NULL "
                                        "ORDER BY relation, target, origin"
                                      : "SELECT " RECALL_LINK_COLUMNS
                                        " FROM link WHERE target = ?1 AND removed_seq IS NULL "
                                        "ORDER BY relation, source, origin"));
  const StatementScope select(cached);
  select->BindInt(1, name);
  std::vector<LinkRow> links;
  for (;;) {
    RECALL_ASSIGN(const bool row, select->Step());
    if (!row) return links;
    links.push_back(LinkOf(*select));
  }
}

Status ScanLinks(Connection& connection, const std::function<void(const LinkRow&)>& visit) {
  RECALL_ASSIGN(Statement select, connection.Prepare("SELECT " RECALL_LINK_COLUMNS
                                                     " FROM link WHERE removed_seq IS NULL "
                                                     "ORDER BY source, relation, target, origin"));
  for (;;) {
    RECALL_ASSIGN(const bool row, select.Step());
    if (!row) return Status::Ok();
    visit(LinkOf(select));
  }
}

Result<bool> PutLinkRow(Connection& connection, const LinkRow& link, int64_t sequence) {
  RECALL_ASSIGN(const auto present, LinksAt(connection, LinkEnd::kSource, link.source));
  const auto same = std::ranges::find_if(present, [&](const LinkRow& other) {
    return other.target == link.target && other.relation == link.relation &&
           other.origin == link.origin;
  });
  if (same != present.end()) {
    if (same->weight == link.weight && same->reason == link.reason) return false;
    RECALL_TRY(EndLink(connection, same->id, sequence));
  }
  RECALL_TRY(InsertLink(connection, link, sequence));
  return true;
}

Status EndLink(Connection& connection, int64_t id, int64_t sequence) {
  // A row that no commit has shown need not stay.
  RECALL_ASSIGN(Statement * remove,
                connection.Cached("DELETE FROM link WHERE id = ?1 AND added_seq = ?2"));
  remove->BindInt(1, id);
  remove->BindInt(2, sequence);
  RECALL_TRY(remove->Run());
  RECALL_ASSIGN(Statement * update, connection.Cached("UPDATE link SET removed_seq = ?2 "
                                                      "WHERE id = ?1 AND removed_seq IS NULL"));
  update->BindInt(1, id);
  update->BindInt(2, sequence);
  return update->Run();
}

Status DeleteEndedLinks(Connection& connection, int64_t sequence) {
  RECALL_ASSIGN(Statement * remove, connection.Cached("DELETE FROM link WHERE removed_seq <= ?1"));
  remove->BindInt(1, sequence);
  return remove->Run();
}

}  // namespace recall
