// Views: --view, --payload, --shape, `config --views`.

#include <algorithm>
#include <sstream>

#include "cli/show/output/number_text.h"
#include "tests/cli/recall_process.h"

namespace recall {
namespace {

using Json = nlohmann::ordered_json;
using Args = std::vector<std::string>;

class ViewTest : public RecallTest {
 protected:
  struct Note {
    std::string id;
    std::string card;  // lines beyond title and type
    std::string text;
    std::string type = "lesson";
  };

  void WriteNote(const Note& note) {
    Write("notes/" + note.id + ".md", "---\nid: " + note.id + "\ntitle: Title of " + note.id +
                                          "\ntype: " + note.type + "\n" + note.card + "---\n" +
                                          note.text + "\n");
  }

  void MakeNotes(const std::vector<Note>& notes) {
    ASSERT_EQ(Run({"init"}).exit, 0);
    for (const Note& note : notes) WriteNote(note);
    const RunResult added = Run({"add", "--parser", "note", "notes"});
    ASSERT_EQ(added.exit, 0) << added;
  }

  // Notes about input components, a preference among them, and a view of the lessons.
  void MakeSmallVault() {
    Write("recall.toml",
          "[view.lessons]\n"
          "filter = \"doc.meta.type = 'lesson'\"\n"
          "stages = [\"per-document\"]\n"
          "k = 2\n"
          "min_score = 0.05\n"
          "strong = 0.3\n"
          "payload = \"lean\"\n");
    MakeNotes({{"focus", "scope: frontend\nsummary: Never stack focus styles.\n",
                "Focus styles of an input component must not be stacked."},
               {"labels", "recall_when:\n  - creating new input component\n",
                "Every input component has a label of its own, which is visible."},
               {"tests", "summary: Test input components.\n", "Write a test for each component."},
               {"tone", "summary: Short answers about an input component.\n",
                "Answers about an input component are short.", "preference"}});
  }

  Json Ask(const std::string& command, Args flags, const std::string& text) {
    flags.insert(flags.begin(), {command, "--json"});
    flags.push_back(text);
    const RunResult result = Run(flags);
    EXPECT_EQ(result.exit, 0) << result;
    return result.Json();
  }

  static Args PathsOf(const Json& answer) {
    Args paths;
    for (const Json& hit : answer["results"]) paths.push_back(hit["doc"]["path"]);
    return paths;
  }
};

TEST_F(ViewTest, ALeanHitHasExactlyItsKeys) {
  MakeSmallVault();
  const Json found = Ask("search", {"--view", "lessons", "-k", "3"}, "new input component");
  EXPECT_EQ(found["query"]["view"], "lessons");
  EXPECT_EQ(found["query"]["filters"], "doc.meta.type = 'lesson'");
  EXPECT_FALSE(found.contains("explain"));
  ASSERT_EQ(found["results"].size(), 3u);
  for (const Json& hit : found["results"]) {
    const std::string path = hit["doc"]["path"];
    if (path == "notes/focus.md") {
      EXPECT_EQ(KeysOf(hit), (Args{"score", "band", "doc"}));
      EXPECT_EQ(KeysOf(hit["doc"]),
                (Args{"id", "path", "kind", "type", "title", "scope", "summary"}));
      EXPECT_EQ(hit["doc"]["kind"], "note");
      EXPECT_EQ(hit["doc"]["type"], "lesson");
      EXPECT_EQ(hit["doc"]["title"], "Title of focus");
      EXPECT_EQ(hit["doc"]["scope"], "frontend");
      EXPECT_EQ(hit["doc"]["summary"], "Never stack focus styles.");
    } else if (path == "notes/labels.md") {
      // No summary: the text without its card.
      EXPECT_EQ(KeysOf(hit), (Args{"score", "band", "doc", "snippet"}));
      EXPECT_EQ(KeysOf(hit["doc"]), (Args{"id", "path", "kind", "type", "title"}));
      EXPECT_EQ(hit["snippet"], "Every input component has a label of its own, which is visible.");
    }
    EXPECT_EQ(hit["band"], hit["score"] >= 0.3 ? "strong" : "read");
  }
}

// A view means the same in RQL as in a search.
TEST_F(ViewTest, RqlNamesAView) {
  MakeSmallVault();
  for (const char* view : {"lessons", "memory", "entries"}) {
    for (const char* text : {"new input component", "focus styles", "test"}) {
      const Json search =
          Ask("search", {"--view", view, "--fields", "path,score", "--as-of", "2026-06-01"}, text);
      const std::string rql = "FROM chunk VIEW '" + std::string(view) + "' USING semantic('" +
                              text + "'), lexical('" + text + "')";
      const Json query =
          Ask("query", {"--fields", "path,score", "--as-of", "2026-06-01"}, rql + " SELECT score");
      EXPECT_EQ(query["results"], search["results"]) << view << ": " << text;
      EXPECT_EQ(query["query"]["view"], view);
      EXPECT_EQ(query["query"]["limit"], search["query"]["limit"]);
      EXPECT_EQ(query["query"]["rql"], rql + " SELECT score");
    }
  }
}

TEST_F(ViewTest, ClausesAndFlagsWinOverAViewInRql) {
  MakeSmallVault();
  const std::string using_ = " USING lexical('input component') ";
  const auto paths = [&](const std::string& rql, const Args& flags = {}) {
    return PathsOf(Ask("query", flags, rql));
  };
  const std::string view = "FROM doc VIEW 'lessons'";
  EXPECT_EQ(paths(view + " SELECT doc.path"), (Args{"notes/focus.md", "notes/labels.md"}))
      << "its filter and its number of results, by path";
  EXPECT_EQ(paths(view + " LIMIT 9 SELECT doc.path"),
            (Args{"notes/focus.md", "notes/labels.md", "notes/tests.md"}));
  EXPECT_EQ(paths(view + " FILTER doc.path != 'notes/focus.md' OR doc.path = 'notes/tone.md' "
                         "SELECT doc.path"),
            (Args{"notes/labels.md", "notes/tests.md"}));
  EXPECT_EQ(paths(view + using_ + "LIMIT 9 SELECT doc.path", {"--min-score", "1"}), Args{});
  EXPECT_FALSE(paths(view + using_ + "LIMIT 9 SELECT doc.path").empty());
}

TEST_F(ViewTest, AViewThatRqlNamesWronglyIsShownThere) {
  MakeSmallVault();
  Write("recall.toml", Read("recall.toml") + "[view.broken]\nfilter = \"doc.mtime > 'soon'\"\n");
  const auto error = [&](const std::string& rql) {
    const RunResult result = Run({"query", "--json", rql});
    EXPECT_EQ(result.exit, 2) << result;
    return result.Json()["error"];
  };
  const Json unknown = error("FROM doc VIEW 'nosuch' SELECT doc.path");
  EXPECT_EQ(unknown["message"], "there is no view 'nosuch'");
  EXPECT_EQ(unknown["details"]["column"], 15);
  EXPECT_NE(std::string(unknown["hint"]).find("lessons"), std::string::npos) << unknown;
  EXPECT_EQ(error("FROM doc VIEW 'broken' SELECT doc.path")["details"]["column"], 15);
  EXPECT_EQ(error("FROM doc VIEW memory SELECT doc.path")["hint"], "as in VIEW 'memory'");
  EXPECT_EQ(error("FROM doc VIEW 'a' VIEW 'b' SELECT doc.path")["message"], "a second VIEW clause");
}

TEST_F(ViewTest, TheBuiltInViewsAreOfNotes) {
  MakeNotes({{"focus", "recall_when:\n  - creating new input component\n",
              "Do not stack focus styles.\n\n## Context\n\nAn input component had two outlines."},
             {"old", "status: obsolete\n", "A new input component has a label."},
             {"aged", "created: 2020-01-01T00:00:00Z\nupdated: 2020-01-01T00:00:00Z\n",
              "A new input component has a border."}});
  Write("input.md", "# Input\n\nA file about a new input component.\n");
  ASSERT_EQ(Run({"add", "input.md"}).exit, 0);
  // Stages of the view that depend on the time are left to their own tests.
  const Args memory = {"--view", "memory", "--stages", "per-document", "--min-score", "0"};
  const Json found = Ask("search", memory, "new input component");
  EXPECT_EQ(found["query"]["limit"], 5);
  // The note has two chunks, but one hit.
  EXPECT_EQ(PathsOf(found), (Args{"notes/focus.md", "notes/aged.md"}));
  EXPECT_EQ(KeysOf(found["results"][0]), (Args{"score", "band", "doc", "snippet"}));
  const Json entries = Ask("search", {"--view", "entries"}, "new input component");
  EXPECT_EQ(entries["query"]["limit"], 20);
  Args paths = PathsOf(entries);
  std::ranges::sort(paths);
  EXPECT_EQ(paths, (Args{"notes/aged.md", "notes/focus.md"}));
}

TEST_F(ViewTest, FlagsWinAndFiltersAreJoined) {
  MakeSmallVault();
  const Args view = {"--view", "lessons"};
  EXPECT_EQ(Ask("search", view, "input component")["results"].size(), 2u);
  const Json joined = Ask("search",
                          {"--view", "lessons", "-k", "9", "--filter",
                           "doc.path != 'notes/tests.md' OR doc.path = 'x'"},
                          "input component");
  Args paths = PathsOf(joined);
  std::ranges::sort(paths);
  EXPECT_EQ(paths, (Args{"notes/focus.md", "notes/labels.md"}));
  // The same as one filter that says both.
  const Json one = Ask("search",
                       {"-k", "9", "--stages", "per-document", "--filter",
                        "doc.meta.type = 'lesson' AND "
                        "(doc.path != 'notes/tests.md' OR doc.path = 'x')"},
                       "input component");
  EXPECT_EQ(joined["query"]["filters"], one["query"]["filters"]);
  EXPECT_EQ(joined["query"]["stages"], "per-document");
  EXPECT_EQ(joined["query"]["min_score"], 0.05);

  const Json flags = Ask("search",
                         {"--view", "lessons", "--stages", "", "--min-score", "0", "--fusion",
                          "weighted", "--payload", "full"},
                         "input component");
  EXPECT_FALSE(flags["query"].contains("stages"));
  EXPECT_FALSE(flags["query"].contains("min_score"));
  EXPECT_TRUE(flags["results"][0].contains("chunk"));
  // The view wins over the settings, and not over a variable only because it is one.
  const RunResult by_variable =
      Run({"search", "--json", "--view", "lessons", "input"}, {.env = {{"RECALL_STAGES", "mmr"}}});
  EXPECT_EQ(by_variable.Json()["query"]["stages"], "per-document");
}

TEST_F(ViewTest, WhatIsBelowTheFloorIsLeftOutAndCounted) {
  std::vector<Note> notes;
  for (int i = 0; i < 30; ++i) {
    notes.push_back({"n" + std::to_string(i), "summary: About harbour " + std::to_string(i) + ".\n",
                     "The pilot of harbour " + std::to_string(i) + " knows the tide."});
  }
  Write("recall.toml", "[view.v]\nmin_score = 0.2\nstrong = 0.4\npayload = \"lean\"\n");
  MakeNotes(notes);
  int64_t dropped = 0;
  for (int i = 0; i < 50; ++i) {
    // Foreign questions: at most one word of them occurs in the notes.
    const std::string text = "quarterly invoice number " + std::to_string(1000 + i) +
                             " of the accounting department knows";
    const Json with = Ask("search", {"--view", "v", "-k", "100", "--explain"}, text);
    const Json without =
        Ask("search", {"--view", "v", "-k", "100", "--explain", "--min-score", "0"}, text);
    EXPECT_FALSE(without["explain"].contains("below_floor"));
    size_t weak = 0;
    for (const Json& hit : without["results"]) {
      const double score = hit["score"];
      weak += score < 0.2 ? 1 : 0;
      EXPECT_EQ(hit["band"], score < 0.2 ? "noise" : score < 0.4 ? "read" : "strong");
    }
    EXPECT_EQ(with["results"].size(), without["results"].size() - weak);
    EXPECT_EQ(with["explain"]["below_floor"], without["stats"]["total_hits"].get<int64_t>() -
                                                  with["stats"]["total_hits"].get<int64_t>());
    dropped += with["explain"]["below_floor"].get<int64_t>();
    for (const Json& hit : with["results"]) EXPECT_NE(hit["band"], "noise");
  }
  EXPECT_GT(dropped, 0);
  // What the notes answer stays.
  EXPECT_FALSE(Ask("search", {"--view", "v"}, "pilot of harbour 7")["results"].empty());
}

TEST_F(ViewTest, ExplainExpandsTheView) {
  MakeSmallVault();
  const Json explain = Ask("search", {"--view", "lessons", "--explain"}, "input")["explain"];
  EXPECT_EQ(explain["view"].dump(),
            R"({"name":"lessons","origin":")" + Path("recall.toml") +
                R"(:1","filter":"doc.meta.type = 'lesson'","stages":"per-document","k":2,)"
                R"("min_score":0.05,"strong":0.3,"payload":"lean"})");
  const RunResult text = Run({"search", "--view", "lessons", "--explain", "input"});
  EXPECT_NE(text.out.find("\nview        lessons  " + Path("recall.toml") + ":1\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.out.find("\nbelow floor 0 left out, below 0.0500\n"), std::string::npos) << text;
}

TEST_F(ViewTest, AFullHitHasTheEvidence) {
  MakeSmallVault();
  WriteNote({"vectors", "topic_path: [css, focus]\n", "Stacked outlines confuse."});
  ASSERT_EQ(Run({"add", "--parser", "note", "notes"}).exit, 0);
  const Json plain = Ask("search", {"-k", "9"}, "label visible");
  const Json full = Ask("search", {"-k", "9", "--payload", "full"}, "label visible");
  ASSERT_EQ(full["results"].size(), plain["results"].size());
  for (size_t i = 0; i < full["results"].size(); ++i) {
    Json hit = full["results"][i];
    EXPECT_EQ(hit["hop"], "direct");
    EXPECT_TRUE(hit["topics"].is_array());
    const bool labels = hit["doc"]["path"] == "notes/labels.md";
    EXPECT_EQ(hit["matched_terms"], labels ? Json({"label", "visible"}) : Json::array());
    EXPECT_EQ(hit["mode"] == "semantic", !labels) << hit;
    for (const char* const key : {"band", "mode", "matched_terms", "hop", "topics"}) hit.erase(key);
    EXPECT_EQ(hit, plain["results"][i]);
  }
  const Json topics = Ask("search", {"-k", "1", "--payload", "full"}, "stacked outlines confuse");
  EXPECT_EQ(topics["results"][0]["topics"], Json({"css", "focus"}));
  EXPECT_EQ(Ask("search", {"--payload", "full", "--bm25"}, "label")["results"][0]["mode"],
            "lexical");
}

// Notes of a realistic size: a card, and some paragraphs.
TEST_F(ViewTest, LeanIsAtMostTwoThirdsOfFull) {
  std::vector<Note> notes;
  for (int i = 0; i < 141; ++i) {
    const std::string n = std::to_string(i);
    notes.push_back(
        {"decision-" + n,
         "scope: project-" + std::to_string(i % 7) + "\nsummary: Service " + n +
             " retries a failed request with a growing pause and then "
             "reports the error to its caller, because the queue in front of it grows otherwise "
             "and nobody notices in time.\n"
             "topic_path: [services, retries]\ntags: [retry, queue]\n"
             "recall_when:\n  - a request to service " +
             n + " fails\n",
         "Service " + n +
             " had three outages in which its queue grew for hours.\n\n"
             "We decided to retry five times, with pauses from 1 to 16 seconds, and to give up "
             "then.\n\n"
             "The caller gets the last error. The alarm counts given up requests of service " +
             n + ".\n"});
  }
  MakeNotes(notes);
  const Args questions = {"service retries a failed request", "outages of service 17",
                          "when does the alarm count"};
  for (const std::string& question : questions) {
    for (const std::string k : {"5", "20", "100"}) {
      const auto bytes = [&](const std::string& payload) {
        return Run({"search", "--json", "-k", k, "--payload", payload, question}).out.size();
      };
      EXPECT_LE(100 * bytes("lean"), 68 * bytes("full")) << question << " " << k;
    }
  }
}

// What an assistant reads of five notes with cards of usual length.
TEST_F(ViewTest, FiveLinesOfAViewTakeAtMost1250Bytes) {
  std::vector<Note> notes;
  for (int i = 0; i < 12; ++i) {
    const std::string n = std::to_string(i);
    notes.push_back({"queue-of-service-" + n,
                     "scope: harbour\nsummary: Service " + n +
                         " retries a failed request with a growing pause, because the queue in "
                         "front of it grows otherwise and nobody notices.\n",
                     "The queue of service " + n + " grew for hours before anybody noticed."});
  }
  MakeNotes(notes);
  Write("recall.toml", "[view.mine]\nk = 5\npayload = \"lean\"\n");
  for (const std::string view : {"mine", "memory"}) {
    const RunResult lean =
        Run({"search", "--view", view, "--lean", "--min-score", "0", "a request of service 3"});
    EXPECT_EQ(std::ranges::count(lean.out, '\n'), 6) << lean;
    EXPECT_LE(lean.out.size(), 1250u) << lean;
    // The path is enough to go on with.
    const Json hit = Json::parse(lean.out.substr(0, lean.out.find('\n')));
    EXPECT_EQ(Run({"get", hit["doc"]["path"]}).exit, 0) << hit;
  }
}

TEST_F(ViewTest, ALongSummaryIsCutAtAWord) {
  std::string summary;
  for (int i = 0; summary.size() < 140; ++i) summary += "word" + std::to_string(i) + " ";
  const std::string kept = summary.substr(0, summary.size() - 1);
  // The word with the emoji reaches over the cut.
  summary += "abcdefghijklm\U0001F600" + std::string(300, 'z');
  MakeNotes({{"long", "summary: " + summary + "\n", "Body."}});
  const Json hit = Ask("search", {"--payload", "lean"}, "word3")["results"][0];
  EXPECT_EQ(hit["doc"]["summary"], kept + "…");
  const Json full = Ask("search", {"--payload", "full"}, "word3")["results"][0];
  EXPECT_EQ(full["doc"]["meta"]["summary"], summary);
}

TEST_F(ViewTest, EveryFormOfResultsHasTheLeanHit) {
  MakeSmallVault();
  const Json hit = Ask("search", {"--view", "lessons", "-k", "1"}, "stack focus")["results"][0];
  const auto lines = [&](const Args& flags) {
    Args args = {"search", "--view", "lessons", "-k", "1"};
    args.insert(args.end(), flags.begin(), flags.end());
    args.emplace_back("stack focus");
    std::istringstream text(Run(args).out);
    Args read;
    for (std::string line; std::getline(text, line);) read.push_back(line);
    return read;
  };
  Json line = hit;
  line["score"] = LeanScore(hit["score"].get<double>());
  line["doc"].erase("id");
  line["doc"].erase("kind");
  EXPECT_EQ(Json::parse(lines({"--lean"})[0]), line);
  EXPECT_EQ(Json::parse(lines({"--jsonl"})[1])["item"], hit);
  EXPECT_EQ(lines({}), (Args{lines({})[0], "    Never stack focus styles."}));
  EXPECT_NE(lines({})[0].find(" strong  notes/focus.md  Title of focus"), std::string::npos);
  // Fields, and lines for fzf, are flags, so they win over the view.
  EXPECT_EQ(lines({"--fields", "path"}), Args{"notes/focus.md"});
  EXPECT_TRUE(lines({"--format", "fzf"})[0].starts_with("notes/focus.md:1-"));
  Json cited = Json::parse(lines({"--lean", "--cite"})[0]);
  EXPECT_EQ(Run({"get", "--verify", cited["cite"]}).exit, 0);
}

TEST_F(ViewTest, OtherCommandsAskWithAView) {
  MakeSmallVault();
  const Json similar = Ask("similar", {"--view", "lessons", "--min-score", "0"}, "notes/tone.md");
  EXPECT_EQ(similar["query"]["view"], "lessons");
  EXPECT_EQ(similar["results"].size(), 2u);
  EXPECT_EQ(KeysOf(similar["results"][0]["doc"])[0], "id");
  for (const std::string& path : PathsOf(similar)) EXPECT_NE(path, "notes/tone.md");

  const Json context = Ask("context", {"--view", "lessons"}, "input component");
  EXPECT_EQ(context["query"]["view"], "lessons");
  EXPECT_EQ(context["query"]["limit"], 200);  // chunks to pack from are not results
  for (const Json& piece : context["context"]["chunks"]) EXPECT_NE(piece["path"], "notes/tone.md");

  const Json bench =
      Ask("bench", {"--view", "lessons", "--samples", "1", "--only", "search", "--rounds"}, "1");
  EXPECT_EQ(bench["bench"]["settings"]["k"], 2);
  EXPECT_EQ(bench["bench"]["settings"]["filter"], "doc.meta.type = 'lesson'");

  EXPECT_NE(Run({"query", "--view", "lessons", "FROM doc SELECT doc.path"}).exit, 0);
}

TEST_F(ViewTest, EvaluationsAskWithAView) {
  Write("c/corpus.jsonl",
        "{\"_id\":\"a\",\"title\":\"\",\"text\":\"alpha beta\"}\n"
        "{\"_id\":\"b\",\"title\":\"\",\"text\":\"gamma delta\"}\n");
  Write("c/queries.jsonl", "{\"_id\":\"q\",\"text\":\"alpha\"}\n");
  Write("c/qrels.tsv", "query-id\tcorpus-id\tscore\nq\ta\t1\n");
  Write("recall.toml",
        "[view.all]\nfusion = \"rrf\"\n[view.none]\nfilter = \"doc.tag = 'absent'\"\n");
  const auto found = [&](const std::string& view) {
    return Ask("eval", {"--view", view}, "c")["eval"];
  };
  EXPECT_EQ(found("all")["settings"]["fusion"], "rrf");
  EXPECT_EQ(found("all")["average"]["legs"]["hybrid"]["ndcg_at_10"], 1);
  EXPECT_EQ(found("none")["average"]["legs"]["hybrid"]["ndcg_at_10"], 0);
  EXPECT_EQ(found("none")["settings"]["filter"], "doc.tag = 'absent'");
}

TEST_F(ViewTest, ConfigPrintsTheViews) {
  ASSERT_EQ(Run({"init"}).exit, 0);
  Write("home/.config/recall/recall.toml",
        "[view.memory]\nk = 7\n[view.mine]\npayload = \"full\"\n[view.both]\nk = 1\n");
  Write("recall.toml", "max_limit = 50\n\n[view.both]\nhops = 1\n");
  const RunOptions home = {.env = {{"HOME", Path("home")}}};
  const Json views = Run({"config", "--views", "--json"}, home).Json()["config"]["views"];
  ASSERT_EQ(views.size(), 5u);
  EXPECT_EQ(views[4]["name"], "sessions");
  EXPECT_EQ(views[0].dump(),
            R"({"name":"both","origin":")" + Path("recall.toml") + R"(:3","hops":1})");
  EXPECT_EQ(views[1]["name"], "entries");
  EXPECT_EQ(views[1]["origin"], "built in");
  // A table replaces the built-in view as a whole.
  EXPECT_EQ(KeysOf(views[2]), (Args{"name", "origin", "k"}));
  EXPECT_EQ(views[3]["payload"], "full");

  // What it prints is a settings file with the same views.
  const RunResult text = Run({"config", "--views"}, home);
  Write("again.toml", text.out);
  const RunResult again = Run({"config", "--views", "--config", Path("again.toml")});
  const auto without_origins = [](std::string lines) {
    std::string kept;
    std::istringstream in(lines);
    for (std::string line; std::getline(in, line);) {
      if (!line.starts_with("#")) kept += line + "\n";
    }
    return kept;
  };
  EXPECT_EQ(without_origins(again.out), without_origins(text.out));
  EXPECT_EQ(Run({"config", "--views", "k"}).exit, 2);
}

TEST_F(ViewTest, ErrorsNameTheViewAndItsPlace) {
  MakeSmallVault();
  const auto error = [&](const Args& args) {
    const RunResult result = Run(args);
    EXPECT_EQ(result.exit, 2) << result;
    return result.err + result.out;
  };
  const std::string unknown = error({"search", "--view", "lesson", "x"});
  EXPECT_NE(unknown.find("there is no view 'lesson'"), std::string::npos) << unknown;
  EXPECT_NE(unknown.find("the views are entries, lessons, memory"), std::string::npos) << unknown;

  const std::pair<const char*, const char*> broken[] = {
      {"filter = \"doc.path =\"", "view.v: filter: "},
      {"stages = \"magic\"", "view.v: stages: unknown stage 'magic'"},
      {"fusion = \"magic\"", "view.v: fusion must be one of"},
      {"hops = 2", ":2: view.v: hops must be a whole number from 0 to 1"},
  };
  for (const auto& [line, message] : broken) {
    Write("v.toml", std::string("[view.v]\n") + line + "\n");
    const std::string text = error({"search", "--config", Path("v.toml"), "--view", "v", "input"});
    EXPECT_NE(text.find(Path("v.toml") + ":"), std::string::npos) << text;
    EXPECT_NE(text.find(message), std::string::npos) << text;
  }
  // An error in --filter is at its place in what was typed.
  const std::string typed =
      error({"search", "--view", "lessons", "--filter", "doc.path =", "input"});
  EXPECT_NE(typed.find("line 1, column 11"), std::string::npos) << typed;

  for (const Args& args :
       std::vector<Args>{{"search", "--payload", "lean", "--fields", "path", "x"},
                         {"search", "--payload", "full", "--lean", "x"},
                         {"search", "--payload", "lean", "--format", "fzf", "x"},
                         {"get", "--payload", "lean", "--fields", "path", "x"},
                         {"get", "--payload", "full", "--lean", "x"},
                         {"search", "--payload", "big", "x"},
                         {"search", "--shape", "bastra", "--lean", "x"},
                         {"search", "--shape", "bastra", "--explain", "x"},
                         {"search", "--shape", "bastra", "--fusion", "legs", "x"},
                         {"search", "--shape", "other", "x"}}) {
    EXPECT_NE(error(args), "");
  }
}

TEST_F(ViewTest, GetWithLittleLeavesOutWhatMaintenanceNeeds) {
  const std::string section =
      "## Auto-Related <!-- bastra:auto-related:start -->\n\n- [[focus]] (cosine 0.71)\n\n"
      "<!-- bastra:auto-related:end -->\n";
  MakeNotes({{"rich",
              "related_via:\n  - id: focus\n    score: 0.71\nsource: unit test\nconfidence: 1\n"
              "scope: s\n",
              "Body.\n\n" + section}});
  const std::string whole = Read("notes/rich.md");
  EXPECT_EQ(Run({"get", "notes/rich.md"}).out, whole);
  EXPECT_EQ(Run({"get", "--payload", "full", "notes/rich.md"}).out, whole);
  EXPECT_EQ(Run({"get", "--payload", "lean", "notes/rich.md"}).out,
            "---\nid: rich\ntitle: Title of rich\ntype: lesson\nscope: s\n---\nBody.\n\n\n");
  const Json lean = Ask("get", {"--payload", "lean"}, "notes/rich.md")["get"];
  EXPECT_EQ(KeysOf(lean), (Args{"doc", "text"}));
  EXPECT_EQ(KeysOf(lean["doc"]), (Args{"id", "path", "kind", "meta"}));
  Args keys = KeysOf(lean["doc"]["meta"]);
  std::ranges::sort(keys);
  EXPECT_EQ(keys, (Args{"id", "scope", "title", "type"}));
  EXPECT_EQ(lean["text"], "Body.\n\n\n");
  const Json full = Ask("get", {"--payload", "full"}, "notes/rich.md")["get"];
  EXPECT_EQ(full, Ask("get", {}, "notes/rich.md")["get"]);
  EXPECT_EQ(full["chunk"]["text"], whole);

  // Lines stay as they are; several targets are results.
  const Json lines = Ask("get", {"--payload", "lean", "notes/rich.md"}, "notes/rich.md:1-2");
  EXPECT_EQ(lines["results"][0]["text"], lean["text"]);
  EXPECT_EQ(lines["results"][1]["text"], "---\nid: rich\n");
  EXPECT_EQ(lines["results"][1]["end_line"], 2);
  const Json line = Json::parse(
      Run({"get", "--payload", "lean", "--lean", "notes/rich.md:1-2"})
          .out.substr(
              0, Run({"get", "--payload", "lean", "--lean", "notes/rich.md:1-2"}).out.find('\n')));
  EXPECT_EQ(line["text"], "---\nid: rich\n");
}

// Each note is first, second or third in each retriever; the points follow from the ranks.
TEST_F(ViewTest, PointsAreReciprocalRanks) {
  MakeNotes({{"a", "summary: Alpha.\n", "harbour harbour harbour tide"},
             {"b", "scope: s\n", "harbour pilot and the weather of the whole week"},
             {"c", "topic_path: [x, y]\n", "a mountain"}});
  const RunResult text = Run({"search", "--shape", "bastra", "harbour"});
  ASSERT_EQ(text.exit, 0) << text;
  const Json answer = Json::parse(text.out);
  EXPECT_EQ(KeysOf(answer), (Args{"query", "vault_size", "hits", "recall_id", "latency_ms"}));
  EXPECT_EQ(answer["query"], "harbour");
  EXPECT_EQ(answer["vault_size"], 3);
  const Json explained =
      Ask("search", {"--fusion", "rrf", "--stages", "per-document", "--explain"}, "harbour");
  ASSERT_EQ(answer["hits"].size(), explained["results"].size());
  for (size_t i = 0; i < answer["hits"].size(); ++i) {
    const Json& hit = explained["results"][i];
    double sum = 0;
    for (const char* const rank : {"lexical_rank", "semantic_rank"}) {
      if (hit["explain"].contains(rank)) sum += 1 / (60 + hit["explain"][rank].get<double>());
    }
    EXPECT_NEAR(answer["hits"][i]["score"].get<double>(), 5000 * sum, 0.0005 + 1e-9);
    EXPECT_EQ("notes/" + answer["hits"][i]["id"].get<std::string>() + ".md", hit["doc"]["path"]);
    EXPECT_EQ(KeysOf(answer["hits"][i]),
              (Args{"id", "title", "type", "scope", "summary", "score"}));
  }
  EXPECT_EQ(answer["hits"][0]["score"], 163.934);
  EXPECT_EQ(answer["hits"][0]["summary"], "Alpha.");
  EXPECT_EQ(Run({"search", "--shape", "bastra", "harbour"}).out, text.out);

  const Json full =
      Json::parse(Run({"search", "--shape", "bastra", "--payload", "full", "harbour"}).out);
  EXPECT_EQ(KeysOf(full["hits"][0]), (Args{"id", "title", "type", "scope", "summary", "topic_path",
                                           "score", "matched_terms", "mode", "hop"}));
  EXPECT_EQ(full["hits"][0]["matched_terms"], Json({"harbour"}));

  // The floor is in points, from the variable of the other program.
  const auto with_floor = [&](const std::string& floor) {
    return Run({"search", "--shape", "bastra", "harbour"},
               {.env = {{"BASTRA_RECALL_FLOOR", floor}}});
  };
  const Json above = Json::parse(with_floor("162").out);
  ASSERT_EQ(above["hits"].size(), 1u);
  EXPECT_GE(above["hits"][0]["score"], 162);
  EXPECT_EQ(with_floor("many").exit, 2);
}

TEST_F(ViewTest, EntriesHaveTheNamesOfTheOtherProgram) {
  MakeNotes({{"cors", "tags: [cors, safari]\ncreated: 2024-01-15T14:32:00Z\n",
              "Add credentials to the request. " + std::string(200, 'x'), "bug"}});
  const Json answer = Json::parse(Run({"search", "--shape", "rekall", "credentials"}).out);
  EXPECT_EQ(KeysOf(answer), (Args{"entries", "hint"}));
  const Json& entry = answer["entries"][0];
  EXPECT_EQ(KeysOf(entry), (Args{"id", "title", "score", "snippet"}));
  EXPECT_EQ(entry["id"], "cors");
  EXPECT_TRUE(entry["snippet"].get<std::string>().starts_with("Add credentials to the request. x"));
  const Json full =
      Json::parse(Run({"search", "--shape", "rekall", "--payload", "full", "credentials"}).out);
  EXPECT_EQ(KeysOf(full["entries"][0]),
            (Args{"id", "type", "title", "score", "snippet", "tags", "created_at"}));
  EXPECT_EQ(full["entries"][0]["tags"], Json({"cors", "safari"}));
}

}  // namespace
}  // namespace recall
