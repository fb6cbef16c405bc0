// `recall import --from rekal`, with branches in real repositories.

#include <filesystem>
#include <map>

#include "tests/cli/recall_process.h"
#include "tests/git_sandbox.h"
#include "tests/query/compat/rekal/rekal_encoder.h"

namespace recall {
namespace {

constexpr const char* kFirst = "01KJAAAAAAAAAAAAAAAAAAAAAA";
constexpr const char* kSecond = "01KJBBBBBBBBBBBBBBBBBBBBBB";
constexpr const char* kCheckpoint = "01KJCCCCCCCCCCCCCCCCCCCCCC";
constexpr const char* kSha = "8adaff1ff3a20a9ea67c02b8ec44bf677ab88d65";

EncodedSession LoginSession(const std::string& id, size_t turns) {
  const std::vector<EncodedTurn> all = {{0, 0, "Why does the login fail?"},
                                        {1, 8, "The token has expired."},
                                        {2, 60, "Renew it before it expires."},
                                        {3, 0, "What was said so far."},
                                        {1, 12, "It is renewed now."}};
  return {.id = id,
          .turns = {all.begin(), all.begin() + static_cast<ptrdiff_t>(turns)},
          .calls = {{3, "/home/ada/app/src/auth.go", ""}, {2, "", "go test ./..."}}};
}

class RekalImportTest : public RecallTest {
 protected:
  RekalImportTest() {
    MakeGitRepository(Path("app"));
    WriteFileIn(Path("app"), "src/auth.go", "package auth\n");
    CommitAll(Path("app"), "start", "2026-02-25T09:00:00Z");
    EXPECT_EQ(In({"init"}).exit, 0);
  }

  RunResult In(std::vector<std::string> args) {
    std::map<std::string, std::string> env(GitSandboxVariables().begin(),
                                           GitSandboxVariables().end());
    return Run(std::move(args), {.directory = Path("app"), .env = std::move(env)});
  }
  nlohmann::ordered_json Import(std::vector<std::string> more, int exit = 0) {
    std::vector<std::string> args = {"import", "--from", "rekal", "--json"};
    args.insert(args.end(), more.begin(), more.end());
    const RunResult result = In(std::move(args));
    EXPECT_EQ(result.exit, exit) << result;
    return result.Json();
  }

  // Puts the two files on a branch, as rekal does: without a work tree.
  void SetBranch(const std::string& ref, const std::string& body, const std::string& strings) {
    Write("rekal.body", body);
    Write("dict.bin", strings);
    const auto blob = [&](const std::string& file) {
      return GitIn(Path("app"), {"hash-object", "-w", Path(file)});
    };
    const std::string tree = OutputOf(
        "printf '100644 blob " + blob("dict.bin") + "\\tdict.bin\\n100644 blob " +
        blob("rekal.body") + "\\trekal.body\\n' | git -C " + QuotedWord(Path("app")) + " mktree");
    const std::string commit = GitIn(Path("app"), {"commit-tree", "-m", "rekal: checkpoint", tree});
    GitIn(Path("app"), {"update-ref", ref, commit});
  }
  void SetBranch(const RekalEncoder& encoder) {
    SetBranch("refs/heads/rekal/ada@example.com", encoder.body(), encoder.strings());
  }

  nlohmann::ordered_json Meta(const std::string& id) {
    const RunResult result = In({"get", "sessions/rekal/" + id, "--json"});
    EXPECT_EQ(result.exit, 0) << result;
    return result.Json()["get"]["doc"]["meta"];
  }
};

TEST_F(RekalImportTest, BranchesOfARepositoryBecomeSessions) {
  RekalEncoder encoder;
  encoder.Add(LoginSession(kFirst, 2));
  encoder.Add(EncodedCheckpoint{
      .id = kCheckpoint, .sha = kSha, .sessions = {kFirst}, .files = {{"src/auth.go", 'M'}}});
  SetBranch(encoder);
  const std::string status = GitIn(Path("app"), {"status", "--porcelain"});

  const auto dry = Import({"--dry-run"});
  EXPECT_EQ(dry["import"]["added"], 1);
  EXPECT_EQ(dry["stats"]["doc_count"], 0);

  const auto first = Import({});
  EXPECT_EQ(first["import"]["from"], "rekal");
  EXPECT_EQ(first["import"]["added"], 1);
  EXPECT_EQ(first["import"]["lines"], 2);
  EXPECT_EQ(first["import"]["recordings"], 1);
  EXPECT_EQ(GitIn(Path("app"), {"status", "--porcelain"}), status);

  const auto meta = Meta(kFirst);
  EXPECT_EQ(meta["agent"], "rekal");
  EXPECT_EQ(meta["id"], kFirst);
  EXPECT_EQ(meta["actor"], "human");
  EXPECT_EQ(meta["author"], "ada@example.com");
  EXPECT_EQ(meta["branch"], "main");
  EXPECT_EQ(meta["title"], "Why does the login fail?");
  EXPECT_EQ(meta["started_at"], "2026-02-25T09:59:52Z");
  EXPECT_EQ(meta["captured_at"], "2026-02-25T10:00:00Z");
  EXPECT_EQ(meta["rekal"]["captured_at"], "2026-02-25T10:00:00Z");
  EXPECT_EQ(meta["commit"], kSha);
  EXPECT_EQ(meta["commits"], nlohmann::json({kSha}));
  EXPECT_EQ(meta["commit_grades"], nlohmann::json({"explicit"}));
  EXPECT_EQ(meta["commit_files"], nlohmann::json({"src/auth.go"}));
  EXPECT_EQ(meta["files"], nlohmann::json({"src/auth.go"}));
  EXPECT_EQ(meta["tools"], nlohmann::json({"Bash", "Edit"}));
  EXPECT_EQ(In({"query", "SELECT doc.source FROM doc"}).out, "git:rekal/ada@example.com\n");
  const RunResult found = In({"sessions", "--file", "^src/auth", "--commit", "8adaff1", "--author",
                              "ada@example.com", "token"});
  EXPECT_NE(found.out.find(kFirst), std::string::npos) << found;

  // Again, and from another reference to the same: nothing new.
  const std::string before = In({"stats", "--json", "--stable"}).Json()["stats"]["snapshot"];
  SetBranch("refs/remotes/origin/rekal/ada@example.com", encoder.body(), encoder.strings());
  const auto again = Import({});
  EXPECT_EQ(again["import"]["unchanged"], 1);
  EXPECT_EQ(again["import"]["added"], 0);
  EXPECT_EQ(again["stats"]["snapshot"], before);

  // The session goes on, under a new id: a new version of the same document.
  encoder.Add(LoginSession(kSecond, 5));
  SetBranch(encoder);
  const auto grown = Import({});
  EXPECT_EQ(grown["import"]["updated"], 1);
  EXPECT_EQ(grown["import"]["added"], 0);
  EXPECT_EQ(grown["import"]["dropped"]["summaries of what was said before"], 1);
  EXPECT_EQ(Meta(kFirst)["turns"], 4);
  EXPECT_EQ(Meta(kFirst)["commit"], kSha);
  const RunResult text = In({"get", kFirst});
  EXPECT_NE(text.out.find("\n## 2 human 2026-02-25T"), std::string::npos) << text;
  EXPECT_EQ(text.out.find("What was said so far."), std::string::npos);

  // What was forgotten stays so.
  EXPECT_EQ(In({"forget", "sessions/rekal/" + std::string(kFirst)}).exit, 0);
  const auto forgotten = Import({});
  EXPECT_EQ(forgotten["import"]["forgotten"], 1);
  EXPECT_EQ(forgotten["stats"]["doc_count"], 0);
}

TEST_F(RekalImportTest, FilesAndPrintedRowsAreRead) {
  RekalEncoder encoder;
  encoder.Add(LoginSession(kFirst, 2));
  Write("body/rekal.body", encoder.body());
  EXPECT_EQ(Import({Path("body/rekal.body")}, 1)["error"]["code"], "not_found");
  Write("body/dict.bin", encoder.strings());
  EXPECT_EQ(Import({Path("body/rekal.body")})["import"]["added"], 1);

  Write("rows.jsonl",
        R"({"id":"S1","actor_type":"human","user_email":"bob@example.com"})"
        "\n"
        R"({"session_id":"S1","turn_index":0,"role":"human","content":"Which port is it?"})"
        "\n");
  EXPECT_EQ(Import({Path("rows.jsonl")})["import"]["added"], 1);
  EXPECT_EQ(Meta("S1")["author"], "bob@example.com");
  // A whole session that `--session` printed is the same one.
  Write("whole.json",
        R"({"session_id": "S1", "author": "bob@example.com", "actor": "human",
            "turns": [{"index": 0, "role": "human", "content": "Which port is it?"},
                      {"index": 1, "role": "assistant", "content": "8080."}]})");
  EXPECT_EQ(Import({Path("whole.json")})["import"]["updated"], 1);
  EXPECT_EQ(Meta("S1")["turns"], 2);
}

TEST_F(RekalImportTest, FramesWithADictionaryNeedIt) {
  RekalEncoder encoder(DictionaryForTests());
  encoder.Add(LoginSession(kFirst, 2));
  SetBranch(encoder);
  const auto missing = Import({}, 2);
  EXPECT_EQ(missing["error"]["code"], "invalid_argument");
  EXPECT_NE(missing["error"]["message"].get<std::string>().find("4711"), std::string::npos);
  EXPECT_NE(missing["error"]["hint"].get<std::string>().find("--dictionary"), std::string::npos);
  Write("other", "no dictionary");
  EXPECT_EQ(Import({"--dictionary", Path("other")}, 2)["error"]["code"], "invalid_argument");
  Write("program",
        "\x7F"
        "ELF" +
            DictionaryForTests() + "the end");
  EXPECT_EQ(Import({"--dictionary", Path("program")})["import"]["added"], 1);
}

TEST_F(RekalImportTest, SecretsDoNotReachTheStore) {
  const std::string key = "AKIA" + std::string("Q3EGXYZ7RST2UVW4");
  EncodedSession session = LoginSession(kFirst, 2);
  session.turns[0].text = "My key is " + key + " for the deployment";
  session.calls.push_back({2, "", "export AWS_ACCESS_KEY_ID=" + key});
  RekalEncoder encoder;
  encoder.Add(session);
  SetBranch(encoder);
  const auto import = Import({});
  EXPECT_GE(import["import"]["redacted"]["aws-access-key-id"], 2);
  EXPECT_EQ(Read("app/recall.db").find(key), std::string::npos);
  EXPECT_NE(In({"get", kFirst}).out.find("[redacted: aws-access-key-id]"), std::string::npos);
  // Rows may say anything in the place of an id, an author, or a commit.
  Write("rows.json", R"({"session_id": ")" + key + R"(", "author": ")" + key +
                         R"(", "commits": [{"sha": ")" + key +
                         R"("}], "turns": [{"index": 0, "role": "human", "content": "hello"}]})");
  EXPECT_EQ(Import({Path("rows.json")})["import"]["added"], 1);
  EXPECT_EQ(Read("app/recall.db").find(key), std::string::npos);
}

TEST_F(RekalImportTest, DamageIsCountedAndAllElseImported) {
  RekalEncoder encoder;
  encoder.Add(LoginSession(kFirst, 2));
  const size_t first = encoder.body().size();
  EncodedSession other = LoginSession(kSecond, 2);
  other.turns[0].text = "Another question";
  encoder.Add(other);
  std::string body = encoder.body();
  body[first - 10] ^= '\x20';
  SetBranch("refs/heads/rekal/ada@example.com", body, encoder.strings());
  // A branch that cannot be read at all does not stop the other.
  SetBranch("refs/heads/rekal/bob@example.com", "no body", encoder.strings());
  const auto import = Import({}, 2);
  EXPECT_FALSE(import["ok"].get<bool>());
  EXPECT_EQ(import["import"]["added"], 1);
  EXPECT_EQ(import["import"]["failed"], 2);
  EXPECT_EQ(import["import"]["failures"][0]["file"], "rekal/ada@example.com");
  EXPECT_EQ(import["import"]["failures"][0]["reason"], "frame 1 is damaged");
  EXPECT_EQ(import["import"]["failures"][1]["file"], "rekal/bob@example.com");
  EXPECT_EQ(Meta(kSecond)["turns"], 2);
}

TEST_F(RekalImportTest, WhatCannotBeReadSaysWhatToDo) {
  const auto none = Import({}, 1);
  EXPECT_EQ(none["error"]["code"], "not_found");
  EXPECT_NE(none["error"]["hint"].get<std::string>().find("rekal push"), std::string::npos);
  const std::string duckdb =
      std::string("\x01\x02\x03\x04\x05\x06\x07\x08", 8) + "DUCK" + std::string(4096, '\0');
  Write("app/.rekal/data.db", duckdb);
  for (const std::string& place : {Path("app"), Path("app/.rekal"), Path("app/.rekal/data.db")}) {
    const auto refused = Import({place}, 2);
    EXPECT_EQ(refused["error"]["code"], "invalid_argument") << place;
    EXPECT_NE(refused["error"]["hint"].get<std::string>().find("rekal push"), std::string::npos);
  }
  Write("notes.txt", "no rows\n");
  EXPECT_EQ(Import({Path("notes.txt")}, 2)["error"]["code"], "invalid_argument");
  EXPECT_EQ(Import({Path("app/recall.db")}, 2)["error"]["code"], "invalid_argument");
  EXPECT_EQ(In({"import"}).exit, 2);
  EXPECT_EQ(In({"import", "--dictionary", "x", "notes.txt"}).exit, 2);
  EXPECT_EQ(In({"import", "--from", "rekal", "--batch", "3"}).exit, 2);
}

}  // namespace
}  // namespace recall
