#include "storage/tables/language_table.h"

#include <gtest/gtest.h>

#include "storage/documents/document_store.h"
#include "storage/documents/live_scan.h"
#include "storage/sqlite/connection.h"
#include "storage/store/store.h"
#include "tests/test_util.h"

namespace recall {
namespace {

class LanguageTableTest : public ::testing::Test {
 protected:
  void SetUp() override { store_ = Must(Store::Create(dir_ / "recall.db", {})); }

  static DocRow DocIn(std::string path, std::string code, bool is_given = false) {
    DocRow doc;
    doc.path = std::move(path);
    doc.parser = "plain";
    doc.language = {std::move(code), is_given};
    return doc;
  }

  static bool IsWanted(std::string_view code) { return code != "en"; }

  TempDir dir_;
  std::unique_ptr<Store> store_;
};

TEST_F(LanguageTableTest, ADocumentKeepsItsLanguage) {
  ASSERT_OK_AND_ASSIGN(const auto transaction, store_->BeginWrite());
  for (const DocLanguage& language :
       {DocLanguage{"de", false}, DocLanguage{"de", true}, DocLanguage{"", true}, DocLanguage{}}) {
    DocRow doc = DocIn("a" + language.code + (language.is_given ? "!" : ""), language.code,
                       language.is_given);
    ASSERT_OK_AND_ASSIGN(doc.row, InsertDoc(*transaction, doc, {}));
    ASSERT_OK_AND_ASSIGN(const DocRow read, ReadDoc(*transaction, doc.row));
    EXPECT_EQ(read.language, language);
  }
}

TEST_F(LanguageTableTest, FiltersScanTheLanguagesOfLiveDocuments) {
  ASSERT_OK_AND_ASSIGN(const auto transaction, store_->BeginWrite());
  ASSERT_OK_AND_ASSIGN(const int64_t german, InsertDoc(*transaction, DocIn("a", "de"), {}));
  ASSERT_OK_AND_ASSIGN(const int64_t removed, InsertDoc(*transaction, DocIn("b", "fr"), {}));
  ASSERT_OK(InsertDoc(*transaction, DocIn("c", "", true), {}));
  ASSERT_OK(MarkDocRemoved(*transaction, removed));
  std::vector<std::string> found;
  ASSERT_OK(ScanDocTexts(*transaction, DocText::kLanguage, RowUnit::kDocs,
                         [&](std::string_view text, RowSpan span) {
                           found.push_back(std::string(text) + std::to_string(span.first));
                         }));
  EXPECT_EQ(found, std::vector<std::string>{"de" + std::to_string(german)});
}

TEST_F(LanguageTableTest, TheMostFrequentLanguagesAreListed) {
  ASSERT_OK_AND_ASSIGN(const auto transaction, store_->BeginWrite());
  Connection& connection = transaction->connection();
  EXPECT_TRUE(Must(ListLanguages(connection, 2, IsWanted)).empty());
  int number = 0;
  for (const char* code : {"en", "fr", "de", "en", "tr", "en", "de", "tr", ""}) {
    ASSERT_OK(InsertDoc(*transaction, DocIn(std::to_string(++number), code, true), {}));
  }
  using Codes = std::vector<std::string>;
  EXPECT_EQ(Must(ListLanguages(connection, 9, IsWanted)), (Codes{"de", "fr", "tr"}));
  EXPECT_EQ(Must(ListLanguages(connection, 2, IsWanted)), (Codes{"de", "tr"}));
}

TEST_F(LanguageTableTest, PurgingADocumentForgetsItsLanguage) {
  ASSERT_OK_AND_ASSIGN(const auto transaction, store_->BeginWrite());
  DocRow doc = DocIn("a", "de");
  ASSERT_OK_AND_ASSIGN(doc.row, InsertDoc(*transaction, doc, {}));
  ASSERT_OK(MarkDocRemoved(*transaction, doc.row));
  ASSERT_OK(DeleteDocRows(*transaction, doc));
  EXPECT_TRUE(Must(ListLanguages(transaction->connection(), 9, IsWanted)).empty());
}

TEST(IsLanguageValue, IsEmptyOrTwoLetters) {
  for (const char* value : {"", "de", "zz"}) EXPECT_TRUE(IsLanguageValue(value));
  for (const char* value : {"d", "DE", "deu", "d1", "ß"}) EXPECT_FALSE(IsLanguageValue(value));
}

}  // namespace
}  // namespace recall
