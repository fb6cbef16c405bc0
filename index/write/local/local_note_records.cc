#include "index/write/local/local_note_records.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "storage/notes/card_table.h"
#include "storage/notes/name_table.h"
#include "storage/notes/note_card.h"
#include "storage/notes/note_set.h"
#include "storage/sqlite/connection.h"

namespace recall {
namespace {

// Paths and live documents of names, each looked up once.
class NameReader final {
 public:
  explicit NameReader(Connection& connection) : connection_(connection) {}

  struct Named {
    std::string path;
    std::optional<int64_t> doc_row;
  };
  Result<const Named*> Read(int64_t name) {
    const auto found = names_.find(name);
    if (found != names_.end()) return &found->second;
    RECALL_ASSIGN(std::string path, PathOfName(connection_, name));
    RECALL_ASSIGN(const auto card, FindCardOfName(connection_, name));
    Named named{std::move(path), card ? std::optional(card->doc_row) : std::nullopt};
    return &names_.emplace(name, std::move(named)).first->second;
  }

 private:
  Connection& connection_;
  std::unordered_map<int64_t, Named> names_;
};

Result<LinkRecord> RecordOf(NameReader& names, const LinkRow& row) {
  RECALL_ASSIGN(const auto* source, names.Read(row.source));
  RECALL_ASSIGN(const auto* target, names.Read(row.target));
  return LinkRecord{.source = source->path,
                    .target = target->path,
                    .relation = row.relation,
                    .weight = row.weight,
                    .reason = row.reason,
                    .origin = row.origin,
                    .at = row.at,
                    .source_row = source->doc_row,
                    .target_row = target->doc_row};
}

}  // namespace

Result<bool> LocalNoteRecords::HasNotes() const {
  RECALL_ASSIGN(const bool has_tables, HasNoteTables(transaction_.connection()));
  if (!has_tables) return false;
  return HasNoteSet(transaction_.connection());
}

Result<bool> LocalNoteRecords::HasRemovedPrivateNotes() const {
  // Of the table, which a view hides while an older commit is read.
  RECALL_ASSIGN(Statement * cached, transaction_.connection().Cached(
                                        "SELECT meta FROM main.doc WHERE removed_seq IS NOT "
                                        "NULL AND parser = 'note' AND meta IS NOT NULL"));
  const StatementScope select(cached);
  for (;;) {
    RECALL_ASSIGN(const bool row, select->Step());
    if (!row) return false;
    if (IsPrivateCard(select->ColumnText(0))) return true;
  }
}

Result<std::vector<LinkRecord>> LocalNoteRecords::LinksAt(LinkEnd end,
                                                          std::string_view path) const {
  Connection& connection = transaction_.connection();
  std::vector<LinkRecord> links;
  RECALL_ASSIGN(const bool has_notes, HasNoteTables(connection));
  if (!has_notes) return links;
  RECALL_ASSIGN(const auto name, FindName(connection, path));
  if (!name) return links;
  RECALL_ASSIGN(const auto rows, recall::LinksAt(connection, end, *name));
  NameReader names(connection);
  for (const LinkRow& row : rows) {
    RECALL_ASSIGN(LinkRecord record, RecordOf(names, row));
    links.push_back(std::move(record));
  }
  std::ranges::stable_sort(links, [end](const LinkRecord& a, const LinkRecord& b) {
    const auto key = [end](const LinkRecord& link) {
      return std::tie(link.relation, end == LinkEnd::kSource ? link.target : link.source,
                      link.origin);
    };
    return key(a) < key(b);
  });
  return links;
}

Result<DocumentRecords> LocalNoteRecords::RecordsOf(std::string_view path) const {
  Connection& connection = transaction_.connection();
  DocumentRecords history;
  RECALL_ASSIGN(const bool has_notes, HasNoteTables(connection));
  if (!has_notes) return history;
  RECALL_ASSIGN(const auto name, FindName(connection, path));
  if (!name) return history;
  RECALL_ASSIGN(history.links, LinksAt(LinkEnd::kSource, path));
  std::erase_if(history.links, [](const LinkRecord& link) { return link.origin == kTextLink; });
  RECALL_ASSIGN(history.uses, UsesOf(connection, *name));
  RECALL_ASSIGN(history.reviews, ReviewsOf(connection, *name));
  for (UseRow& use : history.uses) use.name = 0;
  for (ReviewRow& review : history.reviews) review.name = 0;
  return history;
}

Result<std::optional<NoteFacts>> LocalNoteRecords::FindFacts(int64_t doc_row,
                                                             UnixNanos as_of) const {
  Connection& connection = transaction_.connection();
  RECALL_ASSIGN(const bool has_notes, HasNoteTables(connection));
  if (!has_notes) return std::nullopt;
  return FindNoteFacts(connection, doc_row, as_of);
}

Result<std::optional<NoteState>> LocalNoteRecords::FindState(int64_t doc_row,
                                                             UnixNanos as_of) const {
  Connection& connection = transaction_.connection();
  RECALL_ASSIGN(const bool has_notes, HasNoteTables(connection));
  if (!has_notes) return std::nullopt;
  return FindNoteState(connection, doc_row, as_of);
}

Status LocalNoteRecords::ScanFacts(UnixNanos as_of,
                                   const std::function<void(const NoteFacts&)>& visit) const {
  Connection& connection = transaction_.connection();
  RECALL_ASSIGN(const bool has_notes, HasNoteTables(connection));
  if (!has_notes) return Status::Ok();
  return ScanNoteFacts(connection, as_of, visit);
}

Status LocalNoteRecords::ScanLinks(const std::function<void(const NamedLink&)>& visit) const {
  Connection& connection = transaction_.connection();
  RECALL_ASSIGN(const bool has_notes, HasNoteTables(connection));
  if (!has_notes) return Status::Ok();
  std::vector<std::pair<int64_t, int64_t>> docs;  // names with their live documents, by name
  RECALL_TRY(ScanCards(connection,
                       [&](const CardRow& card) { docs.emplace_back(card.name, card.doc_row); }));
  const auto doc_of = [&](int64_t name) -> std::optional<int64_t> {
    const auto found =
        std::ranges::lower_bound(docs, name, {}, &std::pair<int64_t, int64_t>::first);
    if (found == docs.end() || found->first != name) return std::nullopt;
    return found->second;
  };
  return recall::ScanLinks(connection, [&](const LinkRow& link) {
    visit({.source = link.source,
           .target = link.target,
           .relation = link.relation,
           .source_row = doc_of(link.source),
           .target_row = doc_of(link.target)});
  });
}

Result<std::string> LocalNoteRecords::PathOf(int64_t name) const {
  return PathOfName(transaction_.connection(), name);
}

}  // namespace recall
