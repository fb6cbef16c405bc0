// The same question on the same commit has the same bytes, whoever answers it.
//
// A process of its own is the oracle: it remembers nothing. The same questions, in other orders and
// several times, are asked of a server by command lines and over HTTP, of an MCP server, and of a
// copy of the store with another number of threads. What these keep between questions (lists,
// models, sets of a scope, kept answers) must change no byte. What is known to differ is what
// `--stable` omits (docs/json.md, "stable"), what an explanation says of kept answers, and what is
// not told of a store of which something is hidden; so servers may show private notes here.
//
// Stores of each size class are made: with the hash embedder, trained, with a delta, edits and
// removals, with several segments, with notes, with IVF lists. RECALL_SAME_BYTES_STORE=FILE tests
// this store instead, and RECALL_SAME_BYTES_QUESTIONS=N asks N questions of each store
// (docs/TESTING.md).

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <random>
#include <set>

#include "cli/server/mcp/json_rpc.h"
#include "cli/show/output/volatile_fields.h"
#include "index/write/training/training.h"
#include "query/database/database.h"
#include "tests/cli/mcp_client.h"
#include "tests/cli/recall_process.h"
#include "tests/cli/server/http/raw_client.h"
#include "tests/cli/server/http/serving.h"

namespace recall {
namespace {

namespace fs = std::filesystem;

using Args = std::vector<std::string>;
using Random = std::mt19937_64;

// The number of questions for which a copy and an MCP server are asked, each by a process of its
// own, if there are more.
constexpr size_t kMostByProcesses = 400;

const char* Pick(Random& random, std::initializer_list<const char*> from) {
  return from.begin()[random() % from.size()];
}

// A question, to be asked as a command line, as the body of a request, or as the call of a tool.
struct Question {
  std::string command;
  std::vector<std::pair<std::string, Json>> members;  // flags by their names in a body
  std::vector<std::string> arguments;

  Args Line(const Args& form) const {
    Args line = {command};
    for (const auto& [name, value] : members) {
      std::string flag = "--" + name;
      std::ranges::replace(flag, '_', '-');
      if (!value.is_boolean()) {
        flag += "=" + (value.is_string() ? value.get<std::string>() : value.dump());
      }
      line.push_back(flag);
    }
    line.insert(line.end(), form.begin(), form.end());
    if (!arguments.empty()) line.emplace_back("--");
    line.insert(line.end(), arguments.begin(), arguments.end());
    return line;
  }
  Json Body() const {
    static const std::map<std::string, std::string> kArguments = {
        {"search", "query"}, {"context", "query"}, {"similar", "target"},
        {"query", "rql"},    {"get", "target"},    {"ls", "path"}};
    Json body = Json::object();
    for (const auto& [name, value] : members) body[name] = value;
    if (arguments.size() == 1) body[kArguments.at(command)] = arguments.front();
    if (arguments.size() > 1) body[kArguments.at(command)] = arguments;
    return body;
  }
  bool Has(const std::string& name) const {
    return std::ranges::count(members, name, &std::pair<std::string, Json>::first) > 0;
  }
  // Whether there is a tool with these parameters.
  bool IsForTools() const {
    static const std::map<std::string, std::set<std::string>> kParameters = {
        {"search", {"k", "filter", "min_score"}},
        {"context", {"budget_tokens", "filter", "min_score", "expand"}},
        {"similar", {"k", "filter"}},
        {"query", {}},
        {"get", {}}};
    const auto tool = kParameters.find(command);
    return tool != kParameters.end() && std::ranges::all_of(members, [&](const auto& member) {
             return tool->second.contains(member.first);
           });
  }
};

// What questions about a store are made of.
struct StoreWords {
  std::vector<std::string> words;
  std::vector<std::string> paths;
  std::vector<std::string> snapshots;  // older commits
};

// Makes random questions about a store.
class QuestionMaker final {
 public:
  QuestionMaker(StoreWords of, Random& random) : of_(std::move(of)), random_(random) {}

  Question Next() {
    const uint64_t dice = random_() % 20;
    if (dice < 11) return Search();
    if (dice < 13) return Context();
    if (dice < 15) return Similar();
    if (dice < 18) return Query();
    if (dice < 19) return Get();
    return {"ls", {{"k", 1 + random_() % 5}, {"offset", random_() % 3}}, {}};
  }

 private:
  const std::string& Word() { return of_.words[random_() % of_.words.size()]; }
  const std::string& AnyPath() { return of_.paths[random_() % of_.paths.size()]; }

  std::string Text() {
    std::string text;
    for (uint64_t words = 1 + random_() % 4; words > 0; --words) {
      std::string word = Word();
      const uint64_t dice = random_() % 16;
      if (dice == 0) word = "+" + word;
      if (dice == 1) word = "-" + word;
      if (dice == 2) word = word.substr(0, 3) + "*";
      if (dice == 3) word = "\"" + word + " " + Word() + "\"";
      if (dice == 4) word.erase(word.size() / 2, 1);  // a typing error
      if (dice == 5) std::swap(word[word.size() / 2], word[word.size() / 2 - 1]);
      text += (text.empty() ? "" : " ") + word;
    }
    return text.starts_with('-') ? Word() + " " + text : text;
  }

  std::string Filter() {
    const std::string path = AnyPath();
    switch (random_() % 5) {
      case 0:
        return "doc.path GLOB '" + path.substr(0, path.size() / 2) + "*'";
      case 1:
        return "doc.path != '" + path + "'";
      case 2:
        return "doc.size > " + std::to_string(random_() % 500);
      case 3:
        return "doc.path GLOB '" + path.substr(0, path.size() / 2) + "*' AND chunk.text LIKE '%" +
               Word() + "%'";
      default:
        return "doc.tag = 'b' OR doc.path GLOB '*" + std::to_string(random_() % 10) + ".*'";
    }
  }

  // Flags that all ranked commands have.
  void AddRanking(Question& question) {
    switch (random_() % 6) {
      case 0:
      case 1:
        question.members.emplace_back("vector", true);
        break;
      case 2:
        question.members.emplace_back("bm25", true);
        break;
      case 3:
        question.members.emplace_back(
            "fusion", Pick(random_, {"legs", "weighted", "rrf", "grouped", "parts:words=.5"}));
        break;
      default:
        break;
    }
    if (random_() % 4 == 0) question.members.emplace_back("filter", Filter());
    const uint64_t dice = random_() % 24;
    if (dice == 0) question.members.emplace_back("exact", true);
    if (dice == 1) question.members.emplace_back("stages", "mmr");
    if (dice == 2) question.members.emplace_back("min_score", 0.2);
    if (dice == 3) question.members.emplace_back("explain", true);
    if (dice == 4) question.members.emplace_back("hops", 1);
    if (dice == 5 || dice == 6) {
      question.members.emplace_back("view", "memory");
      question.members.emplace_back("as_of", "2026-06-01");
    }
    if (dice < 12 && dice > 6 && !of_.snapshots.empty()) {
      question.members.emplace_back("snapshot", of_.snapshots[random_() % of_.snapshots.size()]);
    }
  }

  Question Search() {
    Question question{"search", {{"k", 1 + random_() % 12}}, {Text()}};
    AddRanking(question);
    const uint64_t dice = random_() % 16;
    if (dice == 0) question.members.emplace_back("offset", random_() % 10);
    if (dice == 1) question.members.emplace_back("identical", "keep");
    if (dice == 2) question.members.emplace_back("lexical_mode", "literal");
    if (dice == 3) question.members.emplace_back("no_expand", true);
    if (dice == 4) question.members.emplace_back("snippet", 0);
    return question;
  }

  Question Context() {
    Question question{"context", {{"budget_tokens", 100 + random_() % 500}}, {Text()}};
    AddRanking(question);
    if (random_() % 3 == 0) question.members.emplace_back("expand", 1);
    if (random_() % 3 == 0) question.members.emplace_back("pieces", "chunks");
    return question;
  }

  Question Similar() {
    Question question{"similar", {{"k", 1 + random_() % 8}}, {AnyPath()}};
    if (random_() % 2 == 0) question.arguments[0] += ":1-2";
    AddRanking(question);
    return question;
  }

  Question Query() {
    const std::string asked = Word() + " " + Word();
    switch (random_() % 4) {
      case 0:
        return {"query",
                {},
                {"FROM chunk USING semantic('" + asked + "'), lexical('" + Word() +
                 "') LIMIT 5 SELECT score, doc.path, chunk.id"}};
      case 1:
        return {"query",
                {},
                {"FROM chunk USING semantic('" + asked + "') FILTER " + Filter() +
                 " LIMIT 7 OFFSET 1 SELECT score, chunk.text"}};
      case 2:
        return {"query",
                {},
                {"FROM doc FILTER " + Filter() + " ORDER BY doc.size DESC LIMIT 6 SELECT *"}};
      default:
        return {"query",
                {},
                {"FROM chunk USING lexical('" + asked + "') LIMIT 4 SELECT score, doc.path"}};
    }
  }

  Question Get() {
    Question question{"get", {}, {AnyPath()}};
    if (random_() % 2 == 0) question.arguments[0] += ":1";
    if (random_() % 4 == 0) question.arguments.push_back(AnyPath());
    if (random_() % 8 == 0) question.arguments[0] = "absent/" + Word();
    return question;
  }

  const StoreWords of_;
  Random& random_;
};

// Texts of words of one subject, and of words of all.
class TextMaker final {
 public:
  explicit TextMaker(Random& random) : random_(random) {}

  std::string Text(size_t words) {
    const uint64_t subject = random_() % 40;
    std::string text;
    for (size_t i = 0; i < words; ++i) {
      const uint64_t of = random_() % 3 == 0 ? random_() % 40 : subject;
      text += Word(of * 8 + random_() % 8);
      text += random_() % 12 == 0 ? ".\n" : " ";
    }
    return text + "\n";
  }

 private:
  static std::string Word(uint64_t number) {
    static const char* const kStarts[] = {"ber", "cal", "dom", "fir", "gat", "hul", "jor"};
    static const char* const kMiddles[] = {"an", "eb", "il", "ok", "um", "ar", "en"};
    static const char* const kEnds[] = {"dex", "fol", "gram", "kin", "nor", "pex", "ton"};
    return std::string(kStarts[number % 7]) + kMiddles[number / 7 % 7] + kEnds[number / 49 % 7];
  }

  Random& random_;
};

class SameBytesTest : public RecallTest {
 protected:
  void SetUp() override {
    ::setenv("XDG_RUNTIME_DIR", Path("run").c_str(), 1);
    for (const char* name : {"store", "copy", "run"}) fs::create_directory(Path(name));
  }
  void TearDown() override { ::unsetenv("XDG_RUNTIME_DIR"); }

  // Adds documents with the numbers first .. last - 1.
  void AddTexts(Database& database, int first, int last, size_t words, bool tagged = false) {
    std::string lines;
    for (int i = first; i < last; ++i) {
      const std::string title = i % 3 == 0 ? "# " + texts_.Text(2) + "\n" : "";
      lines += Json{{"path", "d" + std::to_string(i % 7) + "/t" + std::to_string(i) + ".md"},
                    {"text", title + texts_.Text(words)},
                    {"tag", tagged ? "b" : "a"}}
                   .dump() +
               "\n";
    }
    Write("lines.jsonl", lines);
    AddRequest request;
    request.jsonl = Path("lines.jsonl");
    ASSERT_OK(database.Add(request));
    snapshots_.push_back(Must(database.Stats()).store.snapshot);
  }

  static void Remove(Database& database, Args targets) {
    RemoveRequest request;
    request.targets = std::move(targets);
    ASSERT_OK(database.Remove(request));
  }

  std::string StoreFile() const { return base_ + "/recall.db"; }

  std::unique_ptr<Database> Create() {
    CreateOptions options;
    options.chunk_tokens = 40;
    options.overlap_tokens = 8;
    return Must(Database::Create(StoreFile(), options));
  }

  // Gives the store IVF lists, which others have from 500,000 chunks on.
  void Divide() {
    const auto store = Must(Store::Open(StoreFile(), {.flush_vectors = 2000}));
    const TrainingOptions options{.threads = 2, .lists_from = 1, .divide = true};
    const std::atomic<bool> kGoOn = false;
    ASSERT_EQ(Must(TrainIfDue(*store, kGoOn, options)), TrainingOutcome::kTrained);
  }

  // Words and paths of chunks from everywhere in the store.
  QuestionMaker LearnStore() {
    constexpr int kSlices = 10;
    const auto read = [&](int64_t offset) {
      return Ask({"query", "--json",
                  "FROM chunk LIMIT 30 OFFSET " + std::to_string(offset) +
                      " SELECT doc.path, chunk.text"})
          .Json();
    };
    const int64_t chunks = read(0)["stats"]["total_hits"];
    std::set<std::string> words;
    std::set<std::string> paths;
    for (int slice = 0; slice < kSlices; ++slice) {
      const auto rows = read(chunks * slice / kSlices);
      for (const auto& row : rows["results"]) {
        paths.insert(row["doc"]["path"]);
        std::string word;
        for (const char c : std::string(row["chunk"]["text"]) + " ") {
          const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
          if (letter) word += c;
          if (!letter && word.size() >= 4) words.insert(word);
          if (!letter) word.clear();
        }
      }
    }
    std::erase_if(paths, [](const std::string& path) { return path.find('\'') != path.npos; });
    return {{{words.begin(), words.end()}, {paths.begin(), paths.end()}, snapshots_}, random_};
  }

  // Asks a process that does everything itself.
  RunResult Ask(const Args& line, const std::string& where = "") {
    return Run(line, {.directory = where.empty() ? base_ : where,
                      .env = {{"XDG_RUNTIME_DIR", Path("run")}, {"RECALL_SERVE", "never"}}});
  }

  // What a run prints and returns, with the names of the stores made equal.
  std::string Printed(const RunResult& run) const {
    std::string all = run.out + "--- errors\n" + run.err + "--- exit " + std::to_string(run.exit);
    const std::string copy = Path("copy/");
    for (size_t at = all.find(copy); at != all.npos; at = all.find(copy, at)) {
      all.replace(at, copy.size(), base_ + "/");
    }
    return all;
  }

  void Compare(const std::string& way, const Question& question, const std::string& expected,
               const std::string& actual) {
    ++asked_[way];
    if (actual == expected || ++differences_ > 3) return;
    const auto [one, other] = std::ranges::mismatch(expected, actual);
    const auto at = static_cast<size_t>(one - expected.begin());
    const size_t from = at < 100 ? 0 : at - 100;
    ADD_FAILURE() << way << ": " << ::testing::PrintToString(question.Line({})) << "\nexpected ..."
                  << expected.substr(from, 300) << "\nactual   ..." << actual.substr(from, 300);
  }

  // The indexes of all questions, each `times` times, in random order; no more than `most`.
  std::vector<size_t> Order(size_t times, size_t most = SIZE_MAX) {
    std::vector<size_t> order;
    for (size_t i = 0; i < times * questions_.size(); ++i) order.push_back(i % questions_.size());
    std::ranges::shuffle(order, random_);
    order.resize(std::min(order.size(), most));
    return order;
  }

  void AskProcesses();
  void AskCopy();
  void AskServer();
  void AskTools();

  // Asks everybody. Requires: the store is complete.
  void ExpectSameBytes() {
    const char* const count = std::getenv("RECALL_SAME_BYTES_QUESTIONS");
    QuestionMaker maker = LearnStore();
    for (int i = count ? std::atoi(count) : 16; i > 0; --i) questions_.push_back(maker.Next());
    AskProcesses();
    AskCopy();
    AskServer();
    AskTools();
    EXPECT_EQ(differences_, 0);
    if (count == nullptr) return;
    for (const auto& [way, asked] : asked_) std::printf("%s: %d answers\n", way.c_str(), asked);
    std::printf("%d differences\n", differences_);
  }

  Random random_{TestSeed(6)};
  TextMaker texts_{random_};
  std::string base_ = Path("store");
  std::vector<std::string> snapshots_;  // of the commits of AddTexts
  std::vector<Question> questions_;
  std::vector<Args> forms_;                 // of each question
  std::vector<std::string> expected_;       // in that form
  std::vector<std::string> expected_json_;  // with --json
  std::map<std::string, int> asked_;        // by way
  int differences_ = 0;
};

// The answer without what differs from call to call: the fields that --stable omits, and what is
// said of kept answers.
std::string WithoutVolatile(Json answer) {
  const std::function<void(Json&, std::string_view)> erase = [&](Json& in, std::string_view path) {
    const size_t end = std::min(path.find('/', 1), path.size());
    const std::string name(path.substr(1, end - 1));
    if (name == "*" && in.is_array()) {
      for (Json& item : in) erase(item, path.substr(end));
    } else if (in.is_object() && in.contains(name)) {
      if (end == path.size()) {
        in.erase(name);
      } else {
        erase(in[name], path.substr(end));
      }
    }
  };
  for (const std::string_view field : VolatileFields()) erase(answer, field);
  erase(answer, "/explain/cache");
  return answer.dump();
}

void SameBytesTest::AskProcesses() {
  const Args json = {"--json", "--stable"};
  for (const Question& question : questions_) {
    const bool has_lines = question.command != "context";
    const std::vector<Args> forms = {
        json, json, {}, {"--lean"}, {has_lines ? "--jsonl" : "--lean", "--stable"}};
    forms_.push_back(question.Has("explain") ? json : forms[random_() % forms.size()]);
    const RunResult run = Ask(question.Line(forms_.back()));
    expected_.push_back(Printed(run));
    const std::string in_json = forms_.back() == json ? run.out : Ask(question.Line(json)).out;
    expected_json_.push_back(WithoutVolatile(Json::parse(in_json, nullptr, false)));
  }
}

// The answers of a copy, by other numbers of threads.
void SameBytesTest::AskCopy() {
  fs::copy_file(StoreFile(), Path("copy/recall.db"));
  for (const size_t i : Order(1, kMostByProcesses)) {
    Args line = questions_[i].Line(forms_[i]);
    const bool ranked = line[0] == "search" || line[0] == "context" || line[0] == "similar";
    if (ranked) line.insert(line.begin() + 1, "--threads=" + std::to_string(1 + random_() % 5));
    Compare("a copy", questions_[i], expected_[i], Printed(Ask(line, Path("copy"))));
  }
}

// The answers of a server to command lines and to requests; the later ones may be kept answers.
void SameBytesTest::AskServer() {
  const Serving server(base_, {"--socket", Path("run/socket"), "--allow-private"});
  const RunOptions served = {.directory = base_,
                             .env = {{"XDG_RUNTIME_DIR", Path("run")}, {"RECALL_SERVE", "always"}}};
  for (const size_t i : Order(2)) {
    const Question& question = questions_[i];
    if (!question.Has("explain") && random_() % 2 == 0) {
      Compare("a server, by command lines", question, expected_[i],
              Printed(Run(question.Line(forms_[i]), served)));
    }
    const std::string headers = random_() % 2 == 0 ? "" : "Cache-Control: no-cache\r\n";
    const ServedAnswer answer =
        Post(server.Local(), "/v1/" + question.command, question.Body().dump(), headers);
    Compare("a server, by requests", question, expected_json_[i], WithoutVolatile(answer.Json()));
  }
}

// The answers of the tools of an MCP server, and of one that is asked nothing else. Searches answer
// with the lines of `--lean`, but for the last one, which says where the rest begins.
void SameBytesTest::AskTools() {
  const Args serve = {"mcp", "--max-tokens", "100000", "--allow-private"};
  const auto tool_answer = [](McpClient& client, const Question& question) {
    const ToolResponse answer = client.Call(question.command, question.Body());
    return answer.text + (answer.error ? "--- error" : "");
  };
  McpClient client(StartConversation(serve, {.directory = base_}));
  for (const size_t i : Order(2, kMostByProcesses)) {
    const Question& question = questions_[i];
    if (!question.IsForTools()) continue;
    const std::string actual = tool_answer(client, question);
    if (question.command == "search" || question.command == "similar") {
      const auto hits = [](const std::string& out) {
        return out.substr(0, out.rfind('\n', out.size() - 2) + 1);
      };
      Compare("a tool, as a command line", question, hits(Ask(question.Line({"--lean"})).out),
              hits(actual + "\n"));
    } else {
      McpClient fresh(StartConversation(serve, {.directory = base_}));
      Compare("a tool", question, tool_answer(fresh, question), actual);
    }
  }
}

TEST_F(SameBytesTest, OfAYoungStore) {
  AddTexts(*Create(), 0, 12, 30);
  ExpectSameBytes();
}

TEST_F(SameBytesTest, OfATrainedStore) {
  AddTexts(*Create(), 0, 150, 90);
  ExpectSameBytes();
}

TEST_F(SameBytesTest, OfAStoreWithADelta) {
  const auto database = Create();
  AddTexts(*database, 0, 150, 60);
  AddTexts(*database, 140, 180, 60, true);  // the first ten are edits
  Remove(*database, {"d1", "d2/t2.md"});
  ExpectSameBytes();
}

TEST_F(SameBytesTest, OfAStoreOfSeveralSegments) {
  Create().reset();
  const auto database = Must(Database::Open(StoreFile(), {.flush_vectors = 64}));
  for (int batch = 0; batch < 5; ++batch) {
    AddTexts(*database, batch * 60, batch * 60 + 65, 70, batch % 2 == 1);
  }
  ExpectSameBytes();
}

TEST_F(SameBytesTest, OfAStoreWithNotes) {
  AddTexts(*Create(), 0, 60, 60);
  for (int i = 0; i < 10; ++i) {
    const std::string n = std::to_string(i);
    const Args note = {"save",
                       i % 2 == 0 ? "lesson" : "decision",
                       "Note " + n,
                       "--text",
                       texts_.Text(30),
                       "--at",
                       "2026-01-1" + n,
                       "--link",
                       "supports=d" + std::to_string(i % 7) + "/t" + n + ".md"};
    const RunResult saved = Run(note, {.directory = base_});
    ASSERT_EQ(saved.exit, 0) << saved;
  }
  ExpectSameBytes();
}

TEST_F(SameBytesTest, OfAStoreWithLists) {
  if (const char* const given = std::getenv("RECALL_SAME_BYTES_STORE")) {
    base_ = fs::path(given).parent_path();
    return ExpectSameBytes();
  }
  AddTexts(*Create(), 0, 9000, 9);
  Divide();
  const auto database = Must(Database::Open(StoreFile(), {}));
  AddTexts(*database, 8990, 9100, 9, true);
  Remove(*database, {"d1/t1.md", "d2/t2.md"});
  ExpectSameBytes();
}

}  // namespace
}  // namespace recall
