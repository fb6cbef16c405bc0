#include "cli/output/response.h"

#include <unistd.h>

#include <cstdio>

#include "cli/output/volatile_fields.h"

namespace recall {
namespace {

// Raised only when a field changes its meaning or goes away; new fields do not raise it.
constexpr const char* kSchemaVersion = "2";

template <typename T>
Json OrNull(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

void AddIf(bool present, const char* key, const Json& value, Json* object) {
  if (present) (*object)[key] = value;
}

Json TopLevel(const JsonResponse& response) {
  Json top;
  top["ok"] = !response.failure.has_value();
  top["schema_version"] = kSchemaVersion;
  AddIf(!response.query.is_null(), "query", response.query, &top);
  return top;
}

void AddTail(const JsonResponse& response, Json* top) {
  AddIf(!response.explain.is_null(), "explain", response.explain, top);
  AddIf(!response.stats.is_null(), "stats", response.stats, top);
  AddIf(!response.warnings.empty(), "warnings", response.warnings, top);
  AddIf(response.next_offset.has_value(), "next_offset", OrNull(response.next_offset), top);
  AddIf(!response.own.is_null(), response.own_key.c_str(), response.own, top);
  if (response.failure) (*top)["error"] = ToJson(*response.failure);
}

// Resident and virtual size of this process, from /proc/self/statm.
Json MemoryJson() {
  long pages_virtual = 0;
  long pages_resident = 0;
  if (FILE* file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%ld %ld", &pages_virtual, &pages_resident) != 2) pages_resident = 0;
    std::fclose(file);
  }
  const int64_t page = ::sysconf(_SC_PAGESIZE);
  return {{"rss_bytes", pages_resident * page}, {"virt_bytes", pages_virtual * page}};
}

Json TimingsJson(const std::vector<StageTiming>& timings) {
  Json json;
  for (const StageTiming& stage : timings) {
    json[stage.name + "_ms"] = static_cast<double>(stage.micros) / 1000;
  }
  return json;
}

Json PieceJson(const ContextPiece& piece) {
  const ChunkView& chunk = piece.chunk;
  Json json = {{"id", chunk.id},
               {"doc_id", chunk.doc_id},
               {"offset", chunk.offset},
               {"tokens", chunk.tokens},
               {"text", chunk.text},
               {"path", piece.doc.path},
               {"hash", piece.doc.hash},
               {"mtime", piece.doc.mtime},
               {"start_byte", chunk.start_byte},
               {"end_byte", chunk.end_byte},
               {"start_line", chunk.start_line},
               {"end_line", chunk.end_line},
               {"heading", chunk.heading},
               {"score", piece.score},
               {"truncated", piece.truncated},
               {"chunk_ids", piece.chunk_ids}};
  if (piece.explain) json["explain"] = ToJson(*piece.explain);
  return json;
}

}  // namespace

std::string FormatJson(const JsonResponse& response) {
  Json top = TopLevel(response);
  AddIf(!response.results.is_null(), "results", response.results, &top);
  AddIf(!response.context.is_null(), "context", response.context, &top);
  AddTail(response, &top);
  if (response.stable) RemoveVolatile(&top);
  return DumpPretty(top);
}

std::string FormatJsonLines(const JsonResponse& response) {
  Json meta = {{"type", response.failure ? "error" : "meta"}};
  meta.update(TopLevel(response));
  AddTail(response, &meta);
  if (response.stable) RemoveVolatile(&meta);
  std::string lines = DumpLine(meta);
  for (const Json& result : response.results) {
    lines += DumpLine({{"type", "result"}, {"item", result}});
  }
  return lines;
}

Json ToJson(const HitExplain& explain) {
  Json json;
  AddIf(explain.lexical.has_value(), "lexical", OrNull(explain.lexical), &json);
  AddIf(explain.semantic.has_value(), "semantic", OrNull(explain.semantic), &json);
  AddIf(explain.ngrams.has_value(), "grams", OrNull(explain.ngrams), &json);
  AddIf(explain.lexical_rank.has_value(), "lexical_rank", OrNull(explain.lexical_rank), &json);
  AddIf(explain.semantic_rank.has_value(), "semantic_rank", OrNull(explain.semantic_rank), &json);
  AddIf(explain.first_stage_rank.has_value(), "legs_rank", OrNull(explain.first_stage_rank), &json);
  AddIf(explain.feedback, "feedback", true, &json);
  json["lexical_part"] = explain.parts.lexical;
  json["gram_part"] = explain.parts.ngrams;
  json["semantic_part"] = explain.parts.semantic;
  json["neighbour_part"] = explain.parts.neighbours;
  for (const StageEffect& effect : explain.stages) {
    Json stage = {{"stage", effect.stage},
                  {"was", effect.was},
                  {"rank", effect.rank},
                  {"score_before", effect.score_before},
                  {"score", effect.score}};
    if (!effect.note.empty()) stage["note"] = effect.note;
    json["stages"].push_back(std::move(stage));
  }
  return json;
}

Json ToJson(const Snippet& snippet) {
  Json highlights = Json::array();
  for (const ByteRange& range : snippet.highlights) {
    highlights.push_back({{"start", range.start}, {"end", range.end}});
  }
  return {{"text", snippet.text},         {"start_byte", snippet.start_byte},
          {"end_byte", snippet.end_byte}, {"start_line", snippet.start_line},
          {"end_line", snippet.end_line}, {"highlights", std::move(highlights)}};
}

Json ToJson(const SearchHit& hit) {
  Json json = {{"score", hit.score}, {"doc", ToJson(hit.doc)}, {"chunk", ToJson(hit.chunk)}};
  if (hit.snippet) json["snippet"] = ToJson(*hit.snippet);
  for (const StandsFor& other : hit.stands_for) {
    json["stands_for"].push_back({{"chunk_id", other.chunk_id},
                                  {"path", other.path},
                                  {"start_line", other.start_line},
                                  {"end_line", other.end_line}});
  }
  if (hit.explain) json["explain"] = ToJson(*hit.explain);
  return json;
}

Json ToJson(const ContextResponse& context) {
  Json pieces = Json::array();
  for (const ContextPiece& piece : context.pieces) pieces.push_back(PieceJson(piece));
  return {{"text", context.text},
          {"form", context.form == ContextForm::kMarkdown ? "markdown" : "text"},
          {"budget_tokens", context.budget_tokens},
          {"used_tokens", context.used_tokens},
          {"token_counter", context.token_counter},
          {"vocabulary_sha256",
           context.vocabulary_hash.empty() ? Json(nullptr) : Json(context.vocabulary_hash)},
          {"chunks", std::move(pieces)}};
}

Json ToJson(const Failure& failure) {
  Json details = {{"exit_code", static_cast<int>(failure.exit())}};
  if (const auto& position = failure.position) {
    details["line"] = position->line;
    AddIf(position->column > 0, "column", position->column, &details);
    AddIf(!position->excerpt.empty(), "excerpt", position->excerpt, &details);
  }
  return {{"code", InfoOf(failure.code).name},
          {"message", failure.message},
          {"details", std::move(details)},
          {"hint", failure.hint.empty() ? Json(nullptr) : Json(failure.hint)}};
}

Json StatsJson(int64_t total_hits, const StoreSummary& store, const Measured& measured) {
  Json json = {{"took_ms", measured.took_ms},
               {"total_hits", total_hits},
               {"doc_count", store.docs},
               {"chunk_count", store.chunks},
               {"db_size_bytes", store.db_size_bytes},
               {"snapshot", store.snapshot}};
  if (!measured.timings.empty()) json["timings"] = TimingsJson(measured.timings);
  json["corpus"] = {{"docs", store.docs},
                    {"chunks", store.chunks},
                    {"tokens", store.tokens},
                    {"bytes", store.bytes}};
  if (measured.memory) json["memory"] = MemoryJson();
  return json;
}

Json StatsJson(const AnswerFacts& facts, const Measured& measured) {
  Json json = StatsJson(facts.total_hits, facts.store, measured);
  json["total_hits_is_lower_bound"] = facts.total_hits_is_lower_bound;
  return json;
}

}  // namespace recall
