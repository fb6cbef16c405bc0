// Events of assistants, in the form that their published descriptions give them.

#include "cli/setup/hooks/hook_event.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "cli/setup/hooks/session_facts.h"
#include "tests/test_util.h"

namespace recall {
namespace {

HookEvent Read(const std::string& json, const std::string& asked = "") {
  return Must(ReadHookEvent(json, HookEventNamed(asked)));
}

TEST(HookEvent, ClaudeCodeBeginsASession) {
  const HookEvent event = Read(R"({"session_id":"abc123",
    "transcript_path":"/home/ada/.claude/projects/shop/abc123.jsonl","cwd":"/home/ada/shop",
    "permission_mode":"default","hook_event_name":"SessionStart","source":"startup",
    "model":"claude-sonnet-5"})");
  EXPECT_EQ(event.kind, HookEventKind::kSessionStart);
  EXPECT_EQ(event.name, "SessionStart");
  EXPECT_EQ(event.form, HookAnswerForm::kOfEvent);
  EXPECT_EQ(event.session_id, "abc123");
  EXPECT_EQ(event.transcript, "/home/ada/.claude/projects/shop/abc123.jsonl");
  EXPECT_EQ(event.directory, "/home/ada/shop");
}

TEST(HookEvent, ClaudeCodeSubmitsAPrompt) {
  const HookEvent event = Read(R"({"session_id":"abc123","transcript_path":"/t.jsonl",
    "cwd":"/home/ada/shop","permission_mode":"default","hook_event_name":"UserPromptSubmit",
    "prompt":"Why is the \"cart\" empty?\nSee caf\u00e9."})");
  EXPECT_EQ(event.kind, HookEventKind::kPrompt);
  EXPECT_EQ(event.prompt, "Why is the \"cart\" empty?\nSee caf\u00e9.");
}

TEST(HookEvent, ClaudeCodeWillEditAFile) {
  const HookEvent edit = Read(R"({"session_id":"a","cwd":"/home/ada/shop",
    "hook_event_name":"PreToolUse","tool_name":"Edit","tool_input":{"file_path":
    "/home/ada/shop/src/cart.ts","old_string":"a","new_string":"b"},"tool_use_id":"toolu_01"})");
  EXPECT_EQ(edit.kind, HookEventKind::kPreEdit);
  EXPECT_EQ(edit.file, "/home/ada/shop/src/cart.ts");
  const HookEvent notebook = Read(R"({"cwd":"/home/ada","hook_event_name":"PreToolUse",
    "tool_name":"NotebookEdit","tool_input":{"notebook_path":"a/../b.ipynb"}})");
  EXPECT_EQ(notebook.file, "/home/ada/b.ipynb");
  const HookEvent command = Read(R"({"cwd":"/home/ada","hook_event_name":"PreToolUse",
    "tool_name":"Bash","tool_input":{"command":"ls"}})");
  EXPECT_EQ(command.file, "");
}

TEST(HookEvent, ClaudeCodeRanACommandThatFailed) {
  const HookEvent failed = Read(R"({"hook_event_name":"PostToolUseFailure","tool_name":"Bash",
    "tool_input":{"command":"npm test","description":"Run the tests"},
    "tool_use_id":"toolu_01","error":"Exit code 1\nnpm ERR! missing script: test",
    "is_interrupt":false})");
  EXPECT_EQ(failed.kind, HookEventKind::kFailure);
  EXPECT_EQ(failed.output, "Exit code 1\nnpm ERR! missing script: test");
  EXPECT_EQ(failed.form, HookAnswerForm::kOfEvent);
  const HookEvent interrupted = Read(R"({"hook_event_name":"PostToolUseFailure",
    "tool_name":"Bash","error":"interrupted","is_interrupt":true})");
  EXPECT_EQ(interrupted.output, "");
  const HookEvent edit = Read(R"({"hook_event_name":"PostToolUseFailure","tool_name":"Edit",
    "error":"String to replace not found in file.","is_interrupt":false})");
  EXPECT_EQ(edit.output, "");
  const HookEvent done = Read(R"({"hook_event_name":"PostToolUse","tool_name":"Bash",
    "tool_input":{"command":"ls"},"tool_response":{"stdout":"error.log","stderr":"",
    "interrupted":false,"isImage":false}})");
  EXPECT_EQ(done.output, "");
}

TEST(HookEvent, ClaudeCodeCompactsAndEnds) {
  const HookEvent compact = Read(R"({"transcript_path":"/t.jsonl","cwd":"/home/ada",
    "hook_event_name":"PreCompact","trigger":"auto","custom_instructions":""})");
  EXPECT_EQ(compact.kind, HookEventKind::kCompact);
  EXPECT_EQ(compact.form, HookAnswerForm::kNone);
  EXPECT_EQ(Read(R"({"hook_event_name":"SessionEnd","reason":"exit"})").kind, HookEventKind::kEnd);
  EXPECT_EQ(Read(R"({"hook_event_name":"Stop","stop_hook_active":false})").kind,
            HookEventKind::kEnd);
}

TEST(HookEvent, CodexHasTheSameNames) {
  const HookEvent prompt = Read(R"({"session_id":"0199","turn_id":"1","transcript_path":null,
    "cwd":"/home/ada/shop","hook_event_name":"UserPromptSubmit","model":"gpt-5",
    "permission_mode":"default","prompt":"go on"})");
  EXPECT_EQ(prompt.kind, HookEventKind::kPrompt);
  EXPECT_EQ(prompt.transcript, "");
  const HookEvent failed = Read(R"({"hook_event_name":"PostToolUse","tool_name":"Bash",
    "tool_input":{"command":"make"},"tool_response":"Exit code: 2\nmake: no rule for target"})");
  EXPECT_EQ(failed.output, "Exit code: 2\nmake: no rule for target");
  const HookEvent done = Read(R"({"hook_event_name":"PostToolUse","tool_name":"Bash",
    "tool_response":"Exit code: 0\nno errors"})");
  EXPECT_EQ(done.output, "");
}

TEST(HookEvent, GeminiHasNamesOfItsOwn) {
  const HookEvent prompt = Read(R"({"session_id":"s","transcript_path":"/t.json","cwd":"/w",
    "hook_event_name":"BeforeAgent","timestamp":"2026-11-30T10:00:00Z","prompt":"why?"})");
  EXPECT_EQ(prompt.kind, HookEventKind::kPrompt);
  EXPECT_EQ(prompt.name, "BeforeAgent");
  EXPECT_EQ(prompt.form, HookAnswerForm::kOfEvent);
  // It has no place for context before a tool.
  EXPECT_EQ(Read(R"({"hook_event_name":"BeforeTool","tool_name":"replace"})").form,
            HookAnswerForm::kNone);
  const HookEvent failed = Read(R"({"hook_event_name":"AfterTool","tool_name":"run_shell_command",
    "tool_response":{"llmContent":"Command: make\nError: no rule\nExit Code: 2","returnDisplay":""
    }})");
  EXPECT_EQ(failed.output, "Command: make\nError: no rule\nExit Code: 2\n");
  const HookEvent error = Read(R"({"hook_event_name":"AfterTool","tool_name":"run_shell_command",
    "tool_response":{"llmContent":"","error":{"message":"spawn failed","type":"shell"}}})");
  EXPECT_EQ(error.output, "spawn failed\n");
  EXPECT_EQ(Read(R"({"hook_event_name":"PreCompress","trigger":"auto"})").kind,
            HookEventKind::kCompact);
}

TEST(HookEvent, CursorHasNamesAndAnswersOfItsOwn) {
  const std::string base = R"("conversation_id":"c0ffee","generation_id":"g1","model":"default",
    "cursor_version":"3.20.17","workspace_roots":["/home/ada/shop","/home/ada/lib"],
    "user_email":null,"transcript_path":null,)";
  const HookEvent start = Read("{" + base + R"("hook_event_name":"sessionStart",
    "session_id":"c0ffee","is_background_agent":false,"composer_mode":"agent"})");
  EXPECT_EQ(start.kind, HookEventKind::kSessionStart);
  EXPECT_EQ(start.form, HookAnswerForm::kContext);
  EXPECT_EQ(start.directory, "/home/ada/shop");
  const HookEvent prompt = Read("{" + base + R"("hook_event_name":"beforeSubmitPrompt",
    "prompt":"why?","attachments":[]})");
  EXPECT_EQ(prompt.kind, HookEventKind::kPrompt);
  EXPECT_EQ(prompt.form, HookAnswerForm::kContextOrGo);
  EXPECT_EQ(prompt.session_id, "c0ffee");
  EXPECT_EQ(prompt.prompt, "why?");
  const HookEvent failed = Read("{" + base + R"("hook_event_name":"postToolUse",
    "tool_name":"Shell","tool_input":{"command":"npm test"},"cwd":"/home/ada/lib","duration":54,
    "tool_output":"{\"exitCode\":1,\"stdout\":\"npm ERR! missing script: test\"}"})");
  EXPECT_EQ(failed.kind, HookEventKind::kFailure);
  EXPECT_EQ(failed.form, HookAnswerForm::kContext);
  EXPECT_EQ(failed.output, "npm ERR! missing script: test\n");
  EXPECT_EQ(failed.directory, "/home/ada/lib");
  EXPECT_EQ(Read("{" + base + R"("hook_event_name":"postToolUse","tool_name":"Shell",
    "tool_output":"{\"exitCode\":0,\"stdout\":\"all passed\"}"})")
                .output,
            "");
  EXPECT_EQ(Read("{" + base + R"("hook_event_name":"postToolUse","tool_name":"Read",
    "tool_output":"{\"error\":\"no such file\"}"})")
                .output,
            "");
  const std::string after = "{" + base + R"("hook_event_name":"postToolUseFailure",
    "tool_name":"Shell","error_message":"Command timed out after 30s","is_interrupt":false,)";
  EXPECT_EQ(Read(after + R"("failure_type":"timeout"})").output, "Command timed out after 30s");
  EXPECT_EQ(Read(after + R"("failure_type":"permission_denied"})").output, "");
  // A wrong answer before a tool could stop it, and the end of a session is not captured.
  for (const char* other : {"preToolUse", "preCompact", "stop", "sessionEnd", "afterFileEdit"}) {
    EXPECT_EQ(Read("{" + base + "\"hook_event_name\":\"" + other + "\"}").kind,
              HookEventKind::kOther)
        << other;
  }
}

TEST(HookEvent, AnAssistantMaySayWhatItWasTold) {
  EXPECT_EQ(Read(R"({"prompt":"why?","told":"[a.md] note: A"})", "prompt").told, "[a.md] note: A");
  EXPECT_EQ(Read(R"({"prompt":"why?","told":["a"]})", "prompt").told, "");
}

TEST(HookEvent, TheCommandLineSaysWhatItIs) {
  EXPECT_EQ(Read(R"({"prompt":"why?"})", "prompt").kind, HookEventKind::kPrompt);
  EXPECT_EQ(Read(R"({"prompt":"why?"})", "prompt").name, "UserPromptSubmit");
  EXPECT_EQ(Read(R"({"hook_event_name":"Stop"})", "compact").kind, HookEventKind::kCompact);
  EXPECT_EQ(Read(R"({"hook_event_name":"Notification"})").kind, HookEventKind::kOther);
  EXPECT_EQ(Read("{}").kind, HookEventKind::kOther);
  for (const char* name : {"session-start", "prompt", "pre-edit", "failure", "compact", "end"}) {
    EXPECT_NE(HookEventNamed(name), HookEventKind::kOther) << name;
  }
}

TEST(HookEvent, WhatIsNoObjectIsRefused) {
  for (const char* text : {"", "x", "[]", "\"prompt\"", "{\"a\":", "null", "{} {}"}) {
    EXPECT_EQ(ReadHookEvent(text, HookEventKind::kPrompt).error().code(),
              StatusCode::kInvalidArgument)
        << text;
  }
}

TEST(HookEvent, MembersOfOtherTypesAreNotThere) {
  const HookEvent event = Read(R"({"hook_event_name":"PreToolUse","cwd":7,"session_id":["a"],
    "prompt":{"text":"x"},"tool_input":"src/a.cc","transcript_path":false})");
  EXPECT_EQ(event.directory + event.session_id + event.prompt + event.file + event.transcript, "");
  EXPECT_EQ(Read(R"({"cwd":"relative/path"})", "prompt").directory, "");
}

TEST(HookEvent, TakesAnyBytes) {
  std::mt19937_64 random(TestSeed(2));
  const std::string whole =
      R"({"hook_event_name":"PostToolUse","cwd":"/w","tool_name":"Bash","tool_response":)"
      R"({"stderr":"error","exit_code":1},"prompt":"a\u00e9\ud83d\ude00"})";
  for (int i = 0; i < 2000; ++i) {
    std::string text = whole.substr(0, random() % (whole.size() + 1));
    if (!text.empty()) text[random() % text.size()] = static_cast<char>(random());
    const auto event = ReadHookEvent(text, HookEventKind::kFailure);
    EXPECT_TRUE(!event || event->kind == HookEventKind::kFailure) << text;
  }
}

// ---- What is known of the session ---------------------------------------------------------------

class SessionFacts : public ::testing::Test {
 protected:
  void Write(const std::string& name, const std::string& text) {
    const std::filesystem::path path = dir_ / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
  }
  TempDir dir_;
};

TEST_F(SessionFacts, TheBranchIsThatOfTheWorkTree) {
  Write("repo/.git/HEAD", "ref: refs/heads/fix/cart\n");
  Write("repo/src/a.ts", "");
  EXPECT_EQ(BranchOfDirectory(dir_ / "repo"), "fix/cart");
  EXPECT_EQ(BranchOfDirectory(dir_ / "repo/src"), "fix/cart");
  Write("repo/.git/HEAD", "0123456789abcdef0123456789abcdef01234567\n");
  EXPECT_EQ(BranchOfDirectory(dir_ / "repo"), "");
  EXPECT_EQ(BranchOfDirectory(dir_.path()), "");
  EXPECT_EQ(BranchOfDirectory("repo"), "");
  EXPECT_EQ(BranchOfDirectory(""), "");
}

TEST_F(SessionFacts, ALinkedWorkTreeHasABranchOfItsOwn) {
  Write("repo/.git/HEAD", "ref: refs/heads/main\n");
  Write("repo/.git/worktrees/w/HEAD", "ref: refs/heads/other\n");
  Write("w/.git", "gitdir: " + (dir_ / "repo/.git/worktrees/w") + "\n");
  EXPECT_EQ(BranchOfDirectory(dir_ / "w"), "other");
}

TEST_F(SessionFacts, AConversationBeginsWithItsLastSummary) {
  Write("t.jsonl", "{\"a\":1}\n{\"subtype\":\"compact_boundary\"}\n{\"b\":2}\n");
  EXPECT_EQ(TextOfConversation(dir_ / "t.jsonl"), "\"compact_boundary\"}\n{\"b\":2}\n");
  Write("whole.jsonl", "{\"a\":1}\n");
  EXPECT_EQ(TextOfConversation(dir_ / "whole.jsonl"), "{\"a\":1}\n");
  Write("long.jsonl", "begin" + std::string(5 << 20, 'x') + "end");
  const std::string end = TextOfConversation(dir_ / "long.jsonl");
  EXPECT_EQ(end.size(), size_t{4} << 20);
  EXPECT_TRUE(end.ends_with("xend"));
  EXPECT_EQ(TextOfConversation(dir_.path()), "");
  EXPECT_EQ(TextOfConversation(dir_ / "none"), "");
  EXPECT_EQ(TextOfConversation("/dev/zero"), "");
}

}  // namespace
}  // namespace recall
