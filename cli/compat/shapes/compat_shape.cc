#include "cli/compat/shapes/compat_shape.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "cli/show/output/metadata_tree.h"
#include "cli/show/output/payload.h"
#include "storage/base/from_chars.h"
#include "storage/base/ids.h"

namespace recall {
namespace {

constexpr std::string_view kOneOfADocument = "per-document";

// bastra-recall reads this number of first hits of each retriever, and drops hits with fewer points
// than its floor.
constexpr size_t kBastraLegDepth = 50;
constexpr double kBastraFloor = 30;

double ToThreePlaces(double value) { return std::round(value * 1000) / 1000; }

// Makes an identifier of an answer, in the form of a UUID. The same question and commit give the
// same identifier.
std::string AnswerId(const Question& question, const AnswerFacts& facts) {
  std::string key = facts.store.snapshot;
  for (const std::string& part :
       {question.text, facts.filter, std::to_string(question.limit.value_or(0)),
        std::to_string(question.offset), question.ranking.stages}) {
    key += '\0';
    key += part;
  }
  const Digest digest = Sha256(key);
  std::string id = ToHex(digest).substr(0, 32);
  for (const size_t dash : {20, 16, 12, 8}) id.insert(dash, "-");
  return id;
}

void WriteMetaList(const MetadataTree& card, const std::string& key, std::string_view name,
                   JsonWriter& json) {
  json.Key(name);
  card.WriteList({&key, 1}, json);
}

// Writes the members that hits and neighbours of hits have in common.
void WriteBastraDoc(const DocView& doc, double score, bool full, JsonWriter& json) {
  const CardSummary card = CardOf(doc);
  const std::string id = CompatId(doc.path);
  const std::string summary = card.summary.value_or("");
  json.Field("id", id);
  json.Field("title", card.title.value_or(id));
  json.Field("type", card.type.value_or(""));
  json.Field("scope", card.scope.value_or(""));
  json.Field("summary", full ? summary : ShortenText(summary, kLeanSummaryCharacters));
  if (full) WriteMetaList(MetadataTree(doc.meta_json), "topic_path", "topic_path", json);
  json.Field("score", ToThreePlaces(score * kPointsOfScore));
}

void WriteBastraHit(const SearchHit& hit, bool full, JsonWriter& json) {
  WriteBastraDoc(hit.doc, hit.score, full, json);
  if (!full) return;
  const bool both = hit.found_by == SearchMode::kHybrid;
  json.Field("matched_terms", hit.matched_terms);
  json.Field("mode", both ? "hybrid" : hit.found_by == SearchMode::kLexical ? "bm25" : "vector");
  json.Field("hop", "direct");
}

void WriteBastraNeighbour(const RelatedDoc& related, bool full, JsonWriter& json) {
  WriteBastraDoc(related.doc, related.score, full, json);
  if (!full) return;
  json.Field("matched_terms", std::vector<std::string>());
  json.Field("hop", "1-hop");
}

// Writes the hits, and behind them their neighbours.
void WriteBastraHits(const SearchResponse& found, bool full, JsonWriter& json) {
  json.Key("hits");
  json.BeginArray();
  const auto object = [&](const auto& write) {
    json.BeginObject();
    write();
    json.EndObject();
  };
  for (const SearchHit& hit : found.hits) object([&] { WriteBastraHit(hit, full, json); });
  if (found.related) {
    for (const RelatedDoc& related : *found.related) {
      object([&] { WriteBastraNeighbour(related, full, json); });
    }
  }
  json.EndArray();
}

void WriteRekallEntry(const SearchHit& hit, bool full, JsonWriter& json) {
  const CardSummary card = CardOf(hit.doc);
  const MetadataTree tree(hit.doc.meta_json);
  const std::string id = CompatId(hit.doc.path);
  const std::string created = "created";
  json.Field("id", id);
  if (full) json.Field("type", card.type.value_or(""));
  json.Field("title", card.title.value_or(id));
  json.Field("score", ToThreePlaces(hit.score));
  json.Field("snippet", ShortSnippet(hit, kLeanSnippetCharacters));
  if (!full) return;
  WriteMetaList(tree, "tags", "tags", json);
  json.FieldOrNull("created_at", tree.Text({&created, 1}));
}

// The floor in points: the variable BASTRA_RECALL_FLOOR, else kBastraFloor. Errors: InvalidArgument
// if it is not a number from 0.
Result<double> BastraFloor() {
  const char* text = std::getenv("BASTRA_RECALL_FLOOR");
  if (text == nullptr || *text == '\0') return kBastraFloor;
  const std::string_view given = text;
  double floor = 0;
  const auto [stop, error] = FromChars(given.data(), given.data() + given.size(), floor);
  const bool whole = error == std::errc() && stop == given.data() + given.size();
  if (whole && std::isfinite(floor) && floor >= 0) return floor;
  return Fail(Status::InvalidArgument(
      "BASTRA_RECALL_FLOOR must be a number of points from 0, not '" + std::string(given) + "'",
      "100 points are the score 0.61; unset it for 30"));
}

Status ApplyBastra(bool has_min_score, SearchRequest* request) {
  request->ranking.fusion = FusionMethod::kReciprocalRank;
  request->ranking.leg_depth = kBastraLegDepth;
  if (has_min_score) return {};
  RECALL_ASSIGN(const double floor, BastraFloor());
  request->ranking.min_score = std::min(1.0, floor / kPointsOfScore);
  return {};
}

void WriteBastra(const Question& question, const SearchResponse& found, bool full,
                 JsonWriter& json) {
  json.Field("query", question.text);
  json.Field("vault_size", found.store.docs);
  WriteBastraHits(found, full, json);
  json.Field("recall_id", AnswerId(question, found));
  json.Field("latency_ms", 0);  // the same question gives the same bytes
}

Status ApplyRekall(bool, SearchRequest* request) {
  std::string& stages = request->ranking.stages;
  if (stages.find(kOneOfADocument) == stages.npos) {
    stages += (stages.empty() ? "" : ",") + std::string(kOneOfADocument);
  }
  return {};
}

void WriteRekall(const Question&, const SearchResponse& found, bool full, JsonWriter& json) {
  json.Objects("entries", found.hits,
               [&](const SearchHit& hit) { WriteRekallEntry(hit, full, json); });
  json.Field("hint", "`recall get ID` prints an entry");
}

// The points of bastra-recall are those of one fusion.
constexpr CompatShape kShapes[] = {
    {"bastra", 5, "rrf", ApplyBastra, WriteBastra},
    {"rekall", 10, "", ApplyRekall, WriteRekall},
};

}  // namespace

std::vector<std::string> ShapeNames() {
  std::vector<std::string> names;
  for (const CompatShape& shape : kShapes) names.emplace_back(shape.name);
  return names;
}

std::string ShapeHelp() { return "JSON as bastra-recall or Rekall print it, for their clients"; }

const CompatShape* FindShape(std::string_view name) {
  const auto* const found = std::ranges::find(kShapes, name, &CompatShape::name);
  return found == std::end(kShapes) ? nullptr : found;
}

void WriteShape(const CompatShape& shape, const Question& question, const SearchResponse& found,
                bool full, JsonWriter& json) {
  shape.write(question, found, full, json);
  if (!found.warnings.empty()) json.Field("warnings", found.warnings);
}

std::string CompatId(std::string_view path) {
  constexpr std::string_view kFolder = "notes/";
  constexpr std::string_view kSuffix = ".md";
  if (!path.starts_with(kFolder) || !path.ends_with(kSuffix)) return std::string(path);
  const std::string_view id =
      path.substr(kFolder.size(), path.size() - kFolder.size() - kSuffix.size());
  return std::string(id.empty() || id.find('/') != id.npos ? path : id);
}

}  // namespace recall
