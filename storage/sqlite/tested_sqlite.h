#pragma once

#include <string>

namespace recall {

// The versions of SQLite with which every use of its internals (docs/sqlite-internals.md) was
// tested, as sqlite3_libversion_number() reports them. The newest is the one that `./x test
// newest-sqlite` runs.
inline constexpr int kOldestTestedSqlite = 3'040'000;
inline constexpr int kNewestTestedSqlite = 3'054'001;

// The version of the loaded library.
int LoadedSqlite();
// "3.40.1" for 3040001.
std::string SqliteVersionName(int version);
// Whether `version` is within the tested range.
bool IsTestedSqlite(int version);

}  // namespace recall
