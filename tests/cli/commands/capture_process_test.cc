// `recall capture`, `sessions`, `get --turns`, `resume` and `forget`, as a user and an agent see
// them.

#include <sys/wait.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <set>
#include <thread>

#include "tests/cli/followed_lines.h"
#include "tests/cli/json_schema.h"
#include "tests/cli/recall_process.h"
#include "tests/cli/shell.h"
#include "tests/git_sandbox.h"
#include "tests/test_paths.h"

namespace recall {
namespace {

namespace fs = std::filesystem;

// A session of Claude Code in the home directory of the test.
class CaptureTest : public RecallTest {
 protected:
  CaptureTest() {
    MakeGitRepository(Path("repo"));
    GitIn(Path("repo"), {"config", "user.email", "ada@example.com"});
  }

  RunResult In(const std::string& place, std::vector<std::string> args) {
    std::map<std::string, std::string> env(GitSandboxVariables().begin(),
                                           GitSandboxVariables().end());
    env["HOME"] = Path("home");
    return Run(std::move(args), {.directory = Path(place), .env = std::move(env)});
  }
  RunResult InRepo(std::vector<std::string> args) { return In("repo", std::move(args)); }
  nlohmann::ordered_json Captured(std::vector<std::string> args = {}) {
    args.insert(args.begin(), {"capture", "--json"});
    const RunResult result = InRepo(std::move(args));
    return result.Json()["capture"];
  }

  std::string TranscriptPath(const std::string& id) {
    return Path("home/.claude/projects/p/" + id + ".jsonl");
  }

  nlohmann::json Line(const std::string& id, const std::string& role, int second) {
    char at[40];
    std::snprintf(at, sizeof(at), "2026-02-25T10:%02d:%02d.000Z", second / 60 % 60, second % 60);
    return {
        {"type", role},         {"sessionId", id},   {"uuid", id + "-" + std::to_string(second)},
        {"timestamp", at},      {"cwd", cwd_},       {"gitBranch", "main"},
        {"isSidechain", false}, {"version", "2.1.0"}};
  }
  std::string Human(const std::string& id, const std::string& text, int second) {
    nlohmann::json line = Line(id, "user", second);
    line["message"] = {{"role", "user"}, {"content", text}};
    return line.dump() + "\n";
  }
  std::string Agent(const std::string& id, const nlohmann::json& content, int second) {
    nlohmann::json line = Line(id, "assistant", second);
    line["message"] = {{"role", "assistant"},
                       {"id", "m" + std::to_string(second)},
                       {"model", "claude-x"},
                       {"content", content}};
    return line.dump() + "\n";
  }
  std::string Says(const std::string& id, const std::string& text, int second) {
    return Agent(id, nlohmann::json::array({{{"type", "text"}, {"text", text}}}), second);
  }
  std::string Uses(const std::string& id, const std::string& tool, const nlohmann::json& input,
                   int second) {
    return Agent(id,
                 nlohmann::json::array(
                     {{{"type", "tool_use"}, {"id", "t"}, {"name", tool}, {"input", input}}}),
                 second);
  }
  std::string Result(const std::string& id, const std::string& output, int second) {
    nlohmann::json line = Line(id, "user", second);
    line["message"] = {
        {"role", "user"},
        {"content", nlohmann::json::array({{{"type", "tool_result"}, {"content", output}}})}};
    return line.dump() + "\n";
  }
  void WriteTranscript(const std::string& id, const std::string& lines) {
    fs::create_directories(fs::path(TranscriptPath(id)).parent_path());
    std::ofstream(TranscriptPath(id), std::ios::binary) << lines;
  }

  std::string BytesOfStore() {
    std::string all;
    for (const auto& file : fs::directory_iterator(Path("repo"))) {
      if (!file.path().filename().string().starts_with("recall.db")) continue;
      std::ifstream stream(file.path(), std::ios::binary);
      all.append(std::istreambuf_iterator<char>(stream), {});
    }
    return all;
  }

  std::string cwd_ = Path("repo");
};

constexpr char kId[] = "0d6c5f1a-1111-4222-8333-444455556666";

TEST_F(CaptureTest, AnAgentFindsWhySomethingWasDone) {
  Write("repo/src/auth.go", "package auth\n");
  GitIn(Path("repo"), {"add", "-A"});
  GitIn(Path("repo"), {"commit", "-q", "-m", "first"});
  WriteTranscript(
      kId,
      Human(kId, "Why does the login fail? Is it JWT expiry?", 1) +
          Agent(kId, nlohmann::json::array({{{"type", "thinking"}, {"thinking", "hidden"}}}), 2) +
          Says(kId, "The token expired. I shall renew it.", 3) +
          Uses(kId, "Edit", {{"file_path", cwd_ + "/src/auth.go"}}, 4) +
          Result(kId, "file written, resultword", 5) + Says(kId, "All tests pass.", 6));
  ASSERT_EQ(InRepo({"init"}).exit, 0);
  const auto report = Captured({"--commit", "HEAD"});
  EXPECT_EQ(report["captured"], 1);
  EXPECT_EQ(report["turns"], 3);
  EXPECT_EQ(report["linked"], 1);
  EXPECT_TRUE(report["unknown"].empty()) << report["unknown"];

  const RunResult found = InRepo({"sessions", "JWT", "expiry", "--shape", "rekal"});
  ASSERT_EQ(found.exit, 0);
  const auto answer = found.Json();
  std::vector<std::string> keys;
  for (const auto& [key, value] : answer.items()) keys.push_back(key);
  EXPECT_EQ(keys, (std::vector<std::string>{"results", "query", "filters", "mode", "total"}));
  const auto& session = answer["results"][0];
  keys.clear();
  for (const auto& [key, value] : session.items()) keys.push_back(key);
  EXPECT_EQ(keys, (std::vector<std::string>{"session_id", "score", "snippet", "snippet_turn_index",
                                            "snippet_role", "session"}));
  EXPECT_EQ(session["session_id"], kId);
  EXPECT_EQ(session["snippet_turn_index"], 0);
  EXPECT_EQ(session["snippet_role"], "human");
  keys.clear();
  for (const auto& [key, value] : session["session"].items()) keys.push_back(key);
  EXPECT_EQ(keys, (std::vector<std::string>{"author", "actor", "branch", "captured_at", "commit",
                                            "turn_count", "tool_call_count", "files"}));
  EXPECT_EQ(session["session"]["author"], "ada@example.com");
  EXPECT_EQ(session["session"]["turn_count"], 3);
  EXPECT_EQ(session["session"]["files"], nlohmann::json::array({"src/auth.go"}));
  const std::string commit = session["session"]["commit"];
  EXPECT_EQ(commit.size(), 40u);

  const auto total = [&](std::vector<std::string> flags) {
    flags.insert(flags.begin(), {"sessions", "--shape", "rekal"});
    return InRepo(std::move(flags)).Json()["total"].get<int>();
  };
  EXPECT_EQ(total({}), 1);
  EXPECT_EQ(total({"--file", "^src/auth", "--actor", "human", "--author", "ada@example.com",
                   "--commit", commit.substr(0, 7), "JWT"}),
            1);
  EXPECT_EQ(total({"--file", "^auth"}), 0);
  EXPECT_EQ(total({"--actor", "agent"}), 0);
  EXPECT_EQ(total({"--commit", "ffffff"}), 0);
  EXPECT_EQ(total({"--role", "assistant", "--since", "2026-02-25"}), 1);
  EXPECT_EQ(total({"--until", "2026-02-25"}), 0);
  EXPECT_EQ(InRepo({"sessions", "--checkpoint", "x"}).exit, 2);
  EXPECT_EQ(InRepo({"sessions", "--commit", "main"}).exit, 2);
  EXPECT_EQ(InRepo({"sessions", "--file", "("}).exit, 2);
  for (const char* word : {"hidden", "resultword"}) {
    EXPECT_EQ(InRepo({"search", word, "--no-expand", "--json"}).Json()["results"].size(), 0u)
        << word;
  }

  const auto turns = InRepo({"get", "0d6c", "--turns", "1:1", "--full", "--json"}).Json()["get"];
  EXPECT_EQ(turns["total_turns"], 3);
  EXPECT_EQ(turns["has_more"], true);
  EXPECT_EQ(turns["turns"][0]["source_line"], 3);
  EXPECT_EQ(turns["tool_calls"][0]["tool"], "Edit");
  EXPECT_EQ(turns["resume"], std::string("claude --resume ") + kId);
  // The text says the same.
  const std::string brief = InRepo({"get", "0d6c", "--turns", "1:1"}).out;
  EXPECT_NE(brief.find("\n[tool] Edit "), std::string::npos) << brief;
  EXPECT_EQ(brief.find("[file]"), std::string::npos) << brief;
  EXPECT_EQ(InRepo({"get", "0d6c", "--turns", "1:1", "--full"}).out,
            brief + "\n[file] src/auth.go\n[resume] claude --resume " + kId + "\n");
  EXPECT_EQ(InRepo({"get", "0d6c", "--turns", "9:1", "--full"}).out,
            std::string("[file] src/auth.go\n[resume] claude --resume ") + kId + "\n");
  // Without a count, all turns from there on.
  EXPECT_EQ(InRepo({"get", "0d6c", "--turns", "1:"}).out,
            InRepo({"get", "0d6c", "--turns", "1:99"}).out);
  EXPECT_EQ(InRepo({"get", "0d6c", "--turns", "x"}).exit, 2);
  EXPECT_EQ(InRepo({"get", "0d6c", "--turns", "1", "--raw"}).exit, 2);
  EXPECT_EQ(InRepo({"resume", "0d6c"}).out, std::string("claude --resume ") + kId + "\n");
  EXPECT_EQ(InRepo({"doctor"}).exit, 0);
}

// Another directory, a linked work tree, and no git at all.
TEST_F(CaptureTest, SessionsAreThoseOfTheProject) {
  WriteTranscript(kId, Human(kId, "here", 1));
  cwd_ = Path("elsewhere");
  fs::create_directories(cwd_);
  WriteTranscript("other", Human("other", "there", 1));
  EXPECT_EQ(InRepo({"capture"}).exit, 3);  // no store yet
  ASSERT_EQ(InRepo({"init"}).exit, 0);
  auto report = Captured();
  EXPECT_EQ(report["captured"], 1);
  EXPECT_EQ(report["outside"], 1);
  EXPECT_EQ(Captured()["read"], 0);
  report = Captured({"--all"});
  EXPECT_EQ(report["read"], 1);
  EXPECT_EQ(report["captured"], 1);
  ASSERT_EQ(In("elsewhere", {"init"}).exit, 0);
  EXPECT_EQ(In("elsewhere", {"capture", "--json"}).Json()["capture"]["captured"], 1);
}

// A token is a secret wherever it stands: in what was said, in a command, a path, a title, in what
// a tool printed, escaped, and far from the beginning of a long text.
TEST_F(CaptureTest, SecretsAreNowhereInTheStore) {
  const std::string token = "ghp_" + std::string("a8Kd93nFq2LsX7vZ0bTy5RmWc1HuJ4gPoE6i");
  const std::string aws = std::string("AKIA") + "Q4X7ZLM2NB5TRW3V";
  std::string text = "first ";
  while (text.size() < 99'990) text += "some words of a long text ";
  text.resize(99'990);
  text += " " + token + " after";
  std::string escaped = Human(kId, "with escapes: TOKEN", 20);
  std::string unicode;
  for (const char c : token) {
    char code[8];
    std::snprintf(code, sizeof(code), "\\u%04x", static_cast<unsigned>(c));
    unicode += code;
  }
  escaped.replace(escaped.find("TOKEN"), 5, unicode);
  const std::string lines = "{\"type\":\"custom-title\",\"customTitle\":\"use " + token +
                            "\",\"sessionId\":\"" + kId + "\"}\n" +
                            Human(kId, "my key is " + aws, 1) + Says(kId, text, 2) +
                            Uses(kId, "Bash", {{"command", "export GH_TOKEN=" + token}}, 3) +
                            Uses(kId, "Edit", {{"file_path", cwd_ + "/" + token + "/x.go"}}, 4) +
                            Result(kId, "password " + aws + " and " + token, 5) + escaped;
  WriteTranscript(kId, lines);
  ASSERT_EQ(InRepo({"init"}).exit, 0);
  for (const char* name : {"skip", "refuse"}) {
    EXPECT_EQ(Captured({"--secrets", name})["refused"], 1) << name;
  }
  EXPECT_EQ(InRepo({"sessions", "--json"}).Json()["results"].size(), 0u);
  const auto report = Captured();
  EXPECT_EQ(report["captured"], 1);
  EXPECT_GE(report["redacted"]["github-token"], 5) << report["redacted"];
  const std::string bytes = BytesOfStore();
  EXPECT_EQ(bytes.find(token), std::string::npos);
  EXPECT_EQ(bytes.find(aws), std::string::npos);
  const std::string raw = InRepo({"get", "0d6c", "--raw"}).out;
  EXPECT_EQ(raw.find(token), std::string::npos);
  EXPECT_EQ(raw.find(unicode), std::string::npos);
  EXPECT_EQ(raw.find(aws), std::string::npos);
  EXPECT_EQ(std::count(raw.begin(), raw.end(), '\n'), std::count(lines.begin(), lines.end(), '\n'));
  EXPECT_NE(InRepo({"get", "0d6c"}).out.find("[redacted: github-token]"), std::string::npos);
  ASSERT_EQ(Captured({"--secrets", "keep", "--again"})["grown"], 1);
  EXPECT_NE(InRepo({"get", "0d6c"}).out.find(token), std::string::npos);
}

// What persons typed is there longer than what was answered, which says more as long as it is
// there.
TEST_F(CaptureTest, PromptsOfCodexAreTakenOfSessionsWithoutARollout) {
  const std::string id = "0199f3c2-0000-7000-8000-000000000001";
  const std::string rollout =
      "home/.codex/sessions/2026/02/25/rollout-2026-02-25T10-00-00-" + id + ".jsonl";
  Write(rollout,
        R"({"timestamp":"2026-02-25T10:00:00.500Z","type":"session_meta","payload":{"id":")" + id +
            R"(","cwd":"/elsewhere"}})"
            "\n"
            R"({"timestamp":"2026-02-25T10:00:01.500Z","type":"response_item","payload":{)"
            R"("type":"message","role":"user","content":[{"type":"input_text","text":"Why?"}]}})"
            "\n");
  const std::string prompts = R"({"session_id":")" + id +
                              R"(","ts":1772013601,"text":"Why?"})"
                              "\n"
                              R"({"session_id":"gone","ts":1772013700,"text":"Lost question"})"
                              "\n";
  Write("home/.codex/history.jsonl", prompts);
  EXPECT_EQ(InRepo({"init"}).exit, 0);
  EXPECT_EQ(Captured()["captured"], 0);  // of no directory, and of another one
  EXPECT_EQ(Captured({"--all"})["captured"], 2);
  const RunResult found = InRepo({"sessions", "lost", "question", "--agent", "codex"});
  EXPECT_NE(found.out.find("sessions/codex/gone"), std::string::npos) << found;

  // Codex has swept the rollout: what it said stays, and prompts add nothing to it.
  fs::remove(Path(rollout));
  Write("home/.codex/history.jsonl",
        prompts + R"({"session_id":"gone","ts":1772013701,"text":"Once more"})" + "\n");
  const auto again = Captured({"--all"});
  EXPECT_EQ(again["grown"], 1);
  EXPECT_EQ(again["turns"], 1);
  const auto turns = InRepo({"get", id, "--turns", "0:9", "--json"}).Json()["get"];
  EXPECT_EQ(turns["total_turns"], 1);
}

// Facts that do not come from what was said, and transcripts that are one document.
TEST_F(CaptureTest, SecretsOfGitOfNamesAndOfDocumentsAreNowhereInTheStore) {
  std::mt19937_64 random(TestSeed(18));
  std::map<std::string, std::string> tokens;
  const auto token = [&](const std::string& place) {
    constexpr std::string_view kLetters = "abcdefghijkmnpqrstuvwxyz0123456789ABCDEFGHIJKLMNPQRSTUV";
    std::string& made = tokens[place];
    made = "ghp_";
    while (made.size() < 40) made += kLetters[random() % kLetters.size()];
    return made;
  };
  const auto escaped = [](const std::string& text) {
    std::string unicode;
    for (const char c : text) {
      char code[8];
      std::snprintf(code, sizeof(code), "\\u%04x", static_cast<unsigned>(c));
      unicode += code;
    }
    return unicode;
  };
  ASSERT_EQ(InRepo({"init"}).exit, 0);
  GitIn(Path("repo"), {"checkout", "-q", "-b", "fix-" + token("the branch")});
  const std::string committed = token("a file of the commit");
  Write("repo/" + committed, "x");
  GitIn(Path("repo"), {"add", "--", committed});
  GitIn(Path("repo"), {"commit", "-q", "-m", "message"});
  const std::string id = token("the id");
  nlohmann::json line = Line(id, "user", 1);
  line.erase("gitBranch");
  line["message"] = {{"role", "user"}, {"content", "hello"}};
  WriteTranscript(id, line.dump() + "\n");
  const std::string parent = token("the parent");
  nlohmann::json side = Line(parent, "user", 2);
  side["isSidechain"] = true;
  side["message"] = {{"role", "user"}, {"content", "hello of " + parent}};
  Write("home/.claude/projects/p/" + parent + "/subagents/agent-a1.jsonl", side.dump() + "\n");
  std::string key = "-----BEGIN RSA PRIVATE" + std::string(" KEY-----\n");
  for (int i = 0; i < 9; ++i) {
    tokens["line " + std::to_string(i)] =
        std::string(24, static_cast<char>('a' + i)) + token("key").substr(4) + "AbCd";
    key += tokens["line " + std::to_string(i)] + "\n";
  }
  key += "-----END RSA PRIVATE KEY-----\n";
  Write("repo/.aider.chat.history.md",
        "\n# aider chat started at 2026-02-25 10:00:00\n\n#### use it\n\n" + key + "\n");
  Write("home/.gemini/tmp/x/.project_root", cwd_);
  const nlohmann::json chat = {{"sessionId", "g1"},
                               {"messages",
                                {{{"id", "1"},
                                  {"type", "user"},
                                  {"timestamp", "2026-02-25T10:00:00Z"},
                                  {"content", "TOKEN"}}}}};
  std::string document = chat.dump(2);
  const std::string in_document = escaped(token("a document"));
  document.replace(document.find("TOKEN"), 5, in_document);
  Write("home/.gemini/tmp/x/chats/session-1.json", document);
  // Not JSON, and an escape within an escape.
  const std::string broken = escaped(token("a broken line"));
  const std::string nested = escaped(token("nested"));
  WriteTranscript("s2", Human("s2", "hi", 3) + "{\"broken\": \"" + broken + "\"\n" +
                            Result("s2", "{\"output\": \"" + nested + "\"}", 4));
  Write("home/.claude/projects/p/s3.jsonl", "{\"type\":\"" + token("an unknown kind") + "\"}\n");
  const auto report = Captured({"--commit", "HEAD"});
  EXPECT_EQ(report["captured"], 5);
  EXPECT_EQ(report["unknown"]["type:[redacted: github-token]"], 1) << report["unknown"];
  EXPECT_EQ(Captured({"--commit", "HEAD"})["turns"], 0);
  std::string bytes = BytesOfStore();
  const auto listed = InRepo({"sessions", "--json"}).Json();
  for (const auto& session : listed["results"]) {
    const std::string path = session["doc"]["path"].get<std::string>();
    bytes += InRepo({"get", path, "--raw"}).out + InRepo({"get", path, "--json"}).out;
  }
  EXPECT_NE(bytes.find("-[redacted: github-token]"), std::string::npos);
  for (const auto& [place, secret] : tokens) {
    EXPECT_EQ(bytes.find(secret), std::string::npos) << place;
  }
  for (const std::string& secret : {in_document, broken, nested}) {
    EXPECT_EQ(bytes.find(secret.substr(6)), std::string::npos);
  }
}

// What was stored with its secrets loses them once it is captured as usual.
TEST_F(CaptureTest, TurnsThatAreGoneLoseTheirSecrets) {
  const std::string token = "ghp_" + std::string("a8Kd93nFq2LsX7vZ0bTy5RmWc1HuJ4gPoE6i");
  WriteTranscript(kId, Human(kId, "use " + token, 1) + Human(kId, "second", 2));
  ASSERT_EQ(InRepo({"init"}).exit, 0);
  EXPECT_EQ(Captured({"--secrets", "keep"})["captured"], 1);
  EXPECT_NE(InRepo({"get", kId}).out.find(token), std::string::npos);
  WriteTranscript(kId, Human(kId, "second", 2) + Human(kId, "third", 3));
  EXPECT_EQ(Captured()["grown"], 1);
  const std::string text = InRepo({"get", kId}).out;
  EXPECT_EQ(text.find(token), std::string::npos);
  EXPECT_NE(text.find("use [redacted: github-token]"), std::string::npos);
  EXPECT_NE(text.find("third"), std::string::npos);
}

TEST_F(CaptureTest, WhatCannotBeReadDoesNotStopTheOthers) {
  WriteTranscript(kId, Human(kId, "good", 1));
  WriteTranscript("bad", "no json\n{\"type\":\"brand-new-kind\",\"sessionId\":\"bad\"}\n[1,2\n");
  fs::create_directories(Path("home/.claude/projects/p/directory.jsonl"));
  ASSERT_EQ(InRepo({"init"}).exit, 0);
  const auto report = Captured();
  EXPECT_EQ(report["captured"], 1);
  EXPECT_EQ(report["unknown"]["type:brand-new-kind"], 1) << report["unknown"];
  EXPECT_GE(report["unknown"]["not JSON"], 1);
  EXPECT_EQ(InRepo({"capture", "nosuch.jsonl"}).exit, 1);
  EXPECT_EQ(InRepo({"capture", "--from", "nobody"}).exit, 2);
  EXPECT_EQ(InRepo({"capture", "--commit", "nosuch"}).exit, 2);
}

// Killed at any time, the store is whole, and the next capture does the rest.
TEST_F(CaptureTest, FilesOfNoKnownAgentDoNotStopTheOthersAndAreNamed) {
  ASSERT_EQ(InRepo({"init"}).exit, 0);
  const std::string known = TranscriptPath("s1");
  fs::create_directories(fs::path(known).parent_path());
  std::ofstream(known) << Human("s1", "why is the gateway slow", 1);
  fs::create_directories(Path("repo/logs"));
  for (const char* name : {"repo/logs/a.jsonl", "repo/logs/b.jsonl"}) {
    std::ofstream(Path(name)) << R"({"level":"info","message":"started"})"
                              << "\n";
  }
  const std::string unknown = Path("repo/logs/a.jsonl");
  const RunResult both = InRepo({"capture", unknown, known});
  EXPECT_EQ(both.exit, 3) << both;
  EXPECT_NE(both.out.find("captured 1 session"), std::string::npos) << both;
  EXPECT_NE(both.err.find("cannot tell which agent wrote " + unknown), std::string::npos) << both;

  EXPECT_EQ(InRepo({"capture", unknown}).exit, 2) << "the only one: name its agent";
  const RunResult directory = InRepo({"capture", "logs"});
  EXPECT_EQ(directory.exit, 0) << directory;
  EXPECT_NE(directory.err.find("2 .jsonl files are of no known agent"), std::string::npos)
      << directory;
}

TEST_F(CaptureTest, KilledHalfWayItGoesOn) {
  std::mt19937_64 random(4);
  for (int i = 0; i < 40; ++i) {
    const std::string id = "s" + std::to_string(1000 + i);
    std::string lines;
    for (int turn = 0; turn < 30; ++turn) {
      lines += turn % 2 == 0 ? Human(id, "question " + std::to_string(random()), turn)
                             : Says(id, "answer " + std::to_string(random()), turn);
    }
    WriteTranscript(id, lines);
  }
  ASSERT_EQ(InRepo({"init"}).exit, 0);
  std::map<std::string, std::string> env(GitSandboxVariables().begin(),
                                         GitSandboxVariables().end());
  env["HOME"] = Path("home");
  for (const uintmax_t written : {0, 100'000, 300'000, 600'000}) {
    const pid_t child =
        Start({"capture", "--store", Path("repo"), "--all", "--quiet"}, {.env = env});
    const fs::path log = Path("repo/recall.db-wal");
    std::error_code error;
    for (;;) {
      siginfo_t ended = {};
      ::waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOHANG | WNOWAIT);
      const uintmax_t size = fs::file_size(log, error);
      if (ended.si_pid == child || (!error && size >= written)) break;
      std::this_thread::yield();
    }
    ::kill(child, SIGKILL);
    Wait(child);
    ASSERT_EQ(InRepo({"doctor"}).exit, 0);
  }
  ASSERT_EQ(InRepo({"capture"}).exit, 0);
  EXPECT_EQ(Captured({"--again"})["unchanged"], 40);
  const auto sessions = InRepo({"sessions", "-n", "0", "--shape", "rekal"}).Json();
  EXPECT_EQ(sessions["total"], 40);
  for (const auto& session : sessions["results"]) EXPECT_EQ(session["session"]["turn_count"], 30);
}

// What the instructions of that program tell an agent to run, under its name.
TEST_F(CaptureTest, AsRekalSessionsAreFoundReadAndLogged) {
  Write("repo/src/auth.go", "package auth\n");
  GitIn(Path("repo"), {"add", "-A"});
  GitIn(Path("repo"), {"commit", "-q", "-m", "first"});
  WriteTranscript(kId, Human(kId, "Is it JWT expiry?", 1) + Says(kId, "I look.", 2) +
                           Uses(kId, "Edit", {{"file_path", cwd_ + "/src/auth.go"}}, 3) +
                           Human(kId, "And now?", 4) + Says(kId, "It is renewed.", 5));
  const auto rekal = [&](const std::string& arguments) {
    const ShellResult ran = RunShell("export HOME=" + ShellQuoted(Path("home")) +
                                         "\nln -sf \"$(command -v recall)\" ./rekal\ncd repo\n" +
                                         "../rekal " + arguments + " 2>/dev/null",
                                     directory());
    EXPECT_EQ(ran.exit, 0) << arguments << ": " << ran.out;
    return ran.out;
  };
  const auto asked = [&](const std::string& arguments) {
    return nlohmann::ordered_json::parse(rekal(arguments), nullptr, false);
  };
  rekal("init");
  rekal("checkpoint --commit HEAD");
  const auto found = asked("JWT -n 5");
  ASSERT_EQ(found["total"], 1) << found;
  const std::string session =
      "query --session " + found["results"][0]["session_id"].get<std::string>();
  EXPECT_EQ(asked(session + " --offset 1 --limit 2").dump(),
            std::string(R"({"session_id":")") + kId +
                R"(","author":"ada@example.com","actor":"human","branch":"main",)"
                R"("captured_at":"2026-02-25T10:00:05Z","total_turns":4,"offset":1,"limit":2,)"
                R"("has_more":true,"turns":[)"
                R"({"index":1,"role":"assistant","content":"I look.","ts":"2026-02-25T10:00:02Z"},)"
                R"({"index":2,"role":"human","content":"And now?","ts":"2026-02-25T10:00:04Z"}]})");
  const auto human = asked(session + " --role human");
  EXPECT_EQ(human["total_turns"], 2);
  EXPECT_EQ(human["turns"].size(), 2u);
  EXPECT_FALSE(human.contains("limit"));
  const auto full = asked(session + " --full");
  EXPECT_EQ(full["turns"].size(), 4u);
  EXPECT_EQ(full["tool_calls"].dump(),
            R"([{"order":0,"tool":"Edit","path":")" + cwd_ + R"(/src/auth.go"}])");
  EXPECT_EQ(full["files_touched"].dump(), R"(["src/auth.go"])");
  EXPECT_EQ(InRepo({"get", kId, "--shape", "rekal"}).exit, 2) << "a shape is of turns";

  const std::string commit = found["results"][0]["session"]["commit"];
  EXPECT_EQ(rekal("log --limit 5"), "checkpoint " + commit +
                                        "\nDate:     2026-02-25T10:00:05Z\nCommit:   " + commit +
                                        "\nBranch:   main\nAuthor:   ada@example.com\n"
                                        "Sessions: 1\n\n");
  EXPECT_EQ(InRepo({"log"}).out, InRepo({"--", "log"}).out) << "a word under the own name";
  rekal("index");
  rekal("sync");  // without a remote it captures
  EXPECT_NE(RunShell("mkdir none && cd none && git init -q . && ../rekal sync", directory()).exit,
            0)
      << "without a store";
}

TEST_F(CaptureTest, RefreshFindsWhatWasSaidSince) {
  ASSERT_EQ(InRepo({"init"}).exit, 0);
  WriteTranscript(kId, Human(kId, "Why is the cache cold?", 1));
  EXPECT_EQ(InRepo({"sessions", "cache", "--json"}).Json()["results"].size(), 0u);
  EXPECT_EQ(InRepo({"sessions", "cache", "--refresh", "--json"}).Json()["results"].size(), 1u);
  WriteTranscript(
      kId, Human(kId, "Why is the cache cold?", 1) + Says(kId, "The warmup was removed.", 2));
  EXPECT_EQ(InRepo({"sessions", "warmup", "--refresh", "--json"}).Json()["results"].size(), 1u);
}

TEST_F(CaptureTest, ContextIsOfSessionsWithinTheBudget) {
  ASSERT_EQ(InRepo({"init"}).exit, 0);
  Write("repo/notes.md", "The login token expires after an hour.\n");
  ASSERT_EQ(InRepo({"add", "notes.md"}).exit, 0);
  for (int i = 0; i < 6; ++i) {
    const std::string id = kId + std::to_string(i);
    WriteTranscript(id, Human(id, "Why does the login token expire, case " + std::to_string(i), 1) +
                            Says(id, "The token expires after an hour.", 2));
  }
  ASSERT_EQ(Captured()["captured"], 6);
  const RunResult found =
      InRepo({"context", "login token", "--view", "sessions", "--budget-tokens", "120", "--json"});
  ASSERT_EQ(found.exit, 0) << found.err;
  const auto answer = found.Json();
  const auto& pieces = answer["context"]["chunks"];
  ASSERT_FALSE(pieces.empty()) << answer;
  EXPECT_LT(pieces.size(), 6u);
  EXPECT_LE(answer["context"]["used_tokens"].get<int>(), 120) << answer;
  std::set<std::string> paths;
  for (const auto& piece : pieces) paths.insert(piece["path"]);
  EXPECT_EQ(paths.size(), pieces.size()) << "each session once";
  for (const std::string& path : paths) EXPECT_TRUE(path.starts_with("sessions/")) << path;
}

TEST_F(CaptureTest, WatchSaysWhatItCaptures) {
  ASSERT_EQ(InRepo({"init"}).exit, 0);
  WriteTranscript(kId, Human(kId, "Why is the cache cold?", 1));
  std::map<std::string, std::string> env(GitSandboxVariables().begin(),
                                         GitSandboxVariables().end());
  env["HOME"] = Path("home");
  RunOptions options{.directory = Path("repo"), .env = env};
  FollowedLines lines(Path("lines"));
  options.stdout_file = lines.path();
  const pid_t child = Start({"capture", "--watch", "--json"}, options);
  const SchemaSet schemas = SchemaSet::Load(SourceDir() + "/docs/schema");
  const auto next = [&] {
    const std::string line = lines.Next();
    auto json = nlohmann::ordered_json::parse(line, nullptr, false);
    EXPECT_TRUE(json.contains("watch")) << line;
    for (const std::string& violation : schemas.Violations("watch.schema.json", json)) {
      ADD_FAILURE() << violation << "\n" << json;
    }
    return json["watch"];
  };
  EXPECT_EQ(next()["captured"], 1);
  EXPECT_EQ(next()["event"], "ready");
  WriteTranscript(
      kId, Human(kId, "Why is the cache cold?", 1) + Says(kId, "The warmup was removed.", 2));
  EXPECT_EQ(next()["grown"], 1);
  ::kill(child, SIGINT);
  EXPECT_EQ(Wait(child).exit, 0);
  EXPECT_EQ(InRepo({"sessions", "warmup", "--json"}).Json()["results"].size(), 1u);
}

}  // namespace
}  // namespace recall
