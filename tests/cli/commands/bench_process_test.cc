// `recall bench`: its queries, counts and errors. The measured times are not checked.

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tests/cli/recall_process.h"

namespace recall {
namespace {

using Json = nlohmann::ordered_json;

class BenchTest : public RecallTest {
 protected:
  // Adds twelve documents with different words.
  void MakeStore() {
    for (int i = 0; i < 12; ++i) {
      const std::string n = std::to_string(i);
      Write("notes/" + n + ".txt", "heron" + n + " waits swift" + n + " flies owl" + n +
                                       " hunts tern" + n + " dives crane" + n + " dances\n");
    }
    ASSERT_EQ(Run({"init"}).exit, 0);
    ASSERT_EQ(Run({"add", "notes"}).exit, 0);
  }

  Json Bench(std::vector<std::string> args) {
    args.insert(args.begin(), {"bench", "--json"});
    const RunResult run = Run(args);
    EXPECT_EQ(run.exit, 0) << run;
    return run.Json();
  }

  void ExpectError(std::vector<std::string> args, int exit, const std::string& code,
                   const std::string& message) {
    args.insert(args.begin(), {"bench", "--json"});
    const RunResult run = Run(args);
    EXPECT_EQ(run.exit, exit) << run;
    ASSERT_TRUE(run.Json().contains("error")) << run;
    EXPECT_EQ(run.Json()["error"]["code"], code) << run;
    EXPECT_NE(run.Json()["error"]["message"].get<std::string>().find(message), std::string::npos)
        << run;
  }

  std::vector<std::string> NamesHere() {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(directory())) {
      names.push_back(entry.path().filename());
    }
    std::ranges::sort(names);
    return names;
  }
};

TEST_F(BenchTest, AsksEveryKindAsOftenAsItSays) {
  MakeStore();
  const Json bench = Bench({"--samples", "7", "--rounds", "2"})["bench"];
  EXPECT_EQ(bench["docs"], 12);
  EXPECT_EQ(bench["questions"]["source"], "sampled");
  EXPECT_EQ(bench["questions"]["count"], 7);
  EXPECT_EQ(bench["questions"]["texts"].size(), 7u);
  ASSERT_EQ(bench["latencies"].size(), 5u);
  const char* const kinds[] = {"search", "bm25", "vector", "query", "context"};
  for (size_t i = 0; i < 5; ++i) {
    const Json& latency = bench["latencies"][i];
    EXPECT_EQ(latency["what"], kinds[i]);
    EXPECT_EQ(latency["cache"], "warm");
    EXPECT_EQ(latency["asked"], 14);
    const Json& ms = latency["ms"];
    EXPECT_LE(ms["least"], ms["p50"]);
    EXPECT_LE(ms["p50"], ms["p90"]);
    EXPECT_LE(ms["p90"], ms["p99"]);
    EXPECT_LE(ms["p99"], ms["max"]);
  }
  EXPECT_TRUE(bench["throughputs"].empty());
  EXPECT_TRUE(bench["recalls"].empty());
  EXPECT_TRUE(bench["ingest"].is_null());
}

// The numbers of results are those of the commands with the same queries.
TEST_F(BenchTest, ResultsAreThoseOfTheCommands) {
  MakeStore();
  Write("asked.txt", "heron3 waits\n\n  owl5\n");
  const Json bench = Bench({"--queries", "asked.txt", "-k", "4", "--budget-tokens", "30"})["bench"];
  EXPECT_EQ(bench["questions"]["source"], "file");
  EXPECT_EQ(bench["questions"]["count"], 2);
  EXPECT_FALSE(bench["questions"].contains("texts"));
  const auto hits = [&](std::vector<std::string> args) {
    args.push_back("--json");
    return Run(args).Json();
  };
  const std::string questions[] = {"heron3 waits", "owl5"};
  size_t search = 0;
  size_t bm25 = 0;
  size_t vector = 0;
  size_t context = 0;
  for (const std::string& text : questions) {
    search += hits({"search", "-k", "4", text})["results"].size();
    bm25 += hits({"search", "-k", "4", "--bm25", text})["results"].size();
    vector += hits({"search", "-k", "4", "--vector", text})["results"].size();
    context += hits({"context", "--budget-tokens", "30", text})["context"]["chunks"].size();
  }
  EXPECT_GT(search, 0u);
  EXPECT_EQ(bench["latencies"][0]["results"], search);
  EXPECT_EQ(bench["latencies"][1]["results"], bm25);
  EXPECT_EQ(bench["latencies"][2]["results"], vector);
  EXPECT_EQ(bench["latencies"][3]["results"], search) << "query asks what search asks";
  EXPECT_EQ(bench["latencies"][4]["results"], context);
}

TEST_F(BenchTest, TheSameStoreAndSeedGiveTheSameQuestions) {
  MakeStore();
  const std::vector<std::string> args = {"--samples", "9",      "--rounds", "1",
                                         "--stable",  "--only", "bm25"};
  const Json once = Bench(args);
  EXPECT_EQ(Bench(args), once);
  std::vector<std::string> other = args;
  other.insert(other.end(), {"--seed", "43"});
  EXPECT_NE(Bench(other)["bench"]["questions"]["texts"], once["bench"]["questions"]["texts"]);
}

TEST_F(BenchTest, FiltersChooseWhatIsSampledAndFound) {
  MakeStore();
  const Json bench = Bench({"--only", "search,query", "--samples", "4", "--rounds", "1", "--filter",
                            "doc.path = 'notes/5.txt'"})["bench"];
  for (const auto& text : bench["questions"]["texts"]) {
    EXPECT_EQ(text.get<std::string>().find_first_of("012346789"), std::string::npos) << text;
  }
  for (const auto& latency : bench["latencies"]) EXPECT_EQ(latency["results"], 4) << latency;
  ExpectError({"--filter", "doc.path = 'none'"}, 1, "not_found", "no chunk satisfies the filter");
}

TEST_F(BenchTest, OwnRqlTakesThePlaceOfWhatIsMade) {
  MakeStore();
  Write("mine.rql", "FROM doc SELECT doc.path\nFROM doc LIMIT 5 SELECT doc.path\n");
  const Json bench = Bench({"--rql", "mine.rql", "--only", "query", "--rounds", "2"})["bench"];
  EXPECT_EQ(bench["questions"]["rql"]["count"], 2);
  EXPECT_EQ(bench["latencies"][0]["asked"], 4);
  EXPECT_EQ(bench["latencies"][0]["results"], 12 + 5);
  Write("mine.rql", "FROM doc SELECT doc.path\nFROM nowhere\n");
  ExpectError({"--rql", "mine.rql", "--only", "query"}, 2, "invalid_argument", "query 2: ");
}

TEST_F(BenchTest, ThreadsAndProcessesAskEverythingEach) {
  MakeStore();
  const Json bench = Bench({"--only", "bm25", "--samples", "6", "--rounds", "1", "--threads", "3",
                            "--processes", "2"})["bench"];
  ASSERT_EQ(bench["throughputs"].size(), 3u);
  const std::tuple<const char*, int, int> expected[] = {
      {"threads", 1, 6}, {"threads", 3, 18}, {"processes", 2, 12}};
  for (size_t i = 0; i < 3; ++i) {
    const Json& throughput = bench["throughputs"][i];
    EXPECT_EQ(throughput["by"], std::get<0>(expected[i]));
    EXPECT_EQ(throughput["workers"], std::get<1>(expected[i]));
    EXPECT_EQ(throughput["asked"], std::get<2>(expected[i]));
    EXPECT_GT(throughput["per_second"], 0);
  }
}

TEST_F(BenchTest, RecallIsOneWhereEverythingIsScored) {
  MakeStore();
  for (const bool exact : {false, true}) {
    std::vector<std::string> args = {"--only", "vector", "--recall", "-k", "3", "--rounds", "1"};
    if (exact) args.emplace_back("--exact");
    const Json recalls = Bench(args)["bench"]["recalls"];
    ASSERT_EQ(recalls.size(), 2u);
    EXPECT_EQ(recalls[0]["of"], "questions");
    EXPECT_EQ(recalls[1]["of"], "chunks");
    EXPECT_EQ(recalls[1]["asked"], 12);
    for (const auto& recall : recalls) {
      EXPECT_EQ(recall["exact_already"], recall["asked"]) << "so few are all scored";
      EXPECT_EQ(recall["at_10"], 1.0);
      EXPECT_EQ(recall["k"], 3);
      EXPECT_EQ(recall["at_k"], 1.0);
    }
  }
}

TEST_F(BenchTest, ColdOpensTheStoreForEachQuestionAndOwnsUpToWhatIsKept) {
  MakeStore();
  const int fd = ::open(Path("recall.db").c_str(), O_RDONLY);
  const size_t bytes = std::filesystem::file_size(Path("recall.db"));
  void* const mapped = ::mmap(nullptr, bytes, PROT_READ, MAP_SHARED | MAP_POPULATE, fd, 0);
  ASSERT_NE(mapped, MAP_FAILED);
  const Json answer = Bench({"--cold", "--only", "search", "--samples", "3", "--rounds", "2"});
  ::munmap(mapped, bytes);
  ::close(fd);
  const Json& bench = answer["bench"];
  ASSERT_EQ(bench["latencies"].size(), 2u);
  EXPECT_EQ(bench["latencies"][1]["cache"], "cold");
  EXPECT_EQ(bench["latencies"][1]["asked"], 3);
  EXPECT_EQ(bench["latencies"][1]["results"], bench["latencies"][0]["results"]);
  EXPECT_GT(bench["kept_share"], 0.5);
  ASSERT_FALSE(answer["warnings"].empty());
  EXPECT_NE(answer["warnings"][0].get<std::string>().find("stayed in the page cache"),
            std::string::npos);
}

TEST_F(BenchTest, IngestFillsAStoreOfItsOwn) {
  MakeStore();
  const auto names = NamesHere();
  const Json bench = Bench({"--only", "ingest", "--ingest", "notes"})["bench"];
  EXPECT_TRUE(bench["latencies"].empty());
  EXPECT_EQ(bench["questions"]["count"], 0);
  const Json& ingest = bench["ingest"];
  EXPECT_EQ(ingest["found"], 12);
  EXPECT_EQ(ingest["added"], 12);
  EXPECT_EQ(ingest["again_unchanged"], 12);
  EXPECT_GT(ingest["bytes"], 0);
  EXPECT_EQ(NamesHere(), names) << "nothing is left";
  ExpectError({"--only", "ingest", "--ingest", "nowhere"}, 1, "not_found",
              "no such file or directory: nowhere");
  EXPECT_EQ(NamesHere(), names);
}

TEST_F(BenchTest, ChangesNothing) {
  MakeStore();
  const std::string before = Read("recall.db");
  const auto names = NamesHere();
  Bench({"--samples", "3", "--rounds", "1", "--threads", "2", "--processes", "2", "--recall",
         "--cold", "--ingest", "notes"});
  EXPECT_EQ(Read("recall.db"), before);
  EXPECT_EQ(NamesHere(), names);
}

TEST_F(BenchTest, TheTablesHaveARowForEachMeasurement) {
  MakeStore();
  const RunResult run = Run({"bench", "--samples", "3", "--rounds", "1", "--only", "bm25,context",
                             "--recall", "--threads", "2", "--ingest", "notes"});
  ASSERT_EQ(run.exit, 0) << run;
  for (const char* part : {"12 chunks of 12 documents", "3 queries sampled with seed 42",
                           "\n| bm25 ", "\n| context ", " 2 threads ", "\n| queries ",
                           "\n| texts of chunks ", "\ningest: 12 files found, 12 added", "MB/s"}) {
    EXPECT_NE(run.out.find(part), std::string::npos) << part << run;
  }
  EXPECT_EQ(run.out.find("\n| search "), std::string::npos) << run;
}

TEST_F(BenchTest, WrongInputsAreOneErrorEach) {
  ExpectError({}, 3, "store_not_found", "");
  ASSERT_EQ(Run({"init"}).exit, 0);
  ExpectError({}, 1, "not_found", "the store is empty");
  Erase("recall.db");
  MakeSmallStore();
  ExpectError({"--queries", "none.txt"}, 1, "not_found", "none.txt");
  Write("blank.txt", "\n  \n");
  ExpectError({"--queries", "blank.txt"}, 2, "invalid_argument", "blank.txt has no queries");
  Write("bytes.txt", "fine\n\xff\xfe\n");
  ExpectError({"--queries", "bytes.txt"}, 2, "invalid_argument", "bytes.txt: the line is not");
  ExpectError({"--threads", "0"}, 2, "invalid_argument", "--threads must be a whole number from 1");
  ExpectError({"--processes", "0"}, 2, "invalid_argument", "--processes must be");
  ExpectError({"--samples", "0"}, 2, "invalid_argument", "--samples must be");
  ExpectError({"--only", "search,lookup"}, 2, "invalid_argument", "unknown measurement 'lookup'");
  ExpectError({"--only", "ingest"}, 2, "invalid_argument", "--only ingest needs files");
  ExpectError({"--queries", "-", "--rql", "-"}, 2, "invalid_argument", "standard input");
  ExpectError({"-k", "5000"}, 2, "invalid_argument", "exceeds the limit");
  ExpectError({"--filter", "doc.path ="}, 2, "invalid_argument", "");
}

TEST_F(BenchTest, QuestionsFromStandardInput) {
  MakeStore();
  const RunResult run =
      Run({"bench", "--json", "--queries", "-", "--only", "bm25", "--rounds", "1"},
          {.input = "heron1\nheron2\nheron3\n"});
  ASSERT_EQ(run.exit, 0) << run;
  EXPECT_EQ(run.Json()["bench"]["latencies"][0]["asked"], 3);
}

}  // namespace
}  // namespace recall
