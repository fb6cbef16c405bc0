// `recall eval`: its figures, errors and interruption.

#include <sched.h>

#include <csignal>
#include <filesystem>
#include <sstream>

#include "tests/cli/recall_process.h"

namespace recall {
namespace {

class EvalTest : public RecallTest {
 protected:
  // Three judged queries with lexical figures that were computed by hand:
  //  q1: only b1 has its word, and is relevant:                  nDCG 1, recall 1, MRR 1
  //  q2: only b2 has its word; b2 and b3 are relevant:           nDCG 1 / (1 + 1/log2(3)) =
  //      1 / 1.630930 = 0.613147, recall 1/2, MRR 1
  //  q3: no document has its word:                               0, 0, 0
  // Means: (1 + 0.613147) / 3 = 0.537716, (1 + 0.5) / 3 = 0.5, 2 / 3.
  void WriteBirds(const std::string& directory) {
    Write(directory + "/corpus.jsonl",
          "{\"_id\":\"b1\",\"title\":\"Heron\",\"text\":\"It stands in the water.\"}\n"
          "{\"_id\":\"b2\",\"title\":\"Swift\",\"text\":\"It sleeps while it flies.\"}\n"
          "{\"_id\":\"b3\",\"title\":\"\",\"text\":\"Owls hunt by night.\"}\n");
    Write(directory + "/queries.jsonl",
          "{\"_id\":\"q1\",\"text\":\"heron\"}\n{\"_id\":\"q2\",\"text\":\"sleeping\"}\n"
          "{\"_id\":\"q3\",\"text\":\"penguin\"}\n{\"_id\":\"q4\",\"text\":\"owl\"}\n");
    Write(directory + "/qrels.tsv",
          "query-id\tcorpus-id\tscore\nq1\tb1\t1\nq2\tb2\t2\nq2\tb3\t2\nq3\tb1\t1\nq4\tb9\t1\n");
  }

  void ExpectNothingLeft() { EXPECT_TRUE(std::filesystem::is_empty(Path("tmp"))) << "in TMPDIR"; }
  RunOptions InTmp() {
    std::filesystem::create_directories(Path("tmp"));
    return {.env = {{"TMPDIR", Path("tmp")}}};
  }
};

// The ranker prefers the other of the two texts that match.
TEST_F(EvalTest, MeasuresTheUsersOwnRanker) {
  Write("pair/corpus.jsonl",
        "{\"_id\":\"d1\",\"text\":\"heron heron heron\"}\n"
        "{\"_id\":\"d2\",\"text\":\"a heron among many other birds\"}\n");
  Write("pair/queries.jsonl", "{\"_id\":\"q1\",\"text\":\"heron\"}\n");
  Write("pair/qrels.tsv", "query-id\tcorpus-id\tscore\nq1\td2\t1\n");
  Write("mine.toml", "[rankers.birds]\ncommand = [\"sh\", \"" + Path("rank.sh") + "\"]\n");
  Write("rank.sh",
        "while read -r line; do case $line in *birds*) echo 1;; *) echo 0;; esac; done\n");
  const auto mrr = [&](std::vector<std::string> options) {
    options.insert(options.begin(), {"eval", "pair", "--json", "--config", Path("mine.toml")});
    const RunResult run = Run(options, InTmp());
    EXPECT_EQ(run.exit, 0) << run;
    const auto answer = run.Json();
    return answer["eval"]["collections"][0]["legs"]["lexical"]["mrr_at_10"].get<double>();
  };
  EXPECT_EQ(mrr({}), 0.5);
  EXPECT_EQ(mrr({"--stages", "ranker:name=birds"}), 1);
  ExpectNothingLeft();
}

TEST_F(EvalTest, FiguresAreThoseWorkedOutByHand) {
  WriteBirds("birds");
  const RunResult run = Run({"eval", "birds", "--json"}, InTmp());
  ASSERT_EQ(run.exit, 0) << run;
  const auto birds = run.Json()["eval"]["collections"][0];
  EXPECT_EQ(birds["name"], "birds");
  EXPECT_EQ(birds["documents"], 3);
  EXPECT_EQ(birds["chunks"], 3);
  EXPECT_EQ(birds["queries"], 3);
  EXPECT_EQ(birds["left_out"]["unjudged_queries"], 1);
  EXPECT_EQ(birds["left_out"]["judgements_without_query"], 0);
  EXPECT_EQ(birds["left_out"]["judgements_without_document"], 1);
  const auto lexical = birds["legs"]["lexical"];
  EXPECT_EQ(lexical["ndcg_at_10"], 0.537716);
  EXPECT_EQ(lexical["recall_at_100"], 0.5);
  EXPECT_EQ(lexical["mrr_at_10"], 0.666667);
  EXPECT_EQ(run.Json()["eval"]["average"]["legs"], birds["legs"]);
  EXPECT_EQ(run.Json()["eval"]["average"]["comparison"], birds["comparison"]);
  ExpectNothingLeft();
}

TEST_F(EvalTest, TheTableHasARowForEachCollectionAndTheirAverage) {
  WriteBirds("birds");
  WriteBirds("more/birds2");
  const RunResult run = Run({"eval", "birds", "more/birds2/"}, InTmp());
  ASSERT_EQ(run.exit, 0) << run;
  for (const char* row : {"| birds   | ", "| birds2  | ", "| average | "}) {
    EXPECT_NE(run.out.find(row), std::string::npos) << row << run;
  }
  EXPECT_NE(run.out.find("| 0.5377 / 0.500 / 0.667 |"), std::string::npos) << run;
  EXPECT_NE(run.out.find("birds2: skipped: queries without a relevant document: 1, judgements of "
                         "unknown documents: 1\n"),
            std::string::npos)
      << run;
  EXPECT_EQ(run.err, "");
}

TEST_F(EvalTest, TheReportFitsATerminal) {
  WriteBirds("birds");
  WriteBirds("more/a-collection-with-a-name-that-is-long");
  RunOptions options = InTmp();
  options.env["TERM"] = "dumb";
  options.terminal = true;
  Write("old.json", Run({"eval", "birds", "--json"}, InTmp()).out);
  const RunResult run =
      Run({"eval", "birds", "more/a-collection-with-a-name-that-is-long", "--against", "old.json"},
          options);
  ASSERT_EQ(run.exit, 0) << run;
  std::istringstream lines(run.out);
  for (std::string line; std::getline(lines, line);) {
    // Before it, how far the program is may have been shown and erased.
    if (const size_t erased = line.rfind("\x1b[K"); erased != line.npos) line.erase(0, erased + 3);
    EXPECT_LE(line.size(), 81u) << line;
  }
  EXPECT_NE(run.out.find("  lexical    0.5377 / 0.500 / 0.667"), std::string::npos) << run;
}

TEST_F(EvalTest, TheSameBytesEveryTime) {
  WriteBirds("birds");
  for (const char* form : {"--json", "--quiet"}) {
    const RunResult once = Run({"eval", "birds", form});
    EXPECT_EQ(Run({"eval", "birds", form, "--threads", "3"}).out, once.out);
    EXPECT_NE(once.out, "");
  }
}

TEST_F(EvalTest, WritesTheFiguresOfEachQuery) {
  WriteBirds("birds");
  ASSERT_EQ(Run({"eval", "birds", "--per-query", "out.tsv"}).exit, 0);
  const std::string table = Read("out.tsv");
  EXPECT_TRUE(
      table.starts_with("collection\tquery\tleg\tndcg@10\trecall@100\tmrr@10\n"
                        "birds\tq1\tlexical\t1.000000\t1.000000\t1.000000\n"))
      << table;
  EXPECT_NE(table.find("\nbirds\tq2\tlexical\t0.613147\t0.500000\t1.000000\n"), std::string::npos);
  EXPECT_NE(table.find("\nbirds\tq3\tlexical\t0.000000\t0.000000\t0.000000\n"), std::string::npos);
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 1 + 3 * 3) << table;
}

TEST_F(EvalTest, TheFiguresReplaceNoFileOfTheCollection) {
  WriteBirds("birds");
  const std::string corpus = Read("birds/corpus.jsonl");
  std::filesystem::create_symlink("birds/corpus.jsonl", Path("link"));
  std::filesystem::copy_file(Path("birds/corpus.jsonl"), Path("birds/corpus.jsonl.zst"));
  for (const char* file :
       {"birds/corpus.jsonl", "birds/corpus.jsonl.zst", "birds/../birds/queries.jsonl", "link"}) {
    const RunResult run = Run({"eval", "birds", "--per-query", file, "--json"});
    EXPECT_EQ(run.exit, 2) << run;
    EXPECT_EQ(run.Json()["error"]["code"], "invalid_argument");
  }
  EXPECT_EQ(Read("birds/corpus.jsonl"), corpus);
}

TEST_F(EvalTest, SettingsAreThoseOfTheDirectoryAndTheFlags) {
  WriteBirds("birds");
  Write("recall.toml", "chunk_tokens = 2\nvector_weight = 0.5\n");
  const auto eval = Run({"eval", "birds", "--json"}).Json()["eval"];
  EXPECT_EQ(eval["settings"]["chunk_tokens"], 2);
  EXPECT_EQ(eval["settings"]["vector_weight"], 0.5);
  EXPECT_GT(eval["collections"][0]["chunks"], 3);
  const auto flags = Run({"eval", "birds", "--json", "--chunk-tokens", "64"}).Json()["eval"];
  EXPECT_EQ(flags["collections"][0]["chunks"], 3);
}

// Evaluation neither reads nor changes the user's store.
TEST_F(EvalTest, LeavesStoresAlone) {
  MakeSmallStore();
  WriteBirds("birds");
  const std::string before = Read("recall.db");
  ASSERT_EQ(Run({"eval", "birds", "--json"}).Json()["eval"]["collections"][0]["documents"], 3);
  EXPECT_EQ(Read("recall.db"), before);
  const RunResult given = Run({"eval", "birds", "--store", "recall.db"});
  EXPECT_EQ(given.exit, 2) << given;
}

TEST_F(EvalTest, FaultsAreOneErrorEachWithItsPlace) {
  const RunResult missing = Run({"eval", "nowhere", "--json"}, InTmp());
  EXPECT_EQ(missing.exit, 1) << missing;
  EXPECT_EQ(missing.Json()["error"]["code"], "not_found");

  WriteBirds("birds");
  Write("birds/corpus.jsonl", "{\"_id\":\"b1\",\"text\":\"x\"}\n{oops\n");
  const RunResult broken = Run({"eval", "birds", "--json"}, InTmp());
  EXPECT_EQ(broken.exit, 2) << broken;
  EXPECT_EQ(broken.Json()["error"]["code"], "invalid_argument");
  EXPECT_NE(broken.out.find("birds/corpus.jsonl: invalid JSON"), std::string::npos) << broken;
  EXPECT_EQ(broken.Json()["error"]["details"]["line"], 2) << broken;

  WriteBirds("birds");
  const RunResult unwritable = Run({"eval", "birds", "--per-query", "no/such/out.tsv"}, InTmp());
  EXPECT_EQ(unwritable.exit, 3) << unwritable;
  EXPECT_EQ(Run({"eval", "birds"}, {.env = {{"TMPDIR", Path("none")}}}).exit, 3);
  ExpectNothingLeft();
}

class SpanEvalTest : public EvalTest {
 protected:
  // A document of twenty words, w0 to w19. The answer to the question is w8 to w12.
  void WriteForest() {
    std::string text;
    for (int i = 0; i < 20; ++i) text += (i > 0 ? " w" : "w") + std::to_string(i);
    Write("forest/corpora/trees.txt", text);
    Write("forest/questions.jsonl",
          "{\"_id\":\"q1\",\"text\":\"w3\",\"corpus\":\"trees\",\"references\":[{\"start\":24,"
          "\"end\":41,"
          "\"content\":\"w8 w9 w10 w11 w12\"}]}\n");
  }
};

TEST_F(SpanEvalTest, FiguresAreThoseWorkedOutByHand) {
  WriteForest();
  const RunResult run =
      Run({"eval", "--spans", "forest", "--budget-tokens", "10,800", "--json"}, InTmp());
  ASSERT_EQ(run.exit, 0) << run;
  const auto forest = run.Json()["eval"]["spans"][0];
  EXPECT_EQ(forest["name"], "forest");
  EXPECT_EQ(forest["documents"], 1);
  EXPECT_EQ(forest["chunks"], 1);
  EXPECT_EQ(forest["windows"], 1);
  EXPECT_EQ(forest["questions"], 1);

  // The citation takes one of ten tokens, so the context contains w0 to w8: recall 1/5 of the span,
  // precision 1/9, IoU 1/13. The window contains w0 to w9: 2/5, 2/10, 2/13.
  const auto small = forest["budgets"][0];
  EXPECT_EQ(small["budget_tokens"], 10);
  EXPECT_EQ(small["context"]["token_recall"], 0.2);
  EXPECT_EQ(small["context"]["precision"], 0.111111);
  EXPECT_EQ(small["context"]["iou"], 0.076923);
  EXPECT_EQ(small["windows"]["token_recall"], 0.4);
  EXPECT_EQ(small["windows"]["precision"], 0.2);
  EXPECT_EQ(small["windows"]["iou"], 0.153846);
  EXPECT_EQ(small["ratio"]["token_recall"], 0.5);
  EXPECT_EQ(small["ratio"]["precision"], 0.555556);
  EXPECT_EQ(small["comparison"]["token_recall"]["difference"], -0.2);

  // All twenty words fit: recall 5/5, precision 5/20.
  const auto large = forest["budgets"][1];
  for (const char* packing : {"context", "windows"}) {
    EXPECT_EQ(large[packing]["token_recall"], 1.0);
    EXPECT_EQ(large[packing]["precision"], 0.25);
    EXPECT_EQ(large[packing]["iou"], 0.25);
  }
  ExpectNothingLeft();
}

TEST_F(SpanEvalTest, WithoutCitationsAContextOfOneWindowIsTheWindow) {
  WriteForest();
  const auto forest = Run({"eval", "--spans", "forest", "--budget-tokens", "10", "--no-citations",
                           "--budget-tokens", "12", "--json"})
                          .Json()["eval"];
  EXPECT_EQ(forest["settings"]["citations"], false);
  ASSERT_EQ(forest["spans"][0]["budgets"].size(), 2u);
  for (const auto& budget : forest["spans"][0]["budgets"]) {
    EXPECT_EQ(budget["context"], budget["windows"]);
    EXPECT_EQ(budget["ratio"]["iou"], 1.0);
  }
  EXPECT_EQ(forest["spans"][0]["budgets"][1]["budget_tokens"], 12);
}

TEST_F(SpanEvalTest, HasThreeBudgetsAndATableOfThem) {
  WriteForest();
  const RunResult run = Run({"eval", "--spans", "forest", "--per-query", "out.tsv"});
  ASSERT_EQ(run.exit, 0) << run;
  for (const char* row : {"| forest |   200 | 1.0000 / 0.2500 / 0.2500 |", "| forest |   400 | ",
                          "| forest |   800 | "}) {
    EXPECT_NE(run.out.find(row), std::string::npos) << row << run;
  }
  const std::string table = Read("out.tsv");
  EXPECT_TRUE(
      table.starts_with("collection\tquestion\tbudget\tpacking\ttoken_recall\tprecision\tiou\n"
                        "forest\tq1\t200\tcontext\t1.000000\t0.250000\t0.250000\n"
                        "forest\tq1\t200\twindows\t1.000000\t0.250000\t0.250000\n"))
      << table;
}

TEST_F(SpanEvalTest, FaultsAreOneErrorEach) {
  WriteForest();
  for (const char* budgets : {"0", "10,", ",10", "ten", "10 20", "", "99999999999"}) {
    const RunResult run = Run({"eval", "--spans", "forest", "--budget-tokens", budgets});
    EXPECT_EQ(run.exit, 2) << run;
    EXPECT_NE(run.err.find("--budget-tokens"), std::string::npos) << run;
  }
  EXPECT_EQ(Run({"eval", "forest", "--budget-tokens", "10"}).exit, 2);
  EXPECT_EQ(Run({"eval", "forest", "--no-citations"}).exit, 2);
  EXPECT_EQ(Run({"eval", "--spans", "nowhere"}).exit, 1);
  Write("forest/corpora/trees.txt", std::string("w0 \0 w2", 7));
  Write("forest/questions.jsonl",
        "{\"_id\":\"q1\",\"text\":\"w3\",\"corpus\":\"trees\",\"references\":[{\"start\":0,\"end\":"
        "2}]}\n");
  const RunResult binary = Run({"eval", "--spans", "forest"}, InTmp());
  EXPECT_EQ(binary.exit, 2) << binary;
  EXPECT_NE(binary.err.find("trees.txt"), std::string::npos) << binary;
  ExpectNothingLeft();
}

class InterruptedEvalTest : public EvalTest {
 protected:
  // Enough documents to take some time.
  void WriteMany() {
    std::string corpus, queries, qrels;
    for (int i = 0; i < 3000; ++i) {
      const std::string id = std::to_string(i);
      std::string text;
      for (int word = 0; word < 60; ++word) text += "w" + std::to_string(word * (i + 7)) + " ";
      corpus += "{\"_id\":\"" + id + "\",\"text\":\"" + text + "\"}\n";
      queries += "{\"_id\":\"" + id + "\",\"text\":\"" + text + "\"}\n";
      qrels += id + "\t" + id + "\t1\n";
    }
    Write("many/corpus.jsonl", corpus);
    Write("many/queries.jsonl", queries);
    Write("many/qrels.tsv", qrels);
  }

  // Waits for the directory of the temporary store. (The thread sanitizer also has a file there.)
  std::filesystem::path WaitForScratch() {
    for (;;) {
      for (const auto& entry : std::filesystem::directory_iterator(Path("tmp"))) {
        if (entry.path().filename().string().starts_with("recall-eval-")) return entry;
      }
      ::sched_yield();
    }
  }
};

TEST_F(InterruptedEvalTest, WhileItIndexes) {
  WriteMany();
  const pid_t child = Start({"eval", "many"}, InTmp());
  const auto scratch = WaitForScratch();
  while (!std::filesystem::exists(scratch / "documents")) ::sched_yield();
  ::kill(child, SIGINT);
  EXPECT_EQ(Wait(child).exit, 130);
  ExpectNothingLeft();
}

TEST_F(InterruptedEvalTest, WhileItAsks) {
  WriteMany();
  const pid_t child = Start({"eval", "many"}, InTmp());
  const auto scratch = WaitForScratch();
  while (!std::filesystem::exists(scratch / "documents")) ::sched_yield();
  while (std::filesystem::exists(scratch / "documents")) ::sched_yield();
  ::kill(child, SIGTERM);
  EXPECT_EQ(Wait(child).exit, 130);
  ExpectNothingLeft();
}

}  // namespace
}  // namespace recall
