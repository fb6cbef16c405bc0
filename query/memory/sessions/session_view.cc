#include "query/memory/sessions/session_view.h"

#include <algorithm>

#include "index/base/text/turn_heading.h"
#include "index/base/text/utf8.h"
#include "index/source/session/session_text.h"
#include "index/source/transcript/transcript.h"
#include "storage/documents/document_store.h"

namespace recall {
namespace {

std::string LowerAscii(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return lower;
}

}  // namespace

std::optional<TurnLabel> TurnOfHeading(std::string_view heading) {
  const auto parsed = ParseTurnHeading(heading);
  if (!parsed) return std::nullopt;
  return TurnLabel{parsed->turn, std::string(parsed->role), std::string(parsed->at)};
}

bool IsSession(const DocView& doc) { return doc.parser == kSessionParser; }

SessionMeta SessionMetaOf(const DocView& doc) {
  return IsSession(doc) ? ReadSessionMeta(doc.meta_json.value_or("")) : SessionMeta();
}

std::string ResumeCommandOf(const DocView& doc) {
  const SessionMeta meta = SessionMetaOf(doc);
  return ResumeCommand(meta.agent, meta.id);
}

std::string FormatTurns(const TurnsView& view) {
  std::string text;
  auto call = view.tool_calls.begin();
  for (const auto& [number, turn] : view.turns) {
    if (!text.empty()) text += '\n';
    text += "## " + std::to_string(number) + " " + std::string(TurnRoleName(turn.role));
    if (turn.at) text += " " + FormatRfc3339(*turn.at);
    text += "\n\n" + turn.text + "\n";
    if (call != view.tool_calls.end() && call->turn == number) text += '\n';
    for (; call != view.tool_calls.end() && call->turn == number; ++call) {
      text += FormatToolCall(*call) + "\n";
    }
  }
  return text;
}

std::string FormatFilesAndResume(const DocView& doc) {
  std::string text;
  for (const std::string& file : SessionMetaOf(doc).files) text += "[file] " + file + "\n";
  const std::string resume = ResumeCommandOf(doc);
  return resume.empty() ? text : text + "[resume] " + resume + "\n";
}

std::string ExcerptAround(std::string_view text, std::string_view query, size_t most) {
  if (text.size() <= most) return std::string(text);
  const std::string lower = LowerAscii(text);
  const std::string words = LowerAscii(query);
  size_t first = text.npos;
  for (size_t at = 0; at < words.size();) {
    const size_t end = std::min(words.find(' ', at), words.size());
    if (end > at) first = std::min(first, lower.find(words.substr(at, end - at)));
    at = end + 1;
  }
  size_t begin = first == text.npos || first < most / 2 ? 0 : first - most / 2;
  begin = FloorToCharacter(text, std::min(begin, text.size() - most));
  return std::string(text.substr(begin, FloorToCharacter(text, begin + most) - begin));
}

}  // namespace recall
