// Notes over `recall push` and `recall pull`: machines of one person with clones of one remote.

#include <sys/wait.h>

#include <csignal>
#include <filesystem>
#include <map>
#include <set>
#include <thread>

#include "storage/sessions/session_body.h"
#include "tests/cli/recall_process.h"
#include "tests/git_sandbox.h"

namespace recall {
namespace {

namespace fs = std::filesystem;

class PushNotesTest : public RecallTest {
 protected:
  PushNotesTest() {
    OutputOf("git init -q --bare " + QuotedWord(Path("remote.git")));
    Machine("laptop");
    Machine("desktop");
  }

  void Machine(const std::string& name, const std::string& email = "ada@example.com") {
    MakeGitRepository(Path(name));
    GitIn(Path(name), {"config", "user.email", email});
    GitIn(Path(name), {"remote", "add", "origin", Path("remote.git")});
    EXPECT_EQ(In(name, {"init"}).exit, 0);
  }
  // Lets a machine keep its notes as files.
  void KeepFiles(const std::string& name) {
    Write(name + "/recall.toml", "notes_dir = \"notes\"\n");
  }

  static std::map<std::string, std::string> Variables() {
    return {GitSandboxVariables().begin(), GitSandboxVariables().end()};
  }
  RunResult In(const std::string& machine, std::vector<std::string> args) {
    return Run(std::move(args), {.directory = Path(machine), .env = Variables()});
  }
  void Done(const std::string& machine, std::vector<std::string> args) {
    const RunResult result = In(machine, std::move(args));
    EXPECT_EQ(result.exit, 0) << result;
  }
  // What a push or a pull says of notes.
  nlohmann::ordered_json Notes(const std::string& machine, std::vector<std::string> args) {
    const std::string verb = args[0];
    args.push_back("--json");
    const RunResult result = In(machine, std::move(args));
    EXPECT_EQ(result.exit, 0) << result;
    return result.Json()[verb]["notes"];
  }

  // Saves a note on a day of March, or gives it another text.
  void Save(const std::string& machine, const std::string& id, int day, const std::string& text,
            const std::vector<std::string>& more = {}) {
    const std::string at = (day < 10 ? "2026-03-0" : "2026-03-") + std::to_string(day);
    std::vector<std::string> args = {"save", "lesson", "About " + id, "--id", id, "--replace",
                                     "--at", at,       "--text",      text};
    args.insert(args.end(), more.begin(), more.end());
    Done(machine, std::move(args));
  }

  // The notes of a machine: the lines of an export, without the reviews, which are its own.
  std::map<std::string, std::string> NotesOf(const std::string& machine) {
    std::map<std::string, std::string> notes;
    const RunResult result = In(machine, {"export"});
    EXPECT_EQ(result.exit, 0) << result;
    std::istringstream lines(result.out);
    for (std::string line; std::getline(lines, line);) {
      auto json = nlohmann::json::parse(line);
      if (json["type"] != "doc" || json["parser"] != "note") continue;
      json.erase("records");
      notes[json["path"]] = json.dump();
    }
    return notes;
  }
  std::string TextOf(const std::string& machine, const std::string& path) {
    return In(machine, {"get", path}).out;
  }
  bool Has(const std::string& machine, const std::string& path) {
    return NotesOf(machine).contains(path);
  }
  static std::set<std::string> PathsOf(const std::map<std::string, std::string>& notes) {
    std::set<std::string> paths;
    for (const auto& [path, line] : notes) paths.insert(path);
    return paths;
  }

  void Exchange(const std::string& machine) {
    Done(machine, {"pull"});
    Done(machine, {"push"});
  }
  std::string RemoteRefs() { return GitIn(Path("remote.git"), {"for-each-ref"}); }
  std::string Body() {
    OutputOf("git -C " + QuotedWord(Path("remote.git")) +
             " cat-file blob refs/heads/recall/ada@example.com:recall.body > " +
             QuotedWord(Path("body")));
    return Read("body");
  }
  // All lines of notes on the branch.
  std::string LinesOfNotes() {
    std::string lines;
    const std::string body = Body();
    auto reader = SessionBodyReader::Open(body);
    EXPECT_TRUE(reader.has_value());
    while (const auto frame = reader->Next()) lines += frame->notes;
    return lines;
  }
};

TEST_F(PushNotesTest, NotesFollowTheirOwner) {
  Save("laptop", "locks", 1, "Take the lock first.");
  Save("laptop", "fonts", 2, "Fonts are cached.");
  const auto pushed = Notes("laptop", {"push"});
  EXPECT_EQ(pushed["present"], 2);
  EXPECT_EQ(pushed["written"], 2);
  const std::string first = Body();

  EXPECT_EQ(Notes("desktop", {"pull"})["added"], 2);
  EXPECT_EQ(NotesOf("desktop"), NotesOf("laptop"));
  EXPECT_EQ(NotesOf("desktop").size(), 2U);
  // The next search finds them.
  EXPECT_NE(In("desktop", {"search", "fonts cached"}).out.find("notes/fonts.md"),
            std::string::npos);

  Save("desktop", "locks", 3, "Take the lock last.");
  EXPECT_EQ(Notes("desktop", {"push"})["written"], 1);
  EXPECT_TRUE(Body().starts_with(first));
  EXPECT_EQ(Notes("laptop", {"pull"})["updated"], 1);
  EXPECT_EQ(NotesOf("laptop"), NotesOf("desktop"));
  EXPECT_NE(TextOf("laptop", "locks").find("last"), std::string::npos);
}

TEST_F(PushNotesTest, AgainChangesNothing) {
  Save("laptop", "locks", 1, "Take the lock first.");
  Exchange("laptop");
  Exchange("desktop");
  const std::string refs = RemoteRefs();
  const auto notes = NotesOf("desktop");
  for (const char* machine : {"desktop", "laptop", "laptop", "desktop"}) {
    const auto pulled = Notes(machine, {"pull"});
    EXPECT_EQ(pulled["added"], 0);
    EXPECT_EQ(pulled["updated"], 0);
    EXPECT_EQ(pulled["unchanged"], 1);
    EXPECT_EQ(Notes(machine, {"push"})["written"], 0);
    EXPECT_EQ(NotesOf(machine), notes);
  }
  EXPECT_EQ(RemoteRefs(), refs);
}

// One machine pushes many edits before the other one pulls, and never pulls itself.
TEST_F(PushNotesTest, ManyEditsOfOneMachineAreNoConflict) {
  Save("laptop", "locks", 1, "Version 1.");
  Done("laptop", {"push"});
  Done("desktop", {"pull"});
  for (int day = 2; day < 25; ++day) {
    Save("laptop", "locks", day, "Version " + std::to_string(day) + ".");
    Done("laptop", {"push"});
  }
  const auto pulled = Notes("desktop", {"pull"});
  EXPECT_EQ(pulled["updated"], 1);
  EXPECT_TRUE(pulled["conflicts"].empty());
  EXPECT_TRUE(Notes("laptop", {"pull"})["conflicts"].empty());
  EXPECT_EQ(NotesOf("laptop"), NotesOf("desktop"));
  EXPECT_NE(TextOf("desktop", "locks").find("Version 24."), std::string::npos);
}

class ConflictTest : public PushNotesTest {
 protected:
  // The same edits on both machines, which then exchange them in this order.
  std::map<std::string, std::string> After(const std::vector<std::string>& order,
                                           const std::string& suffix) {
    OutputOf("git init -q --bare " + QuotedWord(Path("remote" + suffix + ".git")));
    for (const char* name : {"laptop", "desktop"}) {
      Machine(name + suffix);
      GitIn(Path(name + suffix), {"remote", "set-url", "origin", Path("remote" + suffix + ".git")});
    }
    Save("laptop" + suffix, "locks", 1, "Take the lock first.");
    Exchange("laptop" + suffix);
    Exchange("desktop" + suffix);
    Save("laptop" + suffix, "locks", 4, "Laptop: take it early.");
    Save("desktop" + suffix, "locks", 5, "Desktop: take it late.");
    for (const std::string& machine : order) Exchange(machine + suffix);
    for (const std::string& machine : order) Exchange(machine + suffix);
    const auto notes = NotesOf("laptop" + suffix);
    EXPECT_EQ(NotesOf("desktop" + suffix), notes);
    return notes;
  }
};

TEST_F(ConflictTest, BothOrdersGiveTheSameNotesAndLoseNothing) {
  const auto notes = After({"laptop", "desktop"}, "1");
  EXPECT_EQ(After({"desktop", "laptop"}, "2"), notes);
  ASSERT_EQ(notes.size(), 2U);
  EXPECT_NE(TextOf("laptop1", "locks").find("Desktop: take it late."), std::string::npos);
  const std::string copy = notes.begin()->first;
  EXPECT_TRUE(copy.starts_with("notes/locks.conflict-")) << copy;
  EXPECT_NE(TextOf("desktop1", copy).find("Laptop: take it early."), std::string::npos);
}

TEST_F(ConflictTest, IsShown) {
  Save("laptop", "locks", 1, "Take the lock first.");
  Exchange("laptop");
  Exchange("desktop");
  Save("laptop", "locks", 4, "Laptop: take it early.");
  Save("desktop", "locks", 5, "Desktop: take it late.");
  Done("laptop", {"push"});
  const RunResult behind = In("desktop", {"push"});
  EXPECT_EQ(behind.exit, 3) << behind;
  EXPECT_NE(behind.err.find("recall pull"), std::string::npos) << behind;
  const auto dry = Notes("desktop", {"pull", "--dry-run"});
  EXPECT_EQ(dry["conflicts"].size(), 1U);
  EXPECT_EQ(NotesOf("desktop").size(), 1U);
  const RunResult pulled = In("desktop", {"pull"});
  EXPECT_EQ(pulled.exit, 0) << pulled;
  EXPECT_NE(pulled.out.find("conflict: notes/locks.md was edited on two machines; the text of this "
                            "store stands, the other is notes/locks.conflict-"),
            std::string::npos)
      << pulled;
  // It is shown once, and stays to be found.
  EXPECT_TRUE(Notes("desktop", {"pull"})["conflicts"].empty());
  const auto stale = In("desktop", {"stale", "--as-of", "2026-03-06", "--json"}).Json()["stale"];
  ASSERT_EQ(stale["total"], 1);
  EXPECT_TRUE(stale["stale"][0]["conflict"].get<bool>());
  const std::string copy = stale["stale"][0]["path"];
  EXPECT_EQ(In("desktop", {"query", "SELECT doc.path FROM doc FILTER doc.status = 'conflict'"}).out,
            copy + "\n");
  EXPECT_EQ(
      In("desktop", {"query", "SELECT doc.path FROM doc FILTER doc.lifecycle = 'obsolete'"}).out,
      copy + "\n");
  // Whoever has settled it removes the copy, on all machines.
  Exchange("desktop");
  Exchange("laptop");
  EXPECT_TRUE(Has("laptop", copy));
  Done("laptop", {"rm", copy});
  Exchange("laptop");
  Exchange("desktop");
  EXPECT_FALSE(Has("desktop", copy));
  EXPECT_EQ(NotesOf("desktop"), NotesOf("laptop"));
}

// Neither machine has pulled: a third one finds both texts on the branch.
TEST_F(ConflictTest, ABranchWithTwoTextsIsUnitedByWhoeverPulls) {
  Save("laptop", "locks", 1, "Laptop: take it early.");
  Save("desktop", "locks", 2, "Desktop: take it late.");
  Done("laptop", {"push"});
  // As `git fetch` does it: the branch is there, and nobody has looked at it.
  GitIn(Path("desktop"), {"fetch", "-q", "origin"});
  Done("desktop", {"push"});
  Machine("phone");
  for (const char* machine : {"phone", "laptop", "desktop", "phone", "laptop", "desktop"}) {
    Exchange(machine);
  }
  for (const char* machine : {"laptop", "desktop", "phone"}) {
    EXPECT_EQ(NotesOf(machine), NotesOf("phone")) << machine;
    EXPECT_NE(TextOf(machine, "locks").find("Desktop: take it late."), std::string::npos);
  }
  EXPECT_EQ(NotesOf("phone").size(), 2U);
}

TEST_F(PushNotesTest, ARetiredNoteIsRetiredElsewhere) {
  Save("laptop", "old", 1, "Use the old way.");
  Save("laptop", "new", 2, "Use the new way.");
  Exchange("laptop");
  Exchange("desktop");
  Done("laptop", {"retire", "old", "--by", "new", "--at", "2026-03-03"});
  Exchange("laptop");
  Exchange("desktop");
  EXPECT_EQ(
      In("desktop", {"query", "SELECT doc.path FROM doc FILTER doc.lifecycle = 'obsolete'"}).out,
      "notes/old.md\n");
  EXPECT_EQ(NotesOf("desktop"), NotesOf("laptop"));
}

TEST_F(PushNotesTest, ARemovedNoteStaysRemoved) {
  Save("laptop", "locks", 1, "Take the lock first.");
  Save("laptop", "fonts", 2, "Fonts are cached.");
  Exchange("laptop");
  Exchange("desktop");
  // Also without the old versions.
  Done("laptop", {"rm", "--purge", "notes/locks.md"});
  EXPECT_EQ(Notes("laptop", {"push"})["removed"], 1);
  EXPECT_EQ(Notes("desktop", {"pull"})["removed"], 1);
  for (const char* machine : {"laptop", "desktop", "laptop"}) {
    Exchange(machine);
    EXPECT_EQ(PathsOf(NotesOf(machine)), std::set<std::string>{"notes/fonts.md"}) << machine;
  }
  // A machine that has never had it does not get it.
  Machine("phone");
  EXPECT_EQ(Notes("phone", {"pull"})["added"], 1);
  // It can be written again.
  Save("desktop", "locks", 9, "No lock is needed.");
  Exchange("desktop");
  Exchange("laptop");
  EXPECT_NE(TextOf("laptop", "locks").find("No lock"), std::string::npos);
}

TEST_F(PushNotesTest, AnEditBeatsARemoval) {
  Save("laptop", "locks", 1, "Take the lock first.");
  Exchange("laptop");
  Exchange("desktop");
  Done("laptop", {"rm", "notes/locks.md"});
  Save("desktop", "locks", 2, "Take the lock last.");
  Exchange("laptop");
  const auto pulled = Notes("desktop", {"pull"});
  EXPECT_EQ(pulled["kept"], nlohmann::ordered_json::array({"notes/locks.md"}));
  Done("desktop", {"push"});
  Exchange("laptop");
  EXPECT_NE(TextOf("laptop", "locks").find("last"), std::string::npos);
  EXPECT_EQ(NotesOf("desktop"), NotesOf("laptop"));
}

TEST_F(PushNotesTest, NotesOfOthersAreNotTaken) {
  Machine("bob", "bob@example.com");
  Save("laptop", "locks", 1, "Ada: take the lock first.");
  Save("bob", "locks", 9, "Bob: take the lock last.");
  Exchange("laptop");
  Exchange("bob");
  const auto pulled = Notes("laptop", {"pull"});
  EXPECT_EQ(pulled["added"], 0);
  EXPECT_TRUE(pulled["conflicts"].empty());
  EXPECT_NE(TextOf("laptop", "locks").find("Ada"), std::string::npos);
  EXPECT_NE(TextOf("bob", "locks").find("Bob"), std::string::npos);
}

TEST_F(PushNotesTest, PrivateNotesStayUnlessAskedFor) {
  Save("laptop", "salary", 1, "I want more.", {"--private"});
  const RunResult none = In("laptop", {"push"});
  EXPECT_EQ(none.exit, 1) << none;
  EXPECT_NE(none.err.find("--include-private"), std::string::npos) << none;
  Save("laptop", "locks", 1, "Take the lock first.");
  EXPECT_EQ(Notes("laptop", {"push"})["kept_private"], 1);
  EXPECT_EQ(LinesOfNotes().find("I want more"), std::string::npos);
  EXPECT_EQ(Notes("desktop", {"pull"})["added"], 1);
  EXPECT_EQ(Notes("laptop", {"push", "--include-private"})["written"], 1);
  EXPECT_EQ(Notes("desktop", {"pull"})["added"], 1);
  EXPECT_EQ(NotesOf("desktop"), NotesOf("laptop"));
  // A push without the flag removes nothing.
  Done("desktop", {"push"});
  EXPECT_EQ(Notes("laptop", {"pull"})["removed"], 0);
}

TEST_F(PushNotesTest, SecretsAreReplacedAndNoEdit) {
  const std::string key = std::string("AKIA") + "Q3EGRTUVPLMNWX7Z";
  Save("laptop", "keys", 1, "The key is " + key + ".", {"--secrets", "keep"});
  const RunResult pushed = In("laptop", {"push", "--json"});
  EXPECT_EQ(pushed.Json()["push"]["redacted"].size(), 1U) << pushed;
  // Neither in the text nor, in lower case, among the triggers.
  EXPECT_NE(TextOf("laptop", "keys").find("akiaq3egrtuvplmnwx7z"), std::string::npos);
  EXPECT_EQ(LinesOfNotes().find(key), std::string::npos);
  EXPECT_EQ(LinesOfNotes().find("akiaq3egrtuvplmnwx7z"), std::string::npos);
  Done("desktop", {"pull"});
  EXPECT_NE(TextOf("desktop", "keys").find("[redacted: "), std::string::npos);
  // Here it stays, and neither machine takes the other text for an edit.
  EXPECT_TRUE(Notes("laptop", {"pull"})["conflicts"].empty());
  EXPECT_EQ(Notes("laptop", {"push"})["written"], 0);
  EXPECT_EQ(Notes("desktop", {"push"})["written"], 0);
  EXPECT_NE(TextOf("laptop", "keys").find(key), std::string::npos);
}

TEST_F(PushNotesTest, AFilterChoosesAndRemovesNothing) {
  Save("laptop", "locks", 1, "Take the lock first.");
  Save("laptop", "fonts", 2, "Fonts are cached.");
  EXPECT_EQ(Notes("laptop", {"push", "--filter", "doc.path = 'notes/locks.md'"})["present"], 1);
  EXPECT_EQ(Notes("desktop", {"pull"})["added"], 1);
  Done("laptop", {"rm", "notes/locks.md"});
  EXPECT_EQ(Notes("laptop", {"push", "--filter", "doc.kind = 'session'"})["removed"], 0);
  EXPECT_EQ(Notes("desktop", {"pull"})["removed"], 0);
}

// What `recall push` of an older version leaves: sessions alone.
TEST_F(PushNotesTest, ABranchWithoutNotesIsRead) {
  Write("one.jsonl", R"({"session":"s1","role":"human","text":"hello","at":"2026-02-25T10:00:00Z"})"
                     "\n");
  Done("laptop", {"capture", "--from", "jsonl", Path("one.jsonl")});
  const auto pushed = Notes("laptop", {"push"});
  EXPECT_EQ(pushed["present"], 0);
  const auto pulled = Notes("desktop", {"pull"});
  EXPECT_EQ(pulled["added"], 0);
  EXPECT_EQ(pulled["unchanged"], 0);
  EXPECT_EQ(LinesOfNotes(), "");
  // Sessions and notes share the branch from then on.
  Save("desktop", "locks", 1, "Take the lock first.");
  EXPECT_EQ(Notes("desktop", {"push"})["written"], 1);
  EXPECT_EQ(Notes("laptop", {"pull"})["added"], 1);
  EXPECT_EQ(In("laptop", {"pull", "--json"}).Json()["pull"]["unchanged"], 1);
}

TEST_F(PushNotesTest, ADamagedFrameAndForeignLinesAreSkipped) {
  Save("laptop", "locks", 1, "Take the lock first.");
  Done("laptop", {"push"});
  std::string body = Body();
  AppendNoteFrame("{\"type\":\"note\",\"path\":\"../x.md\"}\nnonsense\n{\"type\":\"later\"}\n",
                  &body);
  Write("body", body);
  const std::string git = "git -C " + QuotedWord(Path("remote.git"));
  const std::string blob = OutputOf(git + " hash-object -w --stdin < " + QuotedWord(Path("body")));
  const std::string tree =
      OutputOf("printf '100644 blob " + blob + "\\trecall.body\\n' | " + git + " mktree");
  const std::string commit =
      OutputOf("GIT_AUTHOR_NAME=x GIT_AUTHOR_EMAIL=x GIT_COMMITTER_NAME=x GIT_COMMITTER_EMAIL=x " +
               git + " commit-tree -m x " + tree);
  OutputOf(git + " update-ref refs/heads/recall/ada@example.com " + commit);
  const RunResult pulled = In("desktop", {"pull"});
  EXPECT_EQ(pulled.exit, 3) << pulled;
  EXPECT_NE(pulled.err.find("skipped 2 lines that are no notes"), std::string::npos) << pulled;
  EXPECT_TRUE(Has("desktop", "notes/locks.md"));
}

TEST_F(PushNotesTest, APushThatFailsCanBeMadeAgain) {
  Save("laptop", "locks", 1, "Take the lock first.");
  Exchange("laptop");
  Exchange("desktop");
  Save("laptop", "locks", 2, "Take the lock last.");
  EXPECT_EQ(In("laptop", {"push", "--remote", Path("nowhere.git")}).exit, 3);
  Save("laptop", "locks", 3, "Take no lock.");
  Done("laptop", {"push"});
  const auto pulled = Notes("desktop", {"pull"});
  EXPECT_EQ(pulled["updated"], 1);
  EXPECT_TRUE(pulled["conflicts"].empty());
  EXPECT_EQ(NotesOf("desktop"), NotesOf("laptop"));
}

TEST_F(PushNotesTest, AnewWithoutOldVersionsItIsTheSame) {
  Save("laptop", "locks", 1, "Take the lock first.");
  Save("laptop", "fonts", 1, "Fonts are cached.");
  Exchange("laptop");
  Exchange("desktop");
  Save("laptop", "locks", 2, "Take the lock last.");
  Done("laptop", {"rm", "notes/fonts.md"});
  Done("laptop", {"push", "--force"});
  EXPECT_EQ(LinesOfNotes().find("lock first"), std::string::npos);
  const auto pulled = Notes("desktop", {"pull"});
  EXPECT_EQ(pulled["updated"], 1);
  EXPECT_EQ(pulled["removed"], 1);
  EXPECT_TRUE(pulled["conflicts"].empty());
  Exchange("desktop");
  Exchange("laptop");
  EXPECT_EQ(NotesOf("desktop"), NotesOf("laptop"));
}

TEST_F(PushNotesTest, NotesThatAreFilesAreWrittenAndRemoved) {
  KeepFiles("desktop");
  Save("laptop", "locks", 1, "Take the lock first.");
  Exchange("laptop");
  Done("desktop", {"pull"});
  EXPECT_EQ(Read("desktop/notes/locks.md"), TextOf("laptop", "locks"));
  Save("laptop", "locks", 2, "Take the lock last.");
  Exchange("laptop");
  Done("desktop", {"pull"});
  EXPECT_EQ(Read("desktop/notes/locks.md"), TextOf("laptop", "locks"));
  // An edit of the file, once it is added, goes the other way.
  Write("desktop/notes/locks.md", Read("desktop/notes/locks.md") + "\nBy hand.\n");
  Done("desktop", {"add", "notes", "--sync"});
  Done("desktop", {"push"});
  Done("laptop", {"pull"});
  EXPECT_NE(TextOf("laptop", "locks").find("By hand."), std::string::npos);
  Done("laptop", {"rm", "notes/locks.md"});
  Exchange("laptop");
  EXPECT_EQ(Notes("desktop", {"pull"})["removed"], 1);
  EXPECT_FALSE(fs::exists(Path("desktop/notes/locks.md")));
}

TEST_F(PushNotesTest, AFileThatWasEditedSinceIsLeft) {
  KeepFiles("desktop");
  Save("laptop", "locks", 1, "Take the lock first.");
  Exchange("laptop");
  Exchange("desktop");
  Save("laptop", "locks", 2, "Take the lock last.");
  Exchange("laptop");
  const std::string edited = Read("desktop/notes/locks.md") + "\nBy hand.\n";
  Write("desktop/notes/locks.md", edited);
  const auto left = Notes("desktop", {"pull"})["left"];
  ASSERT_EQ(left.size(), 1U);
  EXPECT_EQ(left[0]["path"], "notes/locks.md");
  EXPECT_NE(left[0]["reason"].get<std::string>().find("has changed"), std::string::npos);
  EXPECT_EQ(Read("desktop/notes/locks.md"), edited);
  // Once the edit is added, both texts are there.
  Done("desktop", {"add", "notes", "--sync"});
  EXPECT_EQ(Notes("desktop", {"pull"})["conflicts"].size(), 1U);
  EXPECT_EQ(NotesOf("desktop").size(), 2U);
  int files = 0;
  std::string all;
  for (const auto& file : fs::directory_iterator(Path("desktop/notes"))) {
    files += 1;
    all += Read("desktop/notes/" + file.path().filename().string());
  }
  EXPECT_EQ(files, 2);
  EXPECT_NE(all.find("By hand."), std::string::npos);
  EXPECT_NE(all.find("Take the lock last."), std::string::npos);
}

TEST_F(PushNotesTest, NotesWhoseFilesGitHasAreLeftToGit) {
  KeepFiles("laptop");
  Save("laptop", "locks", 1, "Take the lock first.");
  Save("laptop", "fonts", 1, "Fonts are cached.");
  GitIn(Path("laptop"), {"add", "notes/locks.md"});
  const auto pushed = Notes("laptop", {"push"});
  EXPECT_EQ(pushed["kept_by_git"], 1);
  EXPECT_EQ(pushed["written"], 1);
  EXPECT_EQ(LinesOfNotes().find("lock first"), std::string::npos);
}

// A pull is killed while it writes files. The next one finishes, and nothing is there twice.
TEST_F(PushNotesTest, AKilledPullIsFinishedByTheNext) {
  constexpr int kNotes = 12;
  for (int i = 0; i < kNotes; ++i) {
    Save("laptop", "note-" + std::to_string(i), 1, "Note number " + std::to_string(i) + ".");
  }
  Done("laptop", {"push"});
  const auto notes = NotesOf("laptop");
  // The repository is the directory of the test, where Start runs the program.
  MakeGitRepository(directory());
  GitIn(directory(), {"remote", "add", "origin", Path("remote.git")});
  ASSERT_EQ(Run({"init", Path("recall.db")}, {.env = Variables()}).exit, 0);
  KeepFiles(".");
  for (int files = 0; files < kNotes; files += 3) {
    const pid_t child = Start({"pull", "--store", Path("recall.db")}, {.env = Variables()});
    const auto written = [&] {
      std::error_code error;
      int count = 0;
      for (fs::directory_iterator it(Path("notes"), error), end; !error && it != end;
           it.increment(error)) {
        count += it->path().extension() == ".md";
      }
      return count;
    };
    for (;;) {
      siginfo_t ended = {};
      ::waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOHANG | WNOWAIT);
      if (ended.si_pid == child || written() >= files) break;
      std::this_thread::yield();
    }
    ::kill(child, SIGKILL);
    Wait(child);
  }
  const RunResult last =
      Run({"pull", "--store", Path("recall.db"), "--json"}, {.env = Variables()});
  EXPECT_EQ(last.exit, 0) << last;
  const auto pulled = last.Json()["pull"]["notes"];
  EXPECT_EQ(pulled["added"].get<int>() + pulled["unchanged"].get<int>(), kNotes) << last;
  EXPECT_TRUE(pulled["conflicts"].empty());
  EXPECT_TRUE(pulled["left"].empty()) << last;
  EXPECT_EQ(PathsOf(NotesOf(".")), PathsOf(notes));
  EXPECT_EQ(In(".", {"doctor"}).exit, 0);
}

}  // namespace
}  // namespace recall
