// Readers of lines other than those of Claude Code: codex, copilot, gemini, aider, jsonl.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "storage/base/ids.h"
#include "storage/file_io/output_file.h"
#include "tests/index/source/transcript/transcript_fixture.h"

namespace recall {
namespace {

AgentSession OnlySession(const TranscriptRead& read) {
  EXPECT_EQ(read.sessions.size(), 1u);
  EXPECT_TRUE(read.unknown.empty());
  return read.sessions.empty() ? AgentSession() : read.sessions.front();
}

constexpr std::string_view kRollout =
    "rollout-2026-02-25T10-00-00-0199f3c2-0000-7000-8000-000000000001.jsonl";
constexpr std::string_view kRolloutId = "0199f3c2-0000-7000-8000-000000000001";

TEST(CodexTest, ReadsARollout) {
  const TempDir directory;
  const std::string patch =
      R"(*** Begin Patch\n*** Update File: src/a.go\n@@\n-x\n+y\n*** Add File: src/b.go\n+z\n*** End Patch)";
  const AgentSession session = OnlySession(ReadAs(
      "codex", directory / std::string(kRollout),
      R"({"timestamp":"2026-02-25T10:00:00.000Z","type":"session_meta","payload":{"id":"0199f3c2-0000-7000-8000-000000000001","timestamp":"2026-02-25T10:00:00.000Z","cwd":"/work/app","originator":"codex_cli_rs","cli_version":"0.80.0","source":"cli","git":{"commit_hash":"abc123","branch":"main"}}})"
      "\n"
      R"({"timestamp":"2026-02-25T10:00:01.000Z","type":"response_item","payload":{"type":"message","role":"developer","content":[{"type":"input_text","text":"<permissions instructions>x</permissions instructions>"}]}})"
      "\n"
      R"({"timestamp":"2026-02-25T10:00:01.000Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"# AGENTS.md instructions for /work/app\n\n<INSTRUCTIONS>Be good.</INSTRUCTIONS>"},{"type":"input_text","text":"<environment_context>\n  <cwd>/work/app</cwd>\n</environment_context>"}]}})"
      "\n"
      R"({"timestamp":"2026-02-25T10:00:02.000Z","type":"turn_context","payload":{"cwd":"/work/app","model":"gpt-5.2-codex"}})"
      "\n"
      R"({"timestamp":"2026-02-25T10:00:02.000Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"Why does the login fail?"}]}})"
      "\n"
      R"({"timestamp":"2026-02-25T10:00:02.000Z","type":"event_msg","payload":{"type":"user_message","message":"Why does the login fail?"}})"
      "\n"
      R"({"timestamp":"2026-02-25T10:00:03.000Z","type":"event_msg","payload":{"type":"agent_reasoning","text":"Hm"}})"
      "\n"
      R"({"timestamp":"2026-02-25T10:00:03.000Z","type":"response_item","payload":{"type":"reasoning","summary":[],"encrypted_content":"x"}})"
      "\n"
      R"({"timestamp":"2026-02-25T10:00:04.000Z","type":"event_msg","payload":{"type":"agent_message","message":"The token."}})"
      "\n"
      R"({"timestamp":"2026-02-25T10:00:04.000Z","type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"The token."}]}})"
      "\n"
      R"({"timestamp":"2026-02-25T10:00:05.000Z","type":"response_item","payload":{"type":"function_call","name":"shell","arguments":"{\"command\":[\"bash\",\"-lc\",\"go test\"]}","call_id":"c1"}})"
      "\n"
      R"({"timestamp":"2026-02-25T10:00:05.000Z","type":"response_item","payload":{"type":"function_call_output","call_id":"c1","output":"ok"}})"
      "\n"
      R"({"timestamp":"2026-02-25T10:00:06.000Z","type":"response_item","payload":{"type":"custom_tool_call","name":"apply_patch","call_id":"c2","input":")" +
          patch +
          "\"}}\n"
          R"({"timestamp":"2026-02-25T10:00:07.000Z","type":"compacted","payload":{"message":""}})"
          "\n"));
  EXPECT_EQ(session.id, kRolloutId);
  EXPECT_EQ(session.cwd, "/work/app");
  EXPECT_EQ(session.branch, "main");
  EXPECT_EQ(session.commit, "abc123");
  EXPECT_EQ(session.model, "gpt-5.2-codex");
  EXPECT_FALSE(session.is_automatic);
  EXPECT_EQ(SaidIn(session), (Strings{"human: Why does the login fail?", "assistant: The token."}));
  EXPECT_EQ(session.turns[0].line, 5);
  EXPECT_EQ(session.turns[0].at, ParseRfc3339("2026-02-25T10:00:02Z"));
  EXPECT_EQ(UsesIn(session), (Strings{"1 shell $ bash -lc go test", "1 apply_patch src/a.go",
                                      "1 apply_patch src/b.go"}));
}

TEST(CodexTest, PromptsOfSessionsWithoutRolloutsAreReadFromTheHistory) {
  const TempDir directory;
  PutFile(directory /
              "sessions/2026/02/25/rollout-2026-02-25T10-00-00-"
              "0199f3c2-0000-7000-8000-000000000001.jsonl",
          "{}\n");
  PutFile(directory /
              "archived_sessions/rollout-2026-02-24T10-00-00-"
              "0199f3c2-0000-7000-8000-000000000002.jsonl",
          "{}\n");
  const TranscriptRead read = ReadAs(
      "codex", directory / "history.jsonl",
      R"({"session_id":"0199f3c2-0000-7000-8000-000000000001","ts":1772013600,"text":"Kept"})"
      "\n"
      R"({"session_id":"0199f3c2-0000-7000-8000-000000000002","ts":1772013601,"text":"Kept, too"})"
      "\n"
      R"({"session_id":"gone-1","ts":1772013602,"text":"Why does\nthe login fail?"})"
      "\n"
      R"({"session_id":"gone-1","ts":1772013603,"text":"/quit"})"
      "\n"
      R"({"conversation_id":"gone-2","ts":1772013604,"text":"Other"})"
      "\n"
      R"({"session_id":"gone-1","ts":1772013605,"text":"/review the login"})"
      "\n"
      R"({"session_id":"gone-1","ts":17720)");
  ASSERT_EQ(read.sessions.size(), 2u);
  EXPECT_TRUE(read.torn);
  EXPECT_TRUE(read.unknown.empty());
  const AgentSession& session = read.sessions[0];
  EXPECT_EQ(session.id, "gone-1");
  EXPECT_EQ(session.agent, "codex");
  EXPECT_EQ(session.started, ParseRfc3339("2026-02-25T10:00:02Z"));
  EXPECT_EQ(SaidIn(session),
            (Strings{"human: Why does\nthe login fail?", "human: /review the login"}));
  EXPECT_EQ(session.turns[0].line, 3);
  EXPECT_EQ(session.turns[1].at, ParseRfc3339("2026-02-25T10:00:05Z"));
  EXPECT_EQ(SaidIn(read.sessions[1]), (Strings{"human: Other"}));
  EXPECT_EQ(GuessAgent("/x/h.jsonl", R"({"session_id":"s","ts":1,"text":"t"})"), "codex");
  EXPECT_TRUE(IsPromptHistory({"codex", directory / "history.jsonl", 0, 0}));
  EXPECT_FALSE(IsPromptHistory({"jsonl", directory / "history.jsonl", 0, 0}));
}

// Newer versions log what a person says as an item of the screen alone.
TEST(CodexTest, WhatWasShownStandsForMissingMessages) {
  const TempDir directory;
  const std::string line = R"({"timestamp":"2026-02-25T10:00:0)";
  const auto shown = [&](int second, std::string_view type, std::string_view text) {
    return line + std::to_string(second) +
           R"(Z","type":"event_msg","payload":{"type":"item_completed","item":{"type":")" +
           std::string(type) + R"(","content":[{"type":"text","text":")" + std::string(text) +
           "\"}]}}}\n";
  };
  const auto answer = [&](int second, std::string_view text) {
    return line + std::to_string(second) +
           R"(Z","type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":")" +
           std::string(text) + "\"}]}}\n";
  };
  const std::string call =
      line +
      R"(4Z","type":"response_item","payload":{"type":"custom_tool_call","name":"exec","input":"ls"}})"
      "\n";
  const AgentSession session = OnlySession(
      ReadAs("codex", directory / std::string(kRollout),
             shown(1, "UserMessage", "Why?") + line +
                 R"(1Z","type":"event_msg","payload":{"type":"user_message","message":"Why?"}})"
                 "\n" +
                 answer(2, "Because.") + shown(2, "AgentMessage", "Because.") + call +
                 shown(5, "UserMessage", "Go on") + answer(6, "Done.") +
                 R"({"type":"security_risk_score","payload":{}})"
                 "\n"));
  EXPECT_EQ(SaidIn(session),
            (Strings{"human: Why?", "assistant: Because.", "human: Go on", "assistant: Done."}));
  EXPECT_EQ(UsesIn(session).size(), 1u);
  EXPECT_TRUE(UsesIn(session)[0].starts_with("1 exec"));
}

// Newer versions use their tools from scripts.
TEST(CodexTest, ReadsTheToolsOfAScript) {
  const TempDir directory;
  const auto uses = [&](const std::string& script) {
    const nlohmann::json said = {{"type", "message"},
                                 {"role", "assistant"},
                                 {"content", {{{"type", "output_text"}, {"text", "x"}}}}};
    const nlohmann::json call = {{"type", "custom_tool_call"}, {"name", "exec"}, {"input", script}};
    return UsesIn(OnlySession(ReadAs("codex", directory / std::string(kRollout),
                                     said.dump() + "\n" + call.dump() + "\n")));
  };
  EXPECT_EQ(uses(R"(const a = await tools.exec_command({cmd:"rg -n \"ttl\" src", workdir:"/w"});
                    await tools.apply_patch("*** Begin Patch\n*** Update File: src/a.ts\n@@\n-x\n+tools.no(\n*** Add File: b.ts\n+y\n*** End Patch");
                    text(await tools.exec_command({ cmd: 'make test' }));
                    tools.view_image({path: p});)"),
            (Strings{"0 exec_command $ rg -n \"ttl\" src", "0 apply_patch src/a.ts",
                     "0 apply_patch b.ts", "0 exec_command $ make test", "0 view_image"}));
  EXPECT_EQ(uses("const patch = `*** Begin Patch\n*** Delete File: c.ts\n*** End Patch`;\n"
                 "await tools.apply_patch({input: patch});"),
            (Strings{"0 apply_patch c.ts"}));
  for (const char* broken : {"tools.", "tools.\"", "x = \"\\", "'", "tools.a({cmd:`", "run()"}) {
    EXPECT_GE(uses(broken).size(), 1u) << broken;
  }
}

// Codex compresses what was not used for a week.
TEST(CodexTest, ReadsACompressedRollout) {
  const TempDir directory;
  const std::string path = directory / (std::string(kRollout) + ".zst");
  const std::atomic<bool> cancel = false;
  auto file = Must(OutputFile::Create(path, &cancel));
  ASSERT_OK(file->Write(
      R"({"type":"message","role":"user","content":[{"type":"input_text","text":"Hello"}]})"
      "\n"));
  ASSERT_OK(file->Finish());
  const auto read = Must(ReadTranscript({"codex", path, 0, 0}));
  EXPECT_EQ(OnlySession(read).id, kRolloutId);
  EXPECT_EQ(SaidIn(OnlySession(read)), (Strings{"human: Hello"}));
}

// A small file may unpack to a large one.
TEST(JsonLinesTest, ACompressedTranscriptUnpacksToALimitedSize) {
  const TempDir directory;
  const std::atomic<bool> cancel = false;
  const TranscriptLimits limits = {.max_unpacked_bytes = uint64_t{1} << 20};
  const std::string said = R"({"session":"s","role":"human","text":"Hello"})"
                           "\n";
  std::string short_lines;
  while (short_lines.size() < (size_t{2} << 20)) short_lines += "{}\n";
  for (const std::string& more : {short_lines, std::string(size_t{2} << 20, '0')}) {
    const std::string path = directory / "t.jsonl.zst";
    auto file = Must(OutputFile::Create(path, &cancel));
    ASSERT_OK(file->Write(said + more));
    ASSERT_OK(file->Finish());
    const auto read = ReadTranscript({"jsonl", path, 0, 0}, limits);
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().code(), StatusCode::kLimitExceeded);
    EXPECT_EQ(read.error().message(), path + " unpacks to more than 1048576 bytes");
    // What is not compressed is limited by its own size.
    EXPECT_EQ(OnlySession(ReadAs("jsonl", directory / "t.jsonl", said + more, limits)).turns.size(),
              1u);
    std::filesystem::remove(path);
  }
}

TEST(CodexTest, LeavesOutWhatTheProgramSaysForThePerson) {
  const TempDir directory;
  std::string lines;
  int second = 10;
  for (const Strings& parts : std::initializer_list<Strings>{
           {"Look at this", "<image name=[Image #1]>", "</image>"},
           {"<user_action>\n  <context>User initiated a review task.</context>\n</user_action>"},
           {"<skill>\n<name>deploy</name>\nSteps\n</skill>", "Deploy it"},
           {"Warning: apply_patch was requested via exec_command. Use the apply_patch tool."},
           {"Warning: The maximum number of exec processes you can keep open is 60"},
           {"Warning: the maximum is wrong here"}}) {
    nlohmann::json line = {
        {"timestamp", "2026-02-25T10:00:" + std::to_string(second++) + "Z"},
        {"type", "response_item"},
        {"payload", {{"type", "message"}, {"role", "user"}, {"content", nlohmann::json::array()}}}};
    for (const std::string& part : parts) {
      line["payload"]["content"].push_back({{"type", "input_text"}, {"text", part}});
    }
    lines += line.dump() + "\n";
  }
  EXPECT_EQ(SaidIn(OnlySession(ReadAs("codex", directory / std::string(kRollout), lines))),
            (Strings{"human: Look at this", "human: Deploy it",
                     "human: Warning: the maximum is wrong here"}));
}

TEST(CodexTest, ReadsPlainLinesOfOldRollouts) {
  const TempDir directory;
  const AgentSession session = OnlySession(ReadAs(
      "codex", directory / "rollout-2025-05-07-old.jsonl",
      R"({"id":"old-1","timestamp":"2025-05-07T17:24:21.123Z","instructions":null,"git":{"branch":"dev"}})"
      "\n"
      R"({"record_type":"state"})"
      "\n"
      R"({"type":"message","role":"user","content":[{"type":"input_text","text":"Hello"}]})"
      "\n"
      R"({"type":"function_call","name":"shell","arguments":"{\"command\":[\"apply_patch\",\"*** Begin Patch\\n*** Update File: a.py\\n*** End Patch\"]}"})"
      "\n"
      R"({"type":"message","role":"assistant","content":[{"type":"output_text","text":"Hi"}]})"
      "\n"));
  EXPECT_EQ(session.id, "old-1");
  EXPECT_EQ(session.branch, "dev");
  EXPECT_EQ(session.started, ParseRfc3339("2025-05-07T17:24:21.123Z"));
  EXPECT_EQ(SaidIn(session), (Strings{"human: Hello", "assistant: Hi"}));
  EXPECT_EQ(UsesIn(session), (Strings{"0 shell a.py"}));
}

TEST(CodexTest, ReadsTheOldestRolloutsWhichAreOneDocument) {
  const TempDir directory;
  const AgentSession session = OnlySession(
      ReadAs("codex", directory / "rollout-2025-04-17-x.json",
             R"({"session":{"timestamp":"2025-04-17T10:00:00.000Z","id":"o","instructions":""},
                 "items":[{"role":"user","type":"message","content":[{"type":"input_text","text":"Hello"}]},
                          {"type":"message","role":"assistant","content":[{"type":"output_text","text":"Hi"}]}]})"));
  EXPECT_EQ(session.id, "o");
  EXPECT_EQ(SaidIn(session), (Strings{"human: Hello", "assistant: Hi"}));
}

TEST(CodexTest, RunsWithoutAPersonAndSubAgentsAreAutomatic) {
  const TempDir directory;
  const auto read = [&](std::string_view facts) {
    return OnlySession(ReadAs(
        "codex", directory / std::string(kRollout),
        "{\"type\":\"session_meta\",\"payload\":{\"id\":\"a\"," + std::string(facts) + "}}\n" +
            R"({"type":"session_meta","payload":{"id":"b"}})"
            "\n"
            R"({"type":"event_msg","payload":{"type":"user_message","message":"Only shown"}})"
            "\n"));
  };
  EXPECT_TRUE(read(R"("originator":"codex_exec")").is_automatic);
  EXPECT_TRUE(read(R"("source":"exec")").is_automatic);
  EXPECT_FALSE(read(R"("source":"vscode","originator":"codex_vscode")").is_automatic);
  const AgentSession child =
      read(R"("source":{"subagent":{"thread_spawn":{"parent_thread_id":"p","depth":1}}})");
  EXPECT_TRUE(child.is_automatic);
  EXPECT_EQ(child.parent, "p");
  EXPECT_EQ(child.id, "a");
  EXPECT_EQ(read(R"("source":"cli")").parent, "b");
  EXPECT_EQ(SaidIn(child), (Strings{"human: Only shown"}));
}

TEST(CopilotTest, ReadsEvents) {
  const TempDir directory;
  const AgentSession session = OnlySession(ReadAs(
      "copilot", directory / "session-state/c0ffee/events.jsonl",
      R"({"type":"session.start","data":{"sessionId":"c0ffee","version":1,"producer":"copilot-agent","copilotVersion":"1.0.67","startTime":"2026-02-25T10:00:00.000Z","selectedModel":"gpt-5","context":{"cwd":"/work/app","gitRoot":"/work/app","branch":"main","headCommit":"abc"}},"id":"e0","timestamp":"2026-02-25T10:00:00.000Z","parentId":null})"
      "\n"
      R"({"type":"user.message","data":{"content":"Why?","transformedContent":"<current_datetime>x</current_datetime>Why?"},"id":"e1","timestamp":"2026-02-25T10:00:01.000Z","parentId":"e0"})"
      "\n"
      R"({"type":"user.message","data":{"content":"How to use PDF","source":"skill-pdf"},"id":"e1b","timestamp":"2026-02-25T10:00:01.000Z","parentId":"e0"})"
      "\n"
      R"({"type":"assistant.turn_start","data":{"turnId":"0"},"id":"e2","timestamp":"2026-02-25T10:00:02.000Z"})"
      "\n"
      R"({"type":"assistant.message","data":{"messageId":"m1","content":"I look.","toolRequests":[{"toolCallId":"t1","name":"view","arguments":{"path":"/work/app/a.go"}}]},"id":"e3","timestamp":"2026-02-25T10:00:02.000Z"})"
      "\n"
      R"({"type":"tool.execution_start","data":{"toolCallId":"t1","toolName":"view","arguments":{"path":"/work/app/a.go"}},"id":"e4","timestamp":"2026-02-25T10:00:03.000Z"})"
      "\n"
      R"({"type":"tool.execution_complete","data":{"toolCallId":"t1","success":true,"result":{"content":"x"}},"id":"e5"})"
      "\n"
      R"({"type":"tool.execution_start","data":{"toolCallId":"t2","toolName":"bash","arguments":{"command":"ls"}},"id":"e6"})"
      "\n"
      R"({"type":"assistant.message","data":{"messageId":"m2","content":"of a sub-agent","parentToolCallId":"t2"},"id":"e7"})"
      "\n"
      R"({"type":"session.model_change","data":{"newModel":"claude-sonnet-4.5"},"id":"e8"})"
      "\n"
      R"({"type":"session.title_changed","data":{"title":"Login"},"id":"e9"})"
      "\n"
      R"({"type":"abort","data":{"reason":"user initiated"},"id":"e10"})"
      "\n"));
  EXPECT_EQ(session.id, "c0ffee");
  EXPECT_EQ(session.cwd, "/work/app");
  EXPECT_EQ(session.branch, "main");
  EXPECT_EQ(session.commit, "abc");
  EXPECT_EQ(session.model, "claude-sonnet-4.5");
  EXPECT_EQ(session.title, "Login");
  EXPECT_EQ(SaidIn(session), (Strings{"human: Why?", "assistant: I look."}));
  EXPECT_EQ(UsesIn(session), (Strings{"1 view /work/app/a.go", "1 bash $ ls"}));
}

TEST(CopilotTest, ReadsEventsWithoutData) {
  const TempDir directory;
  const AgentSession session =
      OnlySession(ReadAs("copilot", directory / "session-state/old/events.jsonl",
                         R"({"type":"user.message","content":"Hello","timestamp":1772013600000})"
                         "\n"));
  EXPECT_EQ(session.id, "old");
  EXPECT_EQ(session.turns[0].at, ParseRfc3339("2026-02-25T10:00:00Z"));
}

constexpr std::string_view kGeminiMessages =
    R"({"id":"1","timestamp":"2026-02-25T10:00:01.000Z","type":"user","content":[{"text":"Why does the "},{"text":"login fail?"}]},
       {"id":"2","timestamp":"2026-02-25T10:00:02.000Z","type":"info","content":"Update available"},
       {"id":"3","timestamp":"2026-02-25T10:00:03.000Z","type":"gemini","content":"The token.","thoughts":[{"subject":"s","description":"d"}],"model":"gemini-3-pro","toolCalls":[{"id":"c","name":"replace","args":{"file_path":"/work/app/a.go"},"status":"success"}]})";

void ExpectGemini(const AgentSession& session) {
  EXPECT_EQ(session.id, "g1");
  EXPECT_EQ(session.cwd, "/work/app");
  EXPECT_EQ(session.model, "gemini-3-pro");
  EXPECT_EQ(session.title, "Login");
  EXPECT_EQ(SaidIn(session), (Strings{"human: Why does the login fail?", "assistant: The token."}));
  EXPECT_EQ(UsesIn(session), (Strings{"1 replace /work/app/a.go"}));
}

TEST(GeminiTest, ReadsADocument) {
  const TempDir directory;
  PutFile(directory / "tmp/app/.project_root", "/work/app\n");
  ExpectGemini(OnlySession(ReadAs(
      "gemini", directory / "tmp/app/chats/session-2026-02-25T10-00-abcd.json",
      R"({"sessionId":"g1","projectHash":"h","startTime":"2026-02-25T10:00:00.000Z","lastUpdated":"x","summary":"Login","messages":[)" +
          std::string(kGeminiMessages) + "]}")));
}

TEST(GeminiTest, FilesThatAMessageNamesAreNotSaid) {
  const TempDir directory;
  const AgentSession session = OnlySession(ReadAs(
      "gemini", directory / "session-1.jsonl",
      R"({"sessionId":"g","startTime":"2026-02-25T10:00:00Z"})"
      "\n"
      R"({"id":"1","timestamp":"2026-02-25T10:00:01Z","type":"user","content":[{"text":"Read @a.py"},{"text":"\n--- Content from referenced files ---"},{"text":"\nContent from @a.py:\n"},{"text":"x = 1"},{"text":"\n--- End of content ---"}]})"
      "\n"
      R"({"id":"2","timestamp":"2026-02-25T10:00:02Z","type":"user","content":[{"text":"See @b.py: y = 2"}],"displayContent":[{"text":"See @b.py"}]})"
      "\n"));
  EXPECT_EQ(SaidIn(session), (Strings{"human: Read @a.py", "human: See @b.py"}));
}

TEST(GeminiTest, KnowsADirectoryByItsHash) {
  const TempDir directory;
  const std::string path = directory / "tmp/h/chats/session-1.json";
  const std::string bytes = "{\"sessionId\":\"g\",\"projectHash\":\"" + ToHex(Sha256("/work/app")) +
                            R"(","messages":[{"id":"1","type":"user","content":"Hello"}]})";
  const auto cwd = [&](std::vector<std::string> projects) {
    return OnlySession(ReadAs("gemini", path, bytes, {.projects = std::move(projects)})).cwd;
  };
  EXPECT_EQ(cwd({"/other", "/work/app/src"}), "/work/app");
  EXPECT_EQ(cwd({"/work/app"}), "/work/app");
  EXPECT_EQ(cwd({"/work", "relative"}), "");
}

TEST(GeminiTest, ReadsLinesOfWhichLaterOnesReplaceEarlierOnes) {
  const TempDir directory;
  PutFile(directory / "tmp/app/.project_root", "/work/app\n");
  ExpectGemini(OnlySession(ReadAs(
      "gemini", directory / "tmp/app/chats/session-2026-02-25T10-00-abcd.jsonl",
      R"({"sessionId":"g1","projectHash":"h","startTime":"2026-02-25T10:00:00.000Z","kind":"main"})"
      "\n"
      R"({"id":"1","timestamp":"2026-02-25T10:00:01.000Z","type":"user","content":"Why does the login fail?"})"
      "\n"
      R"({"id":"3","timestamp":"2026-02-25T10:00:03.000Z","type":"gemini","content":"The","model":"gemini-3-pro"})"
      "\n"
      R"({"$set":{"summary":"Login","lastUpdated":"2026-02-25T10:00:05.000Z"}})"
      "\n"
      R"({"id":"3","timestamp":"2026-02-25T10:00:03.000Z","type":"gemini","content":"The token.","model":"gemini-3-pro","toolCalls":[{"name":"replace","args":{"file_path":"/work/app/a.go"}}]})"
      "\n"
      R"({"$rewindTo":"3"})"
      "\n")));
}

TEST(AiderTest, ReadsChats) {
  const TempDir directory;
  const std::string path = directory / "repo/.aider.chat.history.md";
  const std::string first =
      "\n# aider chat started at 2026-02-25 10:00:00\n\n"
      "> Aider v0.86.0  \n> Main model: gpt-5 with diff edit format  \n> Git repo: .git\n\n"
      "#### Why does the login fail?  \n#### It did work.  \n\n"
      "The token has expired.\n\n```go\nx := 1\n```\n\n"
      "> Tokens: 2k sent\n> Applied edit to src/auth.go  \n> Commit 1a2b3c4 fix: renew\n\n"
      "#### /run go test\n\n> Running go test\n\n";
  const std::string second =
      "# aider chat started at 2026-02-26 09:00:00\n\n#### Hello\n\nGood day.\n";
  const TranscriptRead read = ReadAs("aider", path, first + second + "\ntorn");
  EXPECT_TRUE(read.torn);
  ASSERT_EQ(read.sessions.size(), 2u);
  const AgentSession& chat = read.sessions[0];
  EXPECT_EQ(chat.cwd, directory / "repo");
  EXPECT_EQ(chat.model, "gpt-5");
  EXPECT_EQ(chat.started, ParseRfc3339("2026-02-25T10:00:00Z"));
  EXPECT_EQ(SaidIn(chat), (Strings{"human: Why does the login fail?\nIt did work.",
                                   "assistant: The token has expired.\n\n```go\nx := 1\n```",
                                   "human: /run go test"}));
  EXPECT_EQ(UsesIn(chat), (Strings{"1 edit src/auth.go", "2 run $ go test"}));
  EXPECT_EQ(chat.turns[0].line, 8);
  EXPECT_EQ(SaidIn(read.sessions[1]), (Strings{"human: Hello", "assistant: Good day."}));
  // A chat keeps its id as the file grows, and wherever the file is.
  EXPECT_EQ(ReadAs("aider", path, first).sessions[0].id, chat.id);
  EXPECT_EQ(ReadAs("aider", directory / "other/.aider.chat.history.md", second).sessions[0].id,
            read.sessions[1].id);
  EXPECT_NE(read.sessions[1].id, chat.id);
}

TEST(JsonLinesTest, ReadsSessionsThatAnyProgramCanWrite) {
  const TempDir directory;
  const TranscriptRead read = ReadAs(
      "jsonl", directory / "log.jsonl",
      R"({"session":"s2","role":"user","text":"Hello","at":"2026-02-25T10:00:00Z","cwd":"/work/app"})"
      "\n"
      R"({"session":"s1","role":"human","text":"Other"})"
      "\n"
      R"({"session":"s2","role":"assistant","text":"I edit.","at":1772013601,"tool":"Edit","path":"a.go"})"
      "\n"
      R"({"session":"s2","tool":"Bash","command":"ls","title":"Greeting","model":"m"})"
      "\n"
      R"({"session":"s2","role":"robot","text":"?"})"
      "\n"
      R"({"session":7,"role":"user","text":"Number"})"
      "\n"
      R"({"role":"user","text":"Of the file"})");
  EXPECT_EQ(read.unknown, (std::map<std::string, int64_t>{{"role:robot", 1}}));
  ASSERT_EQ(read.sessions.size(), 4u);
  EXPECT_EQ(read.sessions[0].id, "7");
  EXPECT_EQ(read.sessions[1].id, "log");
  const AgentSession& session = read.sessions[3];
  EXPECT_EQ(session.id, "s2");
  EXPECT_EQ(session.cwd, "/work/app");
  EXPECT_EQ(session.title, "Greeting");
  EXPECT_EQ(session.model, "m");
  EXPECT_EQ(SaidIn(session), (Strings{"human: Hello", "assistant: I edit."}));
  EXPECT_EQ(session.turns[1].at, ParseRfc3339("2026-02-25T10:00:01Z"));
  EXPECT_EQ(UsesIn(session), (Strings{"1 Edit a.go", "1 Bash $ ls"}));
}

}  // namespace
}  // namespace recall
