#include "cli/setup/install/install_record.h"

#include <gtest/gtest.h>

#include "tests/test_util.h"

namespace recall {
namespace {

InstallRecord SomeRecord(const std::string& file) {
  InstallRecord record;
  record.client = "cursor";
  record.file = file;
  record.path = {"mcpServers", "recall"};
  record.entries = {"{\"command\":\"recall\"}"};
  record.added = {.text = "\xFF\n\"recall\": {}", .entry_offset = 2, .comma = true, .replaced = {}};
  record.made_directories = {"/a", "/a/b"};
  record.before_hash = "12";
  return record;
}

TEST(InstallRecordTest, IsReadAsItWasWritten) {
  InstallRecords records;
  records.made_directories = {"/home/x"};
  records.Put(SomeRecord("/f"));
  records.Put(SomeRecord("/g"));
  InstallRecord replacing = SomeRecord("/g");
  replacing.added.replaced = "\xFE old";
  replacing.made_file = true;
  replacing.backup = "/g.recall-backup-1";
  records.Put(replacing);
  ASSERT_EQ(records.records.size(), 2u);
  ASSERT_OK_AND_ASSIGN(const InstallRecords read, ParseRecords(PrintRecords(records)));
  EXPECT_EQ(read.records, records.records);
  EXPECT_EQ(read.made_directories, records.made_directories);
  ASSERT_NE(read.Find("cursor", "/g"), nullptr);
  EXPECT_EQ(*read.Find("cursor", "/g"), replacing);
  EXPECT_EQ(read.Find("vscode", "/g"), nullptr);
}

TEST(InstallRecordTest, OtherTextsAreRefused) {
  std::string text = PrintRecords({});
  for (const std::string& bad : {std::string(), std::string("[]"), std::string("{}"),
                                 std::string("{\"made_directories\":[],\"installed\":[{}]}"),
                                 std::string("{\"made_directories\":[1],\"installed\":[]}")}) {
    EXPECT_FALSE(ParseRecords(bad)) << bad;
  }
  EXPECT_OK(ParseRecords(text));
}

}  // namespace
}  // namespace recall
