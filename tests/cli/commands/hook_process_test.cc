// `recall hook`, as an assistant calls it: each event, and everything that can go wrong.

#include <nlohmann/json.hpp>

#include <filesystem>

#include "tests/cli/recall_process.h"
#include "tests/cli/shell.h"

namespace recall {
namespace {

using EventJson = nlohmann::json;

constexpr char kNote[] = "notes/use-zstd-level-3-for-texts.md";

class HookTest : public RecallTest {
 protected:
  void MakeStore() {
    ASSERT_EQ(Run({"init"}).exit, 0);
    Write("docs/format.md",
          "# Backups\n\nA backup copies the pages of one commit while writers go on.\n");
    ASSERT_EQ(Run({"add", "docs"}).exit, 0);
    ASSERT_EQ(Run({"save", "decision", "Use zstd level 3 for texts", "--text",
                   "Higher levels gain two percent. See docs/format.md."})
                  .exit,
              0);
    ASSERT_EQ(Run({"save", "bug", "CORS preflight fails on Safari", "--text",
                   "Access to fetch has been blocked by CORS policy: the preflight response had no "
                   "header Access-Control-Allow-Origin. The proxy answered OPTIONS itself."})
                  .exit,
              0);
  }

  EventJson Event(const std::string& name) {
    return {{"session_id", "0d6c5f1a"},
            {"transcript_path", Path("t.jsonl")},
            {"cwd", directory()},
            {"permission_mode", "default"},
            {"hook_event_name", name}};
  }
  EventJson Prompt(const std::string& prompt) {
    EventJson event = Event("UserPromptSubmit");
    event["prompt"] = prompt;
    return event;
  }

  // Calls the hook. It must never fail, nor print what is no answer.
  RunResult Hook(const std::string& input, std::vector<std::string> args = {},
                 RunOptions options = {}) {
    args.insert(args.begin(), "hook");
    options.input = input;
    RunResult result = Run(args, options);
    EXPECT_EQ(result.exit, 0) << result;
    return result;
  }

  // The text for the assistant; "" if there is none.
  std::string Context(const EventJson& event, const std::vector<std::string>& args = {}) {
    const RunResult result = Hook(event.dump(), args);
    EXPECT_EQ(result.err, "");
    if (result.out.empty()) return "";
    const EventJson answer = EventJson::parse(result.out);
    EXPECT_EQ(answer.size(), 1u) << result.out;
    EXPECT_EQ(answer["hookSpecificOutput"]["hookEventName"], event["hook_event_name"]);
    return answer["hookSpecificOutput"]["additionalContext"];
  }

  void ExpectSilence(const std::string& input, const std::vector<std::string>& args = {}) {
    const RunResult result = Hook(input, args);
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(result.err, "");
  }
};

bool HasPart(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_F(HookTest, APromptGetsWhatBearsOnIt) {
  MakeStore();
  const std::string text = Context(Prompt("Which zstd level do we use for texts?"));
  EXPECT_TRUE(HasPart(text, std::string("[") + kNote + "] decision: Use zstd level 3 for texts\n"))
      << text;
  EXPECT_EQ(Context(Prompt("Which zstd level do we use for texts?"), {"prompt"}), text);
  EXPECT_EQ(Context(Prompt("thanks, go on")), "");
  EXPECT_EQ(Context(Prompt("how tall is the eiffel tower in metres")), "");
  EXPECT_EQ(Context(Prompt("Which zstd level do we use for texts?"), {"--budget-tokens", "5"}), "");
}

TEST_F(HookTest, WhatTheTranscriptHasIsNotRepeated) {
  MakeStore();
  const EventJson event = Prompt("Which zstd level do we use for texts?");
  const std::string text = Context(event);
  ASSERT_NE(text, "");
  const EventJson line = {
      {"type", "attachment"},
      {"attachment", {{"type", "hook_additional_context"}, {"content", {text}}}}};
  Write("t.jsonl", line.dump() + "\n");
  EXPECT_EQ(Context(event), "");
  // The assistant forgets what was said before a summary.
  Write("t.jsonl", line.dump() + "\n" + R"({"type":"system","subtype":"compact_boundary"})" + "\n");
  EXPECT_EQ(Context(event), text);
}

TEST_F(HookTest, EachEventHasItsAnswer) {
  MakeStore();
  EventJson start = Event("SessionStart");
  start["source"] = "startup";
  EXPECT_TRUE(HasPart(Context(start), kNote));

  EventJson edit = Event("PreToolUse");
  edit["tool_name"] = "Edit";
  edit["tool_input"] = {{"file_path", Path("docs/format.md")}};
  EXPECT_TRUE(HasPart(Context(edit), kNote));
  edit["tool_input"] = {{"file_path", Path("docs/other.md")}};
  EXPECT_EQ(Context(edit), "");

  EventJson failure = Event("PostToolUseFailure");
  failure["tool_name"] = "Bash";
  failure["error"] =
      "Exit code 1\nerror: Access to fetch has been blocked by CORS policy: the preflight response "
      "had no header 'Access-Control-Allow-Origin'";
  EXPECT_TRUE(HasPart(Context(failure), "notes/cors-preflight-fails-on-safari.md"));
  EventJson done = Event("PostToolUse");
  done["tool_name"] = "Bash";
  done["tool_response"] = {{"stdout", std::string(failure["error"])}, {"stderr", ""}};
  EXPECT_EQ(Context(done), "");

  EXPECT_EQ(Context(Event("Notification")), "");
}

TEST_F(HookTest, GeminiIsAnsweredUnderItsOwnNames) {
  MakeStore();
  EventJson prompt = Event("BeforeAgent");
  prompt["prompt"] = "Which zstd level do we use for texts?";
  EXPECT_TRUE(HasPart(Context(prompt), kNote));
  EventJson edit = Event("BeforeTool");
  edit["tool_input"] = {{"file_path", Path("docs/format.md")}};
  EXPECT_EQ(Context(edit), "");
}

TEST_F(HookTest, CursorIsAnsweredInItsOwnForm) {
  MakeStore();
  EventJson event = {{"conversation_id", "c0ffee"},
                     {"workspace_roots", {directory()}},
                     {"transcript_path", nullptr},
                     {"hook_event_name", "beforeSubmitPrompt"},
                     {"prompt", "Which zstd level do we use for texts?"}};
  const EventJson prompt = EventJson::parse(Hook(event.dump()).out);
  EXPECT_EQ(prompt.size(), 2u) << prompt;
  EXPECT_EQ(prompt["continue"], true);
  EXPECT_TRUE(HasPart(prompt["additional_context"], kNote)) << prompt;
  event["prompt"] = "thanks, go on";
  ExpectSilence(event.dump());
  event["hook_event_name"] = "sessionStart";
  const EventJson start = EventJson::parse(Hook(event.dump()).out);
  EXPECT_EQ(start.size(), 1u) << start;
  EXPECT_TRUE(HasPart(start["additional_context"], kNote)) << start;
  event["hook_event_name"] = "stop";
  ExpectSilence(event.dump());
}

// Our plugin for opencode has no transcript, and remembers what was said.
TEST_F(HookTest, WhatAnAssistantSaysItWasToldIsNotRepeated) {
  MakeStore();
  EventJson event = Prompt("Which zstd level do we use for texts?");
  const std::string text = Context(event);
  ASSERT_NE(text, "");
  event["told"] = text;
  EXPECT_EQ(Context(event), "");
}

TEST_F(HookTest, TheEndOfASessionCapturesIt) {
  MakeStore();
  Write(
      "t.jsonl",
      R"({"type":"user","sessionId":"0d6c5f1a","uuid":"1","timestamp":"2026-02-25T10:00:00.000Z",)"
      R"("cwd":")" +
          directory() +
          R"(","version":"2.1.0","isSidechain":false,"message":{"role":"user","content":)"
          R"("Why do the wombat pens flood?"}})"
          "\n");
  for (const char* name : {"PreCompact", "SessionEnd"}) {
    const RunResult result = Hook(Event(name).dump(), {"--wait"});
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(result.err, "");
  }
  const EventJson sessions = Run({"sessions", "--json"}).Json();
  ASSERT_EQ(sessions["results"].size(), 1u);
  EXPECT_EQ(sessions["results"][0]["doc"]["path"], "sessions/claude-code/0d6c5f1a");
  // What another session was asked is a hint; what this one was asked is none.
  EventJson prompt = Prompt("Why do the wombat pens flood?");
  EXPECT_EQ(Context(prompt), "");
  prompt["session_id"] = "another";
  prompt.erase("transcript_path");
  EXPECT_TRUE(HasPart(Context(prompt), "[sessions/claude-code/0d6c5f1a:"));
}

TEST_F(HookTest, WhatBecameOfAHintIsCounted) {
  MakeStore();
  const RunResult before = Run({"stats", "--memory"});
  EXPECT_EQ(before.exit, 0);
  EXPECT_TRUE(HasPart(before.out, "Hints were told in 0 sessions")) << before;
  EXPECT_TRUE(HasPart(before.err, "no session has hints")) << before;
  const auto line = [&](EventJson fields) {
    fields["sessionId"] = "0d6c5f1a";
    fields["cwd"] = directory();
    fields["timestamp"] = "2026-02-25T10:00:00.000Z";
    return fields.dump() + "\n";
  };
  EventJson said = {{"type", "attachment"}, {"attachment", {{"type", "hook_additional_context"}}}};
  said["attachment"]["content"] =
      EventJson::array({Context(Prompt("Which zstd level do we use for texts?")),
                        Context(Prompt("How does a backup copy pages while writers go on?"))});
  const EventJson asked = {{"type", "user"},
                           {"message", {{"role", "user"}, {"content", "Which level?"}}}};
  const EventJson use = {{"type", "tool_use"},
                         {"name", "Bash"},
                         {"input", {{"command", std::string("recall get ") + kNote}}}};
  EventJson answer = {{"type", "assistant"}, {"message", {{"role", "assistant"}}}};
  answer["message"]["content"] = EventJson::array({use});
  Write("t.jsonl", line(asked) + line(said) + line(answer));
  Hook(Event("SessionEnd").dump(), {"--wait"});
  EXPECT_EQ(Run({"stats", "--memory"}).out,
            "Hints were told in 1 session, and followed in 1 (100 %)\n"
            "Documents offered: 2, opened afterwards: 1 (50 %)\n"
            "Never opened:\n"
            "  docs/format.md  offered in 1 session\n");
  const EventJson memory = Run({"stats", "--memory", "--json"}).Json()["memory"]["hints"];
  EXPECT_EQ(memory["sessions"], 1);
  EXPECT_EQ(memory["followed"], 1);
  EXPECT_EQ(memory["share"], 0.5);
  EXPECT_EQ(memory["never_followed"][0]["path"], "docs/format.md");
  const EventJson none =
      Run({"stats", "--memory", "--filter", "doc.session.agent = 'codex'", "--json"}).Json();
  EXPECT_EQ(none["memory"]["hints"]["sessions"], 0);
  EXPECT_EQ(none["memory"]["hints"]["share"], nullptr);
  EXPECT_EQ(Run({"stats", "--limit", "3"}).exit, 2) << "of what --memory tells";
}

TEST_F(HookTest, ATranscriptThatIsMissingIsNoError) {
  MakeStore();
  ExpectSilence(Event("SessionEnd").dump(), {"--wait"});
  EventJson event = Event("SessionEnd");
  event["transcript_path"] = nullptr;
  ExpectSilence(event.dump());
}

TEST_F(HookTest, NothingThatIsWrongIsAnError) {
  const std::string prompt = Prompt("Which zstd level do we use for texts?").dump();
  ExpectSilence(prompt);  // no store
  ExpectSilence(Event("SessionEnd").dump());
  MakeStore();
  ASSERT_NE(Hook(prompt).out, "");
  for (const char* input :
       {"", "{", "[]", "null", "prompt", "{\"hook_event_name\":7}", "\xff\xfe"}) {
    ExpectSilence(input);
    ExpectSilence(input, {"prompt"});
  }
  ExpectSilence(prompt, {"--nosuch"});
  ExpectSilence(prompt, {"nosuch"});
  ExpectSilence(prompt, {"prompt", "end"});
  ExpectSilence(prompt, {"--budget-tokens", "none"});
  ExpectSilence(prompt, {"--store", Path("nosuch.db")});
  ExpectSilence(prompt, {"--config", Path("nosuch.toml")});
  Write("damaged.db", std::string(10'000, 'x'));
  ExpectSilence(prompt, {"--store", Path("damaged.db")});
  Write("recall.toml", "no setting\n");
  ExpectSilence(prompt);
  Erase("recall.toml");
  EXPECT_EQ(Hook(prompt, {}, {.env = {{"RECALL_SERVE", "nonsense"}}}).out, "");
  EXPECT_EQ(Hook(prompt, {}, {.env = {{"RECALL_SERVE", "always"}}}).out, "");
  ASSERT_NE(Hook(prompt).out, "");
}

TEST_F(HookTest, VerboseSaysWhyThereIsNoAnswer) {
  const std::string prompt = Prompt("thanks, go on").dump();
  EXPECT_TRUE(HasPart(Hook(prompt, {"--verbose"}).err, "recall hook: ")) << "no store";
  MakeStore();
  EXPECT_EQ(Hook(prompt, {"--verbose"}).err,
            "recall hook: fewer than two words say what it is about\n");
  EXPECT_TRUE(Hook("x", {"--verbose"}).err.starts_with("recall hook: the event is no JSON object"));
}

TEST_F(HookTest, AHugePromptIsNoError) {
  MakeStore();
  ExpectSilence(Prompt(std::string(900'000, 'x')).dump());
  EXPECT_TRUE(HasPart(
      Context(Prompt("Which zstd level do we use for texts?\n" + std::string(500'000, '\n'))),
      kNote));
}

TEST_F(HookTest, AnAnswerThatTakesTooLongIsNone) {
  MakeStore();
  // Nobody writes the event, and nobody closes the pipe: the program ends by itself.
  const ShellResult result =
      RunShell("mkfifo event; exec 3<>event; recall hook prompt --within 1s <event", directory());
  EXPECT_EQ(result.exit, 0);
  EXPECT_EQ(result.out, "");
}

TEST_F(HookTest, AnEventCanBeAnArgument) {
  MakeStore();
  const EventJson event = Prompt("Which zstd level do we use for texts?");
  const RunResult read = Hook(event.dump());
  EXPECT_NE(read.out, "");
  EXPECT_EQ(Hook("", {"--input", event.dump()}).out, read.out);
}

}  // namespace
}  // namespace recall
