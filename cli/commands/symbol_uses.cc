#include "cli/commands/symbol_uses.h"

#include "cli/commands/common_answer.h"
#include "cli/show/output/text_output.h"
#include "storage/base/clock.h"

namespace recall {
namespace {

std::string_view RelationName(SymbolRelation relation) {
  constexpr std::string_view kNames[] = {"references", "callers", "callees"};
  return kNames[static_cast<size_t>(relation)];
}

void WriteSymbolOf(const ReferenceRow& row, JsonWriter& json) {
  const SymbolRow& symbol = *row.symbol;
  json.Object("symbol", [&] {
    json.Field("name", symbol.name);
    json.Field("kind", symbol.kind);
    json.Field("scope", symbol.scope);
    json.Field("path", symbol.doc.path);
    json.Field("start_line", symbol.start_line);
    json.Field("end_line", symbol.end_line);
  });
}

void WriteReference(const ReferenceRow& row, JsonWriter& json) {
  json.Object("doc", [&] {
    json.Field("id", row.doc.id);
    json.Field("path", row.doc.path);
  });
  json.Field("line", row.line);
  json.Field("column", row.column);
  json.Field("text", row.text);
  json.Field("evidence", ReferenceEvidenceName(row.evidence));
  if (row.symbol) WriteSymbolOf(row, json);
  if (!row.lines.empty()) {
    json.BeginArray("lines");
    for (const uint32_t line : row.lines) json.Uint(line);
    json.EndArray();
  }
}

Status SendUsesAsJson(CommandContext& context, const ReferencesRequest& request,
                      const ReferencesResponse& found, int64_t micros) {
  Question question;
  question.text = request.name;
  if (request.limit) question.limit = static_cast<int64_t>(*request.limit);
  question.offset = static_cast<int64_t>(request.offset);
  question.snapshot = request.scope.snapshot;
  RECALL_ASSIGN(JsonResponse response, BeginAnswer(context, question, found, false, micros));
  response.results = {found.rows.size(),
                      [&](size_t row, JsonWriter& json) { WriteReference(found.rows[row], json); }};
  response.own_key = "symbols";
  response.own = [&](JsonWriter& json) {
    json.Field("name", request.name);
    json.Field("kind", nullptr);
    json.Field("relation", RelationName(request.relation));
    json.Field("definitions", found.definitions);
  };
  context.Send(std::move(response));
  return Status::Ok();
}

// "path:line<tab>Store > Commit<tab>text"; of callers and callees the place of the definition.
std::string UseText(const ReferenceRow& row, SymbolRelation relation, const TextStyle& style) {
  const std::string name = row.symbol ? QualifiedName(*row.symbol) : "";
  std::string text;
  if (relation == SymbolRelation::kReferences) {
    text = style.DocPathText(row.doc.path) + ":" + std::to_string(row.line) + "\t" +
           EscapeLine(name) + "\t" + EscapeLine(row.text);
  } else {
    text = style.DocPathText(row.symbol->doc.path) + ":" + std::to_string(row.symbol->start_line) +
           "-" + std::to_string(row.symbol->end_line) + "\t" + EscapeLine(name) + "\t";
    for (const uint32_t line : row.lines) {
      text += (text.ends_with('\t') ? "" : ", ") + std::to_string(line);
    }
  }
  return text + "\n";
}

}  // namespace

Status PrintUsesOfSymbol(CommandContext& context, const ReferencesRequest& request) {
  const int64_t start = SteadyMicros();
  RECALL_ASSIGN(const ReferencesResponse found, context.database->References(request));
  if (context.json()) return SendUsesAsJson(context, request, found, SteadyMicros() - start);
  context.PrintWarnings(found.warnings);
  for (const ReferenceRow& row : found.rows) {
    context.out->Write(UseText(row, request.relation, context.out_style));
  }
  if (found.next_offset) {
    context.Remark(std::to_string(found.rows.size()) + " of " + std::to_string(found.total_hits) +
                   " rows; --offset " + std::to_string(*found.next_offset) + " shows more");
  }
  return Status::Ok();
}

}  // namespace recall
