// Replays the scenarios that were published with recall 0.1: the same command lines give JSON of
// the same types, except for the differences that docs/compatibility.md lists.

#include <fstream>
#include <sstream>

#include "tests/cli/recall_process.h"
#include "tests/cli/shell.h"
#include "tests/test_paths.h"

namespace recall {
namespace {

using Json = nlohmann::ordered_json;

// JSON types of the published answers, by path; '*' is every element. Fields may be absent.
struct CompatType {
  const char* place;
  std::vector<std::string> types;
};
const CompatType kCompatTypes[] = {
    {"/ok", {"boolean"}},
    {"/schema_version", {"string"}},
    {"/query", {"object"}},
    {"/query/text", {"string"}},
    {"/query/rql", {"string", "null"}},
    {"/query/filters", {"string", "null"}},
    {"/query/limit", {"integer"}},
    {"/query/offset", {"integer"}},
    {"/query/lexical_mode", {"string", "null"}},
    {"/query/snapshot", {"string", "null"}},
    {"/results", {"array"}},
    {"/results/*", {"object"}},
    {"/results/*/score", {"number"}},
    {"/results/*/doc", {"object"}},
    {"/results/*/chunk", {"object"}},
    {"/results/*/explain", {"object"}},
    {"/context", {"object"}},
    {"/explain", {"object"}},
    {"/stats", {"object"}},
    {"/stats/took_ms", {"integer"}},
    {"/stats/total_hits", {"integer"}},
    {"/stats/snapshot", {"string", "null"}},
    {"/stats/doc_count", {"integer", "null"}},
    {"/stats/chunk_count", {"integer", "null"}},
    {"/stats/db_size_bytes", {"integer", "null"}},
    {"/stats/timings", {"object", "null"}},
    {"/stats/corpus", {"object", "null"}},
    {"/stats/memory", {"object", "null"}},
    {"/warnings", {"array"}},
    {"/warnings/*", {"string"}},
    {"/next_offset", {"integer", "null"}},
    {"/error", {"object"}},
    {"/error/code", {"string"}},
    {"/error/message", {"string"}},
    {"/error/hint", {"string", "null"}},
    // error.details became an object; docs/compatibility.md lists this.
};

std::string TypeOf(const Json& value) {
  if (value.is_number_integer()) return "integer";
  return value.type_name();
}

void ExpectTypes(const Json& value, std::string_view place, const CompatType& published) {
  if (place.empty()) {
    const std::string type = TypeOf(value);
    const auto allowed = [&](const std::string& name) {
      return name == type || (name == "number" && type == "integer");
    };
    EXPECT_TRUE(std::any_of(published.types.begin(), published.types.end(), allowed))
        << published.place << " is a " << type;
    return;
  }
  const size_t end = std::min(place.find('/', 1), place.size());
  const std::string name(place.substr(1, end - 1));
  const std::string_view rest = place.substr(end);
  if (name == "*" && value.is_array()) {
    for (const Json& element : value) ExpectTypes(element, rest, published);
  } else if (value.is_object() && value.contains(name)) {
    ExpectTypes(value.at(name), rest, published);
  }
}

// A value in a published answer. It is the same here, unless `difference` names a listed reason.
struct Recall01Value {
  const char* place;
  const char* value;                 // JSON; "" if it differs from run to run
  const char* difference = nullptr;  // the row of docs/compatibility.md, section JSON
};

class PublishedTest : public RecallTest {
 protected:
  void SetUp() override {
    std::ostringstream page;
    page << std::ifstream(SourceDir() + "/docs/compatibility.md").rdbuf();
    differences_ = page.str().substr(page.str().find("\n## JSON"));
  }

  // Runs a command line that must succeed, and checks the types of the answer.
  Json Answer(const std::vector<std::string>& args) {
    const RunResult result = Run(args);
    EXPECT_EQ(result.exit, 0) << result;
    const Json json = result.Json();
    EXPECT_TRUE(json.contains("ok") && json.contains("schema_version"));
    for (const CompatType& type : kCompatTypes) ExpectTypes(json, type.place, type);
    return json;
  }

  void ExpectPublished(const Json& answer, const std::vector<Recall01Value>& published) {
    for (const Recall01Value& expected : published) {
      const Json::json_pointer place(expected.place);
      if (expected.difference != nullptr) {
        EXPECT_NE(differences_.find("`" + std::string(expected.difference) + "`"),
                  std::string::npos)
            << expected.place << " differs and is not listed as " << expected.difference;
        EXPECT_TRUE(!answer.contains(place) || *expected.value == '\0' ||
                    answer.at(place) != Json::parse(expected.value))
            << expected.place << " is listed as different, but is not";
        continue;
      }
      ASSERT_TRUE(answer.contains(place)) << expected.place << " is missing in\n" << answer.dump(2);
      if (*expected.value != '\0') {
        EXPECT_EQ(answer.at(place), Json::parse(expected.value)) << expected.place;
      }
    }
  }

  void MakeStore(const std::map<std::string, std::string>& files, const std::string& tag = "") {
    for (const auto& [name, text] : files) Write("texts/" + name, text);
    ASSERT_EQ(Run({"init", "."}).exit, 0);
    std::vector<std::string> add = {"add", "texts", "--glob", "**/*.txt", "--json"};
    if (!tag.empty()) add.insert(add.end(), {"--tag", tag});
    const Json added = Answer(add);
    EXPECT_EQ(added["stats"]["total_hits"], files.size());
  }

  std::string Sha256(const std::string& bytes) {
    const std::string command =
        "printf '%b' " + ShellQuoted(bytes) + " | sha256sum | cut -c1-64 | tr -d '\\n'";
    return RunShell(command, directory()).out;
  }

 private:
  std::string differences_;
};

// A file with six words.
constexpr const char* kText = "good morning\nfrom a small file\n";

TEST_F(PublishedTest, Add) {
  Write("texts/a.txt", kText);
  ASSERT_EQ(Run({"init", "."}).exit, 0);
  const Json added = Answer({"add", "texts", "--glob", "**/*.txt", "--tag", "texts", "--json"});
  ExpectPublished(added, {{"/ok", "true"},
                          {"/schema_version", "\"2\""},
                          {"/stats/took_ms", ""},
                          {"/stats/total_hits", "1"},
                          {"/stats/snapshot", "\"2026\"", "stats.snapshot"},
                          {"/stats/doc_count", "null", "stats.doc_count"},
                          {"/stats/chunk_count", "null", "stats.chunk_count"},
                          {"/stats/db_size_bytes", "null", "stats.db_size_bytes"}});
}

TEST_F(PublishedTest, SearchWithFilterAndExplain) {
  MakeStore({{"a.txt", kText}}, "texts");
  const Json found = Answer(
      {"search", "morning", "--k", "4", "--filter", "doc.tag = 'texts'", "--json", "--explain"});
  const std::string doc_hash = Sha256("good morning\\nfrom a small file\\n");
  const std::string doc_id = Sha256("texts/a.txt\\0000" + doc_hash);
  const std::string chunk_id = Sha256(doc_id + ":0");
  EXPECT_EQ(found["results"].size(), 1u);
  EXPECT_EQ(found["results"][0]["doc"]["hash"], doc_hash);
  EXPECT_EQ(found["results"][0]["doc"]["id"], doc_id);
  EXPECT_EQ(found["results"][0]["chunk"]["id"], chunk_id);
  EXPECT_EQ(found["results"][0]["chunk"]["doc_id"], doc_id);
  ExpectPublished(
      found,
      {{"/ok", "true"},
       {"/schema_version", "\"2\""},
       {"/query/text", "\"morning\""},
       {"/query/rql", "null"},
       {"/query/filters", "\"doc.tag = 'texts'\""},
       {"/query/limit", "4"},
       {"/query/offset", "0"},
       {"/query/lexical_mode", "\"fts5\"", "query.lexical_mode"},
       {"/query/snapshot", "\"2026\"", "query.snapshot"},
       {"/results/0/score", ""},
       {"/results/0/doc/path", "\"texts/a.txt\""},
       {"/results/0/doc/mtime", ""},
       {"/results/0/doc/tag", "\"texts\""},
       {"/results/0/doc/source", "null"},
       {"/results/0/chunk/offset", "0"},
       {"/results/0/chunk/tokens", "6"},
       {"/results/0/chunk/text", "\"good morning from a small file\"", "chunk.text"},
       {"/results/0/explain/lexical", "1.0", "explain.lexical"},
       {"/results/0/explain/semantic", ""},
       {"/explain/mode", "\"hybrid\""},
       {"/explain/candidates/lexical", "1"},
       {"/explain/candidates/combined", "1"},
       {"/explain/candidates/semantic", "1"},
       {"/explain/cache/embedding", "\"none\""},
       {"/explain/cache/fts", "\"none\""},
       {"/explain/cache/vec", "\"none\""},
       {"/explain/lexical/mode", "\"fts5\"", "explain.lexical"},
       {"/explain/lexical/original", "\"morning\""},
       {"/explain/lexical/sanitized_applied", "false"},
       {"/explain/resolved_config/bm25_weight", "0.5", "explain.resolved_config"},
       {"/explain/resolved_config/vector_weight", "0.5", "explain.resolved_config"},
       {"/explain/resolved_config/chunk_tokens", "256"},
       {"/explain/resolved_config/overlap_tokens", "32"},
       {"/explain/resolved_config/embedding_dim", "256"},
       {"/explain/resolved_config/embedding", "\"model2vec\"", "explain.resolved_config"},
       {"/explain/resolved_config/lexical_mode", "\"fts5\"", "explain.resolved_config"},
       {"/explain/resolved_config/vector_index", "\"sqlite-vec\"", "explain.resolved_config"},
       {"/explain/resolved_config/max_limit", "1000"},
       {"/explain/snapshot", "\"2026\"", "explain.snapshot"},
       {"/stats/total_hits", "1"},
       {"/stats/doc_count", "null", "stats.doc_count"},
       {"/stats/timings", ""},
       {"/stats/took_ms", ""}});
}

TEST_F(PublishedTest, SearchForPunctuation) {
  MakeStore({{"a.txt", kText}}, "texts");
  const Json found =
      Answer({"search", "?", "--k", "4", "--filter", "doc.tag = 'texts'", "--json", "--explain"});
  ExpectPublished(found, {{"/query/text", "\"?\""},
                          {"/explain/mode", "\"hybrid\""},
                          {"/explain/candidates/lexical", "0"},
                          {"/explain/lexical/original", "\"?\""},
                          {"/explain/lexical/sanitized_applied", "true", "explain.lexical"},
                          {"/explain/lexical/sanitized", "\"\"", "explain.lexical"}});
}

TEST_F(PublishedTest, RankedQuery) {
  MakeStore({{"a.txt", kText}});
  const Json found = Answer({"query", "--rql",
                             "FROM chunk USING semantic('morning') LIMIT 3 "
                             "SELECT chunk.text, chunk.offset, doc.path;",
                             "--json"});
  ExpectPublished(found,
                  {{"/query/text", "\"\"", "query.text"},
                   {"/query/filters", "null"},
                   {"/query/limit", "3"},
                   {"/query/offset", "0"},
                   {"/query/lexical_mode", "\"fts5\"", "query.lexical_mode"},
                   {"/query/rql",
                    "\"FROM chunk USING semantic('morning') LIMIT 3 "
                    "SELECT chunk.text, chunk.offset, doc.path;\"",
                    "query.rql"},
                   {"/results/0/chunk/offset", "0"},
                   {"/results/0/chunk/text", "\"good morning from a small file\"", "chunk.text"},
                   {"/results/0/doc/path", "\"texts/a.txt\""},
                   {"/stats/total_hits", "1"},
                   {"/stats/timings", "{}", "stats.timings"}});
  EXPECT_EQ(found["results"][0].size(), 2u) << "the score was not selected";
  EXPECT_EQ(found["results"][0]["chunk"].size(), 2u);
  EXPECT_EQ(found["results"][0]["doc"].size(), 1u);
}

TEST_F(PublishedTest, FilteredQuery) {
  MakeStore({{"a.txt", kText}});
  const Json found =
      Answer({"query", "--rql", "FROM doc FILTER doc.path LIKE '%texts%' LIMIT 2 SELECT doc.path;",
              "--json"});
  ExpectPublished(found, {{"/query/limit", "2"},
                          {"/query/text", "\"\""},
                          {"/query/filters", "null", "query.filters"},
                          {"/results", R"([{"doc":{"path":"texts/a.txt"}}])"},
                          {"/stats/total_hits", "1"}});
}

TEST_F(PublishedTest, Context) {
  MakeStore({{"a.txt", kText}});
  const Json found =
      Answer({"context", "file", "--token-counter", "words", "--budget-tokens", "16", "--json"});
  ExpectPublished(
      found, {{"/context/budget_tokens", "16"},
              {"/context/used_tokens", "6", "context.used_tokens"},
              {"/context/text", "\"good morning from a small file\"", "context.text"},
              {"/context/chunks/0/id", ""},
              {"/context/chunks/0/doc_id", ""},
              {"/context/chunks/0/hash", ""},
              {"/context/chunks/0/mtime", ""},
              {"/context/chunks/0/offset", "0"},
              {"/context/chunks/0/path", "\"texts/a.txt\""},
              {"/context/chunks/0/tokens", "6"},
              {"/context/chunks/0/text", "\"good morning from a small file\"", "context.chunks"},
              {"/query/text", "\"file\""},
              {"/query/limit", "100", "query.limit"},
              {"/query/offset", "0"},
              {"/stats/total_hits", "1"}});
  EXPECT_FALSE(found.contains("results"));
}

TEST_F(PublishedTest, Stats) {
  MakeStore({{"a.txt", kText}});
  const Json stats = Answer({"stats", "--json"});
  ExpectPublished(stats, {{"/stats/doc_count", "1"},
                          {"/stats/chunk_count", "1"},
                          {"/stats/corpus/docs", "1"},
                          {"/stats/corpus/chunks", "1"},
                          {"/stats/corpus/tokens", "6"},
                          {"/stats/corpus/bytes", ""},
                          {"/stats/db_size_bytes", ""},
                          {"/stats/memory/rss_bytes", ""},
                          {"/stats/memory/virt_bytes", ""},
                          {"/stats/total_hits", "0", "stats.total_hits"}});
}

TEST_F(PublishedTest, UnorderedDocumentsComeByPath) {
  MakeStore({{"b.txt", "second\n"}, {"a.txt", "first\n"}});
  const Json found =
      Answer({"query", "--rql",
              "FROM doc FILTER doc.path GLOB '**/*.txt' LIMIT 10 SELECT doc.path;", "--json"});
  EXPECT_EQ(found["results"].dump(),
            R"([{"doc":{"path":"texts/a.txt"}},{"doc":{"path":"texts/b.txt"}}])");
}

TEST_F(PublishedTest, TiesOfAnOrderComeByPath) {
  MakeStore({{"b.txt", "second\n"}, {"a.txt", "first\n"}}, "texts");
  const Json found = Answer({"query", "--rql",
                             "FROM doc FILTER doc.tag = \"texts\" ORDER BY doc.tag DESC LIMIT 10 "
                             "SELECT doc.path, doc.tag;",
                             "--json"});
  EXPECT_EQ(found["results"].dump(), R"([{"doc":{"path":"texts/a.txt","tag":"texts"}},)"
                                     R"({"doc":{"path":"texts/b.txt","tag":"texts"}}])");
}

TEST_F(PublishedTest, VectorSearchFindsSharedWords) {
  MakeStore({{"a.txt", "good evening vectors\n"}});
  EXPECT_FALSE(Answer({"search", "vectors", "--vector", "--json"})["results"].empty());
}

TEST_F(PublishedTest, TwentyRunsAreOne) {
  MakeStore(
      {{"a.txt", "one two three\n"}, {"b.txt", "two three four\n"}, {"c.txt", "three four\n"}});
  const std::string later = "2100-01-01T00:00:00Z";
  for (const std::vector<std::string>& line : std::vector<std::vector<std::string>>{
           {"search", "three", "--k", "4", "--snapshot", later, "--json"},
           {"query", "--rql",
            "FROM chunk USING semantic('three') LIMIT 4 SELECT chunk.text, doc.path;", "--snapshot",
            later, "--json"},
           {"context", "three", "--budget-tokens", "64", "--snapshot", later, "--json"}}) {
    EXPECT_EQ(Answer(line)["query"]["snapshot"], later);
    // The published test had to remove times first; here all bytes are equal.
    const std::string first = Run(line).out;
    for (int i = 1; i < 20; ++i) ASSERT_EQ(Run(line).out, first);
  }
}

TEST_F(PublishedTest, ExportAndImport) {
  MakeStore({{"a.txt", kText}});
  Answer({"export", "--out", Path("store.jsonl"), "--json"});
  Json mine = Run({"search", "morning", "--json"}).Json()["results"];
  for (Json& hit : mine) hit["doc"]["origin"] = "import";
  Erase("recall.db");
  Erase("texts");
  ASSERT_EQ(Run({"init", "."}).exit, 0);
  const Json imported = Answer({"import", Path("store.jsonl"), "--json"});
  EXPECT_EQ(imported["stats"]["total_hits"], 2) << "a document and a chunk";
  EXPECT_EQ(Answer({"search", "morning", "--json"})["results"].dump(), mine.dump());
}

TEST_F(PublishedTest, GuideNeedsNothing) {
  const RunResult guide = Run({"guide"});
  EXPECT_EQ(guide.exit, 0);
  EXPECT_TRUE(guide.out.starts_with("# ")) << guide;
}

TEST_F(PublishedTest, ErrorsHaveTheirShape) {
  const RunResult result = Run({"search", "x", "--json"});
  EXPECT_EQ(result.exit, 3) << "listed: exit codes";
  const Json json = result.Json();
  for (const CompatType& type : kCompatTypes) ExpectTypes(json, type.place, type);
  EXPECT_EQ(json["error"]["message"], "store not found; run `recall init` first");
}

}  // namespace
}  // namespace recall
