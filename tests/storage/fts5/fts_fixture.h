#pragma once

#include <memory>
#include <ostream>

#include "storage/fts5/fts_index.h"
#include "storage/schema/schema.h"
#include "storage/sqlite/connection.h"
#include "tests/storage/store/store_test_util.h"

namespace recall {

inline void PrintTo(const Posting& posting, std::ostream* out) {
  *out << posting.row << "x" << posting.count;
}

// An empty store file with all tables, and no open transaction.
class FtsFixture : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_OK_AND_ASSIGN(connection_,
                         Connection::Open(dir_ / "recall.db", {.mode = ConnectionMode::kCreate}));
    ASSERT_OK(MigrateSchema(*connection_));
    ASSERT_OK(connection_->Execute("PRAGMA synchronous=OFF"));
  }

  TempDir dir_;
  std::unique_ptr<Connection> connection_;
};

}  // namespace recall
