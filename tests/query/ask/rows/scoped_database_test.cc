// A Database with a scope. The oracle is a copy of the store without one, from which the documents
// outside of the scope were removed: it has the same trained models, and is given the same
// requests. What has no filter (paths, ids, citations) must find nothing outside.

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <set>

#include "query/ask/answer/text_reference.h"
#include "tests/query/query_fixture.h"

namespace recall {
namespace {

// A word that no document within the scopes of the leak tests contains.
constexpr const char* kSecretWord = "zanzibarium";

class ScopedDatabaseTest : public QueryFixture {
 protected:
  void AddWithTag(const std::string& path, const std::string& text,
                  const std::optional<std::string>& tag) {
    WriteFile(path, text);
    AddRequest request;
    request.paths = {dir_ / path};
    request.tag = tag;
    Add(request);
  }

  std::unique_ptr<Database> OpenScoped(const std::string& scope, bool read_only = true) {
    auto opened = Database::Open(StorePath(), {.read_only = read_only, .scope = scope});
    EXPECT_TRUE(opened.has_value()) << scope << ": " << opened.error().ToString();
    return *std::move(opened);
  }

  Result<QueryResponse> Rows(const std::string& rql) {
    QueryRequest request;
    request.rql = rql;
    return database_->Query(request);
  }

  // A copy of the store without the documents that do not satisfy `scope`.
  std::unique_ptr<Database> OpenWithout(const std::string& scope) {
    const std::string copy = dir_ / "copy.db";
    for (const char* end : {"", "-wal", "-shm"}) std::filesystem::remove(copy + end);
    EXPECT_TRUE(Database::Backup({.path = StorePath(), .to = copy}).has_value());
    auto opened = Database::Open(copy);
    EXPECT_TRUE(opened.has_value());
    const auto paths = [&](const std::string& filter) {
      QueryRequest request;
      request.rql = "SELECT doc.path FROM doc" + filter + " LIMIT 100000";
      const auto rows = (*opened)->Query(request);
      EXPECT_TRUE(rows.has_value());
      std::set<std::string> found;
      for (const QueryRow& row : rows->rows) found.insert(row.doc.path);
      return found;
    };
    RemoveRequest remove;
    std::ranges::set_difference(paths(""), paths(" FILTER " + scope),
                                std::back_inserter(remove.targets));
    if (remove.targets.empty()) return *std::move(opened);
    EXPECT_TRUE((*opened)->Remove(remove).has_value());
    return *std::move(opened);
  }

  void FillRandomly(std::mt19937_64& random) {
    const std::optional<std::string> tags[] = {"x", "y", std::nullopt};
    for (int i = 0; i < 40; ++i) {
      const std::string path = std::string(1, "abc"[random() % 3]) + "/d" +
                               std::to_string(random() % 2) + "/n" + std::to_string(i) + ".md";
      AddWithTag(path,
                 "# Note " + std::to_string(i) + "\n\n" + RandomText(random, 20 + random() % 600),
                 tags[random() % 3]);
    }
  }
};

std::string RandomScope(std::mt19937_64& random) {
  static const char* const kScopes[] = {
      "doc.tag = 'x'",
      "doc.tag IS NULL OR doc.path GLOB 'b/**'",
      "doc.path GLOB 'a/**'",
      "NOT doc.path GLOB '*/d1/**' AND doc.tag IN ('x', 'y')",
      "doc.tag = 'nobody'",
      "doc.size > 900",
      "doc.path NOT GLOB '**/n1*'",
  };
  return kScopes[random() % std::size(kScopes)];
}

std::string RandomFilter(std::mt19937_64& random) {
  static const char* const kFilters[] = {"", "", "doc.tag = 'y'", "doc.path GLOB '**/d0/**'",
                                         "doc.tag = 'x' OR doc.size < 1500"};
  return kFilters[random() % std::size(kFilters)];
}

void ExpectSameHits(const SearchResponse& got, const SearchResponse& want,
                    const std::string& what) {
  ASSERT_EQ(got.hits.size(), want.hits.size()) << what;
  for (size_t i = 0; i < got.hits.size(); ++i) {
    EXPECT_EQ(got.hits[i].chunk.id, want.hits[i].chunk.id) << what;
    EXPECT_EQ(got.hits[i].doc.path, want.hits[i].doc.path) << what;
    EXPECT_EQ(got.hits[i].score, want.hits[i].score) << what;
    EXPECT_EQ(got.hits[i].identical, want.hits[i].identical) << what;
  }
  EXPECT_EQ(got.total_hits, want.total_hits) << what;
  EXPECT_EQ(got.next_offset, want.next_offset) << what;
}

void ExpectSameExplanation(const SearchResponse& got, const SearchResponse& want,
                           const std::string& what) {
  EXPECT_EQ(got.warnings, want.warnings) << what;
  EXPECT_EQ(got.expansions, want.expansions) << what;
  EXPECT_EQ(got.store.docs, want.store.docs) << what;
  EXPECT_EQ(got.store.chunks, want.store.chunks) << what;
  EXPECT_EQ(got.store.tokens, want.store.tokens) << what;
  EXPECT_EQ(got.store.bytes, want.store.bytes) << what;
  EXPECT_FALSE(got.store.db_size_bytes.has_value()) << what;
  ASSERT_EQ(got.explain.has_value(), want.explain.has_value()) << what;
  if (!got.explain) return;
  EXPECT_EQ(got.explain->lexical_candidates, want.explain->lexical_candidates) << what;
  EXPECT_EQ(got.explain->vectors_scanned, want.explain->vectors_scanned) << what;
  ASSERT_EQ(got.explain->terms.size(), want.explain->terms.size()) << what;
  for (size_t i = 0; i < got.explain->terms.size(); ++i) {
    EXPECT_EQ(got.explain->terms[i].text, want.explain->terms[i].text) << what;
    EXPECT_EQ(got.explain->terms[i].matches, want.explain->terms[i].matches) << what;
    EXPECT_EQ(got.explain->terms[i].idf, want.explain->terms[i].idf) << what;
  }
}

// Words, prefixes, phrases and typing errors.
std::string RandomQuestion(std::mt19937_64& random) {
  std::string text = RandomText(random, 1 + random() % 4);
  std::erase(text, '\n');
  switch (random() % 4) {
    case 0:
      return text + " al* se*";
    case 1:
      return "memory \"" + text + "\"";
    case 2:
      return text + " memorz threed alpa";
    default:
      return text;
  }
}

TEST_F(ScopedDatabaseTest, AnswersAsIfWhatIsOutsideDidNotExist) {
  std::mt19937_64 random(TestSeed(1));
  FillRandomly(random);
  for (int i = 0; i < 60; ++i) {
    const std::string scope = RandomScope(random);
    const std::string filter = RandomFilter(random);
    const std::string what = scope + " / " + filter;
    const auto scoped = OpenScoped(scope);
    const auto without = OpenWithout(scope);

    SearchRequest search;
    search.text = RandomQuestion(random);
    search.mode = static_cast<SearchMode>(random() % 3);
    search.k = 1 + random() % 20;
    search.offset = random() % 3;
    search.explain = random() % 2 == 0;
    search.scope.filter = filter;
    ASSERT_OK_AND_ASSIGN(const SearchResponse got, scoped->Search(search));
    ASSERT_OK_AND_ASSIGN(const SearchResponse want, without->Search(search));
    ExpectSameHits(got, want, what + " / " + search.text);
    ExpectSameExplanation(got, want, what + " / " + search.text);

    ContextRequest context;
    context.search = search;
    context.budget_tokens = static_cast<int64_t>(50 + random() % 800);
    context.expand = static_cast<int64_t>(random() % 4);
    ASSERT_OK_AND_ASSIGN(const ContextResponse packed, scoped->Context(context));
    ASSERT_OK_AND_ASSIGN(const ContextResponse wide_packed, without->Context(context));
    EXPECT_EQ(packed.text, wide_packed.text) << what;
    EXPECT_EQ(packed.used_tokens, wide_packed.used_tokens) << what;
    EXPECT_EQ(packed.search.total_hits, wide_packed.search.total_hits) << what;

    for (const std::string& select :
         {std::string("SELECT doc.path, chunk.id, score FROM chunk USING semantic('memory file')"),
          std::string("SELECT doc.path, doc.tag FROM doc"),
          std::string("SELECT doc.path, score FROM doc USING lexical('index vector')")}) {
      const std::string ending = " LIMIT " + std::to_string(1 + random() % 30);
      QueryRequest query;
      query.rql = select + (filter.empty() ? "" : " FILTER " + filter) + ending;
      ASSERT_OK_AND_ASSIGN(const QueryResponse rows, scoped->Query(query));
      ASSERT_OK_AND_ASSIGN(const QueryResponse wide_rows, without->Query(query));
      ASSERT_EQ(rows.rows.size(), wide_rows.rows.size()) << what << query.rql;
      for (size_t r = 0; r < rows.rows.size(); ++r) {
        EXPECT_EQ(rows.rows[r].doc.path, wide_rows.rows[r].doc.path) << what << query.rql;
        EXPECT_EQ(rows.rows[r].score, wide_rows.rows[r].score) << what << query.rql;
      }
      EXPECT_EQ(rows.total_hits, wide_rows.total_hits) << what << query.rql;
    }

    ListRequest list;
    list.scope.filter = filter;
    ASSERT_OK_AND_ASSIGN(const QueryResponse listed, scoped->List(list));
    ASSERT_OK_AND_ASSIGN(const QueryResponse wide_listed, without->List(list));
    std::vector<std::string> paths;
    std::vector<std::string> wide_paths;
    for (const QueryRow& row : listed.rows) paths.push_back(row.doc.path);
    for (const QueryRow& row : wide_listed.rows) wide_paths.push_back(row.doc.path);
    EXPECT_EQ(paths, wide_paths) << what;
    EXPECT_EQ(listed.total_hits, wide_listed.total_hits) << what;

    const auto exported = [&](Database& database) {
      std::string lines;
      ExportRequest request;
      request.scope.filter = filter;
      const auto report = database.Export(request, [&](std::string_view part) {
        lines += part;
        return Status::Ok();
      });
      EXPECT_TRUE(report.has_value());
      return lines;
    };
    const auto documents = [](const std::string& lines) {  // without the header and the totals
      std::vector<std::string> kept;
      for (size_t at = 0; at < lines.size();) {
        const size_t end = lines.find('\n', at);
        const std::string line = lines.substr(at, end - at);
        if (line.find("\"path\":") != std::string::npos) kept.push_back(line);
        at = end + 1;
      }
      return kept;
    };
    const auto lines = documents(exported(*scoped));
    EXPECT_EQ(lines, documents(exported(*without))) << what;
    EXPECT_EQ(lines.size(), paths.size()) << what;

    if (paths.empty()) continue;
    SimilarRequest similar;
    similar.target = paths[random() % paths.size()];
    similar.search = search;
    ASSERT_OK_AND_ASSIGN(const SimilarResponse near, scoped->Similar(similar));
    ASSERT_OK_AND_ASSIGN(const SimilarResponse wide_near, without->Similar(similar));
    ExpectSameHits(near, wide_near, what + " similar to " + similar.target);
    EXPECT_EQ(near.words, wide_near.words) << what << similar.target;
  }
}

// A scope may select chunks. Then scores are those of these chunks alone, too: of a query with a
// filter the set is the same.
TEST_F(ScopedDatabaseTest, ChunksOutsideAreNeitherFoundNorCounted) {
  std::mt19937_64 random(TestSeed(4));
  FillRandomly(random);
  for (const char* scope : {"chunk.tokens > 150", "doc.tag = 'x' OR chunk.text LIKE '%memory%'"}) {
    const auto scoped = OpenScoped(scope);
    for (const char* word : {"memory", "index vector", "al*"}) {
      SearchRequest request;
      request.text = word;
      request.mode = SearchMode::kLexical;
      request.k = 1000;
      request.explain = true;
      ASSERT_OK_AND_ASSIGN(const SearchResponse got, scoped->Search(request));
      request.scope.filter = scope;
      const SearchResponse want = Search(request);
      const auto ids = [](const SearchResponse& found) {
        std::set<std::string> all;
        for (const SearchHit& hit : found.hits) all.insert(hit.chunk.id);
        return all;
      };
      EXPECT_EQ(ids(got), ids(want)) << scope << word;
      EXPECT_EQ(got.total_hits, want.total_hits) << scope << word;
      ASSERT_OK_AND_ASSIGN(const QueryResponse chunks, [&] {
        QueryRequest all;
        all.rql = "SELECT chunk.id FROM chunk LIMIT 1";
        return scoped->Query(all);
      }());
      EXPECT_EQ(got.store.chunks, chunks.total_hits) << scope;
      if (got.explain->terms.size() != 1) continue;
      EXPECT_EQ(got.explain->terms[0].matches, got.total_hits) << scope << word;
    }
  }
}

TEST_F(ScopedDatabaseTest, TargetsOutsideDoNotExist) {
  std::mt19937_64 random(TestSeed(2));
  FillRandomly(random);
  const auto scoped = OpenScoped("doc.tag = 'x'");
  ASSERT_OK_AND_ASSIGN(const QueryResponse all, Rows("SELECT doc.path, doc.tag, doc.id FROM doc"));
  size_t outside = 0;
  for (const QueryRow& row : all.rows) {
    const bool within = row.doc.tag == "x";
    outside += within ? 0 : 1;
    ASSERT_OK_AND_ASSIGN(
        const QueryResponse chunks,
        Rows("SELECT chunk.id FROM chunk FILTER doc.path = '" + row.doc.path + "'"));
    ASSERT_OK_AND_ASSIGN(const GetResponse lines,
                         database_->Get({.target = row.doc.path + ":1-3", .cite = true}));
    const std::string chunk_id = chunks.rows.at(0).chunk->id;
    const std::string name = row.doc.path.substr(row.doc.path.rfind('/') + 1);
    for (const std::string& target :
         {row.doc.path, dir_ / row.doc.path, row.doc.path + ":2-3", row.doc.id,
          row.doc.id.substr(0, 12), "id:" + row.doc.id.substr(0, 8), chunk_id,
          chunk_id.substr(0, 12), ExactCitation(row.doc.path, row.doc.hash, std::nullopt),
          ExactCitation(row.doc.path, lines.chunk.lines_hash, LineRange{1, 3}),
          ExactCitation("elsewhere/" + name, lines.chunk.lines_hash, LineRange{1, 3})}) {
      const auto got = scoped->Get({.target = target});
      SimilarRequest similar;
      similar.target = target;
      const auto near = scoped->Similar(similar);
      if (within) {
        ASSERT_TRUE(got.has_value()) << target << got.error().ToString();
        EXPECT_EQ(got->doc.path, row.doc.path);
        ASSERT_TRUE(near.has_value()) << target << near.error().ToString();
        for (const SearchHit& hit : near->hits) EXPECT_EQ(hit.doc.tag, "x") << target;
        continue;
      }
      ASSERT_FALSE(got.has_value()) << target;
      ASSERT_FALSE(near.has_value()) << target;
      // A path is named only if the request named it.
      for (const Status& error : {got.error(), near.error()}) {
        const std::string said = error.ToString() + std::string(error.hint());
        if (target.find(row.doc.path) == std::string::npos) {
          EXPECT_EQ(said.find(row.doc.path), std::string::npos) << target << ": " << said;
        }
      }
    }
    // What would name the document that was meant.
    for (const std::string& target : {name, row.doc.path.substr(0, 1), row.doc.path.substr(0, 4)}) {
      const auto got = scoped->Get({.target = target});
      ASSERT_FALSE(got.has_value());
      if (within) continue;
      const std::string said = got.error().ToString() + std::string(got.error().hint());
      EXPECT_EQ(said.find(row.doc.path), std::string::npos) << target << ": " << said;
    }
  }
  EXPECT_GT(outside, 5u);
  EXPECT_LT(outside, all.rows.size());
}

TEST_F(ScopedDatabaseTest, CitationsOfOtherVersionsAreNotShown) {
  AddWithTag("secret.md", "one\ntwo\nthree\n", "private");
  AddWithTag("open.md", "red\ngreen\n", "public");
  const auto cite = [&](const std::string& path, uint64_t first, uint64_t last) {
    const auto found = database_->Get(
        {.target = path + ":" + std::to_string(first) + "-" + std::to_string(last), .cite = true});
    return ExactCitation(path, found->chunk.lines_hash, LineRange{first, last});
  };
  const std::string secret = cite("secret.md", 1, 2);
  const std::string open = cite("open.md", 1, 2);
  // The text of the secret moves, and then is in a document that is public.
  AddWithTag("secret.md", "zero\none\ntwo\n", "private");
  AddWithTag("open.md", "blue\n", "public");
  const auto scoped = OpenScoped("doc.tag = 'public'");
  EXPECT_TRUE(database_->Get({.target = secret}).has_value());
  EXPECT_TRUE(database_->Get({.target = open}).has_value());
  EXPECT_FALSE(scoped->Get({.target = secret}).has_value());
  EXPECT_FALSE(
      scoped->Get({.target = open}).has_value());  // the scope says nothing of old versions
  RemoveRequest remove;
  remove.targets = {"secret.md"};
  ASSERT_OK(database_->Remove(remove));
  EXPECT_TRUE(database_->Get({.target = secret}).has_value());
  EXPECT_FALSE(scoped->Get({.target = secret}).has_value());
}

TEST_F(ScopedDatabaseTest, NothingOutsideIsRemoved) {
  std::mt19937_64 random(TestSeed(3));
  FillRandomly(random);
  const auto scoped = OpenScoped("doc.tag = 'x'", false);
  ASSERT_OK_AND_ASSIGN(const QueryResponse all, Rows("SELECT doc.path, doc.tag, doc.id FROM doc"));
  std::set<std::string> kept;
  for (const QueryRow& row : all.rows) {
    if (row.doc.tag != "x") kept.insert(row.doc.path);
  }
  ASSERT_LT(kept.size(), all.rows.size());
  RemoveRequest outside;
  for (const QueryRow& row : all.rows) {
    if (row.doc.tag == "x") continue;
    outside.targets.push_back(row.doc.path);
    outside.targets.push_back(row.doc.id);
  }
  ASSERT_OK_AND_ASSIGN(RemoveReport report, scoped->Remove(outside));
  EXPECT_TRUE(report.removed.empty());
  EXPECT_EQ(report.not_found, outside.targets);

  RemoveRequest filtered;
  filtered.scope.filter = "doc.tag = 'y' OR doc.path GLOB 'a/**'";
  ASSERT_OK_AND_ASSIGN(report, scoped->Remove(filtered));
  for (const RemoveReport::Item& item : report.removed) EXPECT_FALSE(kept.contains(item.path));
  RemoveRequest directories;
  directories.targets = {"a", "b", "c", dir_.path()};
  ASSERT_OK_AND_ASSIGN(report, scoped->Remove(directories));
  for (const RemoveReport::Item& item : report.removed) EXPECT_FALSE(kept.contains(item.path));

  ASSERT_OK_AND_ASSIGN(const QueryResponse left, Rows("SELECT doc.path FROM doc"));
  std::set<std::string> paths;
  for (const QueryRow& row : left.rows) paths.insert(row.doc.path);
  EXPECT_EQ(paths, kept);
}

// Errors, warnings and hints tell nothing of documents, words and keys outside.
TEST_F(ScopedDatabaseTest, AnswersDoNotTellOfWhatIsOutside) {
  AddRequest with_meta;
  with_meta.extract_meta = true;
  WriteFile("hidden/notes.md", std::string("---\nclearance: top\n---\n# Hidden\n\nThe ") +
                                   kSecretWord + " is under the bridge.\n");
  with_meta.paths = {dir_ / "hidden/notes.md"};
  with_meta.tag = "private";
  Add(with_meta);
  AddWithTag("open/notes.md", "# Open\n\nThe bridge is red.\n", "public");
  const auto scoped = OpenScoped("doc.tag = 'public'");
  const auto told = [](const std::vector<std::string>& warnings) {
    std::string all;
    for (const std::string& warning : warnings) all += warning + "\n";
    return all;
  };
  const auto warnings = [&](const std::string& text, const std::string& filter = "") {
    SearchRequest request;
    request.text = text;
    request.scope.filter = filter;
    request.mode = SearchMode::kLexical;
    const auto response = scoped->Search(request);
    EXPECT_TRUE(response.has_value());
    for (const WordExpansion& expansion : response->expansions) {
      for (const std::string& term : expansion.terms) EXPECT_NE(term, kSecretWord);
    }
    for (const SearchHit& hit : response->hits) EXPECT_EQ(hit.doc.path, "open/notes.md");
    return told(response->warnings);
  };
  // A word of the hidden document and one of none are answered alike, and so are misspelt ones.
  const auto without = [](std::string text, const std::string& word) {
    for (size_t at = 0; (at = text.find(word)) != std::string::npos;)
      text.replace(at, word.size(), "W");
    return text;
  };
  const std::string nowhere = "qqqwwweee";
  for (const char* pattern : {"", "+", "zanzibariu", "+zanzibariu"}) {
    const std::string query =
        std::string(pattern).ends_with("u") ? pattern : pattern + std::string(kSecretWord);
    const std::string other = (query.starts_with('+') ? "+" : "") + nowhere;
    const std::string bare = query.substr(query.starts_with('+') ? 1 : 0);
    const std::string said = without(warnings(query), bare);
    EXPECT_EQ(said, without(warnings(other), nowhere));
    EXPECT_EQ(said.find(kSecretWord), std::string::npos) << said;
  }
  EXPECT_EQ(without(warnings("bridge", "doc.meta.clearance = 'top'"), "clearance"),
            without(warnings("bridge", "doc.meta.nosuchkey = 'top'"), "nosuchkey"));
}

TEST_F(ScopedDatabaseTest, AnInvalidScopeIsRefusedWhenTheStoreIsOpened) {
  for (const char* scope : {"doc.tag =", "tag", "doc.nosuch = 1", "doc.mtime > 'yesteryear'", "   ",
                            "doc.tag = 'x') OR (doc.tag = 'y'"}) {
    const auto opened = Database::Open(StorePath(), {.scope = scope});
    ASSERT_FALSE(opened.has_value()) << scope;
    EXPECT_EQ(opened.error().code(), StatusCode::kInvalidArgument) << scope;
    EXPECT_NE(opened.error().ToString().find("the scope"), std::string::npos)
        << opened.error().ToString();
    EXPECT_FALSE(CheckFilter(scope).ok()) << scope;
  }
}

// What satisfies the scope is decided for each commit that is read.
TEST_F(ScopedDatabaseTest, TheScopeFollowsTheStore) {
  AddWithTag("a.md", "alpha beta\n", "public");
  const auto scoped = OpenScoped("doc.tag = 'public'");
  SearchRequest request;
  request.text = "alpha";
  EXPECT_EQ(scoped->Search(request)->hits.size(), 1u);
  AddWithTag("b.md", "alpha gamma\n", "public");
  const auto both = scoped->Search(request);
  EXPECT_EQ(both->hits.size(), 2u);
  AddWithTag("a.md", "alpha beta delta\n", "private");
  EXPECT_EQ(Paths(*scoped->Search(request)), std::vector<std::string>{"b.md"});
  EXPECT_FALSE(scoped->Get({.target = "a.md"}).has_value());
  AddWithTag("b.md", "alpha gamma\n", "private");  // only the tag
  EXPECT_EQ(scoped->Search(request)->hits.size(), 0u);
  // Commits in turns.
  SearchRequest then = request;
  then.scope.snapshot = both->store.snapshot;
  EXPECT_EQ(scoped->Search(then)->hits.size(), 2u);
  EXPECT_EQ(scoped->Search(request)->hits.size(), 0u);
  EXPECT_FALSE(scoped->Get({.target = "b.md"}).has_value());
}

}  // namespace
}  // namespace recall
