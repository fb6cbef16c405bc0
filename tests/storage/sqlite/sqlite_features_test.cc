// Which formats of SQLite are used with which version of the library.

#include "storage/sqlite/sqlite_features.h"

#include <sqlite3.h>

#include "storage/sqlite/tested_sqlite.h"
#include "tests/test_util.h"

namespace recall {
namespace {

constexpr SqliteFeatures kAll = {.fts_format = true, .file_format = true};
constexpr SqliteFeatures kNone = {.fts_format = false, .file_format = false};

TEST(SqliteFeaturesTest, AreThoseOfTestedVersionsOnly) {
  EXPECT_EQ(Must(FeaturesFor(3'039'004, "")), kNone);
  EXPECT_EQ(Must(FeaturesFor(kOldestTestedSqlite, "")), kAll);
  EXPECT_EQ(Must(FeaturesFor(kNewestTestedSqlite, "")), kAll);
  EXPECT_EQ(Must(FeaturesFor(kNewestTestedSqlite + 1, "")), kNone);
  EXPECT_EQ(Must(FeaturesFor(4'000'000, "")), kNone);
}

TEST(SqliteFeaturesTest, TheEnvironmentDecidesAboutTheFullTextIndexAlone) {
  for (const int version : {kOldestTestedSqlite, 4'000'000}) {
    const bool tested = IsTestedSqlite(version);
    EXPECT_EQ(Must(FeaturesFor(version, "native")), (SqliteFeatures{true, tested}));
    EXPECT_EQ(Must(FeaturesFor(version, "sqlite")), (SqliteFeatures{false, tested}));
  }
  for (const char* unknown : {"Native", "sqlite ", "1"}) {
    const auto features = FeaturesFor(kOldestTestedSqlite, unknown);
    ASSERT_FALSE(features.has_value());
    EXPECT_EQ(features.error().code(), StatusCode::kInvalidArgument);
    EXPECT_NE(features.error().message().find(unknown), std::string_view::npos);
  }
}

// These tests run with the oldest and with the newest version (`./x test newest-sqlite`).
TEST(SqliteFeaturesTest, TheLoadedLibraryIsOneOfTheTestedOnes) {
  EXPECT_TRUE(IsTestedSqlite(LoadedSqlite()))
      << "extend the range, or test with another SQLite than " << sqlite3_libversion();
  EXPECT_EQ(SqliteVersionName(LoadedSqlite()), sqlite3_libversion());
}

}  // namespace
}  // namespace recall
