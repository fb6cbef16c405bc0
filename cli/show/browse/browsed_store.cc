#include "cli/show/browse/browsed_store.h"

#include <utility>

namespace recall {
namespace {

constexpr size_t kMostReviewed = 1000;  // of a round
constexpr size_t kMostPlaces = 2000;

SymbolRelation RelationOf(PlacesOf of) {
  switch (of) {
    case PlacesOf::kCallers:
      return SymbolRelation::kCallers;
    case PlacesOf::kCallees:
      return SymbolRelation::kCallees;
    default:
      return SymbolRelation::kReferences;
  }
}

Status NoUses(const PlacesWish& wish) {
  switch (wish.of) {
    case PlacesOf::kCallers:
      return Status::NotFound("nothing calls " + wish.name);
    case PlacesOf::kCallees:
      return Status::NotFound(wish.name + " calls nothing that the store knows");
    default:
      return Status::NotFound("nothing uses " + wish.name);
  }
}

}  // namespace

Result<GetResponse> BrowsedStore::Document(const std::string& path) const {
  GetRequest request;
  request.target = path;
  request.snapshot = options_.snapshot;
  return options_.documents->Get(request);
}

Result<GetResponse> BrowsedStore::DocumentOf(const SearchHit& hit,
                                             const std::string& snapshot) const {
  GetRequest request;
  request.target = hit.doc.id;
  request.snapshot = snapshot;
  return options_.documents->Get(request);
}

Result<LinksPage> BrowsedStore::Links(const std::string& path) const {
  LinksRequest request;
  request.target = path;
  request.snapshot = options_.snapshot;
  request.as_of = options_.as_of;
  RECALL_ASSIGN(const LinksReport report, options_.documents->Links(request));
  return PageOf(report);
}

Result<PlacesPage> BrowsedStore::Places(const PlacesWish& wish) const {
  if (wish.of == PlacesOf::kDefinitions) return Outline(wish);
  ReferencesRequest request;
  request.name = wish.path + ":" + std::to_string(wish.line);
  request.relation = RelationOf(wish.of);
  request.scope.snapshot = options_.snapshot;
  request.limit = kMostPlaces;
  RECALL_ASSIGN(const ReferencesResponse found, options_.documents->References(request));
  if (found.rows.empty()) return Fail(NoUses(wish));
  return UsesOf(found, wish);
}

Result<PlacesPage> BrowsedStore::Outline(const PlacesWish& wish) const {
  SymbolsRequest request;
  request.name = "*";
  request.scope.filter = "doc.id = '" + wish.doc_id + "'";
  request.scope.snapshot = options_.snapshot;
  request.limit = kMostPlaces;
  RECALL_ASSIGN(const SymbolsResponse found, options_.documents->Symbols(request));
  if (found.rows.empty()) {
    return Fail(Status::NotFound(wish.path + " has no definitions",
                                 "only source code has definitions, in languages that this program "
                                 "knew when it was added"));
  }
  return OutlineOf(found, wish.line);
}

Result<std::vector<DueDocument>> BrowsedStore::Due(size_t preset, const std::string& filter) const {
  const Result<SearchRequest>& like = options_.presets[preset].like;
  if (!like) return Fail(like.error());
  DueRequest request;
  request.scope = like->scope;
  request.scope.filter = BothFilters(like->scope.filter, filter);
  request.limit = kMostReviewed;
  RECALL_ASSIGN(DueReport report, options_.documents->Due(request));
  return std::move(report.documents);
}

Status BrowsedStore::CheckWritable(std::string_view what) const {
  if (options_.snapshot.empty()) return Status::Ok();
  return Status::InvalidArgument("a snapshot is read; it takes no " + std::string(what),
                                 "leave out --snapshot");
}

Result<Database*> BrowsedStore::Writer() {
  if (!writer_) {
    RECALL_ASSIGN(writer_, options_.open_for_writing());
  }
  return writer_.get();
}

Result<ReviewReport> BrowsedStore::Rate(const std::string& path, int64_t quality) {
  RECALL_TRY(CheckWritable("reviews"));
  RECALL_ASSIGN(Database* const writer, Writer());
  ReviewRequest request = options_.rating;
  request.target = path;
  request.quality = quality;
  return writer->Review(request);
}

Result<SaveReport> BrowsedStore::Save(const SaveRequest& request) {
  RECALL_TRY(CheckWritable("notes"));
  RECALL_ASSIGN(Database* const writer, Writer());
  return writer->Save(request);
}

}  // namespace recall
