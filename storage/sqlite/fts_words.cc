#include "storage/sqlite/fts_words.h"

#include <sqlite3.h>

#include <algorithm>
#include <utility>

#include "storage/base/bytes.h"
#include "storage/base/varint.h"
#include "storage/sqlite/connection.h"
#include "storage/sqlite/fts_doclist.h"

namespace recall {
namespace {

constexpr int64_t kKnownVersion = 4;
constexpr char kWholeTerms = '0';  // before each term; others are those of prefix indexes
constexpr size_t kLeafHeaderBytes = 4;

// lexicon_data.id of a leaf.
int64_t LeafRow(const FtsRun& run, int64_t leaf) { return run.id << 37 | leaf; }

// One leaf of a run:
//   u16     where the first row of a list begins that the leaf before has begun; 0: nowhere
//   u16     where the footer begins
//   bytes   the rest of that list, then terms and their lists:
//             first term: varint length, bytes
//             others:     varint bytes shared with the term before, varint length of the rest, rest
//   footer  varint of each term: where it begins; of all but the first, how far behind the last one
class FtsLeaf final {
 public:
  static std::optional<FtsLeaf> Open(ByteSpan bytes) {
    if (bytes.size() < kLeafHeaderBytes) return std::nullopt;
    FtsLeaf leaf;
    leaf.start_ = bytes.data();
    leaf.first_row_ = LoadBig16(bytes.data());
    leaf.footer_ = bytes.data() + LoadBig16(bytes.data() + 2);
    leaf.end_ = bytes.data() + bytes.size();
    if (leaf.footer_ < leaf.start_ + kLeafHeaderBytes || leaf.footer_ > leaf.end_) {
      return std::nullopt;
    }
    return leaf;
  }

  const uint8_t* footer() const { return footer_; }
  const uint8_t* body() const { return start_ + kLeafHeaderBytes; }
  // Where a list of the leaf before ends, and where its first row is (there when there is none).
  // Null: the header makes no sense.
  const uint8_t* EndOfRest() const {
    if (footer_ == end_) return footer_;
    uint64_t offset = 0;
    return ReadVarint(footer_, end_, &offset) ? At(offset) : nullptr;
  }
  const uint8_t* FirstRow() const { return first_row_ == 0 ? EndOfRest() : At(first_row_); }

  struct List {
    const uint8_t* begin = nullptr;  // null: the leaf has no such term
    const uint8_t* end = nullptr;
  };
  // Nothing: the leaf is damaged.
  std::optional<List> Find(std::string_view key, std::string* term) const {
    uint64_t offset = 0;
    bool first = true;
    for (const uint8_t* place = footer_; place != end_; first = false) {
      uint64_t step = 0;
      place = ReadVarint(place, end_, &step);
      if (!place || step > static_cast<uint64_t>(end_ - start_)) return std::nullopt;
      offset += step;
      const uint8_t* at = At(offset);
      if (!at) return std::nullopt;
      at = ReadTerm(at, first, term);
      if (!at) return std::nullopt;
      const int order = key.compare(*term);
      if (order < 0) break;
      if (order > 0) continue;
      const uint8_t* end = footer_;
      if (place != end_) {
        if (!ReadVarint(place, end_, &step)) return std::nullopt;
        end = step > static_cast<uint64_t>(footer_ - start_) ? nullptr : At(offset + step);
      }
      if (!end || end < at) return std::nullopt;
      return List{at, end};
    }
    return List{};
  }

 private:
  // Null when it is not between the header and the footer.
  const uint8_t* At(uint64_t offset) const {
    const bool inside =
        offset >= kLeafHeaderBytes && offset <= static_cast<uint64_t>(footer_ - start_);
    return inside ? start_ + offset : nullptr;
  }

  // Returns: what is behind it, or null.
  const uint8_t* ReadTerm(const uint8_t* at, bool first, std::string* term) const {
    uint64_t shared = 0;
    uint64_t length = 0;
    if (!first) at = ReadVarint(at, footer_, &shared);
    if (at) at = ReadVarint(at, footer_, &length);
    if (!at || shared > term->size() || length > static_cast<uint64_t>(footer_ - at)) {
      return nullptr;
    }
    term->resize(first ? 0 : shared);
    term->append(AsText({at, static_cast<size_t>(length)}));
    return at + length;
  }

  const uint8_t* start_ = nullptr;
  uint64_t first_row_ = 0;
  const uint8_t* footer_ = nullptr;
  const uint8_t* end_ = nullptr;
};

// What a newer run says of a row, it says instead of the older ones. Requires: two lists behind
// each other, of which the newer begins at `newer`.
void MergeNewer(size_t newer, PostingList* list) {
  const bool in_order =
      newer == 0 || newer == list->size() || (*list)[newer].row > (*list)[newer - 1].row;
  if (in_order) return;
  const auto middle = list->begin() + static_cast<ptrdiff_t>(newer);
  PostingList merged(list->size());
  // Of equal rows those of the first range come first, and unique keeps the first.
  const auto by_row = [](const Posting& a, const Posting& b) { return a.row < b.row; };
  std::merge(middle, list->end(), list->begin(), middle, merged.begin(), by_row);
  const auto equal = [](const Posting& a, const Posting& b) { return a.row == b.row; };
  merged.erase(std::unique(merged.begin(), merged.end(), equal), merged.end());
  *list = std::move(merged);
}

}  // namespace

void FtsWords::CloseBlob::operator()(sqlite3_blob* blob) const { sqlite3_blob_close(blob); }

Result<std::optional<FtsWords>> FtsWords::Open(Connection& connection) {
  if (sqlite3_txn_state(connection.handle(), "main") == SQLITE_TXN_WRITE) return std::nullopt;
  RECALL_ASSIGN(Statement * cached,
                connection.Cached("SELECT v FROM lexicon_config WHERE k = 'version'"));
  const StatementScope version(cached);
  RECALL_ASSIGN(const bool known, version->Step());
  if (!known || version->ColumnInt(0) != kKnownVersion) return std::nullopt;
  RECALL_ASSIGN(const std::vector<FtsLevel> levels, ReadFtsLevels(connection));
  std::vector<FtsRun> runs;
  for (auto level = levels.rbegin(); level != levels.rend(); ++level) {
    runs.insert(runs.end(), level->runs.begin(), level->runs.end());
  }
  return FtsWords(&connection, std::move(runs));
}

// The only leaf of the run that may have the term.
Result<int64_t> FtsWords::FindLeaf(const FtsRun& run, std::string_view key) {
  RECALL_ASSIGN(Statement * cached,
                connection_->Cached("SELECT pgno >> 1 FROM lexicon_idx WHERE segid = ?1 AND "
                                    "term <= ?2 ORDER BY term DESC LIMIT 1"));
  const StatementScope find(cached);
  find->BindInt(1, run.id);
  find->BindBlob(2, AsBytes(key));
  RECALL_ASSIGN(const bool row, find->Step());
  // A merge in progress lets go of a run's leaves from the first one on.
  return row ? std::max(find->ColumnInt(0), run.first_leaf) : run.first_leaf;
}

Result<std::optional<ByteSpan>> FtsWords::ReadLeaf(int64_t row) {
  int code = SQLITE_OK;
  if (blob_) {
    code = sqlite3_blob_reopen(blob_.get(), row);
  } else {
    sqlite3_blob* opened = nullptr;
    code =
        sqlite3_blob_open(connection_->handle(), "main", "lexicon_data", "block", row, 0, &opened);
    blob_.reset(opened);
  }
  if (code == SQLITE_OK) {
    leaf_.resize(static_cast<size_t>(sqlite3_blob_bytes(blob_.get())));
    code = sqlite3_blob_read(blob_.get(), leaf_.data(), static_cast<int>(leaf_.size()), 0);
  }
  if (code == SQLITE_OK) return ByteSpan(leaf_);
  blob_.reset();  // after an error it can do nothing more
  if (code == SQLITE_ERROR) return std::nullopt;
  return Fail(connection_->ToStatus(code, "read the lexical index"));
}

Result<bool> FtsWords::ReadRun(const FtsRun& run, std::string_view key, PostingList* list) {
  RECALL_ASSIGN(const int64_t number, FindLeaf(run, key));
  if (number > run.last_leaf) return true;
  RECALL_ASSIGN(const auto bytes, ReadLeaf(LeafRow(run, number)));
  const auto leaf = bytes ? FtsLeaf::Open(*bytes) : std::nullopt;
  const auto found = leaf ? leaf->Find(key, &term_) : std::nullopt;
  if (!found) return false;
  if (!found->begin) return true;
  FtsDoclist doclist(list);
  if (!doclist.ReadRows(found->begin, found->end)) return false;
  if (found->end != leaf->footer()) return doclist.complete();
  return ReadOn(run, number + 1, &doclist);
}

// The rest of a list, on as many leaves as it takes from `leaf` on.
Result<bool> FtsWords::ReadOn(const FtsRun& run, int64_t leaf, FtsDoclist* doclist) {
  RECALL_ASSIGN(Statement * cached,
                connection_->Cached("SELECT id, block FROM lexicon_data WHERE id BETWEEN ?1 AND ?2 "
                                    "ORDER BY id"));
  const StatementScope leaves(cached);
  leaves->BindInt(1, LeafRow(run, leaf));
  leaves->BindInt(2, LeafRow(run, run.last_leaf));
  for (; leaf <= run.last_leaf; ++leaf) {
    RECALL_ASSIGN(const bool row, leaves->Step());
    const auto here = row ? FtsLeaf::Open(leaves->ColumnBlob(1)) : std::nullopt;
    if (!here || leaves->ColumnInt(0) != LeafRow(run, leaf)) return false;
    const uint8_t* const end = here->EndOfRest();
    const uint8_t* const rows = here->FirstRow();
    if (!end || !rows || rows > end) return false;
    if (!doclist->ReadRest(here->body(), rows) || !doclist->ReadRows(rows, end)) return false;
    if (end != here->footer()) break;
  }
  return doclist->complete();
}

Result<std::optional<PostingList>> FtsWords::Read(std::string_view token) {
  const std::string key = kWholeTerms + std::string(token);
  PostingList all;
  for (const FtsRun& run : runs_) {
    const size_t newer = all.size();
    RECALL_ASSIGN(const bool sound, ReadRun(run, key, &all));
    if (!sound) return std::nullopt;
    MergeNewer(newer, &all);
  }
  std::erase_if(all, [](const Posting& posting) { return posting.count == 0; });
  return all;
}

}  // namespace recall
