// Reads the events that assistants write for their hooks.
//
// The assistants differ in the names of events, in how they say that a command failed, and in the
// answer they read. Names and answers are tables here. The published descriptions they follow are
// named in docs/hooks.md. What an event does not have, or has in another form, is left empty, so
// the hook says nothing.

#include "cli/setup/hooks/hook_event.h"

#include <algorithm>
#include <array>
#include <optional>

#include "index/base/json/json_tape.h"
#include "index/base/paths/doc_path.h"

namespace recall {
namespace {

// An event as an assistant calls it.
struct EventName {
  std::string_view name;
  HookEventKind kind;
  HookAnswerForm form;
};

constexpr HookAnswerForm kNoAnswer = HookAnswerForm::kNone;
constexpr HookAnswerForm kOfEvent = HookAnswerForm::kOfEvent;

// Our plugin for opencode writes the names of Claude Code. What a file of Cursor's conversations
// has is not captured, so its events `preCompact`, `stop` and `sessionEnd` are none here.
constexpr std::array<EventName, 16> kEventNames = {{
    {"SessionStart", HookEventKind::kSessionStart, kOfEvent},   // Claude Code, Codex, Gemini CLI
    {"UserPromptSubmit", HookEventKind::kPrompt, kOfEvent},     // Claude Code, Codex
    {"BeforeAgent", HookEventKind::kPrompt, kOfEvent},          // Gemini CLI
    {"PreToolUse", HookEventKind::kPreEdit, kOfEvent},          // Claude Code, Codex
    {"BeforeTool", HookEventKind::kPreEdit, kNoAnswer},         // Gemini CLI
    {"PostToolUse", HookEventKind::kFailure, kOfEvent},         // Claude Code, Codex
    {"PostToolUseFailure", HookEventKind::kFailure, kOfEvent},  // Claude Code
    {"AfterTool", HookEventKind::kFailure, kOfEvent},           // Gemini CLI
    {"PreCompact", HookEventKind::kCompact, kNoAnswer},         // Claude Code, Codex
    {"PreCompress", HookEventKind::kCompact, kNoAnswer},        // Gemini CLI
    {"SessionEnd", HookEventKind::kEnd, kNoAnswer},             // Claude Code, Gemini CLI
    {"Stop", HookEventKind::kEnd, kNoAnswer},                   // Claude Code, Codex
    {"sessionStart", HookEventKind::kSessionStart, HookAnswerForm::kContext},  // Cursor, from here
    {"beforeSubmitPrompt", HookEventKind::kPrompt, HookAnswerForm::kContextOrGo},
    {"postToolUse", HookEventKind::kFailure, HookAnswerForm::kContext},
    {"postToolUseFailure", HookEventKind::kFailure, HookAnswerForm::kContext},
}};

// The events of the command line, with the name that Claude Code has for them.
struct AskedEvent {
  std::string_view name;
  HookEventKind kind;
  std::string_view of_claude_code;
};
constexpr std::array<AskedEvent, 6> kAskedEvents = {{
    {"session-start", HookEventKind::kSessionStart, "SessionStart"},
    {"prompt", HookEventKind::kPrompt, "UserPromptSubmit"},
    {"pre-edit", HookEventKind::kPreEdit, "PreToolUse"},
    {"failure", HookEventKind::kFailure, "PostToolUse"},
    {"compact", HookEventKind::kCompact, "PreCompact"},
    {"end", HookEventKind::kEnd, "SessionEnd"},
}};

// Tools that run commands. The failure of another tool, such as an edit whose text was not found,
// is no matter of experience.
constexpr std::array<std::string_view, 7> kCommandTools = {
    "Bash", "PowerShell", "Shell", "shell", "local_shell", "exec_command", "run_shell_command"};

// Where tools name the file that they will change.
constexpr std::array<std::string_view, 3> kFileMembers = {"file_path", "notebook_path", "path"};

// A line "Exit code: 1" in the text of a result, in any case; nothing if there is none.
std::optional<bool> FailsByExitCode(std::string_view text) {
  constexpr std::string_view kWords = "exit code";
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const bool says = line.size() > kWords.size() &&
                      std::ranges::equal(line.substr(0, kWords.size()), kWords,
                                         [](char a, char b) { return (a | 0x20) == b; });
    if (!says) continue;
    line.remove_prefix(kWords.size());
    const size_t digit = line.find_first_not_of(": ");
    if (digit == line.npos || line[digit] < '0' || line[digit] > '9') continue;
    return line[digit] != '0';
  }
  return std::nullopt;
}

bool IsFailureNumber(TapeValue value) {
  const auto number = value.Number();
  return number && *number != 0;
}

// A text, or the message of an object.
std::string MessageOf(TapeValue value) {
  return value.IsObject() ? value["message"].Text() : value.Text();
}

// What a failed command printed; "" if it did not fail, or the result does not say so.
std::string OutputOfFailure(TapeValue result) {
  if (result.IsString()) {
    std::string text = result.Text();
    return FailsByExitCode(text).value_or(false) ? text : "";
  }
  const std::string error = MessageOf(result["error"]);
  std::string text;
  for (const std::string_view member : {"stderr", "stdout", "output", "llmContent"}) {
    const std::string part = result[member].Text();
    if (!part.empty()) text += part + "\n";
  }
  const bool failed = !error.empty() || result["is_error"].IsTrue() || result["isError"].IsTrue() ||
                      result["success"].IsFalse() || IsFailureNumber(result["exit_code"]) ||
                      IsFailureNumber(result["exitCode"]) ||
                      FailsByExitCode(result["llmContent"].Text()).value_or(false);
  if (!failed) return "";
  return error.empty() ? text : error + "\n" + text;
}

std::string FailedOutput(TapeValue event) {
  const std::string tool = event["tool_name"].Text();
  const bool runs_commands = tool.empty() || std::ranges::count(kCommandTools, tool) > 0;
  if (!runs_commands || event["is_interrupt"].IsTrue()) return "";
  // A command that a person did not allow has not failed.
  if (event["failure_type"].Is("permission_denied")) return "";
  for (const std::string_view member : {"error", "error_message"}) {
    std::string error = event[member].Text();
    if (!error.empty()) return error;
  }
  // Cursor has the result as the text of its JSON.
  const std::string result = event["tool_output"].Text();
  JsonTape tape;
  if (tape.Parse(result) && tape.root().IsObject()) return OutputOfFailure(tape.root());
  return OutputOfFailure(event["tool_response"]);
}

// Where the assistant works: the first of the directories that Cursor has open.
std::string DirectoryOf(TapeValue event) {
  std::string directory = event["cwd"].Text();
  event["workspace_roots"].ForEach([&](TapeValue root) {
    if (directory.empty()) directory = root.Text();
  });
  return directory.starts_with('/') ? AbsoluteLexicalPath(directory) : "";
}

std::string FileOf(TapeValue input, const std::string& directory) {
  for (const std::string_view member : kFileMembers) {
    const std::string path = input[member].Text();
    if (path.empty()) continue;
    if (path.starts_with('/')) return AbsoluteLexicalPath(path);
    return directory.empty() ? "" : AbsoluteLexicalPath(directory + "/" + path);
  }
  return "";
}

}  // namespace

HookEventKind HookEventNamed(std::string_view name) {
  const auto found = std::ranges::find(kAskedEvents, name, &AskedEvent::name);
  return found == kAskedEvents.end() ? HookEventKind::kOther : found->kind;
}

Result<HookEvent> ReadHookEvent(std::string_view json, HookEventKind kind) {
  JsonTape tape;
  if (!tape.Parse(json) || !tape.root().IsObject()) {
    return Fail(Status::InvalidArgument("the event is no JSON object",
                                        "an assistant writes it to standard input"));
  }
  const TapeValue root = tape.root();
  HookEvent event;
  event.kind = kind;
  event.name = root["hook_event_name"].Text();
  const auto known = std::ranges::find(kEventNames, event.name, &EventName::name);
  if (known != kEventNames.end()) {
    event.form = known->form;
    if (kind == HookEventKind::kOther) event.kind = known->kind;
  } else if (event.name.empty()) {
    const auto asked = std::ranges::find(kAskedEvents, kind, &AskedEvent::kind);
    if (asked != kAskedEvents.end()) {
      event.name = asked->of_claude_code;
      event.form = kOfEvent;
    }
  }
  event.session_id = root["session_id"].Text();
  if (event.session_id.empty()) event.session_id = root["conversation_id"].Text();
  event.transcript = root["transcript_path"].Text();
  event.told = root["told"].Text();
  event.directory = DirectoryOf(root);
  event.prompt = root["prompt"].Text();
  event.file = FileOf(root["tool_input"], event.directory);
  if (event.kind == HookEventKind::kFailure) event.output = FailedOutput(root);
  return event;
}

}  // namespace recall
