// Every form of results says of a document whose file was edited or deleted that it is stale, and
// says nothing of other documents.

#include <filesystem>

#include "tests/cli/mcp_client.h"
#include "tests/cli/recall_process.h"
#include "tests/cli/server/http/serving.h"

namespace recall {
namespace {

namespace fs = std::filesystem;

class FreshnessProcessTest : public RecallTest {
 protected:
  void SetUp() override {
    ASSERT_EQ(Run({"init"}).exit, 0);
    Write("kept.md", "# Kept\n\nThe heron stands in the pond.\n");
    Write("edited.md", "# Edited\n\nThe heron flies away.\n");
    Write("deleted.md", "# Deleted\n\nThe heron eats a fish.\n");
    ASSERT_EQ(Run({"add", "."}).exit, 0);
    Write("edited.md", "# Edited\n\nNo bird at all.\n");
    fs::remove(Path("deleted.md"));
  }

  // The states of results by path.
  static std::map<std::string, std::string> StatesOf(const nlohmann::ordered_json& results) {
    std::map<std::string, std::string> states;
    for (const auto& result : results) {
      const auto& doc = result.contains("doc") ? result["doc"] : result;
      const std::string path = doc.contains("path") ? doc["path"] : doc["doc.path"];
      states[path] = doc.value("source_state", result.value("source_state", "none"));
    }
    return states;
  }
};

const std::map<std::string, std::string> kRight = {
    {"kept.md", "none"}, {"edited.md", "changed"}, {"deleted.md", "deleted"}};

TEST_F(FreshnessProcessTest, InText) {
  const RunResult found = Run({"search", "heron"});
  EXPECT_NE(found.out.find("edited.md:1-3 (changed since)  Edited"), std::string::npos) << found;
  EXPECT_NE(found.out.find("deleted.md:1-3 (deleted)  Deleted"), std::string::npos) << found;
  EXPECT_NE(found.out.find("kept.md:1-3  Kept"), std::string::npos) << found;
  const RunResult packed = Run({"context", "heron"});
  EXPECT_NE(packed.out.find("] (changed since) Edited"), std::string::npos) << packed;
  EXPECT_NE(packed.out.find("] (deleted) Deleted"), std::string::npos) << packed;
  const RunResult markdown = Run({"context", "--format", "markdown", "heron"});
  EXPECT_NE(markdown.out.find("` (deleted) Deleted"), std::string::npos) << markdown;
  const RunResult near = Run({"similar", "kept.md"});
  EXPECT_NE(near.out.find(" (deleted)"), std::string::npos) << near;
  const RunResult fzf = Run({"search", "--format", "fzf", "heron"});
  EXPECT_NE(fzf.out.find("(deleted)  Deleted"), std::string::npos) << fzf;
}

TEST_F(FreshnessProcessTest, GetPrintsTheBytesAndWarns) {
  const RunResult edited = Run({"get", "edited.md"});
  EXPECT_EQ(edited.exit, 0);
  EXPECT_EQ(edited.out, "# Edited\n\nThe heron flies away.\n");
  EXPECT_NE(edited.err.find("the file of edited.md has changed since it was added"),
            std::string::npos)
      << edited;
  const RunResult deleted = Run({"get", "--cite", "deleted.md:3"});
  EXPECT_NE(deleted.out.find("] (deleted)\n"), std::string::npos) << deleted;
  EXPECT_EQ(Run({"get", "kept.md"}).err, "");
}

TEST_F(FreshnessProcessTest, WarningsWhereThereIsNoPlaceForAMark) {
  for (const auto& args :
       std::vector<std::vector<std::string>>{{"search", "--fields", "path", "heron"},
                                             {"context", "--no-citations", "heron"},
                                             {"query", "FROM chunk SELECT doc.path, chunk.text"}}) {
    const RunResult found = Run(args);
    EXPECT_NE(found.err.find("the file of deleted.md is deleted"), std::string::npos) << found;
    EXPECT_EQ(found.out.find("(deleted)"), std::string::npos) << found;
  }
  EXPECT_EQ(Run({"query", "FROM doc SELECT doc.path"}).err, "") << "no text is shown";
}

TEST_F(FreshnessProcessTest, InJson) {
  EXPECT_EQ(StatesOf(Run({"search", "--json", "heron"}).Json()["results"]), kRight);
  EXPECT_EQ(StatesOf(Run({"search", "--json", "--payload", "lean", "heron"}).Json()["results"]),
            kRight);
  EXPECT_EQ(StatesOf(Run({"search", "--json", "--fields", "path", "heron"}).Json()["results"]),
            kRight);
  EXPECT_EQ(StatesOf(Run({"context", "--json", "heron"}).Json()["context"]["chunks"]), kRight);
  EXPECT_EQ(
      StatesOf(Run({"get", "--json", "kept.md", "edited.md", "deleted.md"}).Json()["results"]),
      kRight);
  const auto rows =
      Run({"query", "--json", "FROM chunk SELECT doc.path, chunk.text"}).Json()["results"];
  EXPECT_EQ(StatesOf(rows), kRight);
  const RunResult lean = Run({"search", "--lean", "heron"});
  EXPECT_NE(lean.out.find(R"("source_state":"deleted")"), std::string::npos) << lean;
}

TEST_F(FreshnessProcessTest, NothingIfItIsTurnedOff) {
  for (const char* command : {"search", "context", "similar"}) {
    const std::string target = command == std::string("similar") ? "kept.md" : "heron";
    EXPECT_EQ(Run({command, "--no-check", target}).out.find("(deleted)"), std::string::npos);
  }
  const RunOptions off = {.env = {{"RECALL_CHECK_SOURCES", "no"}}};
  EXPECT_EQ(Run({"search", "heron"}, off).out.find("(deleted)"), std::string::npos);
  EXPECT_EQ(Run({"get", "deleted.md"}, off).err, "");
}

TEST_F(FreshnessProcessTest, FreshBringsTheStoreUpToDate) {
  const RunResult found = Run({"search", "--fresh", "--json", "heron"});
  EXPECT_EQ(found.exit, 0) << found;
  EXPECT_EQ(StatesOf(found.Json()["results"]),
            (std::map<std::string, std::string>{{"kept.md", "none"}}));
  EXPECT_EQ(Run({"get", "edited.md"}).out, "# Edited\n\nNo bird at all.\n");
  EXPECT_EQ(Run({"get", "deleted.md"}).exit, 1);
  EXPECT_EQ(Run({"search", "--json", "heron"}).Json()["results"], found.Json()["results"]);
  EXPECT_EQ(Run({"search", "--fresh", "--no-check", "heron"}).exit, 2);
  EXPECT_EQ(Run({"search", "--fresh", "--snapshot", "2026-01-01", "heron"}).exit, 2);
}

TEST_F(FreshnessProcessTest, FreshGetAndContextAndQueryAndSimilar) {
  EXPECT_EQ(Run({"get", "--fresh", "edited.md"}).out, "# Edited\n\nNo bird at all.\n");
  Write("edited.md", "# Edited\n\nThe heron is back.\n");
  const RunResult packed = Run({"context", "--fresh", "heron"});
  EXPECT_NE(packed.out.find("The heron is back."), std::string::npos) << packed;
  EXPECT_EQ(packed.out.find("(deleted)"), std::string::npos) << packed;
  Write("edited.md", "# Edited\n\nThe heron is there.\n");
  const RunResult rows = Run({"query", "--fresh", "FROM chunk SELECT chunk.text"});
  EXPECT_NE(rows.out.find("The heron is there."), std::string::npos) << rows;
  Write("edited.md", "# Edited\n\nThe heron is here.\n");
  EXPECT_EQ(Run({"similar", "--fresh", "kept.md"}).exit, 0);
  EXPECT_NE(Run({"get", "edited.md"}).out.find("is here"), std::string::npos);
}

// What a version shows of the options of its add is kept.
TEST_F(FreshnessProcessTest, FreshAddsAsBefore) {
  Write("lib/a.md", "---\ntitle: One\n---\n\nThe crane builds.\n");
  ASSERT_EQ(Run({"add", "--root", Path("lib"), "--as", "manual", "--parser", "plain", "--tag", "t",
                 Path("lib")})
                .exit,
            0);
  Write("lib/a.md", "The crane has built.\n");
  const auto result = Run({"search", "--fresh", "--json", "crane"}).Json()["results"][0];
  EXPECT_EQ(result["doc"]["path"], "manual/a.md");
  EXPECT_EQ(result["doc"]["parser"], "plain");
  EXPECT_EQ(result["doc"]["tag"], "t");
  EXPECT_EQ(result["chunk"]["text"], "The crane has built.");
}

TEST_F(FreshnessProcessTest, FreshKeepsWhatMayBeOnADiskThatIsNotMounted) {
  Write("disk/a.md", "The stork nests on a disk.\n");
  ASSERT_EQ(Run({"add", "disk"}).exit, 0);
  fs::remove(Path("disk/a.md"));
  const auto results = Run({"search", "--fresh", "--json", "stork"}).Json()["results"];
  EXPECT_EQ(StatesOf(results).at("disk/a.md"), "deleted");
}

TEST_F(FreshnessProcessTest, ThroughMcp) {
  McpClient client(StartConversation({"mcp"}));
  const ToolResponse packed = client.Call("context", {{"query", "heron"}});
  EXPECT_NE(packed.text.find("] (deleted) Deleted"), std::string::npos) << packed;
  const ToolResponse read = client.Call("get", {{"target", "deleted.md"}});
  EXPECT_NE(read.text.find("] (deleted)\n"), std::string::npos) << read;
  const ToolResponse found = client.Call("search", {{"query", "heron"}});
  EXPECT_NE(found.text.find(R"("source_state":"changed")"), std::string::npos) << found;
  // Nothing is told of files outside of --root.
  Write("sub/here.md", "The heron nests.\n");
  ASSERT_EQ(Run({"add", "sub"}).exit, 0);
  fs::remove(Path("sub/here.md"));
  McpClient below(StartConversation({"mcp", "--root", Path("sub"), "--max-tokens", "8000"}));
  const ToolResponse limited = below.Call("search", {{"query", "heron"}, {"k", 20}});
  EXPECT_EQ(limited.text.find(R"("source_state":"changed")"), std::string::npos) << limited;
  EXPECT_NE(limited.text.find(R"("source_state":"deleted")"), std::string::npos) << limited;
}

TEST_F(FreshnessProcessTest, ThroughHttp) {
  const Serving server(store(), {"--socket", Path("socket"), "--allow-write"});
  const std::string question = R"({"query": "heron"})";
  EXPECT_EQ(StatesOf(Post(server.Local(), "/v1/search", question).Json()["results"]), kRight);
  EXPECT_EQ(StatesOf(Post(server.Local(), "/v1/context", question).Json()["context"]["chunks"]),
            kRight);
  // The same question again, whose answer the server keeps.
  Write("deleted.md", "# Deleted\n\nThe heron eats a fish.\n");
  fs::remove(Path("kept.md"));
  EXPECT_EQ(StatesOf(Post(server.Local(), "/v1/search", question).Json()["results"]),
            (std::map<std::string, std::string>{
                {"kept.md", "deleted"}, {"edited.md", "changed"}, {"deleted.md", "none"}}));
  EXPECT_EQ(Post(server.Local(), "/v1/search", R"({"query": "heron", "fresh": true})").status, 400);
}

}  // namespace
}  // namespace recall
