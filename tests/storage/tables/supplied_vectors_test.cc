// User-supplied embeddings (docs/embedders.md, "Given vectors").

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "storage/base/base64.h"
#include "storage/base/bytes.h"
#include "tests/query/query_fixture.h"

namespace recall {
namespace {

using Json = nlohmann::json;
using SuppliedVector = std::vector<float>;

constexpr uint32_t kGivenDim = 24;
// The largest change of a cosine by quantisation to int8.
constexpr double kRounding = 0.01;

double Cosine(const SuppliedVector& a, const SuppliedVector& b) {
  double dot = 0, aa = 0, bb = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    dot += double{a[i]} * b[i];
    aa += double{a[i]} * a[i];
    bb += double{b[i]} * b[i];
  }
  return dot / std::sqrt(aa * bb);
}

class SuppliedVectorsTest : public QueryFixture {
 protected:
  void SetUp() override {
    Create({.embedder = "given", .dim = kGivenDim, .chunk_tokens = 16, .overlap_tokens = 2});
    OpenOptions options;
    options.flush_vectors = 64;
    Reopen(options);
  }

  SuppliedVector RandomVector() {
    std::normal_distribution<float> normal;
    SuppliedVector vector(kGivenDim);
    for (float& component : vector) component = normal(random_);
    return vector;
  }

  AddReport AddLines(const std::string& lines) {
    std::ofstream(dir_ / "lines.jsonl", std::ios::binary) << lines;
    AddRequest request;
    request.jsonl = dir_ / "lines.jsonl";
    auto report = database_->Add(request);
    EXPECT_TRUE(report.has_value()) << report.error().ToString();
    return report ? *report : AddReport();
  }

  // Documents of one to three chunks, each with an embedding.
  std::string SomeLines(int count) {
    std::string lines;
    for (int i = 0; i < count; ++i) {
      const std::string path = "d" + std::to_string(i);
      given_[path] = RandomVector();
      lines += Json{{"path", path},
                    {"text", RandomText(random_, 10 + random_() % 30)},
                    {"embedding", given_[path]}}
                   .dump() +
               "\n";
    }
    return lines;
  }

  static SearchRequest Question(const SuppliedVector& embedding,
                                SearchMode mode = SearchMode::kSemantic) {
    SearchRequest request;
    request.text = "omega thread";
    request.mode = mode;
    request.ranking.embedding = embedding;
    request.k = 1000;
    request.explain = true;
    return request;
  }

  // All parts of some answers that a user sees, with all bits of the scores.
  static std::string Answers(Database& database, const std::string& snapshot = "") {
    std::mt19937_64 random(3);
    std::normal_distribution<float> normal;
    std::string all;
    for (const SearchMode mode : {SearchMode::kSemantic, SearchMode::kHybrid}) {
      SuppliedVector vector(kGivenDim);
      for (float& component : vector) component = normal(random);
      SearchRequest request = Question(vector, mode);
      request.scope.snapshot = snapshot;
      const auto found = database.Search(request);
      EXPECT_TRUE(found.has_value()) << found.error().ToString();
      if (!found) continue;
      for (const SearchHit& hit : found->hits) {
        all += hit.chunk.id + " " + std::to_string(hit.score) + "\n";
      }
    }
    return all;
  }
  std::string Answers(const std::string& snapshot = "") { return Answers(*database_, snapshot); }

  static std::string Export(Database& database) {
    std::string lines;
    EXPECT_TRUE(database.Export({}, [&](std::string_view piece) {
      lines += piece;
      return Status::Ok();
    }));
    return lines;
  }

  void Damage(const std::string& sql) {
    database_.reset();
    ASSERT_OK_AND_ASSIGN(const auto connection,
                         Connection::Open(StorePath(), {.mode = ConnectionMode::kReadWrite}));
    ASSERT_OK(connection->Execute(sql));
  }

  std::mt19937_64 random_{TestSeed(31)};
  std::map<std::string, SuppliedVector> given_;
};

// The oracle computes every cosine in double precision.
TEST_F(SuppliedVectorsTest, RankByTheirCosinesToTheQuestions) {
  EXPECT_EQ(AddLines(SomeLines(300)).added, 300);
  EXPECT_GT(Number("SELECT count(*) FROM vec_segment"), 0);
  for (int round = 0; round < 10; ++round) {
    const SuppliedVector question = RandomVector();
    const SearchResponse found = Search(Question(question));
    ASSERT_FALSE(found.hits.empty());
    double best = -1;
    for (const auto& [path, vector] : given_) best = std::max(best, Cosine(question, vector));
    double before = 2;
    for (const SearchHit& hit : found.hits) {
      const double cosine = Cosine(question, given_[hit.doc.path]);
      EXPECT_NEAR(*hit.explain->semantic, cosine, kRounding) << hit.doc.path;
      EXPECT_LE(cosine, before + 2 * kRounding);
      before = cosine;
    }
    EXPECT_NEAR(Cosine(question, given_[found.hits[0].doc.path]), best, 2 * kRounding);
  }
  ExpectHealthy();
}

TEST_F(SuppliedVectorsTest, BelongToEveryChunkOfTheirDocument) {
  const SuppliedVector vector = RandomVector();
  AddLines(
      Json{{"path", "long"}, {"text", RandomText(random_, 100)}, {"embedding", vector}}.dump());
  const SearchResponse found = Search(Question(vector));
  EXPECT_GT(found.hits.size(), 4u);
  for (const SearchHit& hit : found.hits) EXPECT_NEAR(*hit.explain->semantic, 1, kRounding);
}

TEST_F(SuppliedVectorsTest, ChangeWithWhatComesAndStayOtherwise) {
  const auto line = [](const Json& embedding, const std::string& text = "the text") {
    Json document = {{"path", "p"}, {"text", text}};
    if (!embedding.is_discarded()) document["embedding"] = embedding;
    return document.dump() + "\n";
  };
  const Json left_out = Json::parse("?", nullptr, false);
  const SuppliedVector first = RandomVector();
  const SuppliedVector second = RandomVector();
  const auto cosine = [&](const SuppliedVector& question) {
    const SearchResponse found = Search(Question(question));
    return found.hits.empty() ? 0.0 : *found.hits[0].explain->semantic;
  };
  EXPECT_EQ(AddLines(line(first)).added, 1);
  EXPECT_EQ(AddLines(line(first)).unchanged, 1);
  EXPECT_EQ(AddLines(line(left_out)).unchanged, 1);
  EXPECT_NEAR(cosine(first), 1, kRounding);

  EXPECT_EQ(AddLines(line(second)).updated, 1);
  EXPECT_NEAR(cosine(second), 1, kRounding);

  std::string base64;
  AppendBase64({reinterpret_cast<const uint8_t*>(second.data()), second.size() * sizeof(float)},
               &base64);
  EXPECT_EQ(AddLines(line(base64)).unchanged, 1) << "the same vector, written in another way";

  EXPECT_EQ(AddLines(line(nullptr)).updated, 1);
  EXPECT_TRUE(Search(Question(second)).hits.empty());

  AddLines(line(second));
  const AddReport other = AddLines(line(left_out, "another text"));
  EXPECT_EQ(other.updated, 1);
  ASSERT_EQ(other.warnings.size(), 1u);
  EXPECT_TRUE(other.warnings[0].starts_with("1 document has no embedding"));
  EXPECT_TRUE(Search(Question(second)).hits.empty()) << "a vector is that of its text";
  EXPECT_EQ(Search("another").hits.size(), 1u) << "words find it";
  ExpectHealthy();
}

TEST_F(SuppliedVectorsTest, AreRefusedWithTheirLineWhenTheyAreNone) {
  const std::string long_vector = Json(SuppliedVector(kGivenDim + 1, 1.0f)).dump();
  const std::string lines[] = {R"({"path": "a", "text": "a", "embedding": [1, 2]})",
                               R"({"path": "b", "text": "b", "embedding": )" + long_vector + "}",
                               R"({"path": "c", "text": "c", "embedding": [1, "x"]})",
                               R"({"path": "d", "text": "d", "embedding": [1e300]})",
                               R"({"path": "e", "text": "e", "embedding": []})",
                               R"({"path": "f", "text": "f", "embedding": "AAA"})",
                               R"({"path": "g", "text": "g", "embedding": {"a": 1}})"};
  std::string all;
  for (const std::string& line : lines) all += line + "\n";
  const AddReport report = AddLines(all);
  EXPECT_EQ(report.added, 0);
  ASSERT_EQ(report.failed, static_cast<int64_t>(std::size(lines)));
  for (size_t i = 0; i < report.failures.size(); ++i) {
    EXPECT_EQ(report.failures[i].line, static_cast<int64_t>(i + 1));
    EXPECT_NE(report.failures[i].reason.find("\"embedding\""), std::string::npos)
        << report.failures[i].reason;
  }
}

TEST_F(SuppliedVectorsTest, QuestionsMustFitThem) {
  AddLines(SomeLines(5));
  const auto code = [&](const SearchRequest& request) {
    const auto found = database_->Search(request);
    return found ? StatusCode::kOk : found.error().code();
  };
  EXPECT_EQ(code(Question(SuppliedVector(kGivenDim - 1, 1))), StatusCode::kInvalidArgument);
  EXPECT_EQ(code(Question({}, SearchMode::kSemantic)), StatusCode::kInvalidArgument);
  EXPECT_EQ(code(Question(SuppliedVector(kGivenDim, 1), SearchMode::kLexical)),
            StatusCode::kInvalidArgument);
  EXPECT_EQ(code(Question({}, SearchMode::kLexical)), StatusCode::kOk);

  const SearchResponse words = Search("omega thread");
  ASSERT_EQ(words.warnings.size(), 1u);
  EXPECT_NE(words.warnings[0].find("the query has none"), std::string::npos);

  Create({.embedder = "hash", .dim = kGivenDim});
  EXPECT_EQ(code(Question(SuppliedVector(kGivenDim, 1))), StatusCode::kInvalidArgument);
  const AddReport refused = AddLines(SomeLines(1));
  EXPECT_EQ(refused.failed, 1);
}

TEST_F(SuppliedVectorsTest, GoWithTheirDocumentsIntoAnExportAndBack) {
  AddLines(SomeLines(100));
  const std::string lines = Export(*database_);
  std::ofstream(dir_ / "export.jsonl", std::ios::binary) << lines;
  const CreateOptions options = {
      .embedder = "given", .dim = kGivenDim, .chunk_tokens = 16, .overlap_tokens = 2};
  ASSERT_OK_AND_ASSIGN(const auto copy, Database::Create(dir_ / "copy.db", options));
  ASSERT_OK_AND_ASSIGN(ImportReport report, copy->Import({.path = dir_ / "export.jsonl"}));
  EXPECT_EQ(report.added, 100);
  EXPECT_EQ(report.vectors_rebuilt, 0);
  EXPECT_TRUE(report.warnings.empty());
  EXPECT_EQ(Export(*copy), lines);
  EXPECT_EQ(Answers(*copy), Answers());
  ASSERT_OK_AND_ASSIGN(report, copy->Import({.path = dir_ / "export.jsonl"}));
  EXPECT_EQ(report.unchanged, 100);

  // A store with an embedder computes its own vectors.
  ASSERT_OK_AND_ASSIGN(const auto other, Database::Create(dir_ / "other.db", {.embedder = "hash"}));
  ASSERT_OK_AND_ASSIGN(report, other->Import({.path = dir_ / "export.jsonl"}));
  EXPECT_EQ(report.added, 100);
  EXPECT_EQ(Export(*other).find("\"embedding\""), std::string::npos);
}

TEST_F(SuppliedVectorsTest, SnapshotsKeepTheirs) {
  AddLines(SomeLines(50));
  const std::string before = Answers();
  const std::string token = database_->Stats()->store.snapshot;
  AddLines(SomeLines(60));
  EXPECT_NE(Answers(), before);
  EXPECT_EQ(Answers(token), before);
}

TEST_F(SuppliedVectorsTest, TheDoctorMakesTheIndexAnewOfThem) {
  AddLines(SomeLines(150));
  const std::string before = Answers();
  Damage("DELETE FROM vec_segment; DELETE FROM vec_data; DELETE FROM vec_tail");
  ASSERT_OK_AND_ASSIGN(const DoctorReport report,
                       Database::Doctor({.path = StorePath(), .fix = true}));
  EXPECT_GT(report.fixed, 0);
  EXPECT_EQ(report.errors, 0);
  ExpectHealthy();
  Reopen();
  EXPECT_EQ(Answers(), before);
}

TEST_F(SuppliedVectorsTest, TheDoctorFindsDamageOfThemAndKeepsWhatTheIndexHas) {
  AddLines(SomeLines(20));
  const std::string before = Answers();
  Damage(
      "UPDATE given_vector SET data = x'00' || substr(data, 2) WHERE doc = 7;"
      "INSERT INTO given_vector VALUES(999, (SELECT data FROM given_vector WHERE doc = 8))");
  ASSERT_OK_AND_ASSIGN(const DoctorReport report,
                       Database::Doctor({.path = StorePath(), .fix = true}));
  ASSERT_EQ(report.errors, 1);
  const auto& finding = report.findings.front();
  EXPECT_EQ(finding.code, "given_vector");
  ASSERT_EQ(finding.count, 2);
  EXPECT_EQ(finding.examples[0].where, "document row 7");
  EXPECT_EQ(finding.examples[1].where, "document row 999");
  Reopen();
  EXPECT_EQ(Answers(), before);
}

// If one supplied vector is damaged, the doctor must not rebuild the index: it would lose that
// vector.
TEST_F(SuppliedVectorsTest, TheDoctorMakesNoVectorsAnewWhereOneIsDamaged) {
  AddLines(SomeLines(20));
  Damage(
      "UPDATE given_vector SET data = x'00' || substr(data, 2) WHERE doc = 7;"
      "DELETE FROM vec_tail WHERE chunk = (SELECT max(chunk) FROM vec_tail)");
  const int64_t kept = Number("SELECT count(*) FROM vec_tail");
  ASSERT_OK_AND_ASSIGN(const DoctorReport report,
                       Database::Doctor({.path = StorePath(), .fix = true}));
  EXPECT_GT(report.errors, 0);
  EXPECT_EQ(report.fixed, 0);
  EXPECT_EQ(Number("SELECT count(*) FROM vec_tail"), kept);
}

TEST_F(SuppliedVectorsTest, AreKeptWhateverEmbedderIsInForce) {
  const std::string lines = SomeLines(30);
  AddLines(lines);
  const std::string before = Answers();
  const std::string exported = Export(*database_);
  std::ofstream(dir_ / "export.jsonl", std::ios::binary) << exported;
  ASSERT_OK_AND_ASSIGN(EmbedReport embedded, database_->Embed({.embedder = "hash"}));

  // Adding the texts again with another parser rewrites the rows, like a change of a tag.
  std::string same_texts;
  std::istringstream each(lines);
  for (std::string line; std::getline(each, line);) {
    Json document = Json::parse(line);
    document.erase("embedding");
    same_texts += document.dump() + "\n";
  }
  std::ofstream(dir_ / "lines.jsonl", std::ios::binary) << same_texts;
  AddRequest as_markdown;
  as_markdown.jsonl = dir_ / "lines.jsonl";
  as_markdown.parser = Parser::kMarkdown;
  ASSERT_OK_AND_ASSIGN(const AddReport added, database_->Add(as_markdown));
  EXPECT_EQ(added.updated, 30);
  as_markdown.parser = Parser::kPlain;
  ASSERT_OK_AND_ASSIGN(const AddReport back, database_->Add(as_markdown));
  EXPECT_EQ(back.updated, 30);

  // Supplied vectors are restored by an import, too.
  RemoveRequest remove;
  remove.targets = {"d3"};
  ASSERT_OK_AND_ASSIGN(const RemoveReport removed, database_->Remove(remove));
  ASSERT_OK_AND_ASSIGN(const ImportReport imported,
                       database_->Import({.path = dir_ / "export.jsonl"}));
  EXPECT_EQ(imported.added, 1);

  ASSERT_OK_AND_ASSIGN(embedded, database_->Embed({.embedder = "given"}));
  EXPECT_EQ(Export(*database_), exported);
  EXPECT_EQ(Answers().size(), before.size());
  ExpectHealthy();
}

TEST_F(SuppliedVectorsTest, AreThereAgainAfterAnotherEmbedder) {
  AddLines(SomeLines(80));
  const std::string before = Answers();
  ASSERT_OK_AND_ASSIGN(EmbedReport report, database_->Embed({.embedder = "hash"}));
  EXPECT_NE(Search("omega", SearchMode::kSemantic).hits.size(), 0u);
  EXPECT_EQ(AddLines(SomeLines(1)).failed, 1) << "hash makes the vectors now";
  ASSERT_OK_AND_ASSIGN(report, database_->Embed({.embedder = "given"}));
  EXPECT_EQ(report.chunks, database_->Stats()->store.chunks);
  EXPECT_EQ(Answers(), before);
  ExpectHealthy();

  Create({.embedder = "hash", .dim = kGivenDim});
  const auto refused = database_->Embed({.embedder = "given"});
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code(), StatusCode::kInvalidArgument);
}

TEST_F(SuppliedVectorsTest, AreGoneWhenTheirDocumentIsPurged) {
  AddLines(SomeLines(10));
  RemoveRequest request;
  request.targets = {"d3"};
  request.purge = true;
  ASSERT_OK_AND_ASSIGN(const RemoveReport report, database_->Remove(request));
  EXPECT_EQ(report.purged_docs, 1);
  EXPECT_EQ(Number("SELECT count(*) FROM given_vector"), 9);
  ExpectHealthy();
}

TEST_F(SuppliedVectorsTest, SayWhatIsSimilar) {
  std::string lines = SomeLines(40);
  const SuppliedVector near = given_["d5"];
  lines +=
      Json{{"path", "twin"}, {"text", "nothing of the kind: quartz"}, {"embedding", near}}.dump();
  AddLines(lines);
  SimilarRequest request;
  request.target = "d5";
  request.search.mode = SearchMode::kSemantic;
  ASSERT_OK_AND_ASSIGN(const SimilarResponse found, database_->Similar(request));
  ASSERT_FALSE(found.hits.empty());
  EXPECT_EQ(found.hits[0].doc.path, "twin");
}

}  // namespace
}  // namespace recall
