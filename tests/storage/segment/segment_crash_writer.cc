// Changes segments until segment_crash_test kills it. The id of a segment determines its bytes.
// Prints one byte before each change.
//   segment_crash_writer <file> <seed>

#include <unistd.h>

#include "tests/storage/segment/segment_crash.h"

namespace recall::testing {
namespace {

class CrashWriter {
 public:
  CrashWriter(const std::string& path, uint64_t seed) : handle_(path), random_(seed) {
    EXPECT_OK(handle_.connection().Execute("PRAGMA synchronous=OFF"));
  }

  void RunForEver() {
    const char byte = '.';
    while (write(STDOUT_FILENO, &byte, 1) == 1) Change();
  }

 private:
  // Ignores SQLITE_BUSY: readers lock the file in DELETE mode.
  void Try(const char* sql) { handle_.connection().Execute(sql).IgnoreError(); }

  void Change() {
    const uint64_t action = random_() % 16;
    if (action < 6) {
      InTransaction(&CrashWriter::Insert);
    } else if (action < 9) {
      InTransaction(&CrashWriter::DeleteOne);
    } else if (action < 11) {
      InTransaction(&CrashWriter::Merge);
    } else if (action < 12) {
      Try("INSERT INTO other(body) SELECT hex(randomblob(3000)); DELETE FROM other WHERE id%3=0");
    } else if (action < 13) {
      Try("VACUUM");
    } else if (action < 14) {
      Try("PRAGMA wal_checkpoint(TRUNCATE)");
    } else {
      Try("PRAGMA wal_checkpoint(PASSIVE)");
    }
  }

  void InTransaction(void (CrashWriter::*change)()) {
    if (!handle_.connection().Execute("BEGIN IMMEDIATE").ok()) return;
    (this->*change)();
    Try(random_() % 5 == 0 ? "ROLLBACK" : "COMMIT");
    if (handle_.connection().InTransaction()) Try("ROLLBACK");
  }

  void Insert() {
    const int64_t next = NextSegmentId(handle_.connection());
    const int64_t id = Must(handle_.catalog().Insert(handle_.connection(), ContentOf(next)));
    EXPECT_EQ(id, next);
  }

  void DeleteOne() {
    const auto victim =
        handle_.connection().QueryInt("SELECT id FROM vec_segment ORDER BY random() LIMIT 1");
    if (victim) EXPECT_OK(handle_.catalog().Delete(handle_.connection(), *victim));
  }

  void Merge() {
    for (int i = 0; i < 3; ++i) DeleteOne();
    Insert();
  }

  Handle handle_;
  std::mt19937_64 random_;
};

}  // namespace
}  // namespace recall::testing

int main(int, char** arguments) {
  recall::testing::CrashWriter(arguments[1], std::strtoull(arguments[2], nullptr, 10)).RunForEver();
  return 0;
}
