#include "storage/metadata/metadata_index.h"

#include <random>

#include "storage/metadata/metadata_values.h"
#include "tests/storage/documents/doc_fixture.h"

namespace recall {
namespace {

// For example "number 7", "text x" or "date 2026-02-04 = 1770163200000000000".
std::string Describe(const MetaScalar& scalar) {
  switch (scalar.kind) {
    case MetaScalar::Kind::kNumber:
      return scalar.number.is_integer ? "integer " + std::to_string(scalar.number.integer)
                                      : "real " + std::to_string(scalar.number.real);
    case MetaScalar::Kind::kText:
      return "text " + scalar.text;
    case MetaScalar::Kind::kDate:
      return "date " + scalar.text + " = " + std::to_string(scalar.instant);
  }
  return "?";
}

std::string Describe(const std::optional<MetaScalars>& scalars) {
  if (!scalars) return "nothing";
  std::string text;
  for (const MetaScalar& scalar : *scalars) text += (text.empty() ? "" : "; ") + Describe(scalar);
  return text.empty() ? "no scalar" : text;
}

TEST(MetadataValues, AreWhatStandsUnderAPath) {
  const std::string json = R"({
    "n": 7, "r": 2.5, "big": 18446744073709551615, "t": "x", "b": true, "f": false, "null": null,
    "day": "2026-02-04", "time": "2026-02-04T08:00:00+08:00", "year": "2026", "far": "9999-12-31",
    "list": [1, "a", true, null, ["in"], {"x": 1}, "2026-02-04"], "empty": [], "nulls": [null],
    "object": {"a": {"b": [3]}, "n": null}, "": "no name", "twice": 1, "twice": 2})";
  const struct {
    std::vector<std::string> path;
    const char* expected;
  } cases[] = {
      {{"n"}, "integer 7"},
      {{"r"}, "real 2.500000"},
      {{"big"}, "real 18446744073709551616.000000"},
      {{"t"}, "text x"},
      {{"b"}, "text true"},
      {{"f"}, "text false"},
      {{"null"}, "nothing"},
      {{"missing"}, "nothing"},
      {{"day"}, "date 2026-02-04 = 1770163200000000000"},
      {{"time"}, "date 2026-02-04T08:00:00+08:00 = 1770163200000000000"},
      {{"year"}, "text 2026"},
      {{"far"}, "text 9999-12-31"},
      {{"list"}, "integer 1; text a; text true; date 2026-02-04 = 1770163200000000000"},
      {{"empty"}, "no scalar"},
      {{"nulls"}, "no scalar"},
      {{"object"}, "no scalar"},
      {{"object", "a"}, "no scalar"},
      {{"object", "a", "b"}, "integer 3"},
      {{"object", "n"}, "nothing"},
      {{"object", "x"}, "nothing"},
      {{"n", "x"}, "nothing"},
      {{"list", "0"}, "nothing"},
      {{""}, "text no name"},
      {{"twice"}, "integer 2"},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(Describe(MetadataAt(json, c.path)), c.expected) << c.path.back();
  }
}

TEST(MetadataValues, EntriesAreTheTopLevelPaths) {
  const std::string json = R"({"b": [2, "x"], "a": null, "c": {}, "d": "1"})";
  std::string keys;
  for (const MetaEntry& entry : MetadataEntries(json)) {
    keys += entry.key;
    const std::vector<std::string> path = {entry.key};
    EXPECT_EQ(Describe(entry.scalars), Describe(MetadataAt(json, path)));
  }
  EXPECT_EQ(keys, "bcd");
}

const std::vector<std::string>& OddTexts() {
  static const std::vector<std::string> texts = {
      "",
      "null",
      "7",
      "\"text\"",
      "[{\"a\": 1}]",
      "{",
      "{\"a\": 1",
      "{\"a\": 1} x",
      "{'a': 1}",
      "{\"a\": 1,}",
      "{\"a\": NaN}",
      "{\"a\": 1e999}",
      "{\"a\": \"\xff\"}",
      "{\"a\": \"\\ud800\"}",
      std::string("{\"a\": \"x\0y\"}", 12),
      std::string(200'000, '['),
      "{\"a\":" + std::string(200'000, '[') + std::string(200'000, ']') + "}",
      "{\"a\":" + std::string(3, '{'),
  };
  return texts;
}

TEST(MetadataValues, OddTextIsNoMetadata) {
  const std::vector<std::string> path = {"a"};
  for (const std::string& text : OddTexts()) {
    const std::string found = Describe(MetadataAt(text, path));
    const bool deep = text.ends_with("]}");
    EXPECT_EQ(found, deep ? "no scalar" : "nothing") << text.substr(0, 40);
  }
  const std::string zero = R"({"a": "x\u0000y"})";
  EXPECT_EQ(MetadataAt(zero, path)->at(0).text, std::string("x\0y", 3));
}

class MetadataIndexTest : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_OK_AND_ASSIGN(store_, Store::Create(dir_ / "recall.db", {})); }

  static std::string Dump(Connection& connection) {
    std::string dump;
    auto rows = Must(connection.Prepare(
        "SELECT quote(key) || ' ' || kind || ' ' || quote(value) || ' ' || doc || ' ' || "
        "first_chunk || ' ' || chunk_count FROM doc_meta ORDER BY key, kind, value, doc"));
    while (Must(rows.Step())) dump += std::string(rows.ColumnText(0)) + "\n";
    return dump;
  }

  // The contents of the table after rebuilding it.
  static std::string Rebuilt(Connection& connection) {
    EXPECT_OK(connection.Execute("SAVEPOINT rebuild; DELETE FROM doc_meta"));
    EXPECT_OK(FillMetadataIndex(connection));
    const std::string dump = Dump(connection);
    EXPECT_OK(connection.Execute("ROLLBACK TO rebuild; RELEASE rebuild"));
    return dump;
  }

  TempDir dir_;
  std::unique_ptr<Store> store_;
};

TEST_F(MetadataIndexTest, HoldsARowForEachScalar) {
  const auto transaction = Must(store_->BeginWrite());
  DocRow doc;
  doc.path = "a";
  doc.meta = R"({"n": [1, 1.0, 2.5, "x", "x"], "day": "2026-02-04", "o": {"in": 1}, "no": null})";
  AddDoc(*transaction, doc, "text", 2);
  EXPECT_EQ(Dump(transaction->connection()),
            "'day' 3 '2026-02-04' 1 0 2\n"
            "'day' 4 1770163200000000000 1 0 2\n"
            "'n' 1 1 1 0 2\n"
            "'n' 1 2.5 1 0 2\n"
            "'n' 2 'x' 1 0 2\n"
            "'o' 0 0 1 0 2\n");
}

// After additions, refreshes, edits and removals the table agrees with the live rows.
TEST_F(MetadataIndexTest, FollowsTheDocuments) {
  const uint64_t seed = TestSeed(7);
  std::mt19937_64 random(seed);
  const auto transaction = Must(store_->BeginWrite());
  Connection& connection = transaction->connection();
  std::vector<std::string> metas = OddTexts();
  for (const char* json : {R"({"a": 1})", R"({"a": [1, 2, "x"], "b": "2026-02-04"})", R"({})",
                           R"({"b": 1e300, "c": {"d": 1}})", R"({"a": -0.0, "é'\"": "q"})"}) {
    for (int i = 0; i < 6; ++i) metas.push_back(json);
  }
  const auto random_meta = [&]() -> std::optional<std::string> {
    if (random() % 5 == 0) return std::nullopt;
    return metas[random() % metas.size()];
  };
  for (int i = 0; i < 300; ++i) {
    DocRow doc;
    doc.path = std::to_string(random() % 20);
    doc.meta = random_meta();
    const auto live = Must(FindLiveDoc(*transaction, doc.path));
    if (live && random() % 3 == 0) {
      ASSERT_OK(MarkDocRemoved(*transaction, live->row));
    } else if (live && random() % 2 == 0) {
      doc.row = live->row;
      ASSERT_OK(UpdateDocMetadata(*transaction, doc));
    } else {
      AddDoc(*transaction, doc, std::to_string(i), static_cast<uint32_t>(random() % 3));
    }
    if (i % 10 != 0) continue;
    ASSERT_EQ(Dump(connection), Rebuilt(connection)) << "seed " << seed;
  }
  EXPECT_GT(Dump(connection).size(), 100u);
  for (const auto& doc : Must(FindLiveDocsUnder(*transaction, ""))) {
    ASSERT_OK(MarkDocRemoved(*transaction, doc.row));
  }
  EXPECT_EQ(Dump(connection), "");
}

TEST_F(MetadataIndexTest, APathHasOneLiveVersion) {
  const auto transaction = Must(store_->BeginWrite());
  DocRow doc;
  doc.path = "a";
  doc.parser = "plain";
  ASSERT_OK(InsertDoc(*transaction, doc, {}));
  EXPECT_EQ(InsertDoc(*transaction, doc, {}).error().code(), StatusCode::kAlreadyExists);
  EXPECT_EQ(Must(transaction->connection().QueryInt("SELECT count(*) FROM doc")), 1);
}

}  // namespace
}  // namespace recall
