// `recall push` and `recall pull` with real repositories: clones of one remote.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <set>

#include "storage/sessions/session_body.h"
#include "tests/cli/recall_process.h"
#include "tests/git_sandbox.h"

namespace recall {
namespace {

namespace fs = std::filesystem;

class PushTest : public RecallTest {
 protected:
  PushTest() {
    OutputOf("git init -q --bare " + QuotedWord(Path("remote.git")));
    Clone("ada", "ada@example.com");
    Clone("bob", "bob@example.com");
  }

  void Clone(const std::string& name, const std::string& email) {
    MakeGitRepository(Path(name));
    GitIn(Path(name), {"config", "user.email", email});
    GitIn(Path(name), {"remote", "add", "origin", Path("remote.git")});
    EXPECT_EQ(In(name, {"init"}).exit, 0);
  }

  RunResult In(const std::string& clone, std::vector<std::string> args) {
    std::map<std::string, std::string> env(GitSandboxVariables().begin(),
                                           GitSandboxVariables().end());
    return Run(std::move(args), {.directory = Path(clone), .env = std::move(env)});
  }
  nlohmann::ordered_json Json(const std::string& clone, std::vector<std::string> args) {
    const std::string verb = args[0];
    args.push_back("--json");
    const RunResult result = In(clone, std::move(args));
    EXPECT_EQ(result.exit, 0) << result;
    return result.Json()[verb];
  }

  struct Said {
    std::string session;
    int minute;
    std::string text;
  };
  // Captures a transcript with these turns, in a clone.
  void Capture(const std::string& clone, const std::vector<Said>& turns,
               const std::vector<std::string>& more = {}) {
    std::string lines;
    for (const Said& said : turns) {
      const std::string minute = (said.minute < 10 ? "0" : "") + std::to_string(said.minute);
      lines += nlohmann::json({{"session", said.session},
                               {"role", said.minute % 2 == 0 ? "human" : "assistant"},
                               {"text", said.text},
                               {"at", "2026-02-25T10:" + minute + ":00Z"}})
                   .dump() +
               "\n";
    }
    // A name of its own each time: a transcript that changes within its time would not be read.
    const std::string file = "transcript" + std::to_string(++transcripts_) + ".jsonl";
    Write(file, lines);
    std::vector<std::string> args = {"capture", "--from", "jsonl", Path(file)};
    args.insert(args.end(), more.begin(), more.end());
    const RunResult result = In(clone, std::move(args));
    EXPECT_EQ(result.exit, 0) << result;
  }

  // Path and text of all sessions.
  std::map<std::string, std::string> Sessions(const std::string& clone) {
    std::map<std::string, std::string> sessions;
    const RunResult result = In(clone, {"export"});
    EXPECT_EQ(result.exit, 0) << result;
    std::istringstream lines(result.out);
    for (std::string line; std::getline(lines, line);) {
      const auto json = nlohmann::json::parse(line);
      if (json["type"] != "doc") continue;
      auto meta = json["meta"];
      // The file that each machine read is its own.
      meta.erase("transcript");
      sessions[json["path"]] = json["text"].get<std::string>() + meta.dump();
    }
    return sessions;
  }
  std::string BodyBytes(const std::string& branch) {
    OutputOf("git -C " + QuotedWord(Path("remote.git")) + " cat-file blob refs/heads/" +
             QuotedWord(branch) + ":recall.body > " + QuotedWord(Path("body")));
    return Read("body");
  }
  // Puts another file in the place of the body of a branch of the remote.
  void ReplaceBody(const std::string& branch, const std::string& body) {
    Write("body", body);
    const std::string git = "git -C " + QuotedWord(Path("remote.git"));
    const std::string blob =
        OutputOf(git + " hash-object -w --stdin < " + QuotedWord(Path("body")));
    const std::string tree =
        OutputOf("printf '100644 blob " + blob + "\\trecall.body\\n' | " + git + " mktree");
    const std::string commit = OutputOf(
        "GIT_AUTHOR_NAME=x GIT_AUTHOR_EMAIL=x GIT_COMMITTER_NAME=x GIT_COMMITTER_EMAIL=x " + git +
        " commit-tree -m x " + tree);
    OutputOf(git + " update-ref refs/heads/" + QuotedWord(branch) + " " + commit);
  }

 private:
  int transcripts_ = 0;
};

TEST_F(PushTest, SessionsGetFromOneCloneToTheOther) {
  Capture("ada", {{"s1", 0, "Why does the login fail?"}, {"s1", 1, "The token has expired."}});
  const auto pushed = Json("ada", {"push"});
  EXPECT_EQ(pushed["branch"], "recall/ada@example.com");
  EXPECT_EQ(pushed["written"], 1);
  EXPECT_TRUE(pushed["new_commit"].get<bool>());
  const std::string first = BodyBytes("recall/ada@example.com");

  const auto again = Json("ada", {"push"});
  EXPECT_EQ(again["commit"], pushed["commit"]);
  EXPECT_FALSE(again["new_commit"].get<bool>());

  const auto pulled = Json("bob", {"pull"});
  EXPECT_EQ(pulled["added"], 1);
  EXPECT_EQ(Sessions("bob"), Sessions("ada"));
  EXPECT_EQ(In("bob", {"query", "SELECT doc.source FROM doc"}).out, "git:recall/ada@example.com\n");
  EXPECT_EQ(Json("bob", {"pull"})["unchanged"], 1);
  // What was pulled is not pushed as one's own.
  EXPECT_EQ(In("bob", {"push"}).exit, 1);

  Capture("ada", {{"s1", 0, "Why does the login fail?"},
                  {"s1", 1, "The token has expired."},
                  {"s1", 2, "Renew it."}});
  EXPECT_EQ(Json("ada", {"push"})["written"], 1);
  EXPECT_TRUE(BodyBytes("recall/ada@example.com").starts_with(first));
  EXPECT_EQ(Json("bob", {"pull"})["grown"], 1);
  EXPECT_EQ(Sessions("bob"), Sessions("ada"));
}

TEST_F(PushTest, TheWorkTreeAndTheOtherBranchesAreNotTouched) {
  WriteFileIn(Path("ada"), "a.txt", "a");
  GitIn(Path("ada"), {"add", "a.txt"});
  Capture("ada", {{"s1", 0, "one"}});
  const auto state = [&] {
    return GitIn(Path("ada"), {"status", "--porcelain"}) +
           GitIn(Path("ada"), {"symbolic-ref", "HEAD"});
  };
  const std::string before = state();
  EXPECT_EQ(In("ada", {"push"}).exit, 0);
  EXPECT_EQ(state(), before);
  EXPECT_EQ(GitIn(Path("ada"), {"for-each-ref", "--format=%(refname)", "refs/heads"}),
            "refs/heads/recall/ada@example.com");
  EXPECT_EQ(GitIn(Path("ada"), {"ls-tree", "--name-only", "recall/ada@example.com"}),
            "recall.body");
}

TEST_F(PushTest, ADryRunWritesNothing) {
  Capture("ada", {{"s1", 0, "one"}});
  EXPECT_EQ(Json("ada", {"push", "--dry-run"})["written"], 1);
  EXPECT_EQ(GitIn(Path("ada"), {"for-each-ref"}), "");
  EXPECT_EQ(In("ada", {"push"}).exit, 0);
  EXPECT_EQ(Json("bob", {"pull", "--dry-run"})["added"], 1);
  EXPECT_TRUE(Sessions("bob").empty());
}

TEST_F(PushTest, AFilterChooses) {
  Capture("ada", {{"s1", 0, "one"}, {"s2", 0, "two"}});
  EXPECT_EQ(Json("ada", {"push", "--filter", "doc.session.id = 's2'"})["sessions"], 1);
  EXPECT_EQ(In("bob", {"pull"}).exit, 0);
  EXPECT_EQ(Sessions("bob").size(), 1U);
  EXPECT_EQ(In("ada", {"push", "--filter", "doc.session.id ="}).exit, 2);
}

TEST_F(PushTest, WhatWasCapturedWithItsSecretsStays) {
  const std::string key = std::string("AKIA") + "Q3EGRTUVPLMNWX7Z";
  Capture("ada", {{"s1", 0, "the key is " + key}}, {"--secrets", "keep"});
  const RunResult kept = In("ada", {"push"});
  EXPECT_EQ(kept.exit, 1) << kept;
  EXPECT_NE(kept.err.find("--include-unredacted"), std::string::npos) << kept;
  Capture("ada", {{"s2", 0, "harmless"}});
  EXPECT_EQ(Json("ada", {"push"})["kept_back"], 1);
  EXPECT_EQ(In("bob", {"pull"}).exit, 0);
  EXPECT_EQ(Sessions("bob").count("sessions/jsonl/s1"), 0U);
  EXPECT_EQ(Json("ada", {"push", "--include-unredacted"})["written"], 1);
  EXPECT_EQ(In("bob", {"pull"}).exit, 0);
  EXPECT_NE(Sessions("bob")["sessions/jsonl/s1"].find(key), std::string::npos);
}

TEST_F(PushTest, ForgottenSessionsDoNotComeBack) {
  Capture("ada", {{"s1", 0, "one"}, {"s2", 0, "two"}});
  EXPECT_EQ(In("ada", {"push"}).exit, 0);
  EXPECT_EQ(In("bob", {"pull"}).exit, 0);
  EXPECT_EQ(In("bob", {"forget", "sessions/jsonl/s1"}).exit, 0);
  EXPECT_EQ(Json("bob", {"pull"})["forgotten"], 1);
  EXPECT_EQ(Sessions("bob").size(), 1U);
}

TEST_F(PushTest, ADamagedFrameIsSkippedWithItsNumber) {
  Capture("ada", {{"s1", 0, "one"}});
  EXPECT_EQ(In("ada", {"push"}).exit, 0);
  const size_t first = BodyBytes("recall/ada@example.com").size();
  Capture("ada", {{"s2", 0, "two"}});
  EXPECT_EQ(In("ada", {"push"}).exit, 0);
  Capture("ada", {{"s3", 0, "three"}});
  EXPECT_EQ(In("ada", {"push"}).exit, 0);
  std::string body = BodyBytes("recall/ada@example.com");
  body[first + 60] = static_cast<char>(body[first + 60] ^ 1);
  ReplaceBody("recall/ada@example.com", body);
  const RunResult pulled = In("bob", {"pull"});
  EXPECT_EQ(pulled.exit, 3) << pulled;
  EXPECT_NE(pulled.err.find("skipped frame 2"), std::string::npos) << pulled;
  EXPECT_EQ(Sessions("bob").size(), 2U);
  // The owner writes the branch anew.
  EXPECT_EQ(In("ada", {"push", "--force"}).exit, 0);
  EXPECT_EQ(In("bob", {"pull"}).exit, 0);
  EXPECT_EQ(Sessions("bob"), Sessions("ada"));

  // Something else in the place of the file, and a line that is no session.
  ReplaceBody("recall/ada@example.com", "hello\n");
  EXPECT_EQ(In("bob", {"pull"}).exit, 3);
  std::string strange(kSessionBodyHeader);
  AppendSessionFrame("{\"type\":\"doc\"}\nnonsense\n", &strange);
  ReplaceBody("recall/ada@example.com", strange);
  const RunResult refused = In("bob", {"pull"});
  EXPECT_EQ(refused.exit, 3) << refused;
  EXPECT_NE(refused.err.find("skipped 2 lines"), std::string::npos) << refused;
  EXPECT_EQ(Sessions("bob").size(), 3U);
}

// Empty frames, of which a small file can have very many.
TEST_F(PushTest, ABranchWithTooManyFramesIsNotRead) {
  Capture("ada", {{"s1", 0, "one"}});
  EXPECT_EQ(In("ada", {"push"}).exit, 0);
  std::string frame;
  AppendSessionFrame("", &frame);
  std::string body(kSessionBodyHeader);
  for (int i = 0; i <= 100'000; ++i) body += frame;
  ReplaceBody("recall/ada@example.com", body);
  const RunResult pulled = In("bob", {"pull"});
  EXPECT_EQ(pulled.exit, 3) << pulled;
  EXPECT_NE(pulled.err.find("more than 100,000 frames"), std::string::npos) << pulled;
}

TEST_F(PushTest, APushBehindTheRemoteSaysSo) {
  Clone("ada2", "ada@example.com");
  Capture("ada", {{"s1", 0, "one"}});
  Capture("ada2", {{"s2", 0, "two"}});
  EXPECT_EQ(In("ada", {"push"}).exit, 0);
  const RunResult behind = In("ada2", {"push"});
  EXPECT_EQ(behind.exit, 3) << behind;
  EXPECT_NE(behind.err.find("recall pull"), std::string::npos) << behind;
  EXPECT_EQ(In("ada2", {"pull"}).exit, 0);
  EXPECT_EQ(In("ada2", {"push"}).exit, 0);
  EXPECT_EQ(In("ada", {"pull"}).exit, 0);
  EXPECT_EQ(Sessions("ada"), Sessions("ada2"));
  // What the other machine pushed is not lost by force.
  EXPECT_EQ(In("ada", {"push", "--force"}).exit, 0);
  EXPECT_EQ(In("bob", {"pull"}).exit, 0);
  EXPECT_EQ(Sessions("bob"), Sessions("ada"));
}

TEST_F(PushTest, ErrorsSayWhatToDo) {
  EXPECT_EQ(In("ada", {"push"}).exit, 1);  // no sessions
  Capture("ada", {{"s1", 0, "one"}});
  const RunResult nowhere = In("ada", {"push", "--remote", "nowhere"});
  EXPECT_EQ(nowhere.exit, 3) << nowhere;
  EXPECT_NE(nowhere.err.find("'nowhere' does not appear to be a git repository"), std::string::npos)
      << nowhere;
  EXPECT_EQ(In("ada", {"pull", "--remote", "--upload-pack=x"}).exit, 2);
  fs::create_directories(Path("plain"));
  for (const char* verb : {"push", "pull"}) {
    const RunResult outside = In("plain", {verb, "--store", Path("ada/recall.db")});
    EXPECT_EQ(outside.exit, 1) << outside;
    EXPECT_NE(outside.err.find("is in no git repository"), std::string::npos) << outside;
    EXPECT_EQ(In("plain", {verb}).exit, 3);  // no store
  }
  GitIn(Path("ada"), {"config", "--unset", "user.email"});
  const RunResult nobody = In("ada", {"push"});
  EXPECT_EQ(nobody.exit, 2) << nobody;
  EXPECT_NE(nobody.err.find("git config user.email"), std::string::npos) << nobody;
}

// Three machines of two people capture, push and pull in a random order. The old file is always a
// prefix of the new one, and when all have exchanged what they have, all have everything.
TEST_F(PushTest, ClonesThatExchangeInAnyOrderConverge) {
  std::mt19937 random(static_cast<uint32_t>(TestSeed(31)));
  Clone("ada2", "ada@example.com");
  const std::vector<std::string> clones = {"ada", "bob", "ada2"};
  std::map<std::string, std::string> bodies;              // of the remote, by branch
  std::map<std::string, std::set<std::string>> captured;  // the texts of each session
  const auto push = [&](const std::string& clone) {
    const RunResult result = In(clone, {"push"});
    if (result.exit != 0) return false;
    const std::string branch = clone == "bob" ? "recall/bob@example.com" : "recall/ada@example.com";
    const std::string body = BodyBytes(branch);
    EXPECT_TRUE(body.starts_with(bodies[branch]));
    bodies[branch] = body;
    return true;
  };
  for (int step = 0; step < 30; ++step) {
    const std::string& clone = clones[random() % clones.size()];
    switch (random() % 3) {
      case 0: {
        // A reading of a session that may lack its beginning, its end or both.
        const std::string session = "s" + std::to_string(random() % 4);
        const int first = static_cast<int>(random() % 8);
        const int last = first + static_cast<int>(random() % 8);
        std::vector<Said> turns;
        for (int minute = first; minute <= last; ++minute) {
          const std::string text = session + " says " + std::to_string(minute);
          turns.push_back({session, minute, text});
          captured["sessions/jsonl/" + session].insert(text);
        }
        Capture(clone, turns);
        break;
      }
      case 1:
        push(clone);
        break;
      default:
        EXPECT_EQ(In(clone, {"pull"}).exit, 0);
    }
  }
  for (int round = 0; round < 2; ++round) {
    for (const std::string& clone : clones) {
      EXPECT_EQ(In(clone, {"pull"}).exit, 0);
      const RunResult pushed = In(clone, {"push"});
      EXPECT_TRUE(pushed.exit == 0 || pushed.exit == 1) << pushed;  // 1: it captured nothing
    }
  }
  for (const std::string& clone : clones) EXPECT_EQ(In(clone, {"pull"}).exit, 0);
  const auto sessions = Sessions("ada");
  EXPECT_EQ(Sessions("bob"), sessions);
  EXPECT_EQ(Sessions("ada2"), sessions);
  EXPECT_EQ(sessions.size(), captured.size());
  for (const auto& [path, texts] : captured) {
    for (const std::string& text : texts) {
      EXPECT_NE(sessions.at(path).find(text + "\n"), std::string::npos) << path << ": " << text;
    }
  }
  const std::string refs = GitIn(Path("remote.git"), {"for-each-ref"});
  for (const std::string& clone : clones) In(clone, {"push"});
  EXPECT_EQ(GitIn(Path("remote.git"), {"for-each-ref"}), refs);
}

}  // namespace
}  // namespace recall
