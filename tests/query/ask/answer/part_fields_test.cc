// The fields of chunks that may have several values (docs/rql.md, "Definitions and places"), and
// definitions by name. The oracle is a model: the definitions of each chunk, by its id.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "index/source/extract/types/locator_record.h"
#include "storage/tables/extraction_table.h"
#include "storage/tables/symbol_table.h"
#include "tests/query/exchange/transfer_fixture.h"

namespace recall {
namespace {

using PartJson = nlohmann::ordered_json;
using Strings = std::vector<std::string>;

Symbol Defined(std::string name, std::string kind, std::string scope = "", uint32_t line = 1,
               uint32_t end_line = 1) {
  return {.name = std::move(name),
          .kind = std::move(kind),
          .scope = std::move(scope),
          .start_line = line,
          .end_line = end_line,
          .begins = true};
}

SymbolsRequest Named(std::string name, std::optional<size_t> limit = {}, size_t offset = 0) {
  SymbolsRequest request;
  request.name = std::move(name);
  request.limit = limit;
  request.offset = offset;
  return request;
}

class PartFieldsTest : public TransferFixture {
 protected:
  void SetUp() override {
    Create({.embedder = "hash", .chunk_tokens = 4, .overlap_tokens = 0});
    WriteFile("a.py",
              "def one two three\n"
              "def four five six\n"
              "end of file a\n");
    WriteFile("b.py",
              "class x y z\n"
              "end of file b\n");
    WriteFile("plain.txt",
              "no code at all\n"
              "but two chunks here\n");
    Add();
  }

  // Imports into `database` the documents of this store, with these definitions of the chunks of
  // code: by path and number of the chunk.
  using Definitions = std::map<std::pair<std::string, size_t>, std::vector<Symbol>>;
  std::string WithDefinitions(const Definitions& definitions) {
    std::string lines;
    std::string path;
    size_t chunk = 0;
    for (const std::string& line : Lines(Export())) {
      PartJson json = PartJson::parse(line);
      if (json["type"] == "doc") {
        path = json["path"];
        chunk = 0;
        if (path.ends_with(".py")) {
          PartJson with;  // the field comes before the text
          for (const auto& [key, value] : json.items()) {
            if (key == "text") with["grammar"] = "python-1";
            with[key] = value;
          }
          json = with;
        }
      }
      if (json["type"] == "chunk") {
        const auto found = definitions.find({path, chunk++});
        if (found != definitions.end()) {
          for (const Symbol& symbol : found->second) {
            json["symbols"].push_back({{"name", symbol.name},
                                       {"kind", symbol.kind},
                                       {"scope", symbol.scope},
                                       {"start_line", symbol.start_line},
                                       {"end_line", symbol.end_line},
                                       {"begins", symbol.begins}});
          }
        }
      }
      lines += json.dump() + "\n";
    }
    return lines;
  }

  // Replaces the store by one with these definitions.
  void Define(const Definitions& definitions) {
    const std::string lines = WithDefinitions(definitions);
    Create({.embedder = "hash", .chunk_tokens = 4, .overlap_tokens = 0});
    ASSERT_OK(Import(*database_, lines));
  }

  QueryResponse Query(const std::string& rql, const std::string& snapshot = "") {
    QueryRequest request;
    request.rql = rql;
    request.snapshot = snapshot;
    request.explain = true;
    auto found = database_->Query(request);
    EXPECT_TRUE(found.has_value()) << found.error().ToString();
    return found ? *found : QueryResponse();
  }

  // "path#first line" of the chunks that pass, in order.
  Strings Passing(const std::string& filter, const std::string& snapshot = "") {
    Strings passing;
    for (const QueryRow& row :
         Query("FROM chunk FILTER " + filter + " SELECT doc.path, chunk.start_line", snapshot)
             .rows) {
      passing.push_back(row.doc.path + "#" + std::to_string(row.chunk->start_line));
    }
    return passing;
  }

  // "path:line name" of definitions, in order.
  Strings Symbols(SymbolsRequest request) {
    auto found = database_->Symbols(request);
    EXPECT_TRUE(found.has_value()) << found.error().ToString();
    if (!found) return {};
    Strings rows;
    for (const SymbolRow& row : found->rows) {
      rows.push_back(row.doc.path + ":" + std::to_string(row.start_line) + " " +
                     (row.scope.empty() ? "" : row.scope + " > ") + row.name);
    }
    return rows;
  }
  Strings Symbols(const std::string& name) { return Symbols(Named(name)); }
};

const Strings kNone;

TEST_F(PartFieldsTest, APredicateHoldsIfOneValueSatisfiesIt) {
  Define({{{"a.py", 0}, {Defined("one", "function"), Defined("two", "class")}},
          {{"a.py", 1}, {Defined("two", "function", "", 2, 2)}},
          {{"b.py", 0}, {Defined("x", "class")}}});
  EXPECT_EQ(Passing("chunk.symbol = 'two'"), (Strings{"a.py#1", "a.py#2"}));
  EXPECT_EQ(Passing("chunk.symbol IN ('one', 'x')"), (Strings{"a.py#1", "b.py#1"}));
  EXPECT_EQ(Passing("chunk.symbol LIKE 'tw%'"), (Strings{"a.py#1", "a.py#2"}));
  EXPECT_EQ(Passing("chunk.symbol ILIKE 'TW%'"), (Strings{"a.py#1", "a.py#2"}));
  EXPECT_EQ(Passing("chunk.symbol REGEXP '^o'"), (Strings{"a.py#1"}));
  EXPECT_EQ(Passing("chunk.symbol > 'two'"), (Strings{"b.py#1"}));
  EXPECT_EQ(Passing("chunk.kind = 'function'"), (Strings{"a.py#1", "a.py#2"}));
  EXPECT_EQ(Passing("chunk.kind = 'function' AND chunk.symbol = 'one'"), (Strings{"a.py#1"}));
  // Negations hold if no value satisfies the predicate, and never without values.
  EXPECT_EQ(Passing("chunk.symbol != 'one'"), (Strings{"a.py#2", "b.py#1"}));
  EXPECT_EQ(Passing("chunk.symbol NOT IN ('one', 'x')"), (Strings{"a.py#2"}));
  EXPECT_EQ(Passing("chunk.kind NOT LIKE 'c%'"), (Strings{"a.py#2"}));
  EXPECT_EQ(Passing("NOT chunk.kind = 'class'"), (Strings{"a.py#2"}));
  EXPECT_EQ(Passing("chunk.symbol IS NOT NULL"), (Strings{"a.py#1", "a.py#2", "b.py#1"}));
  EXPECT_EQ(Passing("chunk.kind IS NULL"),
            (Strings{"a.py#3", "b.py#2", "plain.txt#1", "plain.txt#2"}));
}

TEST_F(PartFieldsTest, ValuesAreListsAndOrderIsByTheSmallest) {
  Define({{{"a.py", 0},
           {Defined("one", "function"), Defined("two", "class"), Defined("one", "method")}},
          {{"a.py", 1}, {Defined("Zero", "function")}}});
  const QueryResponse found = Query(
      "FROM chunk SELECT chunk.symbol, chunk.kind, chunk.page ORDER BY chunk.symbol DESC LIMIT 3");
  ASSERT_EQ(found.rows.size(), 3u);
  const auto json = [&](size_t row, size_t part) {
    return found.rows[row].chunk->parts[part].json;
  };
  EXPECT_EQ(json(0, 0), R"(["one","two"])");
  EXPECT_EQ(json(0, 1), R"(["class","function","method"])");
  EXPECT_EQ(json(0, 2), "null");
  EXPECT_EQ(json(1, 0), R"(["Zero"])");
  EXPECT_EQ(json(2, 0), "null");
  const QueryResponse all = Query("FROM chunk SELECT *");
  EXPECT_TRUE(all.rows.at(0).chunk->parts.empty());
  for (const QueryColumn& column : all.columns) {
    EXPECT_FALSE(InfoOf(column.field.field).of_parts()) << column.name;
  }
}

TEST_F(PartFieldsTest, HitsAndTextsHaveTheFieldsThatAreAskedFor) {
  Define({{{"a.py", 0}, {Defined("one", "function")}}, {{"a.py", 1}, {Defined("four", "class")}}});
  SearchRequest request;
  request.text = "five";
  request.mode = SearchMode::kLexical;
  request.computed_fields = {{Field::kChunkSymbol, {}}, {Field::kDocKind, {}}};
  const SearchResponse found = Search(request);
  ASSERT_EQ(found.hits.size(), 1u);
  EXPECT_EQ(found.hits[0].chunk.parts.at(0).json, R"(["four"])");
  EXPECT_EQ(found.hits[0].doc.computed.at(0).json, R"("file")");
  GetRequest get;
  get.target = dir_ / "a.py";
  get.computed_fields = request.computed_fields;
  ASSERT_OK_AND_ASSIGN(const GetResponse whole, database_->Get(get));
  EXPECT_EQ(whole.chunk.parts.at(0).json, R"(["four","one"])");
}

TEST_F(PartFieldsTest, ExplainNamesTheMethod) {
  Define({{{"a.py", 0}, {Defined("one", "function")}}});
  const auto method = [&](const std::string& filter) {
    return Query("FROM chunk FILTER " + filter + " SELECT chunk.id")
        .explain->filter->steps.at(0)
        .method;
  };
  EXPECT_EQ(method("chunk.symbol = 'one'"), "index on symbols");
  EXPECT_EQ(method("chunk.symbol LIKE 'on%'"), "index on symbols");
  EXPECT_EQ(method("chunk.symbol LIKE '%n%'"), "scan of symbols");
  EXPECT_EQ(method("chunk.symbol != 'one'"), "scan of symbols");
  EXPECT_EQ(method("chunk.kind = 'class'"), "scan of symbols");
  EXPECT_EQ(method("chunk.page = 1"), "places of extracted texts");
}

TEST_F(PartFieldsTest, OlderCommitsHaveTheirDefinitionsUntilAPurge) {
  Define({{{"a.py", 0}, {Defined("one", "function")}}, {{"b.py", 0}, {Defined("x", "class")}}});
  ASSERT_OK_AND_ASSIGN(const std::string before, database_->CommitToken());
  RemoveRequest remove;
  remove.targets = {dir_ / "a.py"};
  ASSERT_OK(database_->Remove(remove));
  EXPECT_EQ(Passing("chunk.symbol IS NOT NULL"), (Strings{"b.py#1"}));
  EXPECT_EQ(Passing("chunk.symbol = 'one'"), kNone);
  EXPECT_EQ(Passing("chunk.symbol = 'one'", before), (Strings{"a.py#1"}));
  EXPECT_EQ(Symbols("one"), kNone);
  SymbolsRequest of_before = Named("*");
  of_before.scope.snapshot = before;
  EXPECT_EQ(Symbols(of_before), (Strings{"a.py:1 one", "b.py:1 x"}));
  ExpectHealthy();
  remove.targets = {dir_ / "b.py"};
  remove.purge = true;
  ASSERT_OK(database_->Remove(remove));
  EXPECT_EQ(Number("SELECT count(*) FROM symbol WHERE name = 'x'"), 0);
  EXPECT_EQ(Number("SELECT count(*) FROM code_grammar"),
            Number("SELECT count(*) FROM doc WHERE parser <> 'plain' AND path <> 'b.py'"));
}

TEST_F(PartFieldsTest, DefinitionsAreFoundByNameScopeAndKind) {
  Define(
      {{{"a.py", 0}, {Defined("Store", "class", "db"), Defined("Commit", "method", "db > Store")}},
       {{"a.py", 1}, {Defined("Committed", "function", "", 2, 3)}},
       {{"b.py", 0}, {Defined("Store::Commit", "function"), Defined("Log<T>.Commit", "method")}},
       {{"b.py", 1}, {Defined("operator*", "function", "db > Log", 2, 2)}}});
  const Strings commits = {"a.py:1 db > Store > Commit", "b.py:1 Log<T> > Commit",
                           "b.py:1 Store > Commit"};
  EXPECT_EQ(Symbols("Commit"), commits);
  for (const char* name : {"Store::Commit", "Store.Commit", "Store > Commit", "St*::Commit"}) {
    EXPECT_EQ(Symbols(name), (Strings{commits[0], commits[2]})) << name;
  }
  EXPECT_EQ(Symbols("db::Store::Commit"), (Strings{commits[0]}));
  EXPECT_EQ(Symbols("Log::Commit"), (Strings{commits[1]}));
  EXPECT_EQ(Symbols("Commit*"), (Strings{commits[0], "a.py:2 Committed", commits[1], commits[2]}));
  EXPECT_EQ(Symbols("*itted"), (Strings{"a.py:2 Committed"}));
  EXPECT_EQ(Symbols("?tore"), (Strings{"a.py:1 db > Store"}));
  EXPECT_EQ(Symbols("operator*"), (Strings{"b.py:2 db > Log > operator*"}));
  EXPECT_EQ(Symbols("commit"), kNone);
  SymbolsRequest methods = Named("Commit");
  methods.kind = "method";
  EXPECT_EQ(Symbols(methods), (Strings{commits[0], commits[1]}));
  SymbolsRequest of_b = Named("Commit");
  of_b.scope.filter = "doc.path = 'b.py'";
  EXPECT_EQ(Symbols(of_b), (Strings{commits[1], commits[2]}));
  EXPECT_EQ(Symbols(Named("Commit", 1, 1)), (Strings{commits[1]}));
  ASSERT_OK_AND_ASSIGN(const SymbolsResponse page, database_->Symbols(Named("Commit", 2)));
  EXPECT_EQ(page.total_hits, 3);
  EXPECT_EQ(page.next_offset, 2);
  EXPECT_EQ(database_->Symbols(Named("")).error().code(), StatusCode::kInvalidArgument);
}

TEST_F(PartFieldsTest, ADefinitionIsListedInTheChunkItBeginsIn) {
  Symbol part = Defined("one", "function", "", 1, 3);
  Definitions definitions = {{{"a.py", 0}, {part}}, {{"a.py", 1}, {part}}};
  part.begins = false;
  definitions[{"a.py", 2}] = {part};
  Define(definitions);
  ASSERT_OK_AND_ASSIGN(const SymbolsResponse found, database_->Symbols(Named("one")));
  ASSERT_EQ(found.rows.size(), 1u);
  const QueryResponse first =
      Query("FROM chunk FILTER chunk.symbol = 'one' ORDER BY chunk.offset ASC SELECT chunk.id");
  ASSERT_EQ(first.rows.size(), 3u);
  EXPECT_EQ(found.rows[0].chunk_id, first.rows[0].chunk->id);
}

TEST_F(PartFieldsTest, ExportsAndMergesKeepDefinitions) {
  const std::string lines =
      WithDefinitions({{{"a.py", 0}, {Defined("one", "function", "m"), Defined("two", "class")}},
                       {{"b.py", 0}, {Defined("x", "class")}}});
  const std::string plain = Export();
  EXPECT_EQ(plain.find("symbols"), plain.npos);
  EXPECT_EQ(plain.find("grammar"), plain.npos);
  const CreateOptions options = {.embedder = "hash", .chunk_tokens = 4, .overlap_tokens = 0};
  const auto imported = NewDatabase("imported.db", options);
  ASSERT_OK(Import(*imported, lines));
  const auto symbols_of = [](const std::string& exported) {
    std::map<std::string, std::string> symbols;
    for (const std::string& line : Lines(exported)) {
      const PartJson json = PartJson::parse(line);
      if (json["type"] == "doc") symbols[json["id"]] = json.value("grammar", "");
      if (json["type"] == "chunk") symbols[json["id"]] = json.value("symbols", PartJson()).dump();
    }
    return symbols;
  };
  EXPECT_EQ(symbols_of(Export(*imported)), symbols_of(lines));
  EXPECT_NE(symbols_of(lines), symbols_of(plain));
  const auto merged = NewDatabase("merged.db", options);
  ASSERT_OK(merged->Merge({.paths = {OtherPath("imported.db")}}));
  EXPECT_EQ(Export(*merged), Export(*imported));
}

TEST_F(PartFieldsTest, AnImportChecksDefinitions) {
  const std::string good = WithDefinitions({{{"a.py", 1}, {Defined("one", "function")}}});
  int tries = 0;
  const auto refused = [&](const std::string& from, const std::string& to) {
    std::string lines = good;
    const size_t at = lines.find(from);
    EXPECT_NE(at, lines.npos) << from;
    lines.replace(at, from.size(), to);
    const auto database = NewDatabase("refused" + std::to_string(++tries) + ".db");
    const auto report = Import(*database, lines);
    return report ? "imported" : std::string(report.error().message());
  };
  const auto says = [](const std::string& message, std::string_view what) {
    return message.find(what) != message.npos ? "" : message;
  };
  EXPECT_EQ(says(refused(R"("name":"one")", R"("name":"")"), "invalid value"), "");
  EXPECT_EQ(says(refused(R"("kind":"function")", R"("kind":"a b")"), "invalid value"), "");
  EXPECT_EQ(says(refused(R"("scope":"","start_line":1)", R"("scope":"","start_line":2)"),
                 "invalid value"),
            "");
  EXPECT_EQ(
      says(refused(R"("end_line":1,"begins")", R"("end_line":77,"begins")"), "ends in line 77"),
      "");
  EXPECT_EQ(says(refused(R"("grammar":"python-1",)", ""), "without a grammar"), "");
  EXPECT_EQ(says(refused(R"("parser":"code")", R"("parser":"plain")"), "no source code"), "");
  EXPECT_EQ(says(refused(R"("name":"one")", "\"name\":\"" + std::string(5000, '(') + "\""),
                 "invalid value"),
            "");
  EXPECT_EQ(says(refused(R"("symbols":[)", R"("symbols":[7,)"), "not an object"), "");
}

TEST_F(PartFieldsTest, PlacesAreThoseOfTheBytesOfAChunk) {
  // Chunks of plain.txt: bytes 0..14 and 15..34.
  database_.reset();
  {
    ASSERT_OK_AND_ASSIGN(const auto store, Store::Open(StorePath()));
    ASSERT_OK_AND_ASSIGN(const auto transaction, store->BeginWrite());
    const auto put = [&](const char* path, std::vector<LocatorSpan> spans) {
      ASSERT_OK_AND_ASSIGN(const auto doc, FindLiveDoc(*transaction, path));
      ExtractionRow row;
      row.format = "pdf";
      row.outcome = "text";
      row.spans = EncodeLocatorSpans(spans);
      ASSERT_OK(InsertExtraction(transaction->connection(), doc->row, row));
    };
    put("plain.txt", {{0, 3, {LocatorKind::kPage, 9, "", ""}},
                      {3, 15, {LocatorKind::kPage, 10, "", ""}},
                      {15, 20, {LocatorKind::kSheet, 1, "Costs", "A1"}},
                      {20, 25, {LocatorKind::kSheet, 2, "Sums", "A1"}},
                      {25, 34, {LocatorKind::kSlide, 7, "", "notes"}}});
    put("b.py", {{0, 5, {LocatorKind::kCell, 2, "", "source"}},
                 {5, 12, {LocatorKind::kElement, 0, "top", ""}}});
    ASSERT_OK(transaction->Commit());
  }
  Reopen();
  EXPECT_EQ(Passing("chunk.page = 9"), (Strings{"plain.txt#1"}));
  EXPECT_EQ(Passing("chunk.page BETWEEN 10 AND 12"), (Strings{"plain.txt#1"}));
  EXPECT_EQ(Passing("chunk.page < 9"), kNone);
  EXPECT_EQ(Passing("chunk.page != 9"), kNone);  // one page is 9
  EXPECT_EQ(Passing("chunk.page NOT IN (1, 2)"), (Strings{"plain.txt#1"}));
  EXPECT_EQ(Passing("chunk.sheet = 'Sums'"), (Strings{"plain.txt#2"}));
  EXPECT_EQ(Passing("chunk.sheet LIKE 'C%' AND chunk.slide = 7"), (Strings{"plain.txt#2"}));
  EXPECT_EQ(Passing("chunk.cell = 2"), (Strings{"b.py#1"}));
  EXPECT_EQ(Passing("chunk.cell IS NOT NULL OR chunk.page IS NOT NULL"),
            (Strings{"b.py#1", "plain.txt#1"}));
  EXPECT_EQ(Passing("chunk.slide IS NULL").size(), 6u);
  const QueryResponse found = Query(
      "FROM chunk FILTER doc.path = 'plain.txt' SELECT chunk.page, chunk.sheet, chunk.slide, "
      "chunk.cell ORDER BY chunk.page ASC");
  ASSERT_EQ(found.rows.size(), 2u);
  EXPECT_EQ(found.rows[0].chunk->parts[0].json, "null");
  EXPECT_EQ(found.rows[0].chunk->parts[1].json, R"(["Costs","Sums"])");
  EXPECT_EQ(found.rows[0].chunk->parts[2].json, "[7]");
  EXPECT_EQ(found.rows[1].chunk->parts[0].json, "[9,10]");
  EXPECT_EQ(found.rows[1].chunk->parts[3].json, "null");
}

TEST_F(PartFieldsTest, TheDoctorFindsDamagedDefinitions) {
  Define({{{"a.py", 0}, {Defined("one", "function")}}});
  ExpectHealthy();
  const auto finding = [&](const std::string& sql) {
    database_.reset();
    const std::string copy = other_dir_ / "copy.db";
    std::filesystem::copy_file(StorePath(), copy,
                               std::filesystem::copy_options::overwrite_existing);
    {
      const auto connection = Must(Connection::Open(copy, {.mode = ConnectionMode::kReadWrite}));
      EXPECT_OK(connection->Execute(sql));
    }
    const DoctorReport report = Must(Database::Doctor({.path = copy}));
    for (const DoctorFinding& found : report.findings) {
      if (found.code == "symbols") return found.examples.at(0).what;
    }
    return std::string("nothing");
  };
  EXPECT_EQ(finding("UPDATE symbol SET chunk = 999"), "the chunk does not exist");
  EXPECT_EQ(finding("UPDATE symbol SET end_line = 0"), "its lines are invalid");
  EXPECT_EQ(finding("UPDATE symbol SET end_line = 9"), "it ends in line 9, behind the text");
  EXPECT_EQ(finding("UPDATE symbol SET name = ''"), "it has no name");
  EXPECT_EQ(finding("UPDATE code_grammar SET doc = 999 WHERE doc = 1"),
            "the document does not exist");
  EXPECT_EQ(finding("SELECT 1"), "nothing");
}

}  // namespace
}  // namespace recall
