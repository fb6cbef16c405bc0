// Printing the rows of a query as JSON and as text.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/show/output/field_values.h"
#include "cli/show/output/query_text.h"
#include "tests/cli/show/output/json_text.h"

namespace recall {
namespace {

using Json = nlohmann::ordered_json;

QueryColumn Score() { return {true, {}, "score"}; }

QueryColumn Column(Field field) {
  const FieldRef ref{field, {}};
  return {false, ref, FieldName(ref)};
}

QueryColumn MetaKey(std::vector<std::string> path) {
  const FieldRef ref{Field::kDocMetaKey, std::move(path)};
  return {false, ref, FieldName(ref)};
}

QueryRow Row() {
  QueryRow row;
  row.score = 0.1;
  row.doc.id = "d1";
  row.doc.path = "docs/a.md";
  row.doc.mtime = "2026-02-04T09:30:00Z";
  row.doc.hash = "h1";
  row.doc.tag = "notes";
  row.doc.meta_json = R"({"author":"Ada","n":1.50,"tags":["x","y"],"deep":{"er":true}})";
  row.doc.parser = "markdown";
  row.doc.size = 83;
  row.doc.tokens = 14;
  row.doc.chunks = 2;
  row.doc.origin = "file";
  row.doc.lang = "en";
  row.chunk.emplace();
  row.chunk->id = "c1";
  row.chunk->doc_id = "d1";
  row.chunk->offset = 6;
  row.chunk->text = "one\ttwo\nthree";
  row.chunk->start_line = 5;
  return row;
}

std::string Line(const std::vector<QueryColumn>& columns, const QueryRow& row) {
  return ObjectText([&](JsonWriter& json) { WriteFields(columns, row, json); }) + "\n";
}

TEST(RowJsonTest, HasWhatWasSelectedInTheCatalogueOrder) {
  EXPECT_EQ(Line({Column(Field::kChunkText), Column(Field::kDocTag), Column(Field::kDocPath),
                  Column(Field::kChunkOffset)},
                 Row()),
            "{\"doc\":{\"path\":\"docs/a.md\",\"tag\":\"notes\"},"
            "\"chunk\":{\"offset\":6,\"text\":\"one\\ttwo\\nthree\"}}\n");
}

TEST(RowJsonTest, ScoreOnlyWhenSelected) {
  EXPECT_EQ(Line({Score()}, Row()), "{\"score\":0.1}\n");
  EXPECT_EQ(Line({}, Row()), "{}\n");
}

TEST(RowJsonTest, ADocumentWithoutChunkHasNoChunk) {
  QueryRow row = Row();
  row.chunk.reset();
  EXPECT_EQ(Line({Column(Field::kChunkText)}, row), "{}\n");
  EXPECT_EQ(Line({Column(Field::kDocId), Column(Field::kChunkText)}, row),
            "{\"doc\":{\"id\":\"d1\"}}\n");
}

TEST(RowJsonTest, UnknownLabelsAreNullAndMetadataIsAbsent) {
  QueryRow row = Row();
  row.doc.tag.reset();
  row.doc.meta_json.reset();
  EXPECT_EQ(Line({Column(Field::kDocTag), Column(Field::kDocMeta)}, row),
            "{\"doc\":{\"tag\":null}}\n");
}

TEST(RowJsonTest, KeysOfMetadataLieWhereTheirPathSays) {
  EXPECT_EQ(Line({MetaKey({"tags"}), MetaKey({"author"}), MetaKey({"deep", "er"}),
                  MetaKey({"none"}), MetaKey({"n"})},
                 Row()),
            "{\"doc\":{\"meta\":{\"author\":\"Ada\",\"deep\":{\"er\":true},\"n\":1.5,"
            "\"none\":null,\"tags\":[\"x\",\"y\"]}}}\n");
}

TEST(RowJsonTest, AKeyWithinASelectedValueIsThereAlready) {
  EXPECT_EQ(Line({MetaKey({"author", "name"}), MetaKey({"author"})}, Row()),
            "{\"doc\":{\"meta\":{\"author\":\"Ada\"}}}\n");
  EXPECT_EQ(Line({MetaKey({"author", "name"})}, Row()),
            "{\"doc\":{\"meta\":{\"author\":{\"name\":null}}}}\n");
  const Json whole = Json::parse(Line({MetaKey({"n"}), Column(Field::kDocMeta)}, Row()));
  EXPECT_EQ(whole["doc"]["meta"].size(), 4u);
}

TEST(RowJsonTest, KeysShareTheObjectsTheyLieIn) {
  QueryRow row = Row();
  row.doc.meta_json = R"({"a":{"x":1,"y":{"p":2,"q":3}},"b":4,"c":{"y":{"p":5}}})";
  EXPECT_EQ(Line({MetaKey({"c", "y", "p"}), MetaKey({"a", "y", "q"}), MetaKey({"a", "y", "p"}),
                  MetaKey({"b"}), MetaKey({"a", "x"}), MetaKey({"a", "z", "p"}),
                  MetaKey({"a", "y", "p"}), MetaKey({"d", "y"})},
                 row),
            "{\"doc\":{\"meta\":{\"a\":{\"x\":1,\"y\":{\"p\":2,\"q\":3},\"z\":{\"p\":null}},"
            "\"b\":4,\"c\":{\"y\":{\"p\":5}},\"d\":{\"y\":null}}}}\n");
}

TEST(FieldsJsonTest, WholeDocumentsAndChunksHaveEveryFieldOfTheCatalogue) {
  const QueryRow row = Row();
  const Json doc = Json::parse(FieldsText(row.doc));
  const Json chunk = Json::parse(FieldsText(*row.chunk));
  std::vector<std::string> doc_keys;
  std::vector<std::string> chunk_keys;
  for (const auto& [key, value] : doc.items()) doc_keys.push_back(key);
  for (const auto& [key, value] : chunk.items()) chunk_keys.push_back(key);
  for (const FieldInfo& info : AllFields()) {
    if (!info.stored()) continue;
    auto& keys = info.table == FieldTable::kDoc ? doc_keys : chunk_keys;
    ASSERT_FALSE(keys.empty()) << info.name;
    EXPECT_EQ(keys.front(), info.name);
    keys.erase(keys.begin());
  }
  EXPECT_TRUE(doc_keys.empty());
  EXPECT_TRUE(chunk_keys.empty());
}

TEST(QueryTextTest, CellsStandInTheOrderOfSelect) {
  EXPECT_EQ(
      FormatRow({Column(Field::kChunkText), Score(), Column(Field::kDocPath),
                 Column(Field::kDocSource), MetaKey({"tags"}), MetaKey({"n"}), MetaKey({"author"})},
                Row(), {}),
      "one\\ttwo\\nthree\t0.1\tdocs/a.md\t\t[\"x\",\"y\"]\t1.5\tAda\n");
  EXPECT_EQ(FormatRow({}, Row(), {}), "\n");
}

TEST(QueryTextTest, CellsAreEscapedSoThatTheyStayCells) {
  EXPECT_EQ(EscapeCell("a\\b\tc\nd\re\x1b[0m\x7f"), "a\\\\b\\tc\\nd\\re\\x1b[0m\\x7f");
  // A pipe gets other bytes unchanged; a terminal gets nothing that moves or reorders text.
  EXPECT_EQ(EscapeCell("\xE2\x80\xAE \xC3\xA4 \xff"), "\xE2\x80\xAE \xC3\xA4 \xff");
  QueryRow row = Row();
  row.doc.path = "\xE2\x80\xAE\x1b";
  const TextStyle terminal = {.color = false, .escape = true, .columns = 80};
  EXPECT_EQ(FormatRow({Column(Field::kDocPath)}, row, terminal), "\\u202e\\x1b\n");
}

TEST(QueryTextTest, RecordsLeaveOutWhatIsEmptyAndIndentText) {
  EXPECT_EQ(FormatRecord({Column(Field::kDocPath), Column(Field::kDocSource),
                          Column(Field::kChunkHeading), Column(Field::kChunkText), Score()},
                         Row(), {}),
            "doc.path       docs/a.md\n"
            "chunk.text\n"
            "    one\ttwo\n"
            "    three\n"
            "score          0.1\n");
}

}  // namespace
}  // namespace recall
