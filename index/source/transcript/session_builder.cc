#include "index/source/transcript/session_builder.h"

#include <algorithm>
#include <utility>

#include "index/base/text/utf8.h"
#include "index/source/transcript/hint_trail.h"
#include "index/source/transcript/tool_calls.h"

namespace recall {
namespace {

constexpr size_t kMaxCountedName = 60;

bool IsNameCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-' || c == '.' || c == '$';
}

}  // namespace

std::string TurnText(std::string_view text) {
  std::string valid;
  if (!IsValidUtf8(text)) {
    AppendRepairedUtf8(text, &valid);
    text = valid;
  }
  std::string said;
  said.reserve(text.size());
  for (size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '\r' && at + 1 < text.size() && text[at + 1] == '\n') continue;
    if (c == '\0') {
      AppendUtf8(0xFFFD, &said);
    } else {
      said.push_back(c);
    }
  }
  said.erase(said.find_last_not_of(" \t\n\r\v\f") + 1);
  said.erase(0, std::min(said.find_first_not_of('\n'), said.size()));
  return said;
}

SessionBuilder::SessionBuilder(std::string_view agent, std::string id) {
  session_.agent = agent;
  session_.id = std::move(id);
}

void SessionBuilder::SeeTime(const std::optional<UnixNanos>& at) {
  if (at && !session_.started) session_.started = at;
}

void SessionBuilder::Say(TurnRole role, std::string_view message,
                         const std::optional<UnixNanos>& at, int64_t line, std::string_view text) {
  std::string said = TurnText(text);
  if (said.empty()) return;
  const bool goes_on = has_turns() && session_.turns.back().role == role && !message.empty() &&
                       message == last_message_;
  if (goes_on) {
    session_.turns.back().text.append("\n\n").append(said);
    return;
  }
  last_message_ = message;
  session_.turns.push_back({role, at, line, std::move(said)});
}

void SessionBuilder::UseTool(std::string_view tool, TapeValue arguments) {
  std::vector<ToolCall> calls = ToolCallsOf(tool, arguments);
  if (!session_.hints.empty()) {
    FollowHints(OpenedBy(tool, arguments, calls), session_.cwd, &session_.hints);
  }
  for (ToolCall& call : calls) UseTool(std::move(call));
}

void SessionBuilder::UseTool(ToolCall call) {
  call.turn = has_turns() ? static_cast<uint32_t>(session_.turns.size() - 1) : 0;
  session_.tool_calls.push_back(std::move(call));
}

void SessionBuilder::SeeHints(std::string_view text) { AddHints(text, &session_.hints); }

SessionBuilder& SessionSet::Get(const std::string& id) {
  const auto found = builders_.find(id);
  if (found != builders_.end()) return found->second;
  return builders_.emplace(id, SessionBuilder(agent_, id)).first->second;
}

void SessionSet::CountUnknown(std::string_view label, TapeValue name) {
  const std::string_view raw = name.IsString() ? name.Raw() : std::string_view();
  const bool is_name =
      !raw.empty() && raw.size() <= kMaxCountedName && std::ranges::all_of(raw, IsNameCharacter);
  CountUnknown(std::string(label) + ":" + std::string(is_name ? raw : "?"));
}

TranscriptRead SessionSet::Finish() {
  for (auto& [id, builder] : builders_) {
    if (builder.has_turns()) read_.sessions.push_back(std::move(builder.session()));
  }
  builders_.clear();
  return std::exchange(read_, {});
}

}  // namespace recall
