#include "storage/tables/symbol_table.h"

#include <gtest/gtest.h>

#include <iterator>
#include <random>
#include <vector>

#include "tests/storage/documents/doc_fixture.h"
#include "tests/test_util.h"

namespace recall {
namespace {

using Strings = std::vector<std::string>;

Strings PartsOf(std::string_view name) {
  Strings parts;
  for (const std::string_view part : SplitQualifiedName(name)) parts.emplace_back(part);
  return parts;
}

TEST(SymbolNameTest, QualifiedNamesAreSplitAtTheSeparatorsOfEveryLanguage) {
  EXPECT_EQ(PartsOf("Commit"), (Strings{"Commit"}));
  EXPECT_EQ(PartsOf("Store::Commit"), (Strings{"Store", "Commit"}));
  EXPECT_EQ(PartsOf("db::Store::~Store"), (Strings{"db", "Store", "~Store"}));
  EXPECT_EQ(PartsOf("Store.Commit"), (Strings{"Store", "Commit"}));
  EXPECT_EQ(PartsOf("org.example.app"), (Strings{"org", "example", "app"}));
  EXPECT_EQ(PartsOf("db > Store > Commit"), (Strings{"db", "Store", "Commit"}));
  EXPECT_EQ(PartsOf("::Commit"), (Strings{"Commit"}));
  EXPECT_EQ(PartsOf("größe.Maß"), (Strings{"größe", "Maß"}));
}

TEST(SymbolNameTest, OperatorsAndArgumentsOfTemplatesStayWhole) {
  EXPECT_EQ(PartsOf("Store::operator=="), (Strings{"Store", "operator=="}));
  EXPECT_EQ(PartsOf("operator std::string"), (Strings{"operator std::string"}));
  EXPECT_EQ(PartsOf("Store::operator std::string"), (Strings{"Store", "operator std::string"}));
  EXPECT_EQ(PartsOf("a::operator<"), (Strings{"a", "operator<"}));
  EXPECT_EQ(PartsOf("a::operators::Run"), (Strings{"a", "operators", "Run"}));
  EXPECT_EQ(PartsOf("Map<std::string, a.b>::at"), (Strings{"Map<std::string, a.b>", "at"}));
  EXPECT_EQ(PartsOf("(*Store).Commit"), (Strings{"(*Store)", "Commit"}));
  EXPECT_EQ(PartsOf("a < b::c"), (Strings{"a < b", "c"}));
  EXPECT_EQ(PartsOf(".:"), (Strings{".:"}));
  EXPECT_EQ(PartsOf("|.|"), (Strings{"|.|"}));
  EXPECT_EQ(PartsOf("Value > .="), (Strings{"Value", ".="}));
  EXPECT_EQ(PartsOf("Json > <?>"), (Strings{"Json", "<?>"}));
}

TEST(SymbolNameTest, WhatIsNoSequenceOfNamesIsOnePart) {
  EXPECT_EQ(PartsOf(""), Strings{});
  for (const char* name : {"...", ".hidden", "ends.", "a...", "::", "a::", ">", "x..y"}) {
    EXPECT_EQ(PartsOf(name), Strings{name});
  }
}

// Every byte of a name is in a part or a separator, whatever the name is.
TEST(SymbolNameTest, PartsAreWithinTheName) {
  std::mt19937_64 random(TestSeed(16));
  constexpr std::string_view kAlphabet[] = {"a", "B", "::",       ".", " > ", "<", ">",
                                            "(", ")", "operator", " ", ":",   "ß", "~"};
  for (int trial = 0; trial < 20000; ++trial) {
    std::string name;
    for (size_t i = random() % 9; i > 0; --i) name += kAlphabet[random() % std::size(kAlphabet)];
    const char* end = name.data();
    for (const std::string_view part : SplitQualifiedName(name)) {
      ASSERT_FALSE(part.empty()) << name;
      ASSERT_GE(part.data(), end) << name;
      end = part.data() + part.size();
    }
    ASSERT_LE(end, name.data() + name.size()) << name;
    const Symbol simple = WithSimpleName({.name = name, .scope = "outer"});
    ASSERT_EQ(simple.name.empty(), name.empty()) << name;
  }
}

Symbol Method(std::string name, std::string scope, uint32_t line) {
  return {.name = std::move(name),
          .kind = "method",
          .scope = std::move(scope),
          .start_line = line,
          .end_line = line + 2,
          .begins = true};
}

DocRow CodeAt(std::string path, std::string grammar) {
  DocRow doc;
  doc.path = std::move(path);
  doc.parser = "code";
  doc.grammar = std::move(grammar);
  return doc;
}

class SymbolTableTest : public ::testing::Test {
 protected:
  void SetUp() override { store_ = Must(Store::Create(dir_ / "recall.db", {})); }

  static SymbolVisitor Into(std::vector<std::pair<uint32_t, Symbol>>* found) {
    return [found](uint32_t chunk, Symbol&& symbol) { found->emplace_back(chunk, symbol); };
  }

  TempDir dir_;
  std::unique_ptr<Store> store_;
};

TEST_F(SymbolTableTest, SymbolsAreFoundByChunkAndByName) {
  ASSERT_OK_AND_ASSIGN(const auto transaction, store_->BeginWrite());
  Connection& connection = transaction->connection();
  ASSERT_OK_AND_ASSIGN(const bool before, HasSymbols(connection));
  EXPECT_FALSE(before);
  const Symbol commit = Method("Commit", "Store", 3);
  const Symbol part = {.name = "Commit",
                       .kind = "function",
                       .scope = "",
                       .start_line = 1,
                       .end_line = 90,
                       .begins = false};
  ASSERT_OK(InsertSymbols(connection, 7, std::vector{commit, Method("Begin", "Store", 9)}));
  ASSERT_OK(InsertSymbols(connection, 8, std::vector{part}));
  ASSERT_OK(InsertSymbols(connection, 9, std::vector{Method("db::Store::Commit", "x", 1)}));
  ASSERT_OK(InsertSymbols(connection, 10, {}));
  ASSERT_OK_AND_ASSIGN(const bool after, HasSymbols(connection));
  EXPECT_TRUE(after);

  using Rows = std::vector<std::pair<uint32_t, Symbol>>;
  const Symbol outside = Method("Commit", "x > db > Store", 1);
  Rows of_chunks;
  ASSERT_OK(SymbolsOf(connection, 7, 3, Into(&of_chunks)));
  EXPECT_EQ(of_chunks,
            (Rows{{7, commit}, {7, Method("Begin", "Store", 9)}, {8, part}, {9, outside}}));
  Rows of_name;
  ASSERT_OK(FindSymbolsByName(connection, ExactSymbolName("Commit"), Into(&of_name)));
  EXPECT_EQ(of_name, (Rows{{7, commit}, {8, part}, {9, outside}}));
  Rows all;
  ASSERT_OK(FindSymbolsByName(connection, {"", std::nullopt}, Into(&all)));
  EXPECT_EQ(all.size(), 4u);
  std::string kinds;
  ASSERT_OK(ScanSymbolTexts(connection, SymbolText::kKind, 8, 9,
                            [&](uint32_t chunk, std::string_view kind) {
                              kinds += std::to_string(chunk) + std::string(kind) + " ";
                            }));
  EXPECT_EQ(kinds, "8function 9method ");

  ASSERT_OK(DeleteSymbols(connection, 7, 2));
  Rows left;
  ASSERT_OK(SymbolsOf(connection, 0, 100, Into(&left)));
  EXPECT_EQ(left, (Rows{{9, outside}}));
}

TEST_F(SymbolTableTest, AnExactNameIsNotTheBeginningOfAnother) {
  ASSERT_OK_AND_ASSIGN(const auto transaction, store_->BeginWrite());
  Connection& connection = transaction->connection();
  ASSERT_OK(InsertSymbols(
      connection, 1,
      std::vector{Method("Commit", "", 1), Method("Committed", "", 2), Method("commit", "", 3)}));
  size_t found = 0;
  ASSERT_OK(
      ScanSymbolNames(connection, ExactSymbolName("Commit"), [&](uint32_t, std::string_view name) {
        EXPECT_EQ(name, "Commit");
        ++found;
      }));
  EXPECT_EQ(found, 1u);
}

TEST_F(SymbolTableTest, APurgeDeletesTheGrammarAndTheSymbolsOfAVersion) {
  DocRow doc;
  {
    ASSERT_OK_AND_ASSIGN(const auto transaction, store_->BeginWrite());
    doc = AddDoc(*transaction, CodeAt("a.py", "python-1"), "ab", 2);
    ASSERT_OK(
        InsertSymbols(transaction->connection(), doc.first_chunk, std::vector{Method("a", "", 1)}));
    const DocRow other = AddDoc(*transaction, CodeAt("b.py", ""), "ab", 2);
    ASSERT_OK(InsertSymbols(transaction->connection(), other.first_chunk,
                            std::vector{Method("b", "", 1)}));
    EXPECT_EQ(Must(FindGrammar(transaction->connection(), doc.row)), "python-1");
    EXPECT_EQ(Must(FindGrammar(transaction->connection(), other.row)), "");
    ASSERT_OK(transaction->Commit());
  }
  ASSERT_OK_AND_ASSIGN(const auto transaction, store_->BeginWrite());
  ASSERT_OK(MarkDocRemoved(*transaction, doc.row));
  ASSERT_OK(DeleteDocRows(*transaction, doc));
  EXPECT_EQ(Must(FindGrammar(transaction->connection(), doc.row)), "");
  Connection& connection = transaction->connection();
  EXPECT_EQ(Must(connection.QueryText("SELECT group_concat(name) FROM symbol")), "b");
}

TEST_F(SymbolTableTest, RowsWithImpossibleLinesAreCorruption) {
  ASSERT_OK_AND_ASSIGN(const auto transaction, store_->BeginWrite());
  Connection& connection = transaction->connection();
  for (const char* lines : {"0, 1", "2, 1", "1, 99999999999"}) {
    ASSERT_OK(connection.Execute("DELETE FROM symbol"));
    ASSERT_OK(connection.Execute(std::string("INSERT INTO symbol VALUES(1, 0, 'a', 'class', '', ") +
                                 lines + ", 1)"));
    const Status status = SymbolsOf(connection, 1, 1, [](uint32_t, Symbol&&) {});
    EXPECT_EQ(status.code(), StatusCode::kCorruption) << lines;
  }
}

}  // namespace
}  // namespace recall
