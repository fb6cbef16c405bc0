#include "storage/documents/live_scan.h"

#include <algorithm>
#include <limits>
#include <random>
#include <tuple>

#include "storage/metadata/metadata_index.h"
#include "storage/metadata/metadata_values.h"
#include "tests/storage/documents/doc_fixture.h"

namespace recall {
namespace {

// Formats a value and its span as one line, for readable differences.
std::string Line(const std::string& value, RowSpan span) {
  return value + " @ " + std::to_string(span.first) + "+" + std::to_string(span.count);
}

RowSpan SpanOf(const DocRow& doc, RowUnit unit) {
  if (unit == RowUnit::kChunks) return {doc.first_chunk, doc.chunk_count};
  return {static_cast<uint32_t>(doc.row), 1};
}

using Lines = std::vector<std::string>;

Lines Sorted(Lines lines) {
  std::sort(lines.begin(), lines.end());
  return lines;
}

class LiveScanTest : public ::testing::Test {
 protected:
  // Adds, edits and removes documents at random, and opens a transaction for the reads.
  void SetUp() override {
    ASSERT_OK_AND_ASSIGN(store_, Store::Create(dir_ / "recall.db", {}));
    std::mt19937_64 random(TestSeed(3));
    auto transaction = Must(store_->BeginWrite());
    const std::vector<std::string> metas = {
        R"({"k": "x", "n": 5})",      R"({"k": ["x", "2026-02-04", 7.5, true], "o": {"k": 1}})",
        R"({"k": [], "n": -3})",      R"({"k": {"in": "x"}})",
        R"({"n": 9007199254740993})", "broken",
    };
    for (int i = 0; i < 120; ++i) {
      DocRow doc;
      doc.path = std::string(1, static_cast<char>('a' + random() % 4)) + "/" +
                 std::to_string(random() % 25) + (random() % 4 == 0 ? "\xff" : "é");
      if (random() % 3 != 0) doc.mtime = static_cast<int64_t>(random() % 10) - 5;
      if (random() % 3 != 0) doc.tag = std::string(1, static_cast<char>('p' + random() % 4));
      if (random() % 3 == 0) doc.source = random() % 2 == 0 ? "" : "web";
      if (random() % 3 != 0) doc.meta = metas[random() % metas.size()];
      doc.tokens = static_cast<int64_t>(random() % 100);
      doc.parser = random() % 2 == 0 ? "plain" : "code";
      if (random() % 3 == 0) doc.origin = random() % 2 == 0 ? kLineOrigin : kImportOrigin;
      AddDoc(*transaction, doc, std::string(random() % 50, 'x'),
             static_cast<uint32_t>(random() % 4));
    }
    ASSERT_OK(transaction->Commit());
    transaction.reset();
    transaction_ = Must(store_->BeginRead());
    docs_ = Must(FindLiveDocsUnder(*transaction_, ""));
    ASSERT_GT(docs_.size(), 40u);
  }

  // The lines of the live documents for which `value` returns a text.
  template <typename Value>
  Lines Expected(RowUnit unit, Value value) const {
    Lines lines;
    for (const DocRow& doc : docs_) {
      if (const std::optional<std::string> text = value(doc)) {
        lines.push_back(Line(*text, SpanOf(doc, unit)));
      }
    }
    return Sorted(std::move(lines));
  }

  static constexpr RowUnit kUnits[] = {RowUnit::kChunks, RowUnit::kDocs};

  TempDir dir_;
  std::unique_ptr<Store> store_;
  std::unique_ptr<ReadTransaction> transaction_;
  std::vector<DocRow> docs_;
};

TEST_F(LiveScanTest, TellsEveryLiveDocument) {
  for (const RowUnit unit : kUnits) {
    Lines lines;
    ASSERT_OK(
        ScanLiveDocs(*transaction_, unit, [&](RowSpan span) { lines.push_back(Line("", span)); }));
    EXPECT_EQ(Sorted(lines), Expected(unit, [](const DocRow&) { return std::optional(""); }));
  }
}

// The scan of the index ends at a value that no version of Recall writes, the last one here.
TEST_F(LiveScanTest, TellsEveryLiveDocumentOnceIfSqliteContinues) {
  transaction_.reset();
  const auto write = Must(store_->BeginWrite());
  ASSERT_OK(write->connection().Execute(
      "UPDATE doc SET mtime = 1e300 WHERE id = (SELECT max(id) FROM doc WHERE removed_seq IS "
      "NULL)"));
  ASSERT_OK(write->Commit());
  transaction_ = Must(store_->BeginRead());
  for (const RowUnit unit : kUnits) {
    Lines lines;
    ASSERT_OK(
        ScanLiveDocs(*transaction_, unit, [&](RowSpan span) { lines.push_back(Line("", span)); }));
    EXPECT_EQ(Sorted(lines), Expected(unit, [](const DocRow&) { return std::optional(""); }));
  }
}

TEST_F(LiveScanTest, WalksPathsBothWaysUntilTold) {
  std::vector<DocRow> by_path = docs_;
  std::ranges::sort(by_path, {}, &DocRow::path);
  for (const bool descending : {false, true}) {
    Lines expected;
    for (const DocRow& doc : by_path) {
      expected.push_back(
          Line(doc.path + " " + std::to_string(doc.row), SpanOf(doc, RowUnit::kChunks)));
    }
    if (descending) std::ranges::reverse(expected);
    for (const size_t most : {expected.size(), size_t{7}, size_t{1}}) {
      Lines lines;
      ASSERT_OK(ScanPaths(*transaction_, descending, [&](const PathEntry& entry) {
        lines.push_back(Line(std::string(entry.path) + " " + std::to_string(entry.doc_row),
                             {entry.first_chunk, entry.chunk_count}));
        return lines.size() < most;
      }));
      EXPECT_EQ(lines, Lines(expected.begin(), expected.begin() + static_cast<ptrdiff_t>(most)));
    }
  }
}

TEST_F(LiveScanTest, ReadsRangesOfIndexedTexts) {
  const std::vector<TextInterval> ranges = {
      {"", {}},       {"b/", "b0"}, {"a/1", "c"}, {"q", "r"},       {"p", std::string("p\0", 2)},
      {"", "a"},      {"z", {}},    {"b", "a"},   {"", "\xff\xff"}, {"c/1é", std::nullopt},
      {"d/\xff", {}},
  };
  for (const TextInterval& range : ranges) {
    const auto in_range = [&](const std::string& text) {
      return text >= range.low && (!range.high || text < *range.high);
    };
    for (const RowUnit unit : kUnits) {
      for (const auto column : {IndexedText::kPath, IndexedText::kTag, IndexedText::kSource}) {
        Lines lines;
        std::string previous;
        ASSERT_OK(ScanIndexedText(*transaction_, column, unit, range,
                                  [&](std::string_view text, RowSpan span) {
                                    EXPECT_LE(previous, text) << "by text";
                                    previous = text;
                                    lines.push_back(Line(previous, span));
                                  }));
        const Lines expected = Expected(unit, [&](const DocRow& doc) {
          auto text = column == IndexedText::kPath  ? std::optional(doc.path)
                      : column == IndexedText::kTag ? doc.tag
                                                    : doc.source;
          return text && in_range(*text) ? text : std::nullopt;
        });
        EXPECT_EQ(Sorted(lines), expected) << range.low;
      }
    }
  }
}

TEST_F(LiveScanTest, PatternsReadTheIndexItself) {
  const TextInterval ranges[] = {{"", {}}, {"b/", "c/1"}, {"q", {}}};
  for (const TextInterval& range : ranges) {
    for (const RowUnit unit : kUnits) {
      for (const auto column : {IndexedText::kPath, IndexedText::kTag, IndexedText::kSource}) {
        const auto passes = [](std::string_view text) { return text.find('1') == text.npos; };
        Lines expected;
        ASSERT_OK(ScanIndexedText(*transaction_, column, unit, range,
                                  [&](std::string_view text, RowSpan span) {
                                    if (passes(text)) expected.push_back(Line("", span));
                                  }));
        Lines lines;
        EXPECT_EQ(ScanTextIndex(*transaction_, column, unit, range, {passes, nullptr},
                                [&](RowSpan span) { lines.push_back(Line("", span)); }),
                  true);
        EXPECT_EQ(lines, expected);
      }
    }
  }
}

TEST_F(LiveScanTest, PatternsOfAnOlderCommitAreLeftToSqlite) {
  const int64_t before = transaction_->counts().commit_sequence;
  transaction_.reset();
  {
    auto later = Must(store_->BeginWrite());
    ASSERT_OK(later->Commit());
  }
  transaction_ = Must(store_->BeginReadAt({before}));
  EXPECT_EQ(
      ScanTextIndex(*transaction_, IndexedText::kPath, RowUnit::kDocs, {}, {}, [](RowSpan) {}),
      false);
}

TEST_F(LiveScanTest, ReadsRangesOfTimes) {
  constexpr auto kAny = std::numeric_limits<int64_t>();
  const std::pair<int64_t, int64_t> ranges[] = {
      {kAny.min(), kAny.max()}, {0, 2}, {-3, -3}, {3, 1}, {kAny.min(), -1}};
  for (const auto& [low, high] : ranges) {
    for (const RowUnit unit : kUnits) {
      Lines lines;
      ASSERT_OK(ScanMtimes(*transaction_, unit, low, high, [&](int64_t time, RowSpan span) {
        lines.push_back(Line(std::to_string(time), span));
      }));
      const Lines expected = Expected(unit, [&, l = low, h = high](const DocRow& doc) {
        return doc.mtime && *doc.mtime >= l && *doc.mtime <= h
                   ? std::optional(std::to_string(*doc.mtime))
                   : std::nullopt;
      });
      EXPECT_EQ(Sorted(lines), expected) << low << " to " << high;
    }
  }
  Lines without;
  ASSERT_OK(ScanWithoutMtime(*transaction_, RowUnit::kChunks,
                             [&](RowSpan span) { without.push_back(Line("", span)); }));
  EXPECT_EQ(Sorted(without), Expected(RowUnit::kChunks, [](const DocRow& doc) {
              return doc.mtime ? std::nullopt : std::optional<std::string>("");
            }));
}

TEST_F(LiveScanTest, ReadsColumnsOfDocuments) {
  using Get = std::optional<std::string> (*)(const DocRow&);
  const std::pair<DocText, Get> texts[] = {
      {DocText::kId, [](const DocRow& doc) { return std::optional(ToHex(doc.id)); }},
      {DocText::kHash, [](const DocRow& doc) { return std::optional(ToHex(doc.hash)); }},
      {DocText::kMeta, [](const DocRow& doc) { return doc.meta; }},
      {DocText::kParser, [](const DocRow& doc) { return std::optional(doc.parser); }},
      {DocText::kOrigin, [](const DocRow& doc) { return std::optional(doc.origin); }},
      {DocText::kLanguage, [](const DocRow& doc) {
         return doc.language.code.empty() ? std::nullopt : std::optional(doc.language.code);
       }}};
  const std::pair<DocNumber, Get> numbers[] = {
      {DocNumber::kSize, [](const DocRow& doc) { return std::optional(std::to_string(doc.size)); }},
      {DocNumber::kTokens,
       [](const DocRow& doc) { return std::optional(std::to_string(doc.tokens)); }},
      {DocNumber::kChunks,
       [](const DocRow& doc) { return std::optional(std::to_string(doc.chunk_count)); }}};
  for (const RowUnit unit : kUnits) {
    for (const auto& [column, get] : texts) {
      Lines lines;
      ASSERT_OK(ScanDocTexts(*transaction_, column, unit, [&](std::string_view text, RowSpan span) {
        lines.push_back(Line(std::string(text), span));
      }));
      EXPECT_EQ(Sorted(lines), Expected(unit, get));
    }
    for (const auto& [column, get] : numbers) {
      Lines lines;
      ASSERT_OK(ScanDocNumbers(*transaction_, column, unit, [&](int64_t number, RowSpan span) {
        lines.push_back(Line(std::to_string(number), span));
      }));
      EXPECT_EQ(Sorted(lines), Expected(unit, get));
    }
  }
}

TEST_F(LiveScanTest, ReadsMetadataByKind) {
  EXPECT_TRUE(Must(HasMetadataIndex(*transaction_)));
  EXPECT_TRUE(Must(HasMetadataKey(*transaction_, "o")));
  EXPECT_FALSE(Must(HasMetadataKey(*transaction_, "in"))) << "not a top-level key";
  for (const RowUnit unit : kUnits) {
    for (const std::string key : {"k", "n", "o", "missing"}) {
      // The scalars of each document, one line per document and value; compared as sets.
      Lines present, texts, dates, instants, numbers;
      for (const DocRow& doc : docs_) {
        const std::vector<std::string> path = {key};
        const auto scalars = doc.meta ? MetadataAt(*doc.meta, path) : std::nullopt;
        if (!scalars) continue;
        const RowSpan span = SpanOf(doc, unit);
        present.push_back(Line("", span));
        for (const MetaScalar& scalar : *scalars) {
          if (scalar.kind == MetaScalar::Kind::kText && scalar.text >= "t") {
            texts.push_back(Line(scalar.text, span));
          }
          if (scalar.kind == MetaScalar::Kind::kDate) {
            dates.push_back(Line(scalar.text, span));
            instants.push_back(Line(std::to_string(scalar.instant), span));
          }
          if (scalar.kind == MetaScalar::Kind::kNumber &&
              CompareNumbers(scalar.number, Number::Real(-1.5)) > 0) {
            numbers.push_back(Line(std::to_string(scalar.number.integer), span));
          }
        }
      }
      const auto collect = [](Lines* lines) {
        return [lines](std::string_view text, RowSpan span) {
          lines->push_back(Line(std::string(text), span));
        };
      };
      const auto collect_numbers = [](Lines* lines) {
        return [lines](Number number, RowSpan span) {
          lines->push_back(Line(std::to_string(number.integer), span));
        };
      };
      const auto infinity = Number::Real(std::numeric_limits<double>::infinity());
      Lines found_present, found_texts, found_dates, found_instants, found_numbers;
      ASSERT_OK(ScanMetadataKey(*transaction_, key, unit,
                                [&](RowSpan span) { found_present.push_back(Line("", span)); }));
      ASSERT_OK(
          ScanMetadataTexts(*transaction_, key, kMetaText, unit, {"t", {}}, collect(&found_texts)));
      ASSERT_OK(
          ScanMetadataTexts(*transaction_, key, kMetaDate, unit, {"", {}}, collect(&found_dates)));
      ASSERT_OK(ScanMetadataNumbers(*transaction_, key, kMetaInstant, unit,
                                    Number::Integer(INT64_MIN), infinity,
                                    collect_numbers(&found_instants)));
      ASSERT_OK(ScanMetadataNumbers(*transaction_, key, kMetaNumber, unit, Number::Real(-1.5),
                                    infinity, collect_numbers(&found_numbers)));
      found_present = Sorted(found_present);
      found_present.erase(std::unique(found_present.begin(), found_present.end()),
                          found_present.end());
      present = Sorted(present);
      present.erase(std::unique(present.begin(), present.end()), present.end());
      EXPECT_EQ(found_present, present) << key;
      EXPECT_EQ(Sorted(found_texts), Sorted(texts)) << key;
      EXPECT_EQ(Sorted(found_dates), Sorted(dates)) << key;
      EXPECT_EQ(Sorted(found_instants), Sorted(instants)) << key;
      EXPECT_EQ(Sorted(found_numbers), Sorted(numbers)) << key;
    }
  }
}

// The scans use covering indexes only, without a look-up per row.
TEST_F(LiveScanTest, IndexesCoverTheScans) {
  const std::string live = " FROM doc WHERE removed_seq IS NULL";
  const std::string meta = " FROM doc_meta WHERE key = ?1 AND kind = ?2 ";
  for (const std::string unit : {"first_chunk, chunk_count", "id, 1"}) {
    const std::string doc_unit = unit == "id, 1" ? "doc, 1" : unit;
    for (const auto& [sql, plan] : std::vector<std::pair<std::string, std::string>>{
             {"SELECT " + unit + live, "SCAN doc USING COVERING INDEX doc_live_"},
             {"SELECT " + unit + ", path" + live + " AND path >= ?1 AND path < ?2",
              "SEARCH doc USING COVERING INDEX doc_live_path (path>? AND path<?)"},
             {"SELECT " + unit + ", tag" + live + " AND tag >= ?1 AND tag < ?2",
              "SEARCH doc USING COVERING INDEX doc_live_tag (tag>? AND tag<?)"},
             {"SELECT " + unit + ", source" + live + " AND source >= ?1 AND source < ?2",
              "SEARCH doc USING COVERING INDEX doc_live_source (source>? AND source<?)"},
             {"SELECT " + unit + ", mtime" + live + " AND mtime >= ?1 AND mtime <= ?2",
              "SEARCH doc USING COVERING INDEX doc_live_mtime (mtime>? AND mtime<?)"},
             {"SELECT " + unit + ", size FROM doc NOT INDEXED WHERE removed_seq IS NULL",
              "SCAN doc"},
             {"SELECT " + unit + live + " AND mtime IS NULL",
              "SEARCH doc USING COVERING INDEX doc_live_mtime (mtime=?)"},
             {"SELECT " + doc_unit + ", value" + meta + "AND value >= ?3 AND value < ?4",
              "SEARCH doc_meta USING PRIMARY KEY (key=? AND kind=? AND value>? AND value<?)"}}) {
      ASSERT_OK_AND_ASSIGN(Statement explain,
                           transaction_->connection().Prepare("EXPLAIN QUERY PLAN " + sql));
      ASSERT_OK(explain.Step());
      EXPECT_NE(explain.ColumnText(3).find(plan), std::string_view::npos) << sql << "\n"
                                                                          << explain.ColumnText(3);
    }
  }
}

TEST_F(LiveScanTest, ImpossibleRowsAreReported) {
  transaction_.reset();
  for (const auto& [change, code, unit] : std::vector<std::tuple<std::string, StatusCode, RowUnit>>{
           {"first_chunk = -1", StatusCode::kCorruption, RowUnit::kChunks},
           {"first_chunk = 4294967296, chunk_count = 1", StatusCode::kCorruption, RowUnit::kChunks},
           {"first_chunk = 4294967295, chunk_count = 2", StatusCode::kCorruption, RowUnit::kChunks},
           {"chunk_count = -5", StatusCode::kCorruption, RowUnit::kChunks},
           {"chunk_count = 9223372036854775807", StatusCode::kCorruption, RowUnit::kChunks},
           {"id = 4294967296", StatusCode::kLimitExceeded, RowUnit::kDocs},
           {"id = -1", StatusCode::kCorruption, RowUnit::kDocs}}) {
    const auto transaction = Must(store_->BeginWrite());
    ASSERT_OK(transaction->connection().Execute("UPDATE doc SET " + change +
                                                " WHERE id = (SELECT max(id) FROM doc)"));
    EXPECT_EQ(ScanLiveDocs(*transaction, unit, [](RowSpan) {}).code(), code) << change;
  }
}

TEST_F(LiveScanTest, Version1IsReadWithoutItsSuccessorsIndexes) {
  transaction_.reset();
  store_.reset();
  DowngradeToVersion1(dir_ / "recall.db");
  ASSERT_OK_AND_ASSIGN(store_, Store::Open(dir_ / "recall.db", {.read_only = true}));
  transaction_ = Must(store_->BeginRead());
  EXPECT_FALSE(Must(HasMetadataIndex(*transaction_)));
  Lines lines;
  ASSERT_OK(ScanIndexedText(*transaction_, IndexedText::kSource, RowUnit::kChunks, {"", {}},
                            [&](std::string_view text, RowSpan span) {
                              lines.push_back(Line(std::string(text), span));
                            }));
  EXPECT_EQ(Sorted(lines),
            Expected(RowUnit::kChunks, [](const DocRow& doc) { return doc.source; }));
}

}  // namespace
}  // namespace recall
