#include "storage/sqlite/fts_structure.h"

#include "storage/base/coding.h"
#include "storage/sqlite/connection.h"

namespace recall {
namespace {

constexpr size_t kCookieBytes = 4;
constexpr int64_t kMaxLevels = 2000;  // FTS5 itself allows no more runs than this

// SQLite's variable-length numbers: seven bits a byte, the highest first, all eight of the ninth.
class Varints final {
 public:
  explicit Varints(ByteSpan bytes) : bytes_(bytes) {}

  int64_t Next() {
    uint64_t value = 0;
    for (int i = 0; i < 9; ++i) {
      if (at_ == bytes_.size()) {
        ok_ = false;
        return 0;
      }
      const uint8_t byte = bytes_[at_++];
      if (i == 8) return static_cast<int64_t>(value << 8 | byte);
      value = value << 7 | (byte & 0x7fu);
      if (byte < 0x80) break;
    }
    return static_cast<int64_t>(value);
  }
  bool ok() const { return ok_; }

 private:
  ByteSpan bytes_;
  size_t at_ = 0;
  bool ok_ = true;
};

Status Damaged(const Connection& connection) {
  return Status::Corruption(
      connection.path() + ": the list of runs of the lexical index is damaged",
      "run `recall doctor --fix`");
}

}  // namespace

Result<std::vector<FtsLevel>> ReadFtsLevels(Connection& connection) {
  RECALL_ASSIGN(Statement select,
                connection.Prepare("SELECT block FROM lexicon_data WHERE id = 10"));
  RECALL_ASSIGN(const bool row, select.Step());
  if (!row || select.ColumnBlob(0).size() < kCookieBytes) return Fail(Damaged(connection));
  Varints numbers(select.ColumnBlob(0).subspan(kCookieBytes));
  const int64_t count = numbers.Next();
  numbers.Next();  // runs in all
  numbers.Next();  // pages ever written
  if (count < 0 || count > kMaxLevels) return Fail(Damaged(connection));
  std::vector<FtsLevel> levels(static_cast<size_t>(count));
  for (FtsLevel& level : levels) {
    numbers.Next();  // of its runs, how many a merge in progress takes in
    level.runs = numbers.Next();
    for (int64_t run = 0; run < level.runs && numbers.ok(); ++run) {
      numbers.Next();  // its id
      const int64_t first = numbers.Next();
      level.pages += numbers.Next() - first + 1;
    }
    if (!numbers.ok()) return Fail(Damaged(connection));
  }
  return levels;
}

}  // namespace recall
