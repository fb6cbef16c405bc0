#include <cmath>
#include <cstdint>
#include <set>

#include "cli/compat/shapes/session_shape.h"
#include "query/memory/sessions/session_view.h"
#include "storage/base/json_writer.h"

namespace recall {
namespace {

double ToTwoDecimals(double value) { return std::round(value * 100) / 100; }

// Length of the snippets of rekal, in bytes of the turn.
constexpr size_t kSnippetRoom = 300;

void WriteSession(const SessionMeta& meta, JsonWriter& json) {
  json.Object("session", [&] {
    json.Field("author", meta.author);
    json.Field("actor", meta.actor);
    json.Field("branch", meta.branch);
    json.Field("captured_at", meta.captured_at ? FormatRfc3339(*meta.captured_at) : "");
    json.Field("commit", meta.commit);
    json.Field("turn_count", meta.turns);
    json.Field("tool_call_count", meta.tool_calls);
    json.Field("files", meta.files);
  });
}

// The files that tools of the session named, and those of its commits.
std::vector<std::string> FilesTouched(const SessionMeta& meta) {
  std::set<std::string> files(meta.files.begin(), meta.files.end());
  files.insert(meta.commit_files.begin(), meta.commit_files.end());
  return {files.begin(), files.end()};
}

void WriteToolCalls(const GetResponse& found, JsonWriter& json) {
  const SessionTurns session = ReadSessionText(found.chunk.text);
  int64_t order = 0;
  json.Objects("tool_calls", session.tool_calls, [&](const ToolCall& call) {
    json.Field("order", order++);
    json.Field("tool", call.tool);
    if (!call.path.empty()) json.Field("path", call.path);
  });
}

}  // namespace

std::vector<std::string> SessionShapeNames() { return {"rekal"}; }

std::string SessionShapeHelp() { return "JSON as rekal prints it, for its clients"; }

std::string FormatSessionShape(const SessionShapeQuestion& asked, const SearchResponse& found) {
  std::string text;
  JsonWriter json(&text, JsonWriter::Layout::kPretty);
  json.BeginObject();
  json.Objects("results", found.hits, [&](const SearchHit& hit) {
    const SessionMeta meta = SessionMetaOf(hit.doc);
    const auto turn = TurnOfHeading(hit.chunk.heading);
    json.Field("session_id", meta.id);
    json.Field("score", ToTwoDecimals(hit.score));
    json.Field("snippet", ExcerptAround(hit.chunk.text, asked.query, kSnippetRoom));
    json.Field("snippet_turn_index", turn ? turn->turn : 0);
    json.Field("snippet_role", turn ? turn->role : std::string());
    WriteSession(meta, json);
  });
  json.Field("query", asked.query);
  json.Object("filters", [&] {
    json.Field("file", asked.file);
    json.Field("actor", asked.actor);
    json.Field("commit", asked.commit);
    json.Field("author", asked.author);
  });
  json.Field("mode", asked.query.empty() ? "filter" : "hybrid");
  json.Field("total", static_cast<int64_t>(found.hits.size()));
  json.EndObject();
  json.EndLine();
  return text;
}

// Members that are 0, false or empty are left out where that program leaves them out.
std::string FormatTurnsShape(const GetResponse& found, bool full) {
  const SessionMeta meta = SessionMetaOf(found.doc);
  const TurnsView& view = *found.turns;
  std::string text;
  JsonWriter json(&text, JsonWriter::Layout::kPretty);
  json.BeginObject();
  json.Field("session_id", meta.id);
  json.Field("author", meta.author);
  json.Field("actor", meta.actor);
  json.Field("branch", meta.branch);
  json.Field("captured_at", meta.captured_at ? FormatRfc3339(*meta.captured_at) : "");
  json.Field("total_turns", view.total);
  if (view.offset > 0) json.Field("offset", view.offset);
  if (view.limit < kAllTurns) json.Field("limit", view.limit);
  if (view.has_more) json.Field("has_more", true);
  json.Objects("turns", view.turns, [&](const auto& numbered) {
    const auto& [number, turn] = numbered;
    json.Field("index", number);
    json.Field("role", TurnRoleName(turn.role));
    json.Field("content", turn.text);
    if (turn.at) json.Field("ts", FormatRfc3339(*turn.at));
  });
  if (full && meta.tool_calls > 0) WriteToolCalls(found, json);
  if (const auto files = FilesTouched(meta); full && !files.empty()) {
    json.Field("files_touched", files);
  }
  json.EndObject();
  json.EndLine();
  return text;
}

}  // namespace recall
