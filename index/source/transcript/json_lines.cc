// The plain format, which any program can write: a line is
//
//   {"session": "s1", "role": "human", "text": "...", "at": "2026-02-25T10:00:00Z"}
//
// with "tool", "path" and "command" for the use of a tool, and with "cwd", "branch", "commit",
// "model", "title", "parent", "automatic" for what is known of the session.

#include "index/source/transcript/transcript_lines.h"
#include "index/source/transcript/transcript_readers.h"
#include "storage/base/trim.h"
#include "storage/file_io/input_lines.h"

namespace recall {
namespace {

std::optional<TurnRole> RoleOfLine(TapeValue role) {
  if (role.Is("human") || role.Is("user")) return TurnRole::kHuman;
  if (role.Is("assistant") || role.Is("agent") || role.Is("model")) return TurnRole::kAssistant;
  return std::nullopt;
}

void TakeText(TapeValue value, std::string* field) {
  if (value.IsString() && !value.Raw().empty()) *field = value.Text();
}

void TakeFacts(TapeValue line, AgentSession* session) {
  if (session->cwd.empty()) TakeText(line["cwd"], &session->cwd);
  TakeText(line["branch"], &session->branch);
  TakeText(line["commit"], &session->commit);
  TakeText(line["model"], &session->model);
  TakeText(line["title"], &session->title);
  TakeText(line["parent"], &session->parent);
  if (line["automatic"].IsTrue()) session->is_automatic = true;
}

}  // namespace

Result<TranscriptRead> ReadJsonLines(const std::string& path, const TranscriptLimits& limits) {
  SessionSet sessions("jsonl");
  RECALL_TRY(ForEachJsonLine(path, limits, &sessions, [&](TapeValue object, int64_t line) {
    std::string id = object["session"].TextOrNumber();
    SessionBuilder& builder = sessions.Get(id.empty() ? FileStem(path) : id);
    const auto at = object["at"].Time();
    builder.SeeTime(at);
    TakeFacts(object, &builder.session());
    const auto role = RoleOfLine(object["role"]);
    if (role) {
      builder.Say(*role, {}, at, line, object["text"].Text());
    } else if (object["text"].IsString() && !object["tool"].IsString()) {
      sessions.CountUnknown("role", object["role"]);
    }
    if (object["tool"].IsString()) builder.UseTool(object["tool"].Text(), object);
  }));
  return sessions.Finish();
}

Status ForEachJsonLine(const std::string& path, const TranscriptLimits& limits,
                       SessionSet* sessions, const VisitObject& visit) {
  RECALL_ASSIGN(TranscriptLines lines, TranscriptLines::Open(path, limits));
  JsonTape tape;
  for (;;) {
    if (limits.cancel && limits.cancel->load(std::memory_order_relaxed)) {
      return Status::Cancelled("cancelled");
    }
    RECALL_ASSIGN(const auto line, lines.Next());
    if (!line) return Status::Ok();
    if (line->too_long) {
      sessions->CountUnknown(std::string(kTooLong));
      continue;
    }
    std::string_view text = line->text;
    if (line->number == 1 && text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    if (IsBlankLine(text)) continue;
    if (tape.Parse(text) && tape.root().IsObject()) {
      visit(tape.root(), line->number);
    } else if (!line->ended) {
      sessions->set_torn();
    } else {
      sessions->CountUnknown(std::string(kNotJson));
    }
  }
}

Status ForJsonDocument(const std::string& path, const TranscriptLimits& limits,
                       SessionSet* sessions, const VisitObject& visit) {
  RECALL_ASSIGN(const std::string text, ReadWholeTranscript(path, limits));
  JsonTape tape;
  if (tape.Parse(text) && tape.root().IsObject()) {
    visit(tape.root(), 0);
  } else if (Trim(text).empty() || Trim(text).starts_with('{')) {
    sessions->set_torn();
  } else {
    sessions->CountUnknown(std::string(kNotJson));
  }
  return Status::Ok();
}

std::string FileStem(std::string_view path) {
  path = path.substr(path.rfind('/') + 1);
  return std::string(path.substr(0, path.rfind('.')));
}

std::string DirectoryName(std::string_view path, int up) {
  for (int i = 0; i < up; ++i) {
    const size_t slash = path.rfind('/');
    if (slash == path.npos) return {};
    path = path.substr(0, slash);
  }
  return std::string(path.substr(path.rfind('/') + 1));
}

}  // namespace recall
