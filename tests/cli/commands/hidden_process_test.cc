// What clients of a server may not see leaves no trace in what they are answered: documents outside
// of --scope, and private notes.

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <random>
#include <regex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/cli/mcp_client.h"
#include "tests/cli/recall_process.h"
#include "tests/cli/server/http/raw_client.h"
#include "tests/cli/server/http/serving.h"

namespace recall {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;
using Args = std::vector<std::string>;

constexpr const char* kScope = "doc.tag IS NULL OR doc.tag != 'secret'";

std::string Quoted(const std::string& text) { return ordered_json(text).dump(); }

class HiddenTest : public RecallTest {
 protected:
  // Both rules, each with a document that it hides and the same text.
  struct Rule {
    std::string name;
    Args flags;
  };
  void MakeStore() {
    Write("a.md", "public retry policy\n");
    Write("b.md", "public retry limits\n");
    Write("hidden.md", "the password of the vault lies under quibblestone\n");
    Write("recall.toml", "notes_dir = \"\"\n");  // a store that is made again has no old files
    ASSERT_EQ(Run({"init"}).exit, 0);
    ASSERT_EQ(Run({"add", "a.md", "b.md"}).exit, 0);
    ASSERT_EQ(Run({"save", "lesson", "Open", "--text", "retry later"}).exit, 0);
  }
  void Hide(const Rule& rule) {
    if (rule.name == "scope") {
      ASSERT_EQ(Run({"add", "hidden.md", "--tag", "secret"}).exit, 0);
    } else {
      const RunResult saved = Run({"save", "decision", "Plan", "--private", "--text",
                                   "the password of the vault lies under quibblestone"});
      ASSERT_EQ(saved.exit, 0) << saved;
    }
  }
  static std::vector<Rule> Rules() { return {{"scope", {"--scope", kScope}}, {"private", {}}}; }
  std::vector<std::string> Options(std::vector<std::string> more) const {
    more.insert(more.end(), {"--socket", Path("socket")});
    return more;
  }
  void Reset() {
    for (const char* file : {"recall.db", "recall.db-wal", "recall.db-shm"}) {
      fs::remove(Path(file));
    }
    MakeStore();
  }
};

// The number of chunks with each term that an explanation tells.
ordered_json Terms(const Serving& server, const std::string& lexical) {
  const std::string rql = "FROM chunk USING lexical('" + lexical + "') LIMIT 1 SELECT doc.path";
  const ServedAnswer answer =
      Post(server.Local(), "/v1/query", "{\"explain\": true, \"rql\": " + Quoted(rql) + "}");
  return answer.Json()["explain"]["lexical"]["terms"];
}

TEST_F(HiddenTest, ExplanationsCountNoHiddenWordsPrefixesAndPhrases) {
  for (const Rule& rule : Rules()) {
    SCOPED_TRACE(rule.name);
    Reset();
    Hide(rule);
    const Serving server(store(), Options(rule.flags));
    for (const char* asked : {"quibblestone", "quib*", "\"vault lies under\"", "\"retry vault\""}) {
      const ordered_json terms = Terms(server, asked);
      ASSERT_FALSE(terms.empty()) << asked;
      for (const ordered_json& term : terms) EXPECT_EQ(term["matches"], 0) << asked << terms;
    }
    EXPECT_EQ(Terms(server, "retry")[0]["matches"], 3);
    EXPECT_EQ(Terms(server, "publ*")[0]["matches"], 2);
  }
}

TEST_F(HiddenTest, NoHiddenWordIsSuggested) {
  for (const Rule& rule : Rules()) {
    SCOPED_TRACE(rule.name);
    Reset();
    Hide(rule);
    const Serving server(store(), Options(rule.flags));
    for (const char* path : {"/v1/search", "/v1/context"}) {
      const std::string body =
          Post(server.Local(), path, R"({"query": "quibblestome", "explain": true})").body;
      EXPECT_EQ(body.find("quibblestone"), std::string::npos) << body;
    }
    const std::string near = Post(server.Local(), "/v1/search", R"({"query": "polici"})").body;
    EXPECT_NE(near.find("policy"), std::string::npos) << "visible words are, still: " << near;
  }
}

// The scores of what is visible are those without the hidden document, whatever it contains.
TEST_F(HiddenTest, ScoresDoNotTellTheOrderOfHiddenWords) {
  const std::vector<std::string> phrases = {"vault lies under", "lies vault under",
                                            "under vault lies", "password of the vault",
                                            "under quibblestone"};
  for (const Rule& rule : Rules()) {
    SCOPED_TRACE(rule.name);
    Reset();
    const auto ask = [&] {
      std::vector<std::string> answers;
      Args mcp = rule.flags;
      mcp.insert(mcp.begin(), "mcp");
      McpClient client{StartConversation(mcp)};
      const Serving server(store(), Options(rule.flags));
      for (const std::string& phrase : phrases) {
        const std::string rql =
            "FROM chunk USING lexical('+retry \"" + phrase + "\"') SELECT doc.path, score";
        const ToolResponse rows = client.Call("query", {{"rql", rql}});
        EXPECT_FALSE(rows.error) << rows;
        answers.push_back(rows.text.substr(0, rows.text.rfind("{\"total\"")));
        const ordered_json found = Post(server.Local(), "/v1/search",
                                        "{\"bm25\": true, \"no_expand\": true, \"query\": " +
                                            Quoted("retry \"" + phrase + "\"") + "}")
                                       .Json();
        for (const auto& hit : found["results"]) answers.push_back(hit["score"].dump());
      }
      return answers;
    };
    const std::vector<std::string> before = ask();
    EXPECT_GE(before.size(), 3 * phrases.size());
    Hide(rule);
    EXPECT_EQ(ask(), before);
  }
}

TEST_F(HiddenTest, NoHiddenLineOrDefinitionIsFound) {
  for (const Rule& rule : Rules()) {
    SCOPED_TRACE(rule.name);
    Reset();
    Write("hidden.cc", "int Quibble() {\n  return 1;\n}\n");
    Write("open.cc", "int Open() {\n  return Quibble();\n}\n");
    ASSERT_EQ(Run({"add", "open.cc"}).exit, 0);
    ASSERT_EQ(Run({"add", "hidden.cc", "--tag", "secret"}).exit, 0);
    Hide(rule);
    Args flags = rule.flags;
    if (flags.empty()) flags = {"--scope", kScope};
    const Serving server(store(), Options(flags));
    const auto ask = [&](const char* path, const char* body) {
      return Post(server.Local(), path, body).Json();
    };
    EXPECT_EQ(ask("/v1/grep", R"({"pattern": "quibblestone|return 1"})")["grep"]["lines"], 0);
    EXPECT_GE(ask("/v1/grep", R"({"pattern": "public retry"})")["grep"]["lines"], 2);
    EXPECT_EQ(ask("/v1/symbols", R"({"name": "Quibble"})")["results"].size(), 0U);
    const ordered_json uses = ask("/v1/symbols", R"({"name": "Quibble", "references": true})");
    EXPECT_EQ(uses["symbols"]["definitions"], 0) << uses;
    for (const ordered_json& use : uses["results"]) EXPECT_EQ(use["doc"]["path"], "open.cc");
  }
}

std::vector<std::string> StoreMetrics(const Serving& server) {
  const std::string text = Get(server.Local(), "/metrics").body;
  std::vector<std::string> lines;
  for (size_t at = 0; at < text.size();) {
    const size_t end = text.find('\n', at);
    const std::string line = text.substr(at, end - at);
    if (line.starts_with("recall_store_")) lines.push_back(line);
    at = end + 1;
  }
  return lines;
}

TEST_F(HiddenTest, CountsAreThoseOfWhatIsVisible) {
  for (const Rule& rule : Rules()) {
    SCOPED_TRACE(rule.name);
    Reset();
    const RunResult open = Run({"stats", "--json"});
    Hide(rule);
    const Serving server(store(), Options(rule.flags));
    const ordered_json stats = Post(server.Local(), "/v1/stats", "{}").Json();
    EXPECT_EQ(stats["stats"]["corpus"], open.Json()["stats"]["corpus"]);
    EXPECT_EQ(stats["stats"]["total_hits"], 3);
    for (const char* of_file :
         {"sizes", "removed_docs", "removed_chunks", "segments", "segment_vectors",
          "mapped_segments", "tail_vectors", "wal_bytes"}) {
      EXPECT_FALSE(stats["store"].contains(of_file)) << of_file;
    }
    for (const ordered_json& answer :
         {stats, Post(server.Local(), "/v1/search", R"({"query": "retry"})").Json(),
          Post(server.Local(), "/v1/ls", "{}").Json(),
          Post(server.Local(), "/v1/links", R"({"target": "open"})").Json(),
          Post(server.Local(), "/v1/get", R"({"target": "a.md"})").Json()}) {
      ASSERT_TRUE(answer.contains("ok")) << answer;
      if (!answer.contains("stats") || answer["stats"].is_null()) continue;
      EXPECT_EQ(answer["stats"]["doc_count"], 3) << answer;
      EXPECT_EQ(answer["stats"]["chunk_count"], 3) << answer;
      EXPECT_FALSE(answer["stats"].contains("db_size_bytes")) << answer;
    }
    const std::vector<std::string> metrics = StoreMetrics(server);
    ASSERT_EQ(metrics.size(), 2u) << ::testing::PrintToString(metrics);
    EXPECT_TRUE(metrics[0].ends_with("} 3")) << metrics[0];
    EXPECT_TRUE(metrics[1].ends_with("} 3")) << metrics[1];
    Args mcp = rule.flags;
    mcp.insert(mcp.begin(), "mcp");
    McpClient client{StartConversation(mcp)};
    const Json status = Json::parse(client.Call("status").text);
    EXPECT_EQ(status["docs"], 3) << status;
    EXPECT_EQ(status["chunks"], 3) << status;
    EXPECT_EQ(status["bytes"], open.Json()["stats"]["corpus"]["bytes"]) << status;
  }
}

// A store in which nothing is hidden tells all: also one with notes, none of which is private.
TEST_F(HiddenTest, NothingIsLeftOutWhereNothingIsHidden) {
  Reset();
  const Serving server(store(), Options({}));
  const ordered_json stats = Post(server.Local(), "/v1/stats", "{}").Json();
  EXPECT_GT(stats["stats"]["db_size_bytes"], 0);
  EXPECT_TRUE(stats["store"].contains("sizes"));
  EXPECT_EQ(StoreMetrics(server).size(), 3u);
  Hide({"private", {}});
  EXPECT_FALSE(Post(server.Local(), "/v1/stats", "{}").Json()["store"].contains("sizes"));
  // What was removed takes room in the file until it is purged.
  ASSERT_EQ(Run({"rm", "notes/plan.md"}).exit, 0);
  EXPECT_FALSE(Post(server.Local(), "/v1/stats", "{}").Json()["store"].contains("sizes"));
  ASSERT_EQ(Run({"compact", "--keep-snapshots", "0"}).exit, 0);
  EXPECT_TRUE(Post(server.Local(), "/v1/stats", "{}").Json()["store"].contains("sizes"));
}

// The events of a search until it is done.
std::vector<ordered_json> StagesOfSearch(RawClient& events) {
  std::vector<ordered_json> told;
  do {
    const std::string event = events.ReadEvent();
    if (event.empty()) break;
    if (!event.starts_with("event: stage\n")) continue;
    const size_t data = event.find("data: ") + 6;
    told.push_back(ordered_json::parse(event.substr(data, event.find('\n', data) - data)));
  } while (told.empty() || told.back()["stage"] != "done");
  return told;
}

// Searches of the command line, from which nothing is hidden, may be done by the server.
TEST_F(HiddenTest, EventsDoNotTellWhatOthersHaveFound) {
  Reset();
  Hide({"private", {}});
  const std::string runtime = Path("runtime");
  fs::create_directory(runtime);
  ASSERT_EQ(::setenv("XDG_RUNTIME_DIR", runtime.c_str(), 1), 0);
  for (const bool allowed : {false, true}) {
    const Serving server(store(), Options(allowed ? Args{"--allow-private"} : Args{}));
    RawClient events = server.Local();
    events.Send("GET /v1/events HTTP/1.1\r\nHost: recall\r\n\r\n");
    events.ReadResponse();
    const auto counts = [&] {
      size_t found = 0;
      for (const ordered_json& stage : StagesOfSearch(events)) found += stage.contains("count");
      return found;
    };
    EXPECT_EQ(Post(server.Local(), "/v1/search", R"({"query": "retry"})").status, 200);
    EXPECT_GT(counts(), 0u);
    ASSERT_EQ(Run({"search", "quibblestone"}, {.env = {{"XDG_RUNTIME_DIR", runtime}}}).exit, 0);
    EXPECT_EQ(counts() > 0, allowed);
  }
  ::unsetenv("XDG_RUNTIME_DIR");
}

TEST_F(HiddenTest, OriginalsOutsideOfTheRootDoNotExist) {
  Write("outside/there.md", "a file elsewhere\n");
  Write("in/mine.md", "a file of mine\n");
  fs::create_symlink(Path("outside/there.md"), Path("in/link.md"));
  ASSERT_EQ(Run({"init", "in"}).exit, 0);
  ASSERT_EQ(Run({"add", "mine.md"}, {.directory = Path("in")}).exit, 0);
  std::string lines;
  for (const char* path : {"../outside/there.md", "../outside/absent.md", "link.md", "absent.md"}) {
    lines += ordered_json{{"path", path}, {"text", "a file elsewhere\n"}}.dump() + "\n";
  }
  Write("lines.jsonl", lines);
  ASSERT_EQ(Run({"add", "--jsonl", Path("lines.jsonl")}, {.directory = Path("in")}).exit, 0);
  const Serving server(Path("in"), {"--socket", Path("socket"), "--root", Path("in")});
  const auto ask = [&](const std::string& target, const std::string& flag) {
    const ServedAnswer answer =
        Post(server.Local(), "/v1/get", ordered_json{{"target", target}, {flag, true}}.dump());
    // The names differ, and with them ids and times.
    return std::to_string(answer.status) + " " +
           (answer.status == 200 ? answer.Json()["get"]["verify"].dump()
                                 : std::string(answer.Json()["error"]["code"]));
  };
  EXPECT_EQ(ask("mine.md", "verify"), "200 \"same\"");
  EXPECT_EQ(ask("mine.md", "original"), "200 null");
  for (const char* flag : {"verify", "original"}) {
    EXPECT_EQ(ask("../outside/there.md", flag), ask("../outside/absent.md", flag)) << flag;
    EXPECT_EQ(ask("link.md", flag), ask("absent.md", flag)) << flag;
  }
}

// A citation whose text is nowhere else but in a hidden document is gone.
TEST_F(HiddenTest, CitationsDoNotNameHiddenPlaces) {
  for (const Rule& rule : Rules()) {
    SCOPED_TRACE(rule.name);
    Reset();
    Write("moved.md", "the password of the vault lies under quibblestone\n");
    ASSERT_EQ(Run({"add", "moved.md"}).exit, 0);
    const std::string head = Run({"get", "--cite", "moved.md:1"}).out;
    const std::string citation = head.substr(1, head.find(']') - 1);
    ASSERT_EQ(Run({"rm", "moved.md"}).exit, 0);
    ASSERT_EQ(Run({"compact", "--keep-snapshots", "0"}).exit, 0);
    Hide(rule);
    const RunResult all = Run({"get", citation});
    EXPECT_EQ(all.exit, 0) << "the command line finds it: " << all;
    const Serving server(store(), Options(rule.flags));
    const ServedAnswer answer =
        Post(server.Local(), "/v1/get", ordered_json{{"target", citation}}.dump());
    EXPECT_EQ(answer.Json()["error"]["code"], "citation_gone") << answer.body;
    for (const char* name : {"hidden.md", "plan.md", "Plan"}) {
      EXPECT_EQ(answer.body.find(name), std::string::npos) << answer.body;
    }
  }
}

// ---- Two stores ---------------------------------------------------------------------------------

// Of two stores with the same visible documents one also has hidden ones. Random requests must be
// answered by the same bytes. Left out or replaced before the comparison, because it differs
// between any two stores or two requests: the directory and the UUID of the store, its snapshots,
// the cursors that contain them, times and memory.
class TwinTest : public RecallTest {
 protected:
  struct Kind {
    bool private_notes = false;  // hidden are private notes, or else documents outside the scope
    bool first = false;          // they are added first, or else last
  };
  static constexpr const char* kTwins[] = {"with", "without"};

  static size_t Requests() {
    const char* const wanted = std::getenv("RECALL_HIDDEN_REQUESTS");
    return wanted ? std::strtoull(wanted, nullptr, 10) : 500;
  }

  void MakeTwins(const Kind& kind, std::mt19937_64& random) {
    hidden_paths_.clear();
    kind_ = kind;
    std::vector<std::pair<std::string, std::string>> visible, notes, hidden;
    for (int i = 0; i < 40; ++i) {
      const std::string text = Sentences(random, kVisible, 3 + random() % 12);
      if (i % 5 == 0) {
        notes.emplace_back("notes/n" + std::to_string(i) + ".md",
                           "---\ntype: lesson\ntitle: " + Word(random, kVisible) + " " +
                               std::to_string(i) + "\nrecall_when: [" + Word(random, kVisible) +
                               "]\nrelated: [n" + std::to_string(random() % 8 * 5) + "]\n---\n" +
                               text);
      } else {
        visible.emplace_back("docs/d" + std::to_string(i) + ".md", "# " + Title(random) + text);
      }
    }
    for (int i = 0; i < 14; ++i) {
      const std::string text = Sentences(random, i % 2 == 0 ? kHidden : kVisible, 2 + random() % 9);
      const std::string path =
          (kind.private_notes ? "notes/p" : "secret/s") + std::to_string(i) + ".md";
      hidden.emplace_back(path, kind.private_notes ? "---\ntype: lesson\ntitle: " +
                                                         Word(random, kHidden) + std::to_string(i) +
                                                         "\nsensitivity: private\nrecall_when: [" +
                                                         Word(random, kHidden) + "]\n---\n" + text
                                                   : "# " + Title(random) + text);
      hidden_paths_.push_back(path);
    }
    visible_ = visible;
    for (const char* twin : kTwins) {
      ASSERT_EQ(Run({"init", "--embedder", "hash", Path(twin)}).exit, 0);
      const bool hides = twin == std::string(kTwins[0]);
      // Both hide something: that something is hidden may be told.
      const auto some = std::vector(hidden.begin(), hidden.begin() + 1);
      const std::string name = kind.private_notes ? "notes" : "secret";
      const Args flags = kind.private_notes ? Args{"--parser", "note"} : Args{"--tag", "secret"};
      AddFiles(twin, name + "1", some, flags);
      if (hides && kind.first) AddFiles(twin, name + "2", hidden, flags);
      AddFiles(twin, "docs1", {visible.begin(), visible.begin() + 10}, {"--tag", "old"});
      AddFiles(twin, "docs2", {visible.begin() + 10, visible.end()}, {});
      AddFiles(twin, "notes0", notes, {"--parser", "note"});
      if (hides && !kind.first) AddFiles(twin, name + "2", hidden, flags);
    }
  }

  // Adds files of fixed times. The ones before are not there, so only these are added.
  void AddFiles(const std::string& twin, const std::string& batch,
                const std::vector<std::pair<std::string, std::string>>& files, const Args& flags) {
    Args args = {"add", "--files-from", Path(twin + "-" + batch)};
    args.insert(args.end(), flags.begin(), flags.end());
    std::string names;
    for (const auto& [path, text] : files) {
      Write(twin + "/" + path, text);
      fs::last_write_time(Path(twin + "/" + path),
                          fs::file_time_type::clock::from_sys(
                              std::chrono::sys_seconds(std::chrono::seconds(1'770'000'000))));
      names += path + "\n";
    }
    Write(twin + "-" + batch, names);
    const RunResult added = Run(args, {.directory = Path(twin)});
    ASSERT_EQ(added.exit, 0) << added;
  }

  // ---- Random texts. Hidden ones have words of their own and visible ones, in other orders.

  static constexpr int kVisible = 0, kHidden = 1;
  static std::string Word(std::mt19937_64& random, int kind) {
    static const char* const kStems[] = {"harbour", "lantern", "meadow",  "granite", "whistle",
                                         "copper",  "bramble", "orchard", "thimble", "saddle"};
    static const char* const kVisibleEnds[] = {"", "ing", "ford", "wick", "gate", "fall"};
    static const char* const kHiddenEnds[] = {"mere", "holt", "dene", "zorn", "quib", "stoke"};
    const std::string stem = kStems[random() % std::size(kStems)];
    const bool secret = kind == kHidden && random() % 2 == 0;
    return stem + (secret ? kHiddenEnds : kVisibleEnds)[random() % 6];
  }
  static std::string Sentences(std::mt19937_64& random, int kind, size_t count) {
    std::string text;
    for (size_t i = 0; i < count; ++i) {
      const size_t words = 4 + random() % 9;
      for (size_t w = 0; w < words; ++w) text += (w > 0 ? " " : "") + Word(random, kind);
      text += random() % 3 == 0 ? ".\n\n" : ". ";
    }
    return text + "\n";
  }
  static std::string Title(std::mt19937_64& random) {
    return Word(random, kVisible) + " " + Word(random, kVisible) + "\n\n";
  }
  static std::string Misspelt(std::mt19937_64& random, std::string word) {
    const size_t at = random() % word.size();
    switch (random() % 3) {
      case 0:
        word[at] = static_cast<char>('a' + random() % 26);
        return word;
      case 1:
        word.erase(at, 1);
        return word;
      default:
        word.insert(at, 1, static_cast<char>('a' + random() % 26));
        return word;
    }
  }
  static std::string Clause(std::mt19937_64& random) {
    const std::string word = Word(random, static_cast<int>(random() % 2));
    switch (random() % 7) {
      case 0:
        return word.substr(0, 3 + random() % 5) + "*";
      case 1:
        return "\"" + word + " " + Word(random, static_cast<int>(random() % 2)) + "\"";
      case 2:
        return "+" + word;
      case 3:
        return "-" + word;
      case 4:
      case 5:
        return Misspelt(random, word);
      default:
        return word;
    }
  }
  static std::string Question(std::mt19937_64& random) {
    std::string text;
    for (uint64_t n = 1 + random() % 4; n > 0; --n)
      text += (text.empty() ? "" : " ") + Clause(random);
    return text;
  }
  std::string Target(std::mt19937_64& random) const {
    const std::string& hidden = hidden_paths_[random() % hidden_paths_.size()];
    const std::string& shown = visible_[random() % visible_.size()].first;
    switch (random() % 6) {
      case 0:
        return hidden;
      case 1:
        return hidden + ":1-2";
      case 2:
        return shown + ":1-3";
      case 3:
        return hidden.substr(hidden.find('/') + 1);
      case 4:
        return "notes/n" + std::to_string(random() % 8 * 5) + ".md";
      default:
        return shown;
    }
  }
  static std::string Filter(std::mt19937_64& random) {
    static const char* const kFilters[] = {"doc.tag = 'secret'",
                                           "doc.tag = 'old' OR doc.kind = 'note'",
                                           "doc.meta.sensitivity = 'private'",
                                           "doc.path GLOB 'docs/*'",
                                           "doc.size > 300",
                                           "chunk.text LIKE '%quib%'",
                                           "doc.meta.title IS NOT NULL",
                                           "doc.links > 0",
                                           "doc.link.related IS NOT NULL",
                                           "chunk.tokens > 40 AND doc.tag IS NULL"};
    return kFilters[random() % std::size(kFilters)];
  }

  // A route and its body. Store that was filled with hidden texts first has been trained on other
  // texts than its twin; nothing is asked of it that character n-grams weigh.
  std::pair<std::string, ordered_json> Request(std::mt19937_64& random) const {
    ordered_json body = ordered_json::object();
    const auto maybe = [&](int one_in) { return random() % static_cast<uint64_t>(one_in) == 0; };
    const auto rank = [&](const std::string& query) {
      if (!query.empty()) body["query"] = query;
      if (maybe(2)) body["explain"] = true;
      if (maybe(3)) body["filter"] = Filter(random);
      static const char* const kFusions[] = {"rrf", "legs", "weighted", "parts", "grouped"};
      const bool words = maybe(3);
      if (words) body["bm25"] = true;
      if (!words && (kind_.first || maybe(3)))
        body["fusion"] = kFusions[kind_.first ? 0 : random() % 5];
    };
    switch (random() % 14) {
      case 0:
      case 1:
      case 2:
      case 3:
        rank(Question(random));
        if (maybe(4)) body["k"] = 1 + random() % 30;
        if (maybe(5)) body["offset"] = random() % 5;
        if (maybe(6)) body["stages"] = maybe(2) ? "mmr" : "rm3";
        if (maybe(6)) body["hops"] = 1;
        if (maybe(8)) body["exact"] = true;
        return {"/v1/search", body};
      case 4:
      case 5:
        rank(Question(random));
        body["budget_tokens"] = 60 + random() % 400;
        if (maybe(4)) body["expand"] = random() % 3;
        return {"/v1/context", body};
      case 6:
        body["target"] = Target(random);
        rank("");
        return {"/v1/similar", body};
      case 7:
      case 8: {
        static const char* const kAsked[] = {"lexical", "semantic", "lexical"};
        std::string question = Question(random);
        std::erase(question, '\'');
        const std::string from = maybe(2) ? "doc" : "chunk";
        const std::string using_ =
            maybe(4) ? "" : std::string(" USING ") + kAsked[random() % 3] + "('" + question + "')";
        const std::string filter = maybe(2) ? "" : " FILTER " + Filter(random);
        body["rql"] = "FROM " + from + using_ + filter + " SELECT doc.path, doc.links" +
                      (from == "chunk" ? ", chunk.text" : "") + (using_.empty() ? "" : ", score") +
                      " LIMIT " + std::to_string(1 + random() % 20);
        if (maybe(2)) body["explain"] = true;
        return {"/v1/query", body};
      }
      case 9:
        body["target"] = Target(random);
        if (maybe(2)) body["cite"] = true;
        if (maybe(3)) body["verify"] = true;
        return {"/v1/get", body};
      case 10:
        if (maybe(2)) body["filter"] = Filter(random);
        if (maybe(2)) body["path"] = maybe(2) ? "secret" : "notes";
        return {"/v1/ls", body};
      case 11:
        body["target"] = Target(random);
        body["depth"] = 1 + random() % 3;
        if (maybe(3)) body["central"] = true;
        return {"/v1/links", body};
      case 12:
        if (maybe(2)) return {"/v1/stale", {{"at_risk", "1"}, {"as_of", "2026-06-01"}}};
        if (maybe(2)) return {"/v1/review", {{"new", 20}, {"as_of", "2026-06-01"}}};
        return {"/v1/suggest",
                {{"kind", maybe(2) ? "pattern" : "retire"}, {"as_of", "2026-06-01"}}};
      default:
        if (maybe(3)) return {"/v1/related", {{"file", Target(random)}}};
        return {maybe(2) ? "/v1/stats" : "/v1/sessions", body};
    }
  }

  // A call of a tool, or another method.
  std::pair<std::string, Json> Method(std::mt19937_64& random) const {
    Json arguments = Json::object();
    const auto tool = [&](const char* name) {
      return std::pair<std::string, Json>("tools/call", {{"name", name}, {"arguments", arguments}});
    };
    switch (random() % 9) {
      case 0:
      case 1:
        if (kind_.first) break;
        arguments = {{"query", Question(random)}};
        return tool(random() % 2 == 0 ? "search" : "context");
      case 2:
        arguments = {{"rql", "FROM chunk USING lexical('" + Question(random) +
                                 "') SELECT doc.path, score LIMIT 12"}};
        return tool("query");
      case 3:
        arguments = {{"target", Target(random)}};
        return tool("get");
      case 4:
        arguments = {{"target", Target(random)}};
        return tool("links");
      case 5: {
        static const char* const kBegun[] = {"", "s", "secret/", "notes/p", "notes/", "docs/d1"};
        return {"completion/complete",
                {{"ref", {{"type", "ref/resource"}, {"uri", "recall://doc/{+path}"}}},
                 {"argument", {{"name", "path"}, {"value", kBegun[random() % 6]}}}}};
      }
      case 6:
        return {"resources/list", Json::object()};
      case 7:
        return {"resources/read",
                {{"uri", random() % 2 == 0 ? "recall://stats" : "recall://doc/" + Target(random)}}};
      default:
        break;
    }
    return tool("status");
  }

  // ---- What two answers have in common.

  static void Forget(ordered_json& json) {
    static const std::set<std::string> kVolatile = {"took_ms", "timings", "memory", "ms",
                                                    "micros",  "as_of",   "cursor"};
    if (json.is_object()) {
      for (const std::string& key : kVolatile) json.erase(key);
    }
    if (json.is_structured()) {
      for (ordered_json& member : json) Forget(member);
    }
  }
  std::string Normal(const std::string& body, const std::string& twin) const {
    ordered_json json = ordered_json::parse(body, nullptr, false);
    if (!json.is_discarded()) Forget(json);
    std::string text = json.is_discarded() ? body : json.dump();
    static const std::regex kUuid("\"uuid\":\"[0-9a-f]{32}"),
        kSnapshot("[0-9a-f]{8}-[0-9]+(-[0-9a-f]{4})?"),
        kInTool("\\\\\"(cursor|as_of)\\\\\":\\\\\"[^\\\\]*");
    const std::string directory = Path(twin);
    for (size_t at = 0; (at = text.find(directory, at)) != std::string::npos;) {
      text.replace(at, directory.size(), "STORE");
    }
    text = std::regex_replace(text, kInTool, "$1");
    text = std::regex_replace(text, kSnapshot, "SNAPSHOT");
    return std::regex_replace(text, kUuid, "UUID");
  }

  void Compare(const Kind& kind, uint64_t seed) {
    std::mt19937_64 random(seed);
    ASSERT_NO_FATAL_FAILURE(MakeTwins(kind, random));
    const Args rule = kind.private_notes ? Args{} : Args{"--scope", kScope};
    std::vector<std::unique_ptr<Serving>> servers;
    std::vector<std::unique_ptr<McpClient>> clients;
    for (const std::string twin : kTwins) {
      Args serve = rule;
      serve.insert(serve.end(), {"--socket", Path(twin + ".socket"), "--root", Path(twin)});
      servers.push_back(std::make_unique<Serving>(Path(twin), serve));
      Args mcp = rule;
      // All fits: where an answer is cut depends on the tokens of the snapshot, which has the UUID.
      mcp.insert(mcp.begin(), {"mcp", "--max-tokens", "1000000"});
      clients.push_back(
          std::make_unique<McpClient>(StartConversation(mcp, {.directory = Path(twin)})));
    }
    size_t answered = 0;
    for (size_t i = 0; i < Requests() && !HasFailure(); ++i) {
      std::vector<std::string> answers;
      std::string asked;
      if (i % 4 == 3) {
        const auto [method, params] = Method(random);
        asked = method + " " + params.dump();
        for (size_t t = 0; t < 2; ++t) {
          Json response = clients[t]->Ask(method, params);
          response.erase("id");
          answers.push_back(Normal(response.dump(), kTwins[t]));
        }
      } else {
        const auto [route, body] = Request(random);
        asked = route + " " + body.dump();
        for (size_t t = 0; t < 2; ++t) {
          const ServedAnswer answer = Post(servers[t]->Local(), route, body.dump());
          answers.push_back(std::to_string(answer.status) + " " + Normal(answer.body, kTwins[t]));
        }
      }
      EXPECT_EQ(answers[0], answers[1]) << "request " << i << ": " << asked;
      answered +=
          answers[0].starts_with("200") || answers[0].find("\"result\"") != std::string::npos;
    }
    EXPECT_GT(answered, Requests() / 2) << "most requests are no errors";
  }

  std::vector<std::pair<std::string, std::string>> visible_;
  std::vector<std::string> hidden_paths_;
  Kind kind_;
};

TEST_F(TwinTest, DocumentsOutsideTheScopeThatCameLastLeaveNoTrace) {
  Compare({.private_notes = false, .first = false}, TestSeed(1));
}
TEST_F(TwinTest, DocumentsOutsideTheScopeThatCameFirstLeaveNoTrace) {
  Compare({.private_notes = false, .first = true}, TestSeed(2));
}
TEST_F(TwinTest, PrivateNotesThatCameLastLeaveNoTrace) {
  Compare({.private_notes = true, .first = false}, TestSeed(3));
}
TEST_F(TwinTest, PrivateNotesThatCameFirstLeaveNoTrace) {
  Compare({.private_notes = true, .first = true}, TestSeed(4));
}

}  // namespace
}  // namespace recall
