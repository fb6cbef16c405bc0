#include "query/ask/uses/code_paths.h"

#include <gtest/gtest.h>

namespace recall {
namespace {

TEST(CodePathsTest, AModuleIsWhatOthersImport) {
  EXPECT_EQ(ModuleOfCode("src/db/store.h"), "store");
  EXPECT_EQ(ModuleOfCode("src/db/store.test.ts"), "store");
  EXPECT_EQ(ModuleOfCode("src/db/index.ts"), "db");
  EXPECT_EQ(ModuleOfCode("src/db/__init__.py"), "db");
  EXPECT_EQ(ModuleOfCode("src/db/store.go"), "db") << "Go imports directories";
  EXPECT_EQ(ModuleOfCode("index.ts"), "index") << "no directory has another name";
  EXPECT_EQ(FolderOfCode("src/db/store.h"), "db");
  EXPECT_EQ(FolderOfCode("store.h"), "");
  EXPECT_EQ(DirectoryOfCode("src/db/store.h"), "src/db");
}

TEST(CodePathsTest, LanguagesThatUseEachOthersNamesAreOne) {
  EXPECT_EQ(LanguageOfCode("a.c"), LanguageOfCode("b.HPP"));
  EXPECT_EQ(LanguageOfCode("a.tsx"), LanguageOfCode("b.mjs"));
  EXPECT_EQ(LanguageOfCode("a.kt"), LanguageOfCode("b.java"));
  EXPECT_NE(LanguageOfCode("a.py"), LanguageOfCode("b.rb"));
  EXPECT_NE(LanguageOfCode("a.c"), LanguageOfCode("b.cs"));
  EXPECT_EQ(LanguageOfCode("Makefile"), "");
  EXPECT_TRUE(NeedsReceiver("a.ts"));
  EXPECT_FALSE(NeedsReceiver("a.cc"));
}

}  // namespace
}  // namespace recall
