// The examples of docs/rql.md are right.

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "query/rql/rql.h"
#include "tests/query/query_fixture.h"
#include "tests/test_paths.h"

namespace recall {
namespace {

std::string ReadDocs() {
  std::ifstream file(SourceDir() + "/docs/rql.md");
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// A fenced block ```tag ... ``` of the page.
struct Block {
  std::string tag;
  std::string text;
};

std::vector<Block> ReadBlocks() {
  const std::string docs = ReadDocs();
  std::vector<Block> blocks;
  for (size_t at = docs.find("```"); at != docs.npos; at = docs.find("```", at + 3)) {
    const size_t line_end = docs.find('\n', at);
    const size_t end = docs.find("```", line_end);
    if (end == docs.npos) break;
    blocks.push_back(
        {docs.substr(at + 3, line_end - at - 3), docs.substr(line_end + 1, end - line_end - 1)});
    at = end;
  }
  return blocks;
}

std::vector<std::string> LinesOf(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

TEST(RqlDocs, EveryQueryShownIsOne) {
  size_t queries = 0;
  for (const Block& block : ReadBlocks()) {
    if (block.tag != "rql") continue;
    ++queries;
    std::vector<std::string> warnings;
    const Result<RqlQuery> query = ParseRql(block.text, &warnings);
    EXPECT_TRUE(query) << query.error().ToString() << "\n" << block.text;
    EXPECT_TRUE(warnings.empty()) << block.text;
  }
  EXPECT_GE(queries, 5u);
}

TEST(RqlDocs, EveryFilterShownIsOne) {
  size_t filters = 0;
  for (const Block& block : ReadBlocks()) {
    if (block.tag != "fel") continue;
    for (const std::string& line : LinesOf(block.text)) {
      ++filters;
      const Result<FilterExpr> filter = ParseFilter(line);
      EXPECT_TRUE(filter) << filter.error().ToString() << "\n" << line;
    }
  }
  EXPECT_GE(filters, 7u);
}

// Adds the documents that the page mentions, with metadata from their front matter.
class RqlDocsRun : public QueryFixture {
 protected:
  void Fill() {
    WriteFile("docs/api/a.md",
              "---\nTitle: A\nStatus: open\nLabels: [bug, ui]\nPriority: 2\nDraft: false\n"
              "Due-Date: 2026-02-14\nReview Day: 2026-02-01\nauthor: {name: Ann}\n---\n\n"
              "# Install\n\nThe rate limit answers 429. Write ahead log.\n");
    AddRequest request;
    request.paths = {dir_ / "docs"};
    request.extract_meta = true;
    Add(request);
  }

  void ExpectRuns(const std::string& rql) {
    QueryRequest request;
    request.rql = rql;
    const auto response = database_->Query(request);
    ASSERT_TRUE(response.has_value()) << response.error().ToString() << "\n" << rql;
    for (const std::string& warning : response->warnings) {
      if (warning.starts_with("no results: ")) continue;  // the store has one document
      ADD_FAILURE() << warning << "\n" << rql;
    }
  }
};

TEST_F(RqlDocsRun, EveryExampleRunsOnFrontMatter) {
  Fill();
  for (const Block& block : ReadBlocks()) {
    if (block.tag == "rql") ExpectRuns(block.text);
    if (block.tag != "fel") continue;
    for (const std::string& line : LinesOf(block.text)) {
      ExpectRuns("FROM doc FILTER " + line + "\nSELECT doc.path");
    }
  }
}

// Formats an error as the command line does.
std::string Render(const Status& error) {
  const TextPosition* place = error.position();
  std::string text = "error: line " + std::to_string(place->line) + ", column " +
                     std::to_string(place->column) + ": " + std::string(error.message()) + "\n";
  for (const std::string& line : LinesOf(place->excerpt)) text += "  " + line + "\n";
  return text + "hint: " + std::string(error.hint()) + "\n";
}

TEST(RqlDocs, EveryErrorShownIsWhatComesOut) {
  const std::vector<Block> blocks = ReadBlocks();
  size_t errors = 0;
  for (size_t i = 0; i < blocks.size(); ++i) {
    if (blocks[i].tag != "rql-error") continue;
    ++errors;
    ASSERT_LT(i + 1, blocks.size());
    const Result<RqlQuery> query = ParseRql(blocks[i].text, nullptr);
    ASSERT_FALSE(query) << blocks[i].text;
    EXPECT_EQ(Render(query.error()), blocks[i + 1].text);
  }
  EXPECT_GE(errors, 2u);
}

TEST(RqlDocs, EveryFieldIsInTheTable) {
  const std::string docs = ReadDocs();
  const auto type_name = [](FieldType type) {
    switch (type) {
      case FieldType::kText:
        return "text";
      case FieldType::kInteger:
        return "integer";
      case FieldType::kReal:
        return "number";
      case FieldType::kTime:
        return "time";
      case FieldType::kDynamic:
        return "dynamic";
    }
    return "";
  };
  size_t last = 0;
  for (const FieldInfo& info : AllFields()) {
    const std::string row = "\n| `" + FieldName({info.field, {}}) + "` | " + type_name(info.type) +
                            " | " + std::string(info.meaning) + " |\n";
    const size_t at = docs.find(row);
    ASSERT_NE(at, docs.npos) << row;
    EXPECT_GT(at, last) << row << " is not in the order of answers";
    last = at;
    EXPECT_EQ(&InfoOf(info.field), &info);
    EXPECT_EQ(FindField(info.table, info.name), &info);
  }
  const FieldInfo& key = InfoOf(Field::kDocMetaKey);
  EXPECT_EQ(key.type, FieldType::kDynamic);
  EXPECT_NE(docs.find("\n| `doc.meta.KEY` | dynamic | " + std::string(key.meaning) + " |\n"),
            docs.npos);
  EXPECT_EQ(FindField(FieldTable::kChunk, std::string_view("path")), nullptr);
}

TEST(RqlDocs, LimitsAreThose) {
  const std::string docs = ReadDocs();
  EXPECT_EQ(kMaxRqlBytes, 1'048'576u);
  EXPECT_NE(docs.find("| bytes of a query | 1,048,576 |"), docs.npos);
  EXPECT_EQ(kMaxFilterDepth, 128u);
  EXPECT_NE(docs.find("levels of AND, OR and NOT | 128 |"), docs.npos);
  EXPECT_EQ(kMaxFilterPredicates, 4'096u);
  EXPECT_NE(docs.find("each value of an IN list counting as one | 4,096 |"), docs.npos);
  EXPECT_EQ(kMaxPatternBytes, 4'096u);
  EXPECT_NE(docs.find("| bytes of a pattern, backslashes of the string taken off | 4,096 |"),
            docs.npos);
  EXPECT_EQ(kMaxOrderKeys, 64u);
  EXPECT_EQ(kMaxSelectItems, 1'024u);
  EXPECT_NE(docs.find("| keys of ORDER BY, items of SELECT | 64, 1,024 |"), docs.npos);
}

}  // namespace
}  // namespace recall
