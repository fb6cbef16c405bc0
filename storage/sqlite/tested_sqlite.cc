#include "storage/sqlite/tested_sqlite.h"

#include <sqlite3.h>

namespace recall {

int LoadedSqlite() { return sqlite3_libversion_number(); }

std::string SqliteVersionName(int version) {
  return std::to_string(version / 1'000'000) + "." + std::to_string(version / 1000 % 1000) + "." +
         std::to_string(version % 1000);
}

bool IsTestedSqlite(int version) {
  return version >= kOldestTestedSqlite && version <= kNewestTestedSqlite;
}

}  // namespace recall
