// `recall related`, in a repository of git and beside sessions; by the command line, as a tool and
// over HTTP.

#include <nlohmann/json.hpp>

#include "tests/cli/mcp_client.h"
#include "tests/cli/recall_process.h"
#include "tests/cli/server/http/raw_client.h"
#include "tests/cli/server/http/serving.h"
#include "tests/git_sandbox.h"

namespace recall {
namespace {

using RelatedJson = nlohmann::ordered_json;

class RelatedProcessTest : public RecallTest {
 protected:
  void SetUp() override {
    MakeGitRepository(directory());
    WriteFileIn(directory(), ".gitignore", "*\n!src/\n!src/*\n");
    ASSERT_EQ(Run({"init"}).exit, 0);
    Commit("2026-01-01T10:00:00Z", {"src/a.go", "src/b.go", "src/c.go"});
    first_ = Commit("2026-01-02T10:00:00Z", {"src/a.go", "src/b.go"});
    Commit("2026-01-03T10:00:00Z", {"src/c.go"});
  }

  std::string Commit(const std::string& time, const std::vector<std::string>& files) {
    for (const std::string& file : files) WriteFileIn(directory(), file, file + time);
    return CommitAll(directory(), "change", time);
  }

  std::string first_;
};

TEST_F(RelatedProcessTest, PrintsALineForEachFile) {
  const RunResult related = Run({"related", "src/a.go"});
  EXPECT_EQ(related.exit, 0) << related;
  EXPECT_EQ(related.err, "");
  const size_t end = related.out.find('\n');
  EXPECT_TRUE(related.out.starts_with("src/b.go\t1.50\t2/2\t" + first_.substr(0, 10) + " "))
      << related.out;
  EXPECT_TRUE(related.out.substr(end + 1).starts_with("src/c.go\t0.50\t1/2\t")) << related.out;
  EXPECT_EQ(Run({"related", "a.go"}, {.directory = Path("src")}).out, related.out);
  EXPECT_EQ(Run({"related", Path("src/a.go")}).out, related.out);
  EXPECT_EQ(Run({"related", "src/a.go", "-n", "1"}).out, related.out.substr(0, end + 1));
}

TEST_F(RelatedProcessTest, JsonHasTheEvidence) {
  const RunResult result = Run({"related", "src/a.go", "--json", "--stable"});
  EXPECT_EQ(Run({"related", "src/a.go", "--json", "--stable"}).out, result.out);
  const RelatedJson answer = result.Json();
  EXPECT_EQ(answer["query"]["text"], "src/a.go");
  EXPECT_EQ(answer["changes"], RelatedJson::parse(R"({"path": "src/a.go", "sessions": 0,
                                                      "commits": 2, "too_large": 0})"));
  ASSERT_EQ(answer["results"].size(), 2u);
  const RelatedJson& best = answer["results"][0];
  EXPECT_EQ(best["path"], "src/b.go");
  EXPECT_EQ(best["score"], 1.5);
  EXPECT_EQ(best["together"], 2);
  EXPECT_EQ(best["share"], 1.0);
  EXPECT_EQ(best["sessions"]["count"], 0);
  EXPECT_EQ(best["commits"]["count"], 2);
  EXPECT_EQ(best["commits"]["newest"][0], first_);
  EXPECT_EQ(answer["stats"]["total_hits"], 2);
}

TEST_F(RelatedProcessTest, SessionsCountBesideCommits) {
  std::string lines;
  for (const char* id : {"s1", "s2"}) {
    const RelatedJson said = {{"session", id},
                              {"role", "human"},
                              {"text", "Change it."},
                              {"at", "2026-02-01T10:00:00Z"},
                              {"cwd", directory()}};
    lines += said.dump() + "\n";
    for (const char* file : {"src/a.go", "src/c.go"}) {
      const RelatedJson use = {{"session", id}, {"tool", "Edit"}, {"path", file}};
      lines += use.dump() + "\n";
    }
  }
  Write("t.jsonl", lines);
  ASSERT_EQ(Run({"capture", "--from", "jsonl", "t.jsonl"}).exit, 0);
  const RelatedJson all = Run({"related", "src/a.go", "--json"}).Json();
  EXPECT_EQ(all["results"][0]["path"], "src/c.go");
  EXPECT_EQ(all["results"][0]["sessions"]["newest"],
            RelatedJson::array({"sessions/jsonl/s1", "sessions/jsonl/s2"}));
  const RelatedJson sessions = Run({"related", "src/a.go", "--no-git", "--json"}).Json();
  EXPECT_EQ(sessions["results"].size(), 1u);
  EXPECT_EQ(sessions["changes"]["commits"], 0);
  const RelatedJson one =
      Run({"related", "src/a.go", "--no-git", "--filter", "doc.session.id = 's1'", "--json"})
          .Json();
  EXPECT_EQ(one["changes"]["sessions"], 1);
  // Which sessions changed a file, in the words of RQL.
  EXPECT_EQ(Run({"query", "SELECT doc.path FROM doc FILTER doc.session.changed_files = 'src/a.go'",
                 "--json"})
                .Json()["results"]
                .size(),
            2u);
}

TEST_F(RelatedProcessTest, ServersAnswerAsTheCommandLine) {
  const RelatedJson wanted = Run({"related", "src/a.go", "--json"}).Json();
  const Serving server(directory(), {"--socket", Path("socket"), "--root", directory()});
  const auto ask = [&](const std::string& body) {
    return Post(server.Local(), "/v1/related", body);
  };
  const ServedAnswer answer = ask(R"({"file": "src/a.go"})");
  EXPECT_EQ(answer.status, 200) << answer.body;
  EXPECT_EQ(answer.Json()["results"], wanted["results"]);
  EXPECT_EQ(answer.Json()["changes"], wanted["changes"]);
  EXPECT_EQ(ask(R"({"file": "../outside.go"})").status, 400);
  EXPECT_EQ(ask("{}").status, 400);

  McpClient client(StartConversation({"mcp", "--tool", "default", "--tool", "related"}));
  const ToolResponse called = client.Call("related", {{"path", "src/a.go"}});
  ASSERT_FALSE(called.error) << called;
  const std::vector<std::string> lines = called.Lines();
  ASSERT_EQ(lines.size(), 3u) << called;
  const RelatedJson best = RelatedJson::parse(lines[0]);
  EXPECT_EQ(best["path"], "src/b.go");
  EXPECT_EQ(best["score"], 1.5);
  EXPECT_EQ(best["together"], 2);
  EXPECT_EQ(best["commits"], wanted["results"][0]["commits"]["newest"]);
  EXPECT_EQ(called.Totals()["path"], "src/a.go");
  EXPECT_EQ(called.Totals()["commits"], 2);
  const ToolResponse outside = client.Call("related", {{"file", "/etc/hosts"}});
  EXPECT_TRUE(outside.error);
  EXPECT_TRUE(outside.text.starts_with("invalid_argument: '/etc/hosts' is not below ")) << outside;
}

// Commits name files that a scope says nothing of.
TEST_F(RelatedProcessTest, WithinAScopeOnlySessionsCount) {
  const Serving server(directory(), {"--scope", "doc.tag = 'a'", "--socket", Path("socket")});
  const ServedAnswer answer = Post(server.Local(), "/v1/related", R"({"file": "src/a.go"})");
  EXPECT_EQ(answer.status, 200) << answer.body;
  EXPECT_TRUE(answer.Json()["results"].empty()) << answer.body;
  EXPECT_EQ(answer.Json()["changes"]["commits"], 0);
  EXPECT_NE(answer.body.find("within a scope only sessions count"), std::string::npos);
}

TEST_F(RelatedProcessTest, SaysWhyThereIsNothing) {
  const RunResult none = Run({"related", "src/none.go"});
  EXPECT_EQ(none.exit, 0);
  EXPECT_EQ(none.out, "");
  EXPECT_NE(none.err.find("no session and no commit changed src/none.go"), std::string::npos)
      << none;
  EXPECT_EQ(Run({"related"}).exit, 2);
  EXPECT_EQ(Run({"related", "a", "b"}).exit, 2);
  EXPECT_EQ(Run({"related", "a", "--limit", "0"}).exit, 2);
  EXPECT_EQ(Run({"related", "a", "--newest", "0"}).exit, 2);
  EXPECT_EQ(Run({"related", "a", "--filter", "doc.path >"}).exit, 2);
}

}  // namespace
}  // namespace recall
