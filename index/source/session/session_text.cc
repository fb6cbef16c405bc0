#include "index/source/session/session_text.h"

#include <algorithm>
#include <utility>

namespace recall {
namespace {

constexpr std::string_view kHeadingMark = "## ";
constexpr std::string_view kToolMark = "[tool] ";
constexpr std::string_view kCommandMark = "$ ";
constexpr std::string_view kLineMark = " line ";

std::string_view WithoutLine(std::string_view heading) {
  return heading.substr(0, heading.rfind(kLineMark));
}

// The heading of turn `expected` that a line is; nothing if it is another line.
std::optional<TurnHeading> HeadingIn(std::string_view line, uint32_t expected) {
  if (!line.starts_with(kHeadingMark)) return std::nullopt;
  const auto heading = ParseTurnHeading(WithoutLine(line.substr(kHeadingMark.size())));
  return heading && heading->turn == expected ? heading : std::nullopt;
}

int64_t LineNumberIn(std::string_view heading) {
  const size_t mark = heading.rfind(kLineMark);
  if (mark == heading.npos) return 0;
  int64_t number = 0;
  for (const char c : heading.substr(mark + kLineMark.size()).substr(0, 18)) {
    if (c < '0' || c > '9') return 0;
    number = number * 10 + (c - '0');
  }
  return number;
}

// Whether a line of what was said needs a backslash, or has got one.
bool LooksLikeMark(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of('\\'), line.size()));
  return line.starts_with(kToolMark) ||
         (line.size() > kHeadingMark.size() && line.starts_with(kHeadingMark) &&
          line[kHeadingMark.size()] >= '0' && line[kHeadingMark.size()] <= '9');
}

template <typename Visit>
void ForEachTextLine(std::string_view text, const Visit& visit) {
  for (size_t at = 0; at < text.size();) {
    const size_t newline = text.find('\n', at);
    const size_t end = newline == text.npos ? text.size() : newline;
    visit(text.substr(at, end - at), at);
    at = end + 1;
  }
}

void AppendSaid(std::string_view said, std::string* text) {
  ForEachTextLine(said, [&](std::string_view line, size_t) {
    if (LooksLikeMark(line)) text->push_back('\\');
    text->append(line).push_back('\n');
  });
}

std::string ReadSaid(std::string_view said) {
  std::string text;
  text.reserve(said.size());
  ForEachTextLine(said, [&](std::string_view line, size_t at) {
    if (at > 0) text.push_back('\n');
    if (line.starts_with('\\') && LooksLikeMark(line)) line.remove_prefix(1);
    text.append(line);
  });
  return text;
}

// A path may hold what begins a command, so it is written with a backslash there.
constexpr std::string_view kPathEnd = " $ ";
constexpr std::string_view kEscapedPathEnd = " \\$ ";

void ReplaceAll(std::string_view from, std::string_view to, std::string* text) {
  for (size_t at = text->find(from); at != text->npos; at = text->find(from, at + to.size())) {
    text->replace(at, from.size(), to);
  }
}

std::string InOneLine(std::string_view text) {
  std::string line(text);
  for (char& c : line) c = c == '\n' || c == '\r' ? ' ' : c;
  return line;
}

ToolCall ReadCall(std::string_view line, uint32_t turn) {
  line.remove_prefix(kToolMark.size());
  ToolCall call;
  call.turn = turn;
  const size_t space = std::min(line.find(' '), line.size());
  call.tool = line.substr(0, space);
  std::string_view rest = line.substr(space);
  const size_t command = rest.find(kPathEnd);
  if (command != rest.npos) call.command = rest.substr(command + kPathEnd.size());
  rest = rest.substr(0, command);
  if (!rest.empty()) call.path = rest.substr(1);
  ReplaceAll(kEscapedPathEnd, kPathEnd, &call.path);
  return call;
}

// A turn as it lies in the text.
struct RawTurn {
  TurnHeading heading;
  std::string_view heading_text;  // with the line of the transcript
  size_t begin = 0;               // of what was said
  size_t end = 0;
  std::vector<std::string_view> calls;
};

bool IsAsciiSpace(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

void TrimTurn(std::string_view text, RawTurn* turn) {
  while (turn->begin < turn->end && text[turn->begin] == '\n') ++turn->begin;
  while (turn->end > turn->begin && IsAsciiSpace(text[turn->end - 1])) --turn->end;
}

// Calls `visit` with each turn, in order.
template <typename Visit>
void ForEachTurn(std::string_view text, const Visit& visit) {
  std::optional<RawTurn> turn;
  uint32_t next = 0;
  const auto finish = [&] {
    if (!turn) return;
    TrimTurn(text, &*turn);
    visit(std::as_const(*turn));
  };
  ForEachTextLine(text, [&](std::string_view line, size_t at) {
    if (const auto heading = HeadingIn(line, next)) {
      finish();
      const size_t end = std::min(at + line.size() + 1, text.size());
      turn = RawTurn{*heading, line.substr(kHeadingMark.size()), end, end, {}};
      ++next;
    } else if (turn && line.starts_with(kToolMark)) {
      turn->calls.push_back(line);
    } else if (turn && turn->calls.empty()) {
      turn->end = at + line.size();
    }
  });
  finish();
}

}  // namespace

std::string_view TurnRoleName(TurnRole role) {
  return role == TurnRole::kHuman ? "human" : "assistant";
}

std::optional<TurnRole> TurnRoleFromName(std::string_view name) {
  if (name == "human") return TurnRole::kHuman;
  if (name == "assistant") return TurnRole::kAssistant;
  return std::nullopt;
}

std::string FormatToolCall(const ToolCall& call) {
  std::string tool = InOneLine(call.tool);
  std::ranges::replace(tool, ' ', '_');
  std::string line(kToolMark);
  line += tool;
  if (!call.path.empty()) {
    std::string path = InOneLine(call.path);
    ReplaceAll(kPathEnd, kEscapedPathEnd, &path);
    line.append(path.starts_with(kCommandMark) ? " ./" : " ").append(path);
  }
  if (!call.command.empty()) line.append(" ").append(kCommandMark).append(InOneLine(call.command));
  return line;
}

std::string WriteSessionText(std::span<const Turn> turns, std::span<const ToolCall> calls) {
  std::string text;
  auto call = calls.begin();
  for (uint32_t number = 0; number < turns.size(); ++number) {
    const Turn& turn = turns[number];
    if (number > 0) text.push_back('\n');
    const std::string at = turn.at ? FormatRfc3339(*turn.at) : std::string();
    text.append(kHeadingMark).append(FormatTurnHeading({number, TurnRoleName(turn.role), at}));
    if (turn.line > 0) text.append(kLineMark).append(std::to_string(turn.line));
    text.append("\n\n");
    AppendSaid(turn.text, &text);
    if (call != calls.end() && call->turn <= number) text.push_back('\n');
    for (; call != calls.end() && call->turn <= number; ++call)
      text.append(FormatToolCall(*call)).push_back('\n');
  }
  return text;
}

SessionTurns ReadSessionText(std::string_view text) {
  SessionTurns session;
  ForEachTurn(text, [&](const RawTurn& raw) {
    const auto number = static_cast<uint32_t>(session.turns.size());
    session.turns.push_back({.role = *TurnRoleFromName(raw.heading.role),
                             .at = ParseRfc3339(raw.heading.at),
                             .line = LineNumberIn(raw.heading_text),
                             .text = ReadSaid(text.substr(raw.begin, raw.end - raw.begin))});
    for (const std::string_view line : raw.calls) {
      session.tool_calls.push_back(ReadCall(line, number));
    }
  });
  return session;
}

void ScanTurns(std::string_view text, const std::function<void(const TurnPlace&)>& visit) {
  ForEachTurn(text, [&](const RawTurn& raw) {
    visit({WithoutLine(raw.heading_text), raw.begin, raw.end});
  });
}

SessionLine ReadSessionLine(std::string_view line) {
  if (line.starts_with(kToolMark)) {
    return {SessionLine::Kind::kTool, {}, line.substr(kToolMark.size())};
  }
  if (line.starts_with(kHeadingMark)) {
    const auto heading = ParseTurnHeading(WithoutLine(line.substr(kHeadingMark.size())));
    if (heading) return {SessionLine::Kind::kTurn, *heading, {}};
  }
  if (line.starts_with('\\') && LooksLikeMark(line)) line.remove_prefix(1);
  return {SessionLine::Kind::kSaid, {}, line};
}

namespace {

bool IsTurnAt(std::string_view text, size_t at) {
  const std::string_view line = text.substr(at, text.substr(at).find('\n'));
  return ReadSessionLine(line).kind == SessionLine::Kind::kTurn;
}

constexpr std::string_view kNextHeading = "\n## ";

}  // namespace

std::optional<size_t> TurnAfter(std::string_view text, size_t at) {
  while ((at = text.find(kNextHeading, at)) != text.npos) {
    if (IsTurnAt(text, ++at)) return at;
  }
  return std::nullopt;
}

std::optional<size_t> TurnBefore(std::string_view text, size_t at) {
  while (at > 1) {
    const size_t newline = text.rfind(kNextHeading, at - 2);
    if (newline == text.npos) break;
    if (IsTurnAt(text, newline + 1)) return newline + 1;
    at = newline + 1;
  }
  return at > 0 && !text.empty() && IsTurnAt(text, 0) ? std::optional<size_t>(0) : std::nullopt;
}

}  // namespace recall
