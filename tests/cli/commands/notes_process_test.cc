// Notes by the command line: what the commands print, their errors, and that what was recorded
// survives. Every JSON answer is compared with its schema.

#include <filesystem>

#include "tests/cli/recall_process.h"

namespace recall {
namespace {

using Json = nlohmann::ordered_json;
using Args = std::vector<std::string>;

class NotesProcessTest : public RecallTest {
 protected:
  void SetUp() override { ASSERT_EQ(Run({"init"}).exit, 0); }

  Json Ask(Args args) {
    args.push_back("--json");
    const RunResult result = Run(args);
    EXPECT_EQ(result.exit, 0) << result;
    return result.Json();
  }
  RunResult Save(const std::string& title, Args more = {}) {
    Args args = {"save", "lesson", title, "--at", "2026-01-01"};
    args.insert(args.end(), more.begin(), more.end());
    return Run(args);
  }
  Args Ids(const std::string& filter, Args more = {}) {
    Args args = {"query", "SELECT doc.path FROM doc FILTER " + filter, "--json"};
    args.insert(args.end(), more.begin(), more.end());
    Args paths;
    const Json answer = Run(args).Json();
    for (const Json& row : answer["results"]) {
      paths.push_back(row["doc"]["path"].get<std::string>());
    }
    return paths;
  }
};

TEST_F(NotesProcessTest, ExpiryIsReadAsLengthsOfTimeAre) {
  int note = 0;
  for (const auto& [given, days] :
       {std::pair("30", "30"), {"36h", "2"}, {"2w", "14"}, {"1mo", "31"}, {"0", "0"}}) {
    const std::string title = "n" + std::to_string(++note);
    Ask({"save", "lesson", title, "--text", "x", "--at", "2026-01-01", "--expires-after", given});
    EXPECT_NE(Run({"get", title}).out.find(std::string("\nexpires_after_days: ") + days + "\n"),
              std::string::npos)
        << given << Run({"get", title}).out;
  }
  for (const char* const wrong : {"soon", "-3", "40000", "2026-02-04"}) {
    const RunResult refused =
        Run({"save", "lesson", "w", "--text", "x", std::string("--expires-after=") + wrong});
    EXPECT_EQ(refused.exit, 2) << refused;
    EXPECT_NE(refused.err.find("--expires-after"), std::string::npos) << refused;
  }
}

TEST_F(NotesProcessTest, SavesWhatTheFlagsSay) {
  Write("context.json",
        R"({"situation": "Safari blocks fetch", "trigger_keywords": ["cors", "safari"]})");
  const Json saved =
      Ask({"save",         "bug",           "CORS",           "on",        "Safari", "--text",
           "Use a proxy.", "--context",     "@context.json",  "--tag",     "web",    "--topic",
           "web/http",     "--summary",     "A proxy helps.", "--scope",   "shop",   "--confidence",
           "0.8",          "--valid-until", "2027-01-01",     "--private", "--at",   "2026-01-01"});
  EXPECT_EQ(saved["save"]["path"], "notes/cors-on-safari.md");
  EXPECT_EQ(saved["save"]["due"], "2026-01-02T00:00:00Z");
  EXPECT_EQ(Run({"get", "cors-on-safari"}).out,
            "---\ntype: bug\ntitle: CORS on Safari\nsummary: A proxy helps.\ntags:\n  - web\n"
            "recall_when:\n  - cors\n  - safari\ntopic_path:\n  - web/http\nscope: shop\n"
            "confidence: 0.8\nsensitivity: private\ncreated: 2026-01-01\nvalid_until: 2027-01-01\n"
            "---\n\nUse a proxy.\n\n## Context\n\n### Situation\n\nSafari blocks fetch\n\n"
            "### Keywords\n\n- cors\n- safari\n");
  EXPECT_EQ(Ids("doc.tags = 'web' AND doc.scope = 'shop' AND doc.meta.confidence = 0.8"),
            Args{"notes/cors-on-safari.md"});
}

TEST_F(NotesProcessTest, TheSameCommandsMakeTheSameStoreAgain) {
  const auto make = [&](const std::string& store) {
    EXPECT_EQ(Run({"init", "--store", store}).exit, 0);
    for (const Args& args :
         {Args{"save", "lesson", "A", "--at", "2026-01-01", "--text", "alpha"},
          Args{"save", "lesson", "B", "--at", "2026-01-02", "--link", "supports=a"},
          Args{"used", "a", "--at", "2026-01-03"},
          Args{"review", "--rate", "4", "a", "--at", "2026-01-04"}}) {
      Args with_store = args;
      with_store.insert(with_store.begin() + 1, {"--store", store});
      EXPECT_EQ(Run(with_store).exit, 0);
    }
    return Run({"export", "--store", store, "--out", "-"}).out;
  };
  EXPECT_EQ(make("x/recall.db"), make("y/recall.db"));
}

TEST_F(NotesProcessTest, ErrorsHaveTheirCodes) {
  ASSERT_EQ(Save("Focus").exit, 0);
  const auto fails = [&](Args args, int exit, const std::string& code) {
    args.push_back("--json");
    const RunResult result = Run(args);
    EXPECT_EQ(result.exit, exit) << result;
    EXPECT_EQ(result.Json()["error"]["code"], code) << result;
  };
  fails({"save", "lesson", "Focus", "--id", "focus"}, 1, "exists");
  fails({"save", "lesson", "Focus", "--unless-near", "0.1"}, 1, "near_duplicate");
  fails({"save", "lesson"}, 2, "invalid_argument");
  fails({"save", "bug", "x", "--context", "{}"}, 2, "invalid_argument");
  fails({"save", "bug", "x", "--link", "focus"}, 2, "invalid_argument");
  fails({"link", "focus", "focus"}, 2, "invalid_argument");
  fails({"link", "focus", "nothing"}, 1, "not_found");
  fails({"unlink", "focus", "nothing"}, 1, "not_found");
  fails({"links", "nothing"}, 1, "not_found");
  fails({"used", "nothing"}, 1, "not_found");
  fails({"review", "--rate", "6", "focus"}, 2, "invalid_argument");
  fails({"review", "focus"}, 2, "invalid_argument");  // not on a terminal
  fails({"retire", "nothing"}, 1, "not_found");
  fails({"query", "SELECT doc.path FROM doc ORDER BY doc.link"}, 2, "invalid_argument");
  EXPECT_EQ(Ids("doc.kind = 'note'"), Args{"notes/focus.md"});
}

TEST_F(NotesProcessTest, AContradictionIsSaidWithTheWayToEndIt) {
  ASSERT_EQ(Save("API port", {"--text", "The API listens on port 8080."}).exit, 0);
  const Args more = {"--text", "The API listens on port 9090."};
  Args tried = more;
  tried.push_back("--dry-run");
  const std::string said = "contradicts notes/api-port.md: 'port 8080' -> 'port 9090'; ";
  EXPECT_NE(
      Save("Port of the API", tried).out.find(said + "--supersedes notes/api-port.md retires it\n"),
      std::string::npos);
  EXPECT_NE(Save("Port of the API", more)
                .out.find(said + "`recall retire notes/api-port.md --by "
                                 "notes/port-of-the-api.md` retires it\n"),
            std::string::npos);
  const Json save = Ask({"save", "lesson", "Port of an API", "--text",
                         "The API listens on port 7070.", "--dry-run"})["save"];
  ASSERT_EQ(save["contradicts"].size(), 2u) << save;
  for (const Json& old : save["contradicts"]) {
    EXPECT_EQ(old["new"], "port 7070");
    EXPECT_EQ(old["old"], old["path"] == "notes/api-port.md" ? "port 8080" : "port 9090");
  }
  EXPECT_TRUE(
      Ask({"save", "lesson", "Bread", "--text", "Knead it."})["save"]["contradicts"].empty());
}

TEST_F(NotesProcessTest, ARewrittenNoteKeepsItsCard) {
  ASSERT_EQ(Save("Focus", {"--text", "old", "--tag", "css", "--source", "me"}).exit, 0);
  const std::string before = Run({"get", "focus"}).out;
  const Json saved = Ask({"save", "--rewrite", "focus", "--text", "new\n\nSee [[focus]].", "--at",
                          "2026-02-01"})["save"];
  EXPECT_EQ(saved["id"], "focus");
  EXPECT_EQ(saved["replaced"], true);
  const std::string card = before.substr(0, before.rfind("---\n"));
  EXPECT_EQ(Run({"get", "focus"}).out,
            card + "updated: 2026-02-01T00:00:00Z\n---\n\nnew\n\nSee [[focus]].\n");
  // The same text again is no new version.
  const std::string id = Run({"get", "focus", "--fields", "hash"}).out;
  Ask({"save", "--rewrite", "focus", "--text", "new\n\nSee [[focus]].", "--at", "2026-03-01"});
  EXPECT_EQ(Run({"get", "focus", "--fields", "hash"}).out, id);

  // A note of a file is changed in its file.
  Write("vault/x.md", "---\ntype: lesson\ntitle: X\n---\nold\n");
  ASSERT_EQ(Run({"add", "--parser", "note", "vault"}).exit, 0);
  Ask({"save", "--rewrite", "vault/x.md", "--text", "new", "--at", "2026-02-01"});
  EXPECT_EQ(Read("vault/x.md"),
            "---\ntype: lesson\ntitle: X\nupdated: 2026-02-01T00:00:00Z\n---\n\nnew\n");
  EXPECT_EQ(Run({"get", "--verify", "vault/x.md"}).exit, 0);

  const auto fails = [&](Args args, int exit) {
    args.insert(args.begin(), {"save", "--rewrite"});
    EXPECT_EQ(Run(args).exit, exit) << args.back();
  };
  fails({"focus"}, 2);
  fails({"nowhere", "--text", "t"}, 1);
  fails({"focus", "--text", "t", "--tag", "more"}, 2);
  fails({"focus", "--text", "t", "lesson", "Other"}, 2);
  Write("plain.txt", "no note");
  ASSERT_EQ(Run({"add", "plain.txt"}).exit, 0);
  fails({"plain.txt", "--text", "t"}, 2);
}

// What `save` writes to a file, what a person edits there, and what `add --sync` takes, are one
// document, whichever comes first.
TEST_F(NotesProcessTest, NotesAreFilesBelowTheirDirectory) {
  ASSERT_EQ(Save("Old", {"--text", "before"}).exit, 0);
  Write("recall.toml", "notes_dir = \"vault\"\n");
  ASSERT_EQ(Save("Focus", {"--text", "one", "--link", "related=old"}).exit, 0);
  EXPECT_EQ(Read("vault/focus.md"), Run({"get", "focus"}).out);
  EXPECT_EQ(Ids("doc.origin = 'file' AND doc.kind = 'note'"), Args{"vault/focus.md"});
  EXPECT_EQ(Run({"get", "--verify", "vault/focus.md"}).exit, 0);
  const auto sync = [&](const std::string& target) {
    return Ask({"add", target, "--sync"})["add"];
  };
  EXPECT_EQ(sync("vault")["unchanged"], 1);
  EXPECT_EQ(sync(".")["added"], 1);  // recall.toml
  EXPECT_EQ(Ids("doc.kind = 'note'").size(), 2u);

  // By hand: an edit, a new note, one that is gone.
  Write("vault/focus.md", Read("vault/focus.md") + "\nSee [[old]].\n");
  Write("vault/new.md", "---\ntype: decision\ntitle: New\n---\n\nBy hand.\n");
  const Json synced = sync("vault");
  EXPECT_EQ(synced["updated"], 1);
  EXPECT_EQ(synced["added"], 1);
  EXPECT_EQ(Ids("doc.type = 'decision' AND doc.kind = 'note'"), Args{"vault/new.md"});
  Erase("vault/new.md");
  EXPECT_EQ(sync("vault")["removed"], 1);

  // New versions.
  ASSERT_EQ(Save("Focus", {"--text", "two", "--replace"}).exit, 0);
  EXPECT_TRUE(Read("vault/focus.md").ends_with("\ntwo\n"));
  ASSERT_EQ(Run({"retire", "focus"}).exit, 0);
  EXPECT_NE(Read("vault/focus.md").find("status: obsolete"), std::string::npos);
  EXPECT_EQ(sync("vault")["unchanged"], 1);
  ASSERT_EQ(Save("Old", {"--text", "after", "--replace"}).exit, 0);  // stays in the store alone
  EXPECT_EQ(Ids("doc.origin = 'saved'"), Args{"notes/old.md"});

  // The process ended between file and commit: the id is taken, and `add` brings the note.
  Write("vault/lost.md", "---\ntype: lesson\ntitle: Lost\n---\n\nWritten, not committed.\n");
  EXPECT_EQ(Run({"save", "lesson", "Lost", "--id", "lost"}).exit, 1);
  EXPECT_EQ(Ask({"save", "lesson", "Lost"})["save"]["id"], "lost-2");
  EXPECT_EQ(sync("vault")["added"], 1);
  EXPECT_EQ(Ids("doc.title = 'Lost'"), (Args{"vault/lost-2.md", "vault/lost.md"}));

  // A dry run and a refused note leave no file.
  ASSERT_EQ(Save("Dry", {"--dry-run"}).exit, 0);
  const std::string secret = "AKIA" + std::string("IOSFODNN7") + "ABCDEFG";
  EXPECT_EQ(Save("Key", {"--text", "key " + secret, "--secrets", "skip"}).exit, 2);
  EXPECT_FALSE(std::filesystem::exists(Path("vault/dry.md")));
  EXPECT_FALSE(std::filesystem::exists(Path("vault/key.md")));
  ASSERT_EQ(Save("Key", {"--text", "key " + secret, "--secrets", "redact"}).exit, 0);
  EXPECT_EQ(Read("vault/key.md").find(secret), std::string::npos);
  EXPECT_EQ(Run({"get", "--verify", "vault/key.md"}).exit, 0);
}

TEST_F(NotesProcessTest, NoNoteIsWrittenOutsideOfTheStoresDirectory) {
  const std::filesystem::path outside = std::filesystem::path(directory()).parent_path();
  std::filesystem::create_directory_symlink(outside, Path("link"));
  for (const std::string& value :
       {std::string("../x"), std::string("."), outside.string(), std::string("link/x")}) {
    Write("recall.toml", "notes_dir = \"" + value + "\"\n");
    const RunResult result = Save("Note");
    EXPECT_EQ(result.exit, 2) << value << result;
    EXPECT_NE(result.err.find("notes_dir"), std::string::npos) << result;
  }
  Write("recall.toml", "notes_dir = \"" + Path("a/b") + "\"\n");  // absolute, and below it
  EXPECT_EQ(Save("Note").exit, 0);
  EXPECT_EQ(Run({"get", "a/b/note.md"}).out, Read("a/b/note.md"));
}

TEST_F(NotesProcessTest, ANoteIsAskedForOnATerminal) {
  const auto type = [&](Args args, const std::string& input) {
    return Run(args, {.input = input, .terminal = true, .typed = true});
  };
  const RunResult asked =
      type({"save", "--ask", "--at", "2026-01-01", "--tag", "web"},
           "\nbug\nCORS on Safari\nUse a proxy.\n\nOr a header.\n.\nfetch fails\nproxy\n\n"
           "blocked by CORS\n\na.cc\nb.cc\n\n\ncors\nsafari\n\n");
  EXPECT_EQ(asked.exit, 0) << asked;
  EXPECT_NE(asked.out.find("Type (lesson, decision"), std::string::npos) << asked;
  EXPECT_EQ(Run({"get", "cors-on-safari"}).out,
            "---\ntype: bug\ntitle: CORS on Safari\ntags:\n  - web\nrecall_when:\n  - cors\n"
            "  - safari\ncreated: 2026-01-01\n---\n\nUse a proxy.\n\nOr a header.\n\n## Context\n\n"
            "### Situation\n\nfetch fails\n\n### Solution\n\nproxy\n\n### Error messages\n\n"
            "- blocked by CORS\n\n### Files\n\n- a.cc\n- b.cc\n\n### Keywords\n\n- cors\n"
            "- safari\n");
  // Commas divide keywords, and nothing else.
  const RunResult commas = type({"save", "--ask", "bug", "Commas"},
                                "a, b\n.\nx, y\ndone\n\none, two\n\n\n"
                                ", \ncors, safari proxy ,\nfetch\n\n");
  EXPECT_EQ(commas.exit, 0) << commas;
  EXPECT_NE(commas.out.find("with commas or one a line"), std::string::npos) << commas;
  const std::string divided = Run({"get", "commas"}).out;
  EXPECT_NE(divided.find("recall_when:\n  - cors\n  - safari proxy\n  - fetch\n"),
            std::string::npos)
      << divided;
  EXPECT_NE(divided.find("### Situation\n\nx, y\n"), std::string::npos) << divided;
  EXPECT_NE(divided.find("- one, two\n"), std::string::npos) << divided;
  // What is given is not asked for.
  const RunResult given = type({"save", "--ask", "lesson", "Given", "--text", "as it is"}, "\n");
  EXPECT_EQ(given.exit, 0) << given;
  EXPECT_EQ(given.out.find("Title"), std::string::npos) << given;
  const RunResult none = Run({"save", "--ask", "--json"});
  EXPECT_EQ(none.exit, 2) << none;
  EXPECT_NE(none.out.find("--ask needs a terminal"), std::string::npos) << none;
  EXPECT_EQ(Run({"save"}).exit, 2);
  EXPECT_EQ(Ids("doc.kind = 'note'").size(), 3u);
}

TEST_F(NotesProcessTest, SettingsOfReviews) {
  ASSERT_EQ(Save("A").exit, 0);
  ASSERT_EQ(Save("B").exit, 0);
  const auto rate = [&](const std::string& id, Args more = {}) {
    Args args = {"review", "--rate", "4", id, "--at", "2026-01-02"};
    args.insert(args.end(), more.begin(), more.end());
    return Ask(args)["review"];
  };
  Write("recall.toml", "review_algorithm = \"rekall\"\nreview_easiness = 2.1\n");
  EXPECT_EQ(rate("a")["interval_days"], 2);
  EXPECT_EQ(rate("a")["interval_days"], 5);
  EXPECT_EQ(rate("a")["easiness"], 2.1);                             // a 4 keeps it
  EXPECT_EQ(rate("b", {"--algorithm", "sm2"})["interval_days"], 1);  // a flag wins
  EXPECT_NE(Run({"config"}).out.find("review_easiness  = 2.1"), std::string::npos)
      << Run({"config"}).out;
  const std::pair<const char*, const char*> wrong[] = {
      {"review_algorithm = \"sm3\"\n", "must be one of sm2,rekall"},
      {"review_easiness = 1.2\n", "must be a number from 1.3 to 10"},
      {"review_easiness = \"easy\"\n", "must be a number from 1.3 to 10"},
      {"auto_backup = -1\n", "must be a whole number from 0 to 100"}};
  for (const auto& [line, message] : wrong) {
    Write("recall.toml", line);
    const RunResult result = Run({"review", "--list"});
    EXPECT_EQ(result.exit, 2) << line;
    EXPECT_NE(result.err.find(message), std::string::npos) << result;
  }
}

TEST_F(NotesProcessTest, ComputedFieldsArePrintedWhereTheyAreNamed) {
  for (const char* title : {"A", "B"}) ASSERT_EQ(Save(title, {"--text", "alpha"}).exit, 0);
  Ask({"link", "a", "b", "--as", "supports"});
  ASSERT_EQ(Run({"used", "b", "--at", "2026-01-03T12:00:00Z"}).exit, 0);
  const std::string rql =
      "SELECT doc.path, doc.lifecycle, doc.uses, doc.used_at, doc.link.supports, doc.link.any, "
      "doc.easiness FROM doc ORDER BY doc.uses";
  const Json answer = Ask({"query", rql, "--as-of", "2026-01-04"});
  EXPECT_EQ(answer["query"]["as_of"], "2026-01-04T00:00:00Z");
  EXPECT_EQ(
      answer["results"].dump(),
      R"([{"doc":{"path":"notes/b.md","lifecycle":"fresh","uses":1,)"
      R"("used_at":"2026-01-03T12:00:00Z","easiness":2.5,"link":{"any":null,"supports":null}}},)"
      R"({"doc":{"path":"notes/a.md","lifecycle":"fresh","uses":0,"used_at":null,)"
      R"("easiness":2.5,"link":{"any":["notes/b.md"],"supports":["notes/b.md"]}}}])");
  EXPECT_EQ(Run({"query", rql, "--as-of", "2026-01-04"}).out,
            "notes/b.md\tfresh\t1\t2026-01-03T12:00:00Z\t\t\t2.5\n"
            "notes/a.md\tfresh\t0\t\t[\"notes/b.md\"]\t[\"notes/b.md\"]\t2.5\n");
  const RunResult lean = Run({"query", rql + " LIMIT 1", "--as-of", "2026-01-04", "--lean"});
  EXPECT_EQ(lean.out.substr(0, lean.out.find('\n')),
            R"({"doc.path":"notes/b.md","doc.lifecycle":"fresh","doc.uses":1,)"
            R"("doc.used_at":"2026-01-03T12:00:00Z","doc.easiness":2.5})");
  // --fields of every command that has it.
  for (const Args& command : {Args{"search", "alpha"}, Args{"context", "alpha"}}) {
    Args args = command;
    args.insert(args.end(),
                {"--fields", "path,doc.uses,doc.backlink.any", "--as-of", "2026-01-04"});
    EXPECT_EQ(Run(args).out, "notes/a.md\t0\t\nnotes/b.md\t1\t[\"notes/a.md\"]\n");
  }
  EXPECT_EQ(Run({"similar", "a", "--fields", "doc.uses,doc.kind"}).out, "1\tnote\n");
  EXPECT_EQ(Run({"get", "a", "--fields", "doc.links,doc.status"}).out, "1\tactive\n");
}

TEST_F(NotesProcessTest, LinksAreDrawn) {
  for (const char* title : {"P1", "P2", "P3"}) ASSERT_EQ(Save(title).exit, 0);
  Ask({"link", "p1", "p2", "--as", "supports", "--reason", "both", "--weight", "0.5"});
  Ask({"link", "p2", "p3", "--as", "derived_from"});
  EXPECT_EQ(Run({"links", "p1", "--depth", "2", "--format", "mermaid"}).out,
            "graph LR\n  n0[\"P1\"]\n  n1[\"P2\"]\n  n2[\"P3\"]\n  n0 -->|supports| n1\n"
            "  n1 -->|derived_from| n2\n");
  const Json links = Ask({"links", "p1", "--depth", "2", "--central"});
  EXPECT_EQ(links["links"]["centrality"], 6);
  EXPECT_EQ(Ask({"link", "p1", "p2", "--as", "supports", "--reason", "both", "--weight",
                 "0.5"})["link"]["unchanged"],
            1);
  EXPECT_EQ(Ask({"unlink", "p1", "p2"})["unlink"]["links"].size(), 1u);
}

TEST_F(NotesProcessTest, UsesAndReviewsAreRecordedWhereAskedFor) {
  ASSERT_EQ(Save("Focus").exit, 0);
  const std::string before = Read("recall.db");
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(Run({"search", "focus"}).exit, 0);
    EXPECT_EQ(Run({"get", "focus"}).exit, 0);
  }
  EXPECT_EQ(Read("recall.db"), before);
  EXPECT_EQ(Run({"get", "--use", "focus"}).exit, 0);
  EXPECT_EQ(Ask({"used", "focus"})["used"]["used"][0]["uses"], 2);
  EXPECT_EQ(Ids("doc.uses = 2"), Args{"notes/focus.md"});
  const Json due = Ask({"review", "--list", "--as-of", "2026-01-02"});
  EXPECT_EQ(due["review"]["due"].size(), 1u);
  EXPECT_EQ(due["review"]["total"], 1);
  const Json rated = Ask({"review", "--rate", "4", "focus", "--at", "2026-01-02"});
  EXPECT_EQ(rated["review"]["interval_days"], 1);
  EXPECT_EQ(Ask({"stale", "--as-of", "2026-12-31"})["stale"]["stale"][0]["lifecycle"], "expired");
  EXPECT_EQ(Ask({"retire", "focus"})["retire"]["unchanged"], false);
  EXPECT_EQ(Ask({"stale", "--as-of", "2026-12-31"})["stale"]["total"], 0);
  EXPECT_EQ(Run({"doctor"}).exit, 0);
}

TEST_F(NotesProcessTest, APurgeForgetsUsesAndLinks) {
  ASSERT_EQ(Save("Secret", {"--text", "hidden"}).exit, 0);
  ASSERT_EQ(Save("Other").exit, 0);
  Ask({"link", "other", "secret"});
  Ask({"used", "secret"});
  ASSERT_EQ(Run({"rm", "notes/secret.md", "--purge"}).exit, 0);
  EXPECT_EQ(Ids("doc.links = 0"), Args{"notes/other.md"});
  EXPECT_EQ(Run({"doctor"}).exit, 0);
  EXPECT_EQ(Read("recall.db").find("notes/secret.md"), std::string::npos);
}

}  // namespace
}  // namespace recall
