#include "cli/show/output/response.h"

#include <utility>

#include "cli/show/output/volatile_fields.h"
#include "query/rql/time_text.h"
#include "storage/base/own_process.h"

namespace recall {
namespace {

// Incremented only when a field changes its meaning or is removed, not for new fields.
constexpr std::string_view kSchemaVersion = "2";

void WriteObject(std::string_view name, const JsonFields& fields, JsonWriter& json) {
  if (fields) json.Object(name, [&] { fields(json); });
}

void WriteHead(const JsonResponse& response, JsonWriter& json) {
  json.Field("ok", !response.failure.has_value());
  json.Field("schema_version", kSchemaVersion);
  WriteObject("query", response.query, json);
}

void WriteItems(std::string_view name, const JsonItems& items, JsonWriter& json) {
  if (!items.write) return;
  json.BeginArray(name);
  for (size_t i = 0; i < items.count; ++i) {
    json.BeginObject();
    items.write(i, json);
    json.EndObject();
  }
  json.EndArray();
}

void WriteTail(const JsonResponse& response, JsonWriter& json) {
  WriteObject("explain", response.explain, json);
  WriteObject("stats", response.stats, json);
  if (!response.warnings.empty()) json.Field("warnings", response.warnings);
  if (response.next_offset) json.Field("next_offset", *response.next_offset);
  if (response.related) WriteItems("related", *response.related, json);
  WriteObject(response.own_key, response.own, json);
  if (response.failure) json.Object("error", [&] { WriteFields(*response.failure, json); });
}

// Writes the resident and virtual size of this process.
void WriteMemory(JsonWriter& json) {
  const ProcessMemory memory = MemoryOfProcess();
  json.Object("memory", [&] {
    json.Field("rss_bytes", memory.resident);
    json.Field("virt_bytes", memory.mapped);
  });
}

void WriteTimings(const std::vector<StageTiming>& timings, JsonWriter& json) {
  if (timings.empty()) return;
  json.Object("timings", [&] {
    for (const StageTiming& stage : timings) {
      json.Field(stage.name + "_ms", static_cast<double>(stage.micros) / 1000);
    }
  });
}

void WriteStats(int64_t total_hits, const StoreSummary& store, const Measured& measured,
                JsonWriter& json) {
  json.Field("took_ms", measured.took_ms);
  json.Field("total_hits", total_hits);
  json.Field("doc_count", store.docs);
  json.Field("chunk_count", store.chunks);
  if (store.db_size_bytes) json.Field("db_size_bytes", *store.db_size_bytes);
  json.Field("snapshot", store.snapshot);
  WriteTimings(measured.timings, json);
  json.Object("corpus", [&] {
    json.Field("docs", store.docs);
    json.Field("chunks", store.chunks);
    json.Field("tokens", store.tokens);
    json.Field("bytes", store.bytes);
  });
  if (measured.memory) WriteMemory(json);
}

void WriteFields(const ContextPiece& piece, JsonWriter& json) {
  const ChunkView& chunk = piece.chunk;
  json.Field("id", chunk.id);
  json.Field("doc_id", chunk.doc_id);
  json.Field("offset", chunk.offset);
  json.Field("tokens", chunk.tokens);
  json.Field("text", chunk.text);
  json.Field("path", piece.doc.path);
  json.Field("hash", piece.doc.hash);
  json.Field("mtime", piece.doc.mtime);
  json.Field("start_byte", chunk.start_byte);
  json.Field("end_byte", chunk.end_byte);
  json.Field("start_line", chunk.start_line);
  json.Field("end_line", chunk.end_line);
  json.Field("heading", chunk.heading);
  WriteLocator(chunk, json);
  json.Field("score", piece.score);
  json.Field("truncated", piece.truncated);
  if (!piece.note_state.empty()) json.Field("note_state", piece.note_state);
  json.Field("chunk_ids", piece.chunk_ids);
  WriteSourceState(piece.doc, json);
  WriteCitation(piece.doc, &chunk, json);
  if (piece.explain) json.Object("explain", [&] { WriteFields(*piece.explain, json); });
}

void WriteContextFacts(const ContextResponse& context, JsonWriter& json) {
  json.Field("text", context.text);
  json.Field("form", context.form == ContextForm::kMarkdown ? "markdown" : "text");
  json.Field("budget_tokens", context.budget_tokens);
  json.Field("used_tokens", context.used_tokens);
  json.Field("token_counter", context.token_counter);
  json.FieldOrNull("vocabulary_sha256", context.vocabulary_hash);
}

template <typename T>
void WriteIfKnown(std::string_view name, const std::optional<T>& value, JsonWriter& json) {
  if (value) json.Field(name, *value);
}

// Whether a time is the same whenever it is read: "2026-02-04", but not "-7d".
bool IsFixedTime(const std::string& text) {
  constexpr UnixNanos kLater = int64_t{400} * 86'400 * 1'000'000'000;
  const auto time = ReadTime(text, 0, TimeDirection::kPast);
  return time && time == ReadTime(text, kLater, TimeDirection::kPast);
}

std::span<const std::string_view> VolatileFieldsOf(const JsonResponse& response) {
  const bool fixed = response.given_as_of && IsFixedTime(*response.given_as_of);
  return fixed ? VolatileFieldsOfGivenTime() : VolatileFields();
}

}  // namespace

JsonRows RowsOf(const JsonItems& items) {
  if (!items.write) return {};
  return [&items](const std::function<Status(const JsonFields& write)>& object) {
    for (size_t i = 0; i < items.count; ++i) {
      const Status written = object([&](JsonWriter& json) { items.write(i, json); });
      if (!written.ok()) return written;
    }
    return Status::Ok();
  };
}

Status WriteJson(const JsonResponse& response, const JsonRows& rows, JsonWriter::Layout layout,
                 std::string* text, const std::function<void()>& part_ends) {
  JsonWriter json(text, layout);
  if (response.stable) json.LeaveOut(VolatileFieldsOf(response));
  json.BeginObject();
  WriteHead(response, json);
  if (rows) {
    json.BeginArray("results");
    RECALL_TRY(rows([&](const JsonFields& write) {
      json.BeginObject();
      write(json);
      json.EndObject();
      part_ends();
      return Status::Ok();
    }));
    json.EndArray();
  }
  WriteObject("context", response.context, json);
  WriteTail(response, json);
  json.EndObject();
  json.EndLine();
  return Status::Ok();
}

Status WriteJsonLines(const JsonResponse& response, const JsonRows& rows, std::string* text,
                      const std::function<void()>& part_ends) {
  JsonWriter json(text);
  if (response.stable) json.LeaveOut(VolatileFieldsOf(response));
  json.BeginObject();
  json.Field("type", response.failure ? "error" : "meta");
  WriteHead(response, json);
  WriteTail(response, json);
  json.EndObject();
  json.EndLine();
  if (!rows) return Status::Ok();
  return rows([&](const JsonFields& write) {
    json.BeginObject();
    json.Field("type", "result");
    json.BeginObject("item");
    write(json);
    json.EndObject();
    json.EndObject();
    json.EndLine();
    part_ends();
    return Status::Ok();
  });
}

std::string FormatJson(const JsonResponse& response, JsonWriter::Layout layout) {
  std::string text;
  WriteJson(response, RowsOf(response.results), layout, &text, [] {}).IgnoreError();  // has none
  return text;
}

std::string FormatJsonLines(const JsonResponse& response) {
  std::string text;
  WriteJsonLines(response, RowsOf(response.results), &text, [] {}).IgnoreError();  // has none
  return text;
}

void WriteCitation(const DocView& doc, const ChunkView* chunk, JsonWriter& json) {
  if (const std::string cite = CitationOf(doc, chunk); !cite.empty()) json.Field("cite", cite);
}

void WriteFields(const HitExplain& explain, JsonWriter& json) {
  WriteIfKnown("lexical", explain.lexical, json);
  WriteIfKnown("semantic", explain.semantic, json);
  WriteIfKnown("grams", explain.ngrams, json);
  WriteIfKnown("path", explain.path, json);
  if (!explain.fields.empty()) {
    json.Object("fields", [&] {
      for (const auto& [field, score] : explain.fields) json.Field(field, score);
    });
  }
  WriteIfKnown("lexical_rank", explain.lexical_rank, json);
  WriteIfKnown("semantic_rank", explain.semantic_rank, json);
  WriteIfKnown("legs_rank", explain.first_stage_rank, json);
  if (explain.feedback) json.Field("feedback", true);
  json.Field("lexical_part", explain.parts.lexical);
  json.Field("gram_part", explain.parts.ngrams);
  json.Field("semantic_part", explain.parts.semantic);
  json.Field("neighbour_part", explain.parts.neighbours);
  if (explain.parts.path > 0) json.Field("path_part", explain.parts.path);
  if (explain.evidence) {
    json.Field("trigger_part", explain.parts.triggers);
    json.Object("parts", [&] {
      json.Field("words", explain.evidence->words);
      WriteIfKnown("meaning", explain.evidence->meaning, json);
      json.Field("triggers", explain.evidence->triggers);
    });
  }
  const auto write_effect = [&](const StageEffect& effect) {
    json.Field("was", effect.was);
    json.Field("rank", effect.rank);
    json.Field("score_before", effect.score_before);
    json.Field("score", effect.score);
    if (!effect.note.empty()) json.Field("note", effect.note);
  };
  if (explain.cued) {
    json.Objects("cues", explain.cues, [&](const CueEffect& cue) {
      json.Field("cue", cue.cue);
      if (!cue.note.empty()) json.Field("name", cue.note);
      cue.definition > 0 ? json.Field("adds", cue.definition) : json.Field("factor", cue.factor);
    });
    json.Object("cued", [&] { write_effect(*explain.cued); });
  }
  if (explain.stages.empty()) return;
  json.Objects("stages", explain.stages, [&](const StageEffect& effect) {
    json.Field("stage", effect.stage);
    write_effect(effect);
  });
}

void WriteFields(const Snippet& snippet, JsonWriter& json) {
  json.Field("text", snippet.text);
  json.Field("start_byte", snippet.start_byte);
  json.Field("end_byte", snippet.end_byte);
  json.Field("start_line", snippet.start_line);
  json.Field("end_line", snippet.end_line);
  json.Objects("highlights", snippet.highlights, [&](const ByteRange& range) {
    json.Field("start", range.start);
    json.Field("end", range.end);
  });
}

void WriteList(const char* name, const std::vector<StandsFor>& chunks, JsonWriter& json) {
  if (chunks.empty()) return;
  json.Objects(name, chunks, [&](const StandsFor& chunk) {
    json.Field("chunk_id", chunk.chunk_id);
    json.Field("path", chunk.path);
    json.Field("start_line", chunk.start_line);
    json.Field("end_line", chunk.end_line);
  });
}

void WriteRelated(const RelatedDoc& related, const std::function<void(JsonWriter&)>& write_doc,
                  JsonWriter& json) {
  json.Field("score", related.score);
  json.Object("doc", [&] { write_doc ? write_doc(json) : WriteFields(related.doc, json); });
  json.Field("hop", "1-hop");
  json.Field("via", related.via);
  json.Field("relation", related.relation);
  json.Field("weight", related.weight);
}

void WriteFolded(const SearchHit& hit, JsonWriter& json) {
  if (hit.identical > 0) json.Field("identical", hit.identical);
  WriteList("identical_chunks", hit.identical_chunks, json);
  if (!hit.continued_by.empty()) json.Field("continued_by", hit.continued_by);
}

void WriteToolUses(const SearchHit& hit, JsonWriter& json) {
  if (!hit.ran.empty()) {
    json.Objects("ran", hit.ran, [&](const CommandRun& run) {
      json.Field("turn", run.turn);
      json.Field("tool", run.tool);
      json.Field("command", run.command);
    });
  }
  if (hit.outputs.empty()) return;
  json.Objects("outputs", hit.outputs, [&](const ToolOutput& output) {
    if (output.turn) json.Field("turn", *output.turn);
    json.Field("line", output.line);
    json.Field("text", output.text);
  });
}

void WriteFields(const SearchHit& hit, JsonWriter& json) {
  json.Field("score", hit.score);
  json.Object("doc", [&] { WriteFields(hit.doc, json); });
  json.Object("chunk", [&] { WriteFields(hit.chunk, json); });
  WriteCitation(hit.doc, &hit.chunk, json);
  if (hit.snippet) json.Object("snippet", [&] { WriteFields(*hit.snippet, json); });
  if (hit.reply) {
    json.Object("answer", [&] {
      json.Field("turn", hit.reply->turn);
      json.Field("role", "assistant");
      json.Field("text", hit.reply->text);
      json.Field("start_line", hit.reply->start_line);
      json.Field("end_line", hit.reply->end_line);
    });
  }
  WriteFolded(hit, json);
  WriteToolUses(hit, json);
  if (hit.more_places > 0) json.Field("more_places", hit.more_places);
  WriteList("best_places", hit.best_places, json);
  WriteList("stands_for", hit.stands_for, json);
  if (hit.explain) json.Object("explain", [&] { WriteFields(*hit.explain, json); });
}

void WriteFields(const ContextResponse& context, JsonWriter& json) {
  WriteContextFacts(context, json);
  json.Objects("chunks", context.pieces,
               [&](const ContextPiece& piece) { WriteFields(piece, json); });
}

void WriteFields(const ContextResponse& context, const ResultFields& fields, JsonWriter& json) {
  WriteContextFacts(context, json);
  json.Objects("chunks", context.pieces, [&](const ContextPiece& piece) {
    fields.Write(ViewOf(piece), ResultForm::kFull, json);
  });
}

ResultView ViewOf(const SearchHit& hit) {
  return {&hit.doc, &hit.chunk, hit.score, hit.snippet ? &*hit.snippet : nullptr, {}};
}

ResultView ViewOf(const ContextPiece& piece) {
  return {&piece.doc, &piece.chunk, piece.score, nullptr, piece.in_text};
}

ResultView ViewOf(const QueryRow& row, bool ranked) {
  return {&row.doc,
          row.chunk ? &*row.chunk : nullptr,
          ranked ? std::optional(row.score) : std::nullopt,
          row.snippet ? &*row.snippet : nullptr,
          {}};
}

ResultView ViewOf(const GetResponse& found) { return {&found.doc, &found.chunk, {}, nullptr, {}}; }

void WriteFields(const Failure& failure, JsonWriter& json) {
  json.Field("code", InfoOf(failure.code).name);
  json.Field("message", failure.message);
  json.Object("details", [&] {
    json.Field("exit_code", static_cast<int>(failure.exit()));
    if (const auto& position = failure.position) {
      json.Field("line", position->line);
      if (position->column > 0) json.Field("column", position->column);
      if (!position->excerpt.empty()) json.Field("excerpt", position->excerpt);
    }
  });
  json.FieldOrNull("hint", failure.hint);
}

JsonFields StatsFields(int64_t total_hits, const StoreSummary& store, Measured measured) {
  return [total_hits, &store, measured = std::move(measured)](JsonWriter& json) {
    WriteStats(total_hits, store, measured, json);
  };
}

JsonFields StatsFields(const AnswerFacts& facts, Measured measured) {
  return [&facts, measured = std::move(measured)](JsonWriter& json) {
    WriteStats(facts.total_hits, facts.store, measured, json);
    json.Field("total_hits_is_lower_bound", facts.total_hits_is_lower_bound);
  };
}

}  // namespace recall
