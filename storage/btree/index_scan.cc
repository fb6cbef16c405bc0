#include "storage/btree/index_scan.h"

#include <string>
#include <vector>

#include "storage/base/varint.h"
#include "storage/btree/btree_page.h"
#include "storage/btree/record_integer.h"
#include "storage/overflow/checkpointed_snapshot.h"
#include "storage/overflow/page_layout.h"
#include "storage/sqlite/connection.h"

namespace recall {
namespace {

// The problem: a filter tests the path of every document. SQLite reads a row of a covering index in
// 100 to 200 nanoseconds: it interprets an instruction for each column and for the next row, and
// each column costs three calls. The test itself costs a fifth of that.
//
// The idea: read the records where they lie. An index of SQLite is a b-tree whose records stand in
// order on pages of 64 KiB, a thousand on each (https://sqlite.org/fileformat2.html, sections 1.6
// and 2.1):
//
//   leaf cell      payload size, record
//   interior cell  left child 4, payload size, record
//   record         size of the header, serial types | text | integers
//
//           [ g ]                    a record of an interior page lies between those of its left
//          /     \                   child and those of the next one
//    [ a c e ]   [ i k ]
//
// If the texts that are wanted contain certain bytes, these are searched for in the whole page at
// once, and only records in which they begin are tested.
//
// Invariants: nothing is assumed about the bytes of a page. A record that may be wanted and is not
// a text with the expected number of integers, that continues on an overflow page or that does not
// fit on its page ends the scan. So does a tree that is deeper than SQLite allows, or has more
// pages than the file. SQLite then does the whole scan, and reports what is wrong.

// A set of offsets in a page.
class OffsetSet final {
 public:
  void Clear(size_t bytes) { words_.assign(bytes / kBits + 1, 0); }
  void Add(size_t offset) { words_[offset / kBits] |= uint64_t{1} << offset % kBits; }

  // Whether one of begin .. end - 1 is in the set. Requires: begin < end.
  bool HasAny(size_t begin, size_t end) const {
    const size_t last = (end - 1) / kBits;
    uint64_t mask = ~uint64_t{0} << begin % kBits;
    for (size_t word = begin / kBits; word < last; ++word) {
      if ((words_[word] & mask) != 0) return true;
      mask = ~uint64_t{0};
    }
    mask &= ~uint64_t{0} >> (kBits - 1 - (end - 1) % kBits);
    return (words_[last] & mask) != 0;
  }

 private:
  static constexpr size_t kBits = 64;
  std::vector<uint64_t> words_;
};

// The first column of a record. SQLite sorts NULL and numbers before texts, BLOBs behind them.
enum class Kind : uint8_t { kBeforeTexts, kText, kBehindTexts, kUnreadable };

// A record that begins with a text.
struct TextRecord {
  std::string_view text;
  const uint8_t* serials = nullptr;  // of the columns behind the text
  const uint8_t* values = nullptr;
  const uint8_t* end = nullptr;
};

// The payload of a cell. Empty if it is not wholly on the page; no payload is.
ByteSpan PayloadOf(const BtreePage& page, size_t cell) {
  const size_t usable = page.bytes().size();
  const uint64_t most_local = (usable - 12) * 64 / 255 - 23;  // a longer payload overflows
  const size_t offset = page.OffsetOf(cell) + (page.is_leaf() ? 0 : BtreePage::kChildBytes);
  if (offset >= usable) return {};
  const uint8_t* const end = page.bytes().data() + usable;
  uint64_t size = 0;
  const uint8_t* const at = ReadVarint(page.bytes().data() + offset, end, &size);
  if (at == nullptr || size > most_local || size > static_cast<size_t>(end - at)) return {};
  return {at, static_cast<size_t>(size)};
}

// A record of integers, whose text is empty.
bool ReadRecordOfNumbers(ByteSpan payload, size_t numbers, TextRecord* record) {
  uint64_t header = 0;
  const uint8_t* const at = ReadVarint(payload.data(), payload.data() + payload.size(), &header);
  if (at == nullptr || header > payload.size()) return false;
  record->serials = at;
  record->values = payload.data() + header;
  record->end = payload.data() + payload.size();
  // The serial types of integers have one byte each.
  return at <= record->values && static_cast<size_t>(record->values - at) == numbers;
}

Kind ReadRecord(ByteSpan payload, size_t numbers, TextRecord* record) {
  const uint8_t* const end = payload.data() + payload.size();
  uint64_t header = 0;
  uint64_t serial = 0;
  const uint8_t* at = ReadVarint(payload.data(), end, &header);
  if (at == nullptr || header > payload.size()) return Kind::kUnreadable;
  const uint8_t* const body = payload.data() + header;
  if (at > body || !(at = ReadVarint(at, body, &serial))) return Kind::kUnreadable;
  if (serial < 12) return Kind::kBeforeTexts;
  if (serial % 2 == 0) return Kind::kBehindTexts;
  const uint64_t length = (serial - 13) / 2;
  // The serial types of integers have one byte each.
  const bool has_numbers = static_cast<size_t>(body - at) == numbers;
  if (!has_numbers || length > static_cast<size_t>(end - body)) return Kind::kUnreadable;
  record->text = {reinterpret_cast<const char*>(body), static_cast<size_t>(length)};
  record->serials = at;
  record->values = body + length;
  record->end = end;
  return Kind::kText;
}

bool ReadNumbers(const TextRecord& record, size_t count, IndexNumbers* numbers) {
  const uint8_t* at = record.values;
  for (size_t i = 0; i < count; ++i) {
    if (!ReadRecordInteger(record.serials[i], &at, record.end, &(*numbers)[i])) return false;
  }
  return true;
}

class IndexScan final {
 public:
  IndexScan(Connection& connection, const PageLayout& layout, const IndexDefinition& index,
            const IndexQuestion& question, const IndexVisitor& visit)
      : connection_(connection),
        file_(*connection.page_file()),
        layout_(layout),
        numbers_(index.numbers),
        has_text_(index.has_text),
        question_(question),
        visit_(visit) {}

  Result<bool> Run(uint32_t root, int64_t pages) {
    pages_left_ = pages;
    const bool complete = ScanSubtree(root, 0);
    if (connection_.interrupted()) {
      return Fail(Status::Cancelled(connection_.path() + ": interrupted"));
    }
    return complete || ended_;
  }

 private:
  // The functions below return false to end the scan: it has failed, the caller ends it, or SQLite
  // must do it.

  bool ScanSubtree(uint32_t number, int level) {
    if (level == kMostBtreeLevels || --pages_left_ < 0 || connection_.interrupted()) return false;
    const BorrowedPage borrowed(file_, number, layout_.page_size());
    const std::optional<BtreePage> page =
        BtreePage::Open(borrowed.bytes(), layout_.usable(), kIndexPages);
    if (!page) return false;
    size_t first = 0;
    size_t limit = page->cells();
    if (!question_.low.empty() && !FirstNotBelow(*page, question_.low, &first)) return false;
    if (question_.high && !FirstNotBelow(*page, *question_.high, &limit)) return false;
    if (page->is_leaf()) return ScanLeaf(*page, first, limit);
    for (size_t cell = first; cell < limit; ++cell) {
      if (!ScanSubtree(page->ChildOf(cell), level + 1)) return false;
      if (!TestPayload(PayloadOf(*page, cell))) return false;
    }
    return first > limit || ScanSubtree(page->ChildOf(limit), level + 1);
  }

  bool ScanLeaf(const BtreePage& page, size_t first, size_t limit) {
    const bool any = FindOccurrences(page.bytes());
    for (size_t cell = first; cell < limit; ++cell) {
      const ByteSpan payload = PayloadOf(page, cell);
      if (payload.empty()) return false;
      if (!any) continue;
      const auto begin = static_cast<size_t>(payload.data() - page.bytes().data());
      const bool may_be_wanted =
          !question_.find || occurrences_.HasAny(begin, begin + payload.size());
      if (may_be_wanted && !TestPayload(payload)) return false;
    }
    return true;
  }

  // Whether the page may contain a wanted record.
  bool FindOccurrences(ByteSpan page) {
    if (!question_.find) return true;
    size_t at = question_.find(page, 0);
    if (at == std::string_view::npos) return false;
    occurrences_.Clear(page.size());
    for (; at != std::string_view::npos; at = question_.find(page, at + 1)) occurrences_.Add(at);
    return true;
  }

  bool TestPayload(ByteSpan payload) {
    TextRecord record;
    const Kind kind = has_text_ ? ReadRecord(payload, numbers_, &record)
                      : ReadRecordOfNumbers(payload, numbers_, &record) ? Kind::kText
                                                                        : Kind::kUnreadable;
    if (kind != Kind::kText) return kind != Kind::kUnreadable;
    if (question_.test && !question_.test(record.text)) return true;
    IndexNumbers numbers{};
    if (!ReadNumbers(record, numbers_, &numbers)) return false;
    ended_ = !visit_(record.text, numbers);
    return !ended_;
  }

  // Sets `cell` to the first one that is not below the text. Returns false if one is unreadable.
  bool FirstNotBelow(const BtreePage& page, std::string_view text, size_t* cell) const {
    size_t low = 0;
    size_t high = page.cells();
    while (low < high) {
      const size_t middle = (low + high) / 2;
      TextRecord record;
      const Kind kind = ReadRecord(PayloadOf(page, middle), numbers_, &record);
      if (kind == Kind::kUnreadable) return false;
      const bool below = kind == Kind::kBeforeTexts || (kind == Kind::kText && record.text < text);
      if (below) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    *cell = low;
    return true;
  }

  Connection& connection_;
  PageFile& file_;
  const PageLayout layout_;
  const size_t numbers_;
  const bool has_text_;
  const IndexQuestion& question_;
  const IndexVisitor& visit_;
  int64_t pages_left_ = 0;
  OffsetSet occurrences_;  // on the present leaf
  bool ended_ = false;     // by the visitor
};

}  // namespace

Result<bool> ScanIndex(Connection& connection, const IndexDefinition& index,
                       const IndexQuestion& question, const IndexVisitor& visit) {
  RECALL_ASSIGN(const std::optional<BtreeRoot> root,
                FindBtreeRoot(connection, "index", index.name, index.sql));
  if (!root) return false;
  RECALL_ASSIGN(const std::string encoding, connection.QueryText("PRAGMA encoding"));
  if (encoding != "UTF-8") return false;
  RECALL_ASSIGN(const int64_t pages, connection.QueryInt("PRAGMA page_count"));
  return IndexScan(connection, root->layout, index, question, visit).Run(root->page, pages);
}

}  // namespace recall
