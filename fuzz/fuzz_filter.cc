// CompiledFilter: any text is rejected with a position, or selects exactly the chunks and documents
// that a naive evaluator selects, and so does its NOT. Input: the text; or the byte 0xFF and then
// choices (one byte each), from which a valid filter is generated.

#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "fuzz/fuzz_directory.h"
#include "fuzz/fuzz_target.h"
#include "index/search/filter/filter.h"
#include "index/source/extract/types/locator_record.h"
#include "query/rql/rql.h"
#include "storage/base/ids.h"
#include "storage/documents/document_store.h"
#include "storage/tables/symbol_table.h"
#include "tests/index/search/filter/filter_oracle.h"

namespace recall {
namespace {

constexpr UnixNanos kDay = 86'400'000'000'000;
constexpr UnixNanos kNow = 20'543 * kDay + kDay / 2;  // 2026-03-31T12:00:00Z

template <typename T>
T Must(Result<T> result) {
  RECALL_CHECK(result.has_value());
  return *std::move(result);
}
void Must(const Status& status) { RECALL_CHECK(status.ok()); }

struct Label {
  const char* path;
  const char* tag;     // nullptr: none
  const char* source;  // nullptr: none
  const char* meta;    // nullptr: none
  int days;            // before kNow; negative: no time
  const char* text;
  uint32_t chunks;
  bool removed = false;
  bool places = false;  // of pages, sheets and cells
};

// Documents with values of each kind, so that every predicate selects some rows but not all.
constexpr Label kDocs[] = {
    {"a.md", "t1", "src", R"({"n":5,"s":"x","l":["bug","ui"],"b":true,"d":"2026-02-01"})", 0,
     "Alpha beta. TODO(x) 100%", 2},
    {"d/a.md", "t2", nullptr, R"({"n":5.5,"s":"5","l":[],"b":"true","d":"2026-02"})", 1,
     "alpha\nbeta\ngamma\n", 3},
    {"d/e/b.cc", nullptr, "", R"({"n":-3,"s":"","l":[1,null,"x",[2]],"b":false,"d":"today"})", 7,
     "int main() { return 7; }", 1},
    {"d/[x]*.md", "", "src", R"({"n":9007199254740993,"o":{"k":{"in":"x"},"l":[3]}})", 40, "", 0},
    {"d2/\xC3\xA9t\xC3\xA9.txt", "T1", "SRC", R"({"d":"2026-02-01T00:00:00+01:00","n":null})", 400,
     "\xC3\xA9t\xC3\xA9 \xE5\x85\xA8\xE6\x96\x87 \xF0\x9F\x98\x80", 2},
    {"d2/\xFF.bin", "t1", nullptr, "broken", -1, "no time \xFF", 1},
    {"gone.md", "t1", "src", R"({"n":5})", 3, "removed alpha", 1, true, true},
    {"z", "5", "7", R"({"n":1e300,"s":"2026-02-04T09:30:00Z","two words":"v","a.b":1})", 55, "last",
     1},
    {"zero", nullptr, nullptr, nullptr, -1, "a\na\na\na\na\na\na\na\n", 8, false, true},
};

// None, one or two definitions, by the number of words before the chunk.
std::vector<Symbol> SymbolsOfChunk(const ChunkRow& chunk) {
  std::vector<Symbol> symbols;
  if (chunk.start_line % 3 != 0) symbols.push_back({.name = "alpha", .kind = "function"});
  if (chunk.start_line % 3 == 1) symbols.push_back({.name = "a.md", .kind = "class"});
  return symbols;
}

// Bytes 0..6 are of two pages, 7..8 of no place, 9..11 of a sheet, 12.. of cells.
ExtractionRow PlacesOf(size_t size) {
  std::vector<LocatorSpan> spans = {{0, 3, {LocatorKind::kPage, 1, "", ""}},
                                    {3, 7, {LocatorKind::kPage, 2, "", ""}},
                                    {9, 12, {LocatorKind::kSheet, 1, "alpha", "A1"}}};
  if (size > 12) spans.push_back({12, size, {LocatorKind::kCell, 3, "", ""}});
  std::erase_if(spans, [&](const LocatorSpan& span) { return span.end > size; });
  ExtractionRow row;
  row.format = "pdf";
  row.outcome = "text";
  row.spans = EncodeLocatorSpans(spans);
  return row;
}

// One store for all inputs. Its rows are read only once.
class FilteredStore final {
 public:
  FilteredStore() {
    store_ = Must(Store::Create(directory_.StorePath(), {}));
    auto write = Must(store_->BeginWrite());
    for (const Label& label : kDocs) Add(*write, label);
    Must(write->Commit());
    write.reset();
    read_ = Must(store_->BeginRead());
    docs_ = Must(ReadOracleDocs(*read_));
  }

  const ReadTransaction& transaction() const { return *read_; }
  const std::vector<OracleDoc>& docs() const { return docs_; }

 private:
  static void Add(WriteTransaction& write, const Label& label) {
    const std::string_view text = label.text;
    DocRow doc;
    doc.path = label.path;
    doc.hash = Sha256(text);
    doc.id = MakeDocId(doc.path, doc.hash);
    doc.size = static_cast<int64_t>(text.size());
    doc.tokens = label.days + 3;
    doc.parser = doc.path.ends_with(".md") ? "markdown" : "plain";
    if (label.days >= 0) doc.mtime = kNow - label.days * kDay;
    if (label.tag) doc.tag = label.tag;
    if (label.source) doc.source = label.source;
    if (label.meta) doc.meta = label.meta;
    doc.chunk_count = label.chunks;
    doc.first_chunk = Must(write.AllocateChunkRows(label.chunks));
    if (label.places) doc.extraction = PlacesOf(text.size());
    doc.row = Must(InsertDoc(write, doc, CompressText(text)));
    for (uint32_t i = 0; i < label.chunks; ++i) {
      ChunkRow chunk;
      chunk.row = doc.first_chunk + i;
      chunk.doc_row = doc.row;
      chunk.start_byte = text.size() * i / label.chunks;
      chunk.end_byte = text.size() * (i + 1) / label.chunks;
      chunk.offset = i * 10;
      chunk.start_line = i + 1;
      chunk.end_line = i + 2;
      chunk.tokens = i % 3;
      chunk.heading = i % 2 == 0 ? "" : "Title > part " + std::to_string(i);
      Must(InsertChunk(write, doc, chunk));
      Must(InsertSymbols(write.connection(), chunk.row, SymbolsOfChunk(chunk)));
    }
    if (label.removed) Must(MarkDocRemoved(write, doc.row));
  }

  FuzzDirectory directory_;  // outlives the store
  std::unique_ptr<Store> store_;
  std::unique_ptr<ReadTransaction> read_;
  std::vector<OracleDoc> docs_;
};

// ---- Filters made of choices ------------------------------------------------------------------

using Words = std::initializer_list<const char*>;

class FilterWriter final {
 public:
  explicit FilterWriter(ByteSpan choices) : choices_(choices) {}

  std::string Write(int depth) {
    const uint32_t kind = depth > 0 ? Choose(8) : 0;
    if (kind == 1) return "NOT (" + Write(depth - 1) + ")";
    if (kind < 4) return WritePredicate();
    const char* const join = kind < 6 ? ") AND (" : ") OR (";
    std::string text = "(" + Write(depth - 1) + join;  // left side first
    return text + Write(depth - 1) + ")";
  }

 private:
  uint32_t Choose(uint32_t below) { return choices_.Read<uint8_t>() % below; }
  std::string Pick(Words words) {
    return words.begin()[Choose(static_cast<uint32_t>(words.size()))];
  }

  std::string WritePredicate() {
    const Words texts = {"'t1'", "'T1'",       "''",         "'a.md'",
                         "'d/'", "'alpha'",    "'x'",        "5",
                         "7.0",  "'markdown'", "'\xC3\xA9'", "'d2/\xC3\xA9t\xC3\xA9.txt'"};
    switch (Choose(5)) {
      case 0:
        return Finish(Pick({"doc.path", "doc.tag", "doc.source", "doc.parser", "doc.origin",
                            "doc.meta", "doc.id", "doc.hash"}),
                      texts, true);
      case 1:
        return Finish(Pick({"chunk.text", "chunk.heading", "chunk.id", "chunk.doc_id",
                            "chunk.symbol", "chunk.kind", "chunk.sheet"}),
                      texts, true);
      case 2:
        return Finish(Pick({"doc.size", "doc.tokens", "doc.chunks", "chunk.offset", "chunk.tokens",
                            "chunk.start_byte", "chunk.end_byte", "chunk.start_line",
                            "chunk.end_line", "chunk.page", "chunk.slide", "chunk.cell"}),
                      {"0", "1", "2", "'3'", "5.5", "-1", "24", "1e300", "'1e1'"}, false);
      case 3:
        return Finish("doc.mtime",
                      {"'now'", "'today'", "'-7d'", "'-2mo'", "'2026-02'", "'2026-03-31T12:00:00Z'",
                       "'2026-03-31T14:00:00+02:00'", "'-1y'", "'1700-01-01'"},
                      true);
      default:
        return Finish(Pick({"doc.meta.n", "doc.meta.s", "doc.meta.l", "doc.meta.b", "doc.meta.d",
                            "doc.meta.o", "doc.meta.o.k.in", "doc.meta.o.l", "doc.meta.none",
                            "doc.meta.\"two words\"", "doc.meta.\"a.b\""}),
                      {"5", "5.5", "'5'", "-3", "9007199254740992.0", "9007199254740993", "1e300",
                       "''", "'x'", "'bug'", "TRUE", "FALSE", "'true'", "'2026-02-01'", "'2026-02'",
                       "'2026-01-31T23:00:00Z'", "'today'", "'2026-02-04'"},
                      true);
    }
  }

  std::string Finish(const std::string& field, Words values, bool patterns) {
    const std::string no = Choose(3) == 0 ? " NOT" : "";
    switch (Choose(patterns ? 8 : 4)) {
      case 0:
        return field + " IS" + no + " NULL";
      case 1: {
        const std::string first = Pick(values);
        return field + no + " IN (" + first + ", " + Pick(values) + ")";
      }
      case 2: {
        const std::string low = Pick(values);
        return field + no + " BETWEEN " + low + " AND " + Pick(values);
      }
      case 4:
        return field + no + " LIKE " + Pick({"'%'", "'t_'", "'%a%'", "'d/%'", "'2026-0%'", "'_'"});
      case 5:
        return field + no + " ILIKE " + Pick({"'T1'", "'%ALPHA%'", "'\xC3\x89%'", "'%\xC3\x89_'"});
      case 6:
        return field + no + " GLOB " +
               Pick({"'**'", "'*'", "'**/*.md'", "'d/**'", "'t?'", "'[a-d]*'", "'{a,d/a}.md'",
                     "'d2/\xC3\xA9*'", "'d/\\\\[x]*'"});
      case 7:
        return field + no + " REGEXP " +
               Pick({"'^d'", "'(?i)alpha'", "'[0-9]+$'", "''", "'^$'", "'a|b'", "'\\\\bTODO'"});
      default: {
        const std::string op = Pick({"=", "!=", "<", "<=", ">", ">="});
        return field + " " + op + " " + Pick(values);
      }
    }
  }

  ByteReader choices_;
};

void CheckAgainstOracle(const FilteredStore& store, const FilterExpr& expr) {
  const auto filter = CompiledFilter::Compile(expr, kNow);
  RECALL_CHECK(filter.has_value());
  const OracleSets expected = FilterNaively(store.docs(), expr, kNow);
  const auto chunks = Must(filter->Evaluate(store.transaction(), FilterDomain::kChunks));
  RECALL_CHECK(chunks.set.Values() == expected.chunks);
  const auto docs = Must(filter->Evaluate(store.transaction(), FilterDomain::kDocs));
  RECALL_CHECK(docs.set.Values() == expected.docs);
}

}  // namespace

void FuzzOne(ByteSpan input) {
  static const FilteredStore store;
  const bool is_choices = !input.empty() && input[0] == 0xFF;
  const std::string text =
      is_choices ? FilterWriter(input.subspan(1)).Write(4) : std::string(AsText(input));
  Result<FilterExpr> expr = ParseFilter(text);
  RECALL_CHECK(expr || !is_choices);
  if (!expr) return;
  const auto filter = CompiledFilter::Compile(*expr, kNow);
  if (!filter) {
    const FilterError& error = filter.error();
    RECALL_CHECK(!is_choices);
    RECALL_CHECK(error.position < text.size() && !error.message.empty() && !error.hint.empty());
    return;
  }
  CheckAgainstOracle(store, *expr);
  FilterExpr negation;
  negation.kind = FilterExpr::Kind::kNot;
  negation.children.push_back(*std::move(expr));
  CheckAgainstOracle(store, negation);
}

}  // namespace recall
