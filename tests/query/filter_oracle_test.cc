// Filters against a naive evaluator: every row, every predicate, three-valued logic spelled out.

#include <gtest/gtest.h>
#include <re2/re2.h>

#include <cstdlib>
#include <set>

#include "index/filter/filter.h"
#include "index/filter/sort_value.h"
#include "index/text/case_fold.h"
#include "index/text/glob.h"
#include "query/rql/rql.h"
#include "storage/metadata/metadata_values.h"
#include "storage/live_scan.h"
#include "tests/query/query_fixture.h"

namespace recall {
namespace {

enum Truth { kFalse, kTrue, kUnknown };

// Dates in these tests are absolute.
std::optional<UnixNanos> ReadTime(const std::string& text) {
  return ReadInstant(text.size() == 7 ? text + "-01" : text);
}

SortValue NumberOf(const Literal& l) {
  if (l.kind == Literal::Kind::kNumber)
    return l.is_integer ? SortValue::Integer(l.integer) : SortValue::Real(l.number);
  if (l.kind != Literal::Kind::kString || l.text.empty()) return {};
  char* end = nullptr;
  const double value = std::strtod(l.text.c_str(), &end);
  if (*end || std::isspace(l.text[0])) return {};
  int64_t whole = static_cast<int64_t>(value);
  if (static_cast<double>(whole) == value) return SortValue::Integer(whole);
  return SortValue::Real(value);
}

bool Compare(FilterOp op, std::strong_ordering o) {
  switch (op) {
    case FilterOp::kEqual:
    case FilterOp::kIn:
      return o == 0;
    case FilterOp::kNotEqual:
      return o != 0;
    case FilterOp::kLess:
      return o < 0;
    case FilterOp::kLessEqual:
      return o <= 0;
    case FilterOp::kGreater:
      return o > 0;
    case FilterOp::kGreaterEqual:
      return o >= 0;
    default:
      return false;
  }
}

bool MatchPattern(FilterOp op, const std::string& pattern, const std::string& text) {
  if (op == FilterOp::kRegexp) return RE2::PartialMatch(text, RE2(pattern, RE2::Quiet));
  std::string p = pattern, t = text;
  if (op == FilterOp::kILike) {
    p.clear();
    t.clear();
    FoldCaseAppend(pattern, &p);
    FoldCaseAppend(text, &t);
  }
  const auto glob =
      Glob::Compile(p, op == FilterOp::kGlob ? GlobDialect::kRecall : GlobDialect::kLike);
  return glob && glob->Matches(t);
}

// One operand against one value, by a comparison that is not negative.
template <typename F>
bool Any(const Predicate& p, FilterOp op, F compare) {
  if (op == FilterOp::kBetween) {
    const auto low = compare(p.operands[0]), high = compare(p.operands[1]);
    return low && high && *low >= 0 && *high <= 0;
  }
  for (const Literal& l : p.operands) {
    const auto o = compare(l);
    if (o && Compare(op, *o)) return true;
  }
  return false;
}
bool IsPattern(FilterOp op) {
  return op == FilterOp::kLike || op == FilterOp::kILike || op == FilterOp::kGlob ||
         op == FilterOp::kRegexp;
}
using Order = std::optional<std::strong_ordering>;

Truth Test(const Predicate& p, const DocRow& doc, const ChunkRow* chunk, const std::string& text) {
  bool negate = p.negated;
  FilterOp op = p.op;
  if (op == FilterOp::kNotEqual) {
    op = FilterOp::kEqual;
    negate = true;
  }
  const auto give = [&](bool v) { return v != negate ? kTrue : kFalse; };
  if (p.field.field == Field::kDocMetaKey) {
    const auto scalars = doc.meta ? MetadataAt(*doc.meta, p.field.meta_path) : std::nullopt;
    if (op == FilterOp::kIsNull) return give(!scalars);
    if (!scalars) return kUnknown;
    for (const MetaScalar& s : *scalars) {
      const SortValue number = s.kind == MetaScalar::Kind::kNumber
                                   ? s.number.is_integer ? SortValue::Integer(s.number.integer)
                                                         : SortValue::Real(s.number.real)
                                   : SortValue();
      const bool is_number = s.kind == MetaScalar::Kind::kNumber;
      std::string shown = s.text;
      if (IsPattern(op)) {
        if (!is_number && MatchPattern(op, p.operands[0].text, shown)) return give(true);
        continue;
      }
      if (Any(p, op, [&](const Literal& l) -> Order {
            const SortValue n = NumberOf(l);
            if (is_number)
              return n.kind == SortValue::Kind::kMissing ? Order() : Order(number <=> n);
            if (l.kind == Literal::Kind::kNumber) return {};
            const std::string lt =
                l.kind == Literal::Kind::kBoolean ? (l.boolean ? "true" : "false") : l.text;
            const auto instant = ReadInstant(lt);
            if (s.kind == MetaScalar::Kind::kDate && instant) return s.instant <=> *instant;
            return s.text <=> lt;
          }))
        return give(true);
    }
    return give(false);
  }
  SortValue value = p.field.field == Field::kChunkText
                        ? (chunk ? SortValue::Text(text) : SortValue())
                        : SortValueOf(p.field, doc, chunk);
  if (op == FilterOp::kIsNull) return give(value.kind == SortValue::Kind::kMissing);
  if (value.kind == SortValue::Kind::kMissing) return kUnknown;
  const FieldType type = InfoOf(p.field.field).type;
  if (IsPattern(op)) {
    return give(MatchPattern(op, p.operands[0].text,
                             type == FieldType::kTime ? FormatRfc3339(value.integer) : value.text));
  }
  return give(Any(p, op, [&](const Literal& l) -> Order {
    if (type == FieldType::kText) return value.text <=> l.text;
    if (type == FieldType::kTime) {
      const auto t = ReadTime(l.text);
      return t ? Order(value.integer <=> *t) : Order();
    }
    const SortValue n = NumberOf(l);
    return n.kind == SortValue::Kind::kMissing ? Order() : Order(value <=> n);
  }));
}

Truth Eval(const FilterExpr& e, const DocRow& doc, const ChunkRow* chunk, const std::string& text) {
  if (e.kind == FilterExpr::Kind::kPredicate) return Test(e.predicate, doc, chunk, text);
  if (e.kind == FilterExpr::Kind::kNot) {
    const Truth t = Eval(e.children[0], doc, chunk, text);
    return t == kUnknown ? t : t == kTrue ? kFalse : kTrue;
  }
  const Truth stop = e.kind == FilterExpr::Kind::kAnd ? kFalse : kTrue;
  bool unknown = false;
  for (const auto& c : e.children) {
    const Truth t = Eval(c, doc, chunk, text);
    if (t == stop) return stop;
    unknown |= t == kUnknown;
  }
  return unknown ? kUnknown : stop == kFalse ? kTrue : kFalse;
}

// ---- Random filters -----------------------------------------------------------------------------

class FilterWriter final {
 public:
  explicit FilterWriter(uint64_t seed) : random_(seed) {}

  std::string Write(int depth) {
    if (depth > 0 && Chance(4)) return "NOT (" + Write(depth - 1) + ")";
    if (depth > 0 && Chance(2)) {
      const char* const word = Chance(2) ? ") AND (" : ") OR (";
      std::string text = "(" + Write(depth - 1) + word;
      return text + Write(depth - 1) + ")";
    }
    return WritePredicate();
  }

 private:
  bool Chance(uint64_t n) { return random_() % n == 0; }
  std::string Pick(std::vector<std::string> choices) { return choices[random_() % choices.size()]; }

  std::string WritePredicate() {
    switch (random_() % 4) {
      case 0:
        return Finish(Pick({"doc.path", "doc.tag", "doc.source", "doc.parser", "chunk.text",
                            "chunk.heading", "doc.meta"}),
                      {"'t1'", "'t2'", "'src'", "'d1/f5.md'", "'markdown'", "'Title'", "7", "''"},
                      /*patterns=*/true);
      case 1:
        return Finish(Pick({"doc.size", "doc.tokens", "doc.chunks", "chunk.tokens", "chunk.offset",
                            "chunk.start_byte", "chunk.end_line"}),
                      {"0", "1", "'12'", "30", "60.5", "200", "-3", "1e3"}, /*patterns=*/false);
      case 2:
        return Finish("doc.mtime",
                      {"'2026-02-04'", "'2026-02'", "'2026-02-04T09:30:00Z'",
                       "'2025-12-31T23:00:00-02:00'", "'2030-01-01'"},
                      Chance(4));
      default:
        return Finish(
            Pick({"doc.meta.year", "doc.meta.draft", "doc.meta.labels", "doc.meta.due",
                  "doc.meta.author.name", "doc.meta.none", "doc.meta.author", "doc.meta.odd"}),
            {"2024", "2025.5", "'2024'", "TRUE", "FALSE", "'true'", "'bug'", "'ui'", "'2026-03-01'",
             "'2026-03-01T00:00:00+00:00'", "'ann'", "'x'"},
            Chance(3));
    }
  }

  std::string Finish(const std::string& field, const std::vector<std::string>& values,
                     bool patterns) {
    const std::string no = Chance(3) ? " NOT" : "";
    if (Chance(8)) return field + " IS" + no + " NULL";
    if (patterns && Chance(2)) {
      const std::string op = Pick({"LIKE", "ILIKE", "GLOB", "REGEXP"});
      const std::string pattern = op == "GLOB"     ? Pick({"d1/**", "**/*.md", "*", "t?", "**"})
                                  : op == "REGEXP" ? Pick({"^d[12]/", "[0-9]", "u$", "a.*a"})
                                                   : Pick({"d1/%", "%A%", "t_", "%", "2026%"});
      return field + no + " " + op + " '" + pattern + "'";
    }
    if (Chance(6)) return field + no + " IN (" + Pick(values) + ", " + Pick(values) + ")";
    if (Chance(6)) return field + no + " BETWEEN " + Pick(values) + " AND " + Pick(values);
    return field + " " + Pick({"=", "!=", "<", "<=", ">", ">="}) + " " + Pick(values);
  }

  std::mt19937_64 random_;
};

class FilterOracleTest : public QueryFixture {
 protected:
  void Fill(uint64_t seed) {
    Create({.chunk_tokens = 12, .overlap_tokens = 2});
    std::mt19937_64 random(seed);
    for (int i = 0; i < 30; ++i) {
      const std::string name =
          "d" + std::to_string(i % 3) + "/f" + std::to_string(i) + (i % 2 ? ".md" : ".txt");
      WriteFile(name, FrontMatter(random, i) + "# Title " + std::to_string(i % 4) + "\n\n" +
                          RandomText(random, random() % 50));
      if (i % 7 == 3) WriteFile(name, "");  // a document without chunks
      AddRequest request;
      request.paths = {dir_ / name};
      request.extract_meta = true;
      if (i % 4 != 0) request.tag = "t" + std::to_string(i % 4);
      if (i % 5 == 0) request.source = "src";
      Add(request);
    }
    RemoveRequest remove;
    remove.targets = {dir_ / "d1/f1.md", dir_ / "d2/f2.txt"};
    ASSERT_OK(database_->Remove(remove));
    database_.reset();
  }

  static std::string FrontMatter(std::mt19937_64& random, int i) {
    if (random() % 4 == 0) return "";
    static const char* const kOdd[] = {"x", "null", "{a: 1}", "[]", "[1, x, true]", "1e2", "''"};
    return "---\nyear: " + std::to_string(2023 + i % 4) + "\ndraft: " + (i % 2 ? "true" : "false") +
           "\nlabels: [bug, " + (i % 3 ? "ui" : "docs") + "]\ndue: 2026-0" +
           std::to_string(1 + i % 5) + "-01\nauthor: {name: " + (i % 2 ? "ann" : "bob") +
           "}\nodd: " + kOdd[random() % std::size(kOdd)] + "\n---\n";
  }

  // What the naive evaluator finds, in both domains.
  struct Expected {
    std::set<uint32_t> chunks;
    std::set<uint32_t> docs;
  };
  static Expected Evaluate(const ReadTransaction& transaction, const FilterExpr& expr) {
    Expected expected;
    std::vector<int64_t> rows;
    EXPECT_OK(ScanPaths(transaction, false, [&](const PathEntry& entry) {
      rows.push_back(entry.doc_row);
      return true;
    }));
    for (const int64_t row : rows) {
      const Result<DocRow> read = ReadDoc(transaction, row);
      const DocRow& doc = read.value();
      const Result<std::vector<ChunkRow>> chunk_rows = ReadChunksOf(transaction, doc);
      const std::vector<ChunkRow>& chunks = chunk_rows.value();
      bool any = chunks.empty() && Eval(expr, doc, nullptr, "") == kTrue;
      for (const ChunkRow& chunk : chunks) {
        const auto text = ReadText(transaction, doc, chunk.start_byte, chunk.end_byte);
        if (Eval(expr, doc, &chunk, text.value()) != kTrue) continue;
        expected.chunks.insert(chunk.row);
        any = true;
      }
      if (any) expected.docs.insert(static_cast<uint32_t>(row));
    }
    return expected;
  }

  static std::set<uint32_t> Found(const ReadTransaction& transaction, const CompiledFilter& filter,
                                  FilterDomain domain) {
    const auto outcome = filter.Evaluate(transaction, domain);
    EXPECT_TRUE(outcome.has_value()) << outcome.error().ToString();
    if (!outcome) return {};
    const auto values = outcome->set.Values();
    return {values.begin(), values.end()};
  }
};

TEST_F(FilterOracleTest, RandomFiltersFindWhatANaiveEvaluatorFinds) {
  for (const uint64_t seed : {51, 52}) {
    Fill(seed);
    ASSERT_OK_AND_ASSIGN(const auto store, Store::Open(StorePath()));
    ASSERT_OK_AND_ASSIGN(const auto transaction, store->BeginRead());
    FilterWriter writer(seed * 7);
    size_t evaluated = 0;
    size_t partial = 0;  // filters that pass some and not all
    for (int round = 0; round < 1500; ++round) {
      const std::string text = writer.Write(3);
      SCOPED_TRACE("seed " + std::to_string(seed) + ": " + text);
      const auto expr = ParseFilter(text);
      ASSERT_TRUE(expr.has_value()) << expr.error().ToString();
      const auto filter = CompiledFilter::Compile(*expr, 0);
      if (!filter) continue;  // literals that do not fit the field
      const Expected expected = Evaluate(*transaction, *expr);
      ASSERT_EQ(Found(*transaction, *filter, FilterDomain::kChunks), expected.chunks);
      ASSERT_EQ(Found(*transaction, *filter, FilterDomain::kDocs), expected.docs);
      ++evaluated;
      if (!expected.chunks.empty() &&
          expected.chunks.size() < static_cast<size_t>(transaction->counts().chunks)) {
        ++partial;
      }
    }
    EXPECT_GT(evaluated, 700u);
    EXPECT_GT(partial, 300u);
  }
}

TEST_F(FilterOracleTest, ErrorsPointAtTheLiteral) {
  const auto error = [](const std::string& text) {
    const Result<FilterExpr> expr = ParseFilter(text);
    const auto filter = CompiledFilter::Compile(*expr, 0);
    if (filter) return FilterError{};
    return filter.error();
  };
  EXPECT_EQ(error("doc.size > 'big'").position, 11u);
  EXPECT_EQ(error("doc.tag = 'a' AND doc.mtime < 'soon'").position, 30u);
  EXPECT_EQ(error("doc.path REGEXP '(a'").position, 16u);
  EXPECT_EQ(error("doc.path GLOB '[a'").position, 14u);
  EXPECT_EQ(error("chunk.tokens = TRUE").position, 15u);
  EXPECT_FALSE(error("doc.mtime < 'soon'").hint.empty());
}

TEST_F(FilterOracleTest, RelativeDatesCountFromNow) {
  const UnixNanos now = *ParseRfc3339("2026-03-31T12:00:00Z");
  const auto compile = [&](const std::string& text) {
    const Result<FilterExpr> expr = ParseFilter(text);
    return CompiledFilter::Compile(*expr, now);
  };
  WriteFile("a.txt", "x");
  std::filesystem::last_write_time(
      dir_ / "a.txt",
      std::chrono::file_clock::from_sys(std::chrono::sys_seconds(
          std::chrono::seconds(*ParseRfc3339("2026-02-28T12:00:00Z") / 1'000'000'000))));
  Add();
  database_.reset();
  ASSERT_OK_AND_ASSIGN(const auto store, Store::Open(StorePath()));
  ASSERT_OK_AND_ASSIGN(const auto transaction, store->BeginRead());
  const auto passes = [&](const std::string& text) {
    const auto filter = compile(text);
    EXPECT_TRUE(filter->depends_on_now()) << text;
    return !Found(*transaction, *filter, FilterDomain::kDocs).empty();
  };
  EXPECT_TRUE(passes("doc.mtime = '-1mo'"));  // February has no 31st: its last day
  EXPECT_TRUE(passes("doc.mtime = '-31d'"));
  EXPECT_TRUE(passes("doc.mtime < '-30d'"));
  EXPECT_FALSE(passes("doc.mtime >= '-4w'"));
  EXPECT_TRUE(passes("doc.mtime > '-1y' AND doc.mtime < 'yesterday'"));
  EXPECT_FALSE(compile("doc.mtime > '2026-01'")->depends_on_now());
  EXPECT_FALSE(compile("doc.mtime = '2026-02-28'")->warnings().empty());
}

}  // namespace
}  // namespace recall
