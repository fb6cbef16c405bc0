#include "query/memory/sharing/session_line.h"

#include "query/memory/sessions/session_documents.h"
#include "storage/base/json_tree.h"
#include "storage/base/json_writer.h"

namespace recall {
namespace {

enum SharedField : size_t {
  kSharedType,
  kSharedPath,
  kSharedHash,
  kSharedMeta,
  kSharedParser,
  kSharedText
};
constexpr FieldSpec kSharedFields[] = {{"type"},       {"path"},   {"hash"},
                                       {"meta", true}, {"parser"}, {"text"}};
constexpr std::string_view kSessionParserName = "session";

}  // namespace

std::string WriteSessionLine(const SharedSession& session) {
  std::string line;
  JsonWriter json(&line);
  const Digest hash = Sha256(session.text);
  const SessionMeta meta = ReadSessionMeta(session.meta);
  json.BeginObject();
  json.Field("type", "doc");
  json.Field("id", ToHex(MakeDocId(session.path, hash)));
  json.Field("path", session.path);
  meta.captured_at ? json.Field("mtime", FormatRfc3339(*meta.captured_at))
                   : json.Field("mtime", nullptr);
  json.Field("size", session.text.size());
  json.Field("hash", ToHex(hash));
  if (const auto tree = ParseJsonObject(session.meta)) {
    json.Key("meta");
    WriteTree(*tree, json);
  }
  json.Field("parser", kSessionParserName);
  json.Field("text", session.text);
  json.EndObject();
  json.EndLine();
  return line;
}

Result<SharedSession> ReadSessionLine(const LineRef& line) {
  RECALL_ASSIGN(JsonRecord record, JsonRecord::Parse(line, kSharedFields));
  SharedSession session;
  const std::string type = record.Text(kSharedType);
  session.path = record.Text(kSharedPath);
  const Digest hash = record.Hash(kSharedHash);
  const auto meta = record.Tree(kSharedMeta);
  const std::string parser = record.Text(kSharedParser);
  session.text = record.Text(kSharedText);
  RECALL_TRY(record.status());
  if (type != "doc" || parser != kSessionParserName || !meta) {
    return Fail(LineFault(line, "it is not the line of a session"));
  }
  if (hash != Sha256(session.text)) {
    return Fail(LineFault(line, "the hash is not that of the text"));
  }
  session.meta = meta->dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  const SessionMeta known = ReadSessionMeta(session.meta);
  if (known.agent.empty() || known.id.empty() ||
      session.path != SessionPath(known.agent, known.id)) {
    return Fail(LineFault(line, "the path is not that of the session"));
  }
  return session;
}

}  // namespace recall
