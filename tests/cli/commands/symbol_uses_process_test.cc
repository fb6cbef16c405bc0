// `recall symbols --references`, `--callers` and `--callees`.

#include "tests/cli/recall_process.h"

namespace recall {
namespace {

class SymbolUsesTest : public RecallTest {
 protected:
  void SetUp() override {
    ASSERT_EQ(Run({"init"}).exit, 0);
    Write("clock.py",
          "class Clock:\n"
          "    def now(self):\n"
          "        return self.tick()\n"
          "\n"
          "    def tick(self):\n"
          "        return 1\n"
          "\n"
          "def start(clock):\n"
          "    return clock.now()\n");
    Write("app.py",
          "from clock import Clock, start\n"
          "\n"
          "def main():\n"
          "    clock = Clock()\n"
          "    start(clock)  # start(now)\n"
          "    print('start', f'{start(clock)}')\n"
          "    other.start()\n");
    Write("store.h", "namespace db {\nvoid Flush();\nstruct Store {\n  void Commit();\n};\n}\n");
    Write("store.cc",
          "#include \"store.h\"\n"
          "namespace db {\n"
          "void Flush() {}\n"
          "void Store::Commit() {\n"
          "  Flush();\n"
          "}\n"
          "void Run(Store* store) {\n"
          "  store->Commit();\n"
          "  Flush();\n"
          "  Flush();\n"
          "}\n"
          "}\n");
    Write("log.cc", "struct Log {\n  void Commit() {}\n  void Close() { Commit(); }\n};\n");
    ASSERT_EQ(Run({"add", "."}).exit, 0);
  }
  std::string Uses(std::vector<std::string> args) {
    args.insert(args.begin(), "symbols");
    const RunResult result = Run(args);
    EXPECT_EQ(result.exit, 0) << result;
    return result.out;
  }
};

TEST_F(SymbolUsesTest, ReferencesAreUsesAndNotCommentsTextsOrOtherMembers) {
  EXPECT_EQ(Uses({"start", "--references"}),
            "app.py:1\t\tfrom clock import Clock, start\n"
            "app.py:5\tmain\tstart(clock)  # start(now)\n"
            "app.py:6\tmain\tprint('start', f'{start(clock)}')\n");
}

TEST_F(SymbolUsesTest, DeclarationsAndDefinitionsAreNoUses) {
  EXPECT_EQ(Uses({"Flush", "--references"}),
            "store.cc:5\tdb > Store > Commit\tFlush();\n"
            "store.cc:9\tdb > Run\tFlush();\n"
            "store.cc:10\tdb > Run\tFlush();\n");
}

TEST_F(SymbolUsesTest, AQualifiedNameMeansOneOfSeveralDefinitions) {
  EXPECT_EQ(Uses({"Store::Commit", "--references"}), "store.cc:8\tdb > Run\tstore->Commit();\n");
  EXPECT_EQ(Uses({"Log::Commit", "--references"}),
            "log.cc:3\tLog > Close\tvoid Close() { Commit(); }\n");
  const RunResult both = Run({"symbols", "Commit", "--references"});
  EXPECT_NE(both.err.find("2 definitions are called Commit"), std::string::npos) << both;
  EXPECT_EQ(std::ranges::count(both.out, '\n'), 2);
}

TEST_F(SymbolUsesTest, APlaceMeansTheDefinitionThere) {
  EXPECT_EQ(Uses({"log.cc:2", "--references"}),
            "log.cc:3\tLog > Close\tvoid Close() { Commit(); }\n");
  EXPECT_EQ(Uses({"store.cc:4-6", "--callers"}), "store.cc:7-11\tdb > Run\t8\n");
  EXPECT_EQ(Run({"symbols", "none.cc:1", "--references"}).exit, 1);
  EXPECT_EQ(Run({"symbols", "app.py:1", "--references"}).exit, 1);
}

TEST_F(SymbolUsesTest, WhatOtherFilesCannotUseIsNotUsedThere) {
  Write("a.c", "static void help(void) {}\nvoid a(void) { help(); }\n");
  Write("b.c", "static void help(void) {}\nvoid b(void) { help(); }\n");
  Write("c.c", "void c(void (*help)(void)) { help(); }\n");
  Write("m.js", "function load() {}\nload();\n");
  Write("n.js", "export function load() {}\n");
  Write("o.js", "load();\n");
  ASSERT_EQ(Run({"add", "."}).exit, 0);
  EXPECT_EQ(Uses({"b.c:1", "--references"}), "b.c:2\tb\tvoid b(void) { help(); }\n");
  EXPECT_EQ(Uses({"m.js:1", "--references"}), "m.js:2\t\tload();\n");
  EXPECT_EQ(Uses({"n.js:1", "--references"}), "o.js:1\t\tload();\n");
}

TEST_F(SymbolUsesTest, CallersAndCallees) {
  EXPECT_EQ(Uses({"Flush", "--callers"}),
            "store.cc:4-6\tdb > Store > Commit\t5\n"
            "store.cc:7-11\tdb > Run\t9, 10\n");
  EXPECT_EQ(Uses({"Run", "--callees"}),
            "store.cc:4-6\tdb > Store > Commit\t8\n"
            "store.cc:3-3\tdb > Flush\t9, 10\n");
  EXPECT_EQ(Uses({"Clock.now", "--callees"}), "clock.py:5-6\tClock > tick\t3\n");
}

TEST_F(SymbolUsesTest, JsonSaysByWhichEvidence) {
  const Json answer = Run({"symbols", "Store::Commit", "--references", "--json"}).Json();
  ASSERT_EQ(answer["results"].size(), 1u) << answer;
  const Json& row = answer["results"][0];
  EXPECT_EQ(row["doc"]["path"], "store.cc");
  EXPECT_EQ(row["line"], 8);
  EXPECT_EQ(row["column"], 10);
  EXPECT_EQ(row["evidence"], "scope");
  EXPECT_EQ(row["symbol"]["name"], "Run");
  EXPECT_EQ(answer["symbols"]["relation"], "references");
}

TEST_F(SymbolUsesTest, PagesFiltersAndWrongInput) {
  EXPECT_EQ(Uses({"Flush", "--references", "-k", "1", "--offset", "1"}),
            "store.cc:9\tdb > Run\tFlush();\n");
  EXPECT_EQ(Uses({"start", "--references", "--filter", "doc.path = 'clock.py'"}), "");
  const RunResult library = Run({"symbols", "print", "--references"});
  EXPECT_EQ(library.out, "app.py:6\tmain\tprint('start', f'{start(clock)}')\n");
  EXPECT_NE(library.err.find("no definition of print"), std::string::npos) << library;
  EXPECT_EQ(Run({"symbols", "Com*", "--references"}).exit, 2);
  EXPECT_EQ(Run({"symbols", "x", "--references", "--callers"}).exit, 2);
  EXPECT_EQ(Run({"symbols", "x", "--references", "--kind", "method"}).exit, 2);
}

}  // namespace
}  // namespace recall
