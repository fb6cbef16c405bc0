// Which documents the hints of a transcript cited, and which of these the agent opened.

#include "index/source/transcript/hint_trail.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "index/source/transcript/tool_calls.h"
#include "index/source/transcript/tool_kinds.h"
#include "tests/index/source/transcript/transcript_fixture.h"

namespace recall {
namespace {

using nlohmann::json;
using Hints = std::map<std::string, bool>;

constexpr char kCwd[] = "/work/app/web";

// What a hook says of documents.
std::string HintText(const Strings& citations, const std::string& fence = "```") {
  std::string text = "Recall: notes and passages that may bear on this prompt. " +
                     std::string(kHintNotice) + "\n" + fence + "\n";
  for (const std::string& citation : citations) {
    text += "[" + citation + "] what it is called\n  what it says [of others]\n";
  }
  return text + fence;
}

Hints HintsIn(const std::string& text) {
  Hints hints;
  AddHints(text, &hints);
  return hints;
}

// Which of `cited` are followed by one use of a tool.
Strings FollowedBy(const Strings& cited, const std::string& tool, const json& arguments) {
  Hints hints = HintsIn(HintText(cited));
  const std::string text = arguments.dump();
  JsonTape tape;
  EXPECT_TRUE(tape.Parse(text));
  FollowHints(OpenedBy(tool, tape.root(), ToolCallsOf(tool, tape.root())), kCwd, &hints);
  Strings followed;
  for (const auto& [path, is_followed] : hints) {
    if (is_followed) followed.push_back(path);
  }
  return followed;
}

TEST(HintTrailTest, CitationsBetweenTheFencesAreHints) {
  EXPECT_EQ(HintsIn("<hook_context>" +
                    HintText({"docs/a.md:9-17", "notes/n.md", "sessions/codex/1f0c:1-4",
                              "docs/b.md@c4:3", "x@y/z.md", "p/q:3/r.md"}) +
                    "</hook_context>"),
            (Hints{{"docs/a.md", false},
                   {"docs/b.md", false},
                   {"notes/n.md", false},
                   {"p/q:3/r.md", false},
                   {"sessions/codex/1f0c", false},
                   {"x@y/z.md", false}}));
  EXPECT_EQ(HintsIn(HintText({"a.md"}, "`````") + "\nNotes due.\n[b.md] is behind the fence"),
            (Hints{{"a.md", false}}));
  EXPECT_EQ(HintsIn(HintText({"a.md"}) + "\n" + HintText({"b.md"})),
            (Hints{{"a.md", false}, {"b.md", false}}));
}

TEST(HintTrailTest, OtherTextsHaveNoHints) {
  EXPECT_EQ(HintsIn("see [docs/a.md:9-17] and [b]"), Hints());
  EXPECT_EQ(HintsIn("The line ends in \"" + std::string(kHintNotice) + "\"\n```\n[a.md] x\n```"),
            Hints());
  EXPECT_EQ(HintsIn("Recall: x. " + std::string(kHintNotice) + "\n[a.md] without a fence"),
            Hints());
  EXPECT_EQ(HintsIn(HintText({"a-path-that-was-cut\xE2\x80\xA6"})), Hints());
  EXPECT_EQ(HintsIn(std::string(kHintNotice)), Hints());
}

TEST(HintTrailTest, RecallGetFollows) {
  const Strings cited = {"docs/a.md:9-17", "notes/retry.md", "sessions/codex/1f0c2d3e"};
  const auto command = [&](const std::string& text) {
    return FollowedBy(cited, "Bash", {{"command", text}});
  };
  EXPECT_EQ(command("recall get docs/a.md:9-40"), (Strings{"docs/a.md"}));
  EXPECT_EQ(command("cd /work/app && RECALL_STORE=x recall --json get 'docs/a.md@1f0c:9' | head"),
            (Strings{"docs/a.md"}));
  EXPECT_EQ(command("/usr/bin/recall get \"[docs/a.md:9-17]\" retry"),
            (Strings{"docs/a.md", "notes/retry.md"}));
  EXPECT_EQ(command("recall get 1f0c2d --turns 10:5"), (Strings{"sessions/codex/1f0c2d3e"}));
  EXPECT_EQ(command("bash -lc \"recall get notes/retry.md\""), (Strings{"notes/retry.md"}));
  EXPECT_EQ(command("recall search docs/a.md"), Strings());
  EXPECT_EQ(command("echo recall get docs/a.md"), Strings());
  EXPECT_EQ(command("git add docs/a.md"), Strings());
  EXPECT_EQ(command("recall get docs/a.markdown other/docs/b.md"), Strings());
  // Codex has the words of a command.
  EXPECT_EQ(FollowedBy(cited, "shell", {{"command", {"bash", "-lc", "recall get docs/a.md"}}}),
            (Strings{"docs/a.md"}));
}

TEST(HintTrailTest, ToolsOfMcpFollow) {
  const Strings cited = {"docs/a.md:9-17", "notes/retry.md"};
  for (const char* tool : {"mcp__recall__get", "mcp_recall_get", "recall.get", "get"}) {
    EXPECT_EQ(FollowedBy(cited, tool, {{"target", "docs/a.md:1-9"}}), (Strings{"docs/a.md"}))
        << tool;
    EXPECT_EQ(FollowedBy(cited, tool, {{"targets", {"retry", "docs/a.md"}}}),
              (Strings{"docs/a.md", "notes/retry.md"}))
        << tool;
  }
  EXPECT_EQ(FollowedBy(cited, "mcp__recall__get", json(R"({"target": "docs/a.md"})")),
            (Strings{"docs/a.md"}));
  EXPECT_EQ(FollowedBy(cited, "ReadMcpResourceTool",
                       {{"server", "recall"}, {"uri", "recall://doc/docs/a.md?lines=9-17"}}),
            (Strings{"docs/a.md"}));
  EXPECT_EQ(FollowedBy(cited, "mcp__recall__search", {{"query", "docs/a.md"}}), Strings());
  EXPECT_EQ(FollowedBy(cited, "budget", {{"target", "docs/a.md"}}), Strings());
}

// A document is named from the directory of the store, which is that of the session or above it.
TEST(HintTrailTest, ReadingTheFileFollows) {
  const Strings cited = {"web/a.md:9-17", "README.md", "../shared/b.md", "/etc/c.md"};
  const auto file = [&](const std::string& path) {
    return FollowedBy(cited, "Read", {{"file_path", path}});
  };
  EXPECT_EQ(file("/work/app/web/a.md"), (Strings{"web/a.md"}));
  EXPECT_EQ(file("a.md"), (Strings{"web/a.md"}));
  EXPECT_EQ(file("../web/./a.md"), (Strings{"web/a.md"}));
  EXPECT_EQ(file("/work/app/README.md"), (Strings{"README.md"}));
  EXPECT_EQ(file("/work/shared/b.md"), (Strings{"../shared/b.md"}));
  EXPECT_EQ(file("/etc/c.md"), (Strings{"/etc/c.md"}));
  EXPECT_EQ(file("/work/other/web/a.md"), Strings());
  EXPECT_EQ(file("/work/app/docs/README.md"), Strings()) << "neither of the session nor above it";
  EXPECT_EQ(file("/work/app/not-README.md"), Strings());
  EXPECT_EQ(FollowedBy(cited, "Edit", {{"file_path", "/work/app/web/a.md"}}), Strings());
  EXPECT_EQ(FollowedBy(cited, "run_shell_command", {{"command", "sed -n '9,17p' a.md"}}),
            (Strings{"web/a.md"}));
  EXPECT_EQ(FollowedBy(cited, "read_many_files", {{"paths", {"/work/app/README.md", "a.md"}}}),
            (Strings{"README.md", "web/a.md"}));
}

TEST(ToolKindsTest, ToolsOfAllAgentsThatWrite) {
  const auto changes = [](const std::string& tool, const std::string& command = "") {
    return ChangesFile({0, tool, "src/a.cc", command});
  };
  for (const char* tool :
       {"Edit", "Write", "MultiEdit", "NotebookEdit", "apply_patch", "write_file", "replace",
        "search_replace", "edit_file", "create", "str_replace_editor", "mcp__fs__write_file"}) {
    EXPECT_TRUE(changes(tool)) << tool;
    EXPECT_FALSE(ReadsFile({0, tool, "src/a.cc", ""})) << tool;
  }
  for (const char* tool : {"Read", "read_file", "view", "Grep", "Glob", "LS"}) {
    EXPECT_FALSE(changes(tool)) << tool;
  }
  EXPECT_TRUE(changes("shell")) << "a patch that a shell was given";
  EXPECT_FALSE(changes("shell", "cat src/a.cc"));
  EXPECT_FALSE(changes("str_replace_editor", "view"));
  EXPECT_TRUE(changes("str_replace_editor", "insert"));
  EXPECT_FALSE(ChangesFile({0, "Edit", "", ""}));
}

// ---- Transcripts --------------------------------------------------------------------------------

class HintsOfAgentsTest : public testing::Test {
 protected:
  Hints Read(std::string_view agent, const std::string& name, const std::string& bytes) {
    const TranscriptRead read = ReadAs(agent, directory_ / name, bytes);
    EXPECT_EQ(read.sessions.size(), 1u);
    EXPECT_TRUE(read.unknown.empty()) << read.unknown.begin()->first;
    return read.sessions.empty() ? Hints() : read.sessions.front().hints;
  }

  TempDir directory_;
};

TEST_F(HintsOfAgentsTest, ClaudeCodeKeepsThemAsAttachments) {
  const auto line = [](json rest) {
    rest["cwd"] = kCwd;
    rest["sessionId"] = "s1";
    rest["isSidechain"] = false;
    return rest.dump() + "\n";
  };
  const auto hook = [&](const Strings& citations) {
    return line({{"type", "attachment"},
                 {"attachment",
                  {{"type", "hook_additional_context"},
                   {"hookEvent", "UserPromptSubmit"},
                   {"content", json::array({HintText(citations)})}}}});
  };
  const auto use = [&](const std::string& tool, const json& input) {
    return line({{"type", "assistant"},
                 {"message",
                  {{"role", "assistant"},
                   {"content", {{{"type", "tool_use"}, {"name", tool}, {"input", input}}}}}}});
  };
  const std::string question =
      line({{"type", "user"}, {"message", {{"role", "user"}, {"content", "Why?"}}}});
  EXPECT_EQ(
      Read("claude-code", "s1.jsonl",
           use("Read", {{"file_path", "/work/app/early.md"}}) + question +
               hook({"docs/a.md:1-2", "notes/n.md", "early.md"}) +
               use("Read", {{"file_path", "/work/app/docs/a.md"}}) + hook({"late.md"}) +
               use("mcp__recall__get", {{"target", "late.md:1-4"}})),
      (Hints{{"docs/a.md", true}, {"early.md", false}, {"late.md", true}, {"notes/n.md", false}}))
      << "what was opened before it was told does not count";
  // What a hook printed is kept, too, and what a person pastes is not what a hook said.
  EXPECT_EQ(Read("claude-code", "s2.jsonl",
                 line({{"type", "user"},
                       {"message", {{"role", "user"}, {"content", HintText({"pasted.md"})}}}})),
            Hints());
}

TEST_F(HintsOfAgentsTest, CodexKeepsThemAsMessagesOfTheDeveloper) {
  const auto item = [](json payload) {
    return json{{"timestamp", "2026-02-25T10:00:00Z"},
                {"type", "response_item"},
                {"payload", std::move(payload)}}
               .dump() +
           "\n";
  };
  const auto message = [&](const std::string& role, const std::string& text) {
    return item({{"type", "message"},
                 {"role", role},
                 {"content", {{{"type", "input_text"}, {"text", text}}}}});
  };
  const std::string head =
      json{{"type", "session_meta"}, {"payload", {{"id", "c1"}, {"cwd", kCwd}}}}.dump() + "\n";
  EXPECT_EQ(
      Read("codex", "rollout-c1.jsonl",
           head + message("user", "Why?") +
               message("developer", "<hook_context>" +
                                        HintText({"docs/a.md:1-2", "web/b.md", "notes/n.md"}) +
                                        "</hook_context>") +
               item({{"type", "function_call"},
                     {"name", "exec_command"},
                     {"arguments", R"({"cmd": "sed -n 1,9p b.md"})"}}) +
               item({{"type", "function_call"},
                     {"name", "mcp__recall__get"},
                     {"arguments", R"({"target": "n"})"}})),
      (Hints{{"docs/a.md", false}, {"notes/n.md", true}, {"web/b.md", true}}));
}

TEST_F(HintsOfAgentsTest, GeminiPutsThemIntoMessagesAndResults) {
  const auto wrapped = [](const std::string& citation) {
    return "<hook_context>" + HintText({citation}) + "</hook_context>";
  };
  const json head = {{"sessionId", "g1"}, {"directories", json::array({kCwd})}};
  const json question = {{"id", "1"},
                         {"type", "user"},
                         {"displayContent", "Why?"},
                         {"content", "Why?\n" + wrapped("docs/a.md:1-2")}};
  json failed = {{"name", "run_shell_command"}, {"args", {{"command", "make test"}}}};
  json part;
  part["functionResponse"]["response"]["output"] = "Exit Code: 2\n\n" + wrapped("notes/n.md");
  failed["result"] = json::array({part});
  json first = {{"id", "2"}, {"type", "gemini"}, {"content", "I look."}};
  first["toolCalls"] = json::array({failed});
  json second = {{"id", "3"}, {"type", "gemini"}, {"content", "I read on."}};
  const json reading = {{"name", "read_file"},
                        {"args", {{"absolute_path", "/work/app/docs/a.md"}}}};
  second["toolCalls"] = json::array({reading});
  EXPECT_EQ(Read("gemini", "chats/session-g1.jsonl",
                 head.dump() + "\n" + question.dump() + "\n" + first.dump() + "\n" + second.dump() +
                     "\n"),
            (Hints{{"docs/a.md", true}, {"notes/n.md", false}}));
}

}  // namespace
}  // namespace recall
