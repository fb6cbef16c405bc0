// Makes, removes and shows links.
//
// RunLinks walks the graph from one document, breadth first, at most three links deep, over links
// of either direction or of one. It shows the documents that it reaches, and all links among them
// that satisfy the request. Centrality counts documents by their distance over links of either
// direction, whatever the request asks for.
//
// Cost: one look-up for each document that is reached. A walk stops at kMostDocuments.

#include "query/memory/notes/links.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "index/source/note/text_links.h"
#include "index/write/local/local_store.h"
#include "storage/metadata/metadata_values.h"
#include "storage/notes/note_card.h"

namespace recall {
namespace {

constexpr int64_t kMostDepth = 3;
constexpr size_t kMostDocuments = 10'000;

Status CheckRelation(std::string_view relation) {
  if (IsRelationName(relation)) return Status::Ok();
  return Status::InvalidArgument("'" + std::string(relation) + "' is not the name of a relation",
                                 "a relation has letters, digits and '_', as in derived_from");
}

Status CheckLink(const LinkRecord& link) {
  RECALL_TRY(CheckRelation(link.relation));
  if (!(link.weight >= 0 && link.weight <= 1)) {
    return Status::InvalidArgument("the weight of a link is a number from 0 to 1");
  }
  if (link.source == link.target) {
    return Status::InvalidArgument(link.source + " cannot be linked to itself",
                                   "specify two documents");
  }
  return Status::Ok();
}

bool IsOrderedBefore(const LinkRecord& a, const LinkRecord& b) {
  return std::tie(a.source, a.relation, a.target, a.origin) <
         std::tie(b.source, b.relation, b.target, b.origin);
}

std::string TextOf(const std::optional<std::string>& meta, const std::string& key) {
  if (!meta) return "";
  const auto scalars = MetadataAt(*meta, {&key, 1});
  return scalars && !scalars->empty() ? scalars->front().text : std::string();
}

// Distances from one document.
class Walk final {
 public:
  Walk(const NoteRecords& notes, LinkDirection direction,
       const std::optional<std::string>& relation)
      : notes_(notes), direction_(direction), relation_(relation) {}

  Status From(const std::string& path, int64_t depth) {
    distances_[path] = 0;
    std::vector<std::string> level = {path};
    for (int64_t distance = 1; distance <= depth && !level.empty(); ++distance) {
      std::vector<std::string> next;
      for (const std::string& at : level) {
        RECALL_ASSIGN(const auto links, LinksOf(at));
        for (const LinkRecord& link : links) {
          const std::string& other = link.source == at ? link.target : link.source;
          if (distances_.size() >= kMostDocuments) return Status::Ok();
          if (distances_.emplace(other, distance).second) next.push_back(other);
        }
      }
      std::ranges::sort(next);
      level = std::move(next);
    }
    return Status::Ok();
  }

  // The links at a document that satisfy the request.
  Result<std::vector<LinkRecord>> LinksOf(const std::string& path) const {
    std::vector<LinkRecord> links;
    for (const LinkEnd end : {LinkEnd::kSource, LinkEnd::kTarget}) {
      const LinkDirection skipped =
          end == LinkEnd::kSource ? LinkDirection::kIn : LinkDirection::kOut;
      if (direction_ == skipped) continue;
      RECALL_ASSIGN(auto found, notes_.LinksAt(end, path));
      for (LinkRecord& link : found) {
        if (!relation_ || link.relation == *relation_) links.push_back(std::move(link));
      }
    }
    return links;
  }

  const std::map<std::string, int64_t>& distances() const { return distances_; }

 private:
  const NoteRecords& notes_;
  const LinkDirection direction_;
  const std::optional<std::string>& relation_;
  std::map<std::string, int64_t> distances_;
};

Result<double> CentralityOf(const NoteRecords& notes, const std::string& path) {
  const std::optional<std::string> any;
  Walk walk(notes, LinkDirection::kBoth, any);
  RECALL_TRY(walk.From(path, kMostDepth));
  double at[kMostDepth + 1] = {};
  for (const auto& [other, distance] : walk.distances()) at[distance] += 1;
  return std::min(100.0, 2 * (2 * at[1] + at[2] + 0.5 * at[3]));
}

}  // namespace

Result<LinkReport> WriteLinks(const NoteDependencies& deps, std::vector<LinkRecord> links,
                              bool dry_run) {
  LocalStore store(deps.store);
  RECALL_ASSIGN(const auto batch, NoteBatch::Begin(store, deps));
  LinkReport report;
  for (LinkRecord& link : links) {
    RECALL_TRY(CheckLink(link));
    RECALL_ASSIGN(const bool made, (*batch)->PutLink(link));
    if (made) {
      report.links.push_back(std::move(link));
    } else {
      ++report.unchanged;
    }
  }
  if (!dry_run && !report.links.empty()) RECALL_TRY(batch->Commit());
  return report;
}

Result<std::vector<std::pair<std::string, ComparedNote>>> NotesToLink(
    const Snapshot& snapshot, const std::vector<std::string>& targets,
    const std::string& store_root) {
  std::vector<DocRow> docs;
  for (const std::string& target : targets) {
    RECALL_ASSIGN(DocRow doc, FindTarget(snapshot.texts(), target, store_root));
    docs.push_back(std::move(doc));
  }
  if (targets.empty()) {
    std::vector<int64_t> rows;
    RECALL_TRY(snapshot.notes().ScanFacts(0, [&](const NoteFacts& facts) {
      if (facts.is_note && !facts.card.obsolete) rows.push_back(facts.doc_row);
    }));
    for (const int64_t row : rows) {
      RECALL_ASSIGN(DocRow doc, snapshot.texts().ReadDoc(row));
      docs.push_back(std::move(doc));
    }
    std::ranges::sort(docs, {}, &DocRow::path);
  }
  std::vector<std::pair<std::string, ComparedNote>> notes;
  for (const DocRow& doc : docs) {
    if (doc.chunk_count == 0) continue;
    RECALL_ASSIGN(ComparedNote note, ReadComparedPart(snapshot.texts(), doc));
    notes.emplace_back(doc.path, std::move(note));
  }
  return notes;
}

Result<LinkReport> RunLink(const NoteDependencies& deps, const LinkRequest& request) {
  LinkRecord link{.source = {},
                  .target = {},
                  .relation = request.relation,
                  .weight = request.weight,
                  .reason = request.reason,
                  .at = request.at.value_or(WallClockNanos())};
  LocalStore store(deps.store);
  RECALL_ASSIGN(const auto batch, NoteBatch::Begin(store, deps));
  const TextsAndFacts& texts = batch->visible().texts();
  RECALL_ASSIGN(const DocRow source, FindTarget(texts, request.source, deps.root));
  RECALL_ASSIGN(const DocRow target, FindTarget(texts, request.target, deps.root));
  link.source = source.path;
  link.target = target.path;
  RECALL_TRY(CheckLink(link));
  RECALL_ASSIGN(const bool made, (*batch)->PutLink(link));
  LinkReport report;
  if (!made) {
    report.unchanged = 1;
    return report;
  }
  report.links.push_back(std::move(link));
  if (!request.dry_run) RECALL_TRY(batch->Commit());
  return report;
}

Result<UnlinkReport> RunUnlink(const NoteDependencies& deps, const UnlinkRequest& request) {
  if (request.relation) RECALL_TRY(CheckRelation(*request.relation));
  LocalStore store(deps.store);
  RECALL_ASSIGN(const auto batch, NoteBatch::Begin(store, deps));
  const TextsAndFacts& texts = batch->visible().texts();
  RECALL_ASSIGN(const DocRow source, FindTarget(texts, request.source, deps.root));
  RECALL_ASSIGN(const auto links, batch->visible().notes().LinksAt(LinkEnd::kSource, source.path));
  // The target may be missing: then it is named by its path.
  std::string target = request.target;
  if (const auto doc = FindTarget(texts, request.target, deps.root)) {
    target = doc->path;
  } else if (std::ranges::none_of(links, [&](const auto& link) { return link.target == target; })) {
    return Fail(doc.error());
  }
  UnlinkReport report;
  for (const LinkRecord& link : links) {
    if (link.target != target || (request.relation && link.relation != *request.relation)) continue;
    if (link.origin == kTextLink) {
      report.in_texts.push_back(link);
      continue;
    }
    RECALL_TRY((*batch)->RemoveLink(link));
    report.links.push_back(link);
  }
  if (!request.dry_run && !report.links.empty()) RECALL_TRY(batch->Commit());
  return report;
}

Result<LinksReport> RunLinks(const Snapshot& snapshot, const LinksRequest& request,
                             const std::string& store_root) {
  if (request.depth < 1 || request.depth > kMostDepth) {
    return Fail(Status::InvalidArgument("the depth of links is 1, 2 or 3"));
  }
  if (request.relation) RECALL_TRY(CheckRelation(*request.relation));
  RECALL_ASSIGN(const DocRow target, FindTarget(snapshot.texts(), request.target, store_root));
  Walk walk(snapshot.notes(), request.direction, request.relation);
  RECALL_TRY(walk.From(target.path, request.depth));

  LinksReport report;
  report.as_of = request.as_of.value_or(WallClockNanos());
  for (const auto& [path, distance] : walk.distances()) {
    LinkedDocument document{.path = path, .title = {}, .type = {}, .depth = distance};
    RECALL_ASSIGN(const auto doc, snapshot.texts().FindDoc(path));
    document.missing = !doc.has_value();
    if (doc) {
      document.title = TextOf(doc->meta, "title");
      document.type = TextOf(doc->meta, "type");
      RECALL_ASSIGN(const auto facts, snapshot.notes().FindFacts(doc->row, report.as_of));
      if (facts) document.state = facts->LifecycleAt(report.as_of);
      document.obsolete = facts && facts->is_note && facts->card.obsolete;
    }
    report.documents.push_back(std::move(document));
    RECALL_ASSIGN(const auto links, walk.LinksOf(path));
    for (const LinkRecord& link : links) {
      const bool both =
          walk.distances().contains(link.source) && walk.distances().contains(link.target);
      const bool at_rim =
          both && distance == request.depth &&
          walk.distances().at(link.source == path ? link.target : link.source) == request.depth;
      if (both && !at_rim) report.links.push_back(link);
    }
  }
  std::ranges::sort(report.documents, [](const LinkedDocument& a, const LinkedDocument& b) {
    return std::tie(a.depth, a.path) < std::tie(b.depth, b.path);
  });
  std::ranges::sort(report.links, IsOrderedBefore);
  const auto same = [](const LinkRecord& a, const LinkRecord& b) {
    return !IsOrderedBefore(a, b) && !IsOrderedBefore(b, a);
  };
  report.links.erase(std::unique(report.links.begin(), report.links.end(), same),
                     report.links.end());
  RECALL_ASSIGN(report.centrality, CentralityOf(snapshot.notes(), target.path));
  return report;
}

}  // namespace recall
