// Rows of a query without USING.

#include <algorithm>
#include <limits>
#include <utility>

#include "query/answer/row_source.h"

namespace recall {
namespace {

// Reads what a filter left, in the cheapest way the order allows.
class FilteredRows final {
 public:
  FilteredRows(const Snapshot& snapshot, const Bitmap* set, const PageRequest& page)
      : snapshot_(snapshot), texts_(snapshot.texts()), set_(set), page_(page) {}

  Result<ResultPage> Read() {
    const bool docs = page_.from == RqlTable::kDoc;
    const StoreCounts& counts = snapshot_.counts();
    result_.total = set_ ? static_cast<int64_t>(set_->Count()) : docs ? counts.docs : counts.chunks;
    if (page_.order->IsByPath()) {
      RECALL_TRY(WalkPaths());
    } else if (docs || !page_.order->NeedsChunks()) {
      RECALL_TRY(SortDocs());
    } else {
      RECALL_TRY(SortChunks());
    }
    result_.more = result_.rows.size() > page_.limit;
    if (result_.more) result_.rows.resize(page_.limit);
    return std::move(result_);
  }

 private:
  // A document with something in the set.
  struct Entry {
    int64_t doc_row;
    uint32_t first_chunk;
    uint32_t chunk_count;
  };

  bool wants_docs() const { return page_.from == RqlTable::kDoc; }

  // Chunks of the document that are in the set; for FROM doc, whether it is itself.
  uint64_t CountIn(const PathEntry& entry) const {
    if (wants_docs()) return !set_ || set_->Contains(static_cast<uint32_t>(entry.doc_row));
    if (entry.chunk_count == 0) return 0;
    if (!set_) return entry.chunk_count;
    return set_->CountRange(entry.first_chunk, entry.first_chunk + entry.chunk_count - 1);
  }

  Status ReadChunksOf(const Entry& entry, const std::shared_ptr<const DocRow>& doc,
                      const std::function<Status(ResultRow)>& take) const {
    std::vector<uint32_t> wanted;
    for (uint32_t i = 0; i < entry.chunk_count; ++i) {
      const uint32_t row = entry.first_chunk + i;
      if (!set_ || set_->Contains(row)) wanted.push_back(row);
    }
    RECALL_ASSIGN(std::vector<ChunkRow> chunks, texts_.ReadChunks(wanted));
    for (ChunkRow& chunk : chunks) {
      RECALL_TRY(take({.doc = doc, .chunk = std::move(chunk), .fused = {}, .keys = {}}));
    }
    return Status::Ok();
  }

  // Appends a document's rows without the first `skip`, as long as the page wants some.
  Status Append(const Entry& entry, std::shared_ptr<const DocRow> doc, uint64_t skip) {
    if (wants_docs()) {
      result_.rows.push_back({.doc = std::move(doc), .chunk = {}, .fused = {}, .keys = {}});
      return Status::Ok();
    }
    return ReadChunksOf(entry, doc, [&](ResultRow row) {
      if (skip > 0) {
        --skip;
      } else if (result_.rows.size() <= page_.limit) {
        result_.rows.push_back(std::move(row));
      }
      return Status::Ok();
    });
  }

  // Takes documents in the order given until the page is full.
  class Pager {
   public:
    explicit Pager(const PageRequest& page) : before_(page.offset), wanted_(page.limit + 1) {}
    bool Full() const { return wanted_ == 0; }
    // How many of `count` rows to skip; nothing when all of them lie before the page.
    std::optional<uint64_t> Take(uint64_t count) {
      const uint64_t skip = std::min<uint64_t>(before_, count);
      before_ -= skip;
      if (skip == count) return std::nullopt;
      wanted_ -= std::min<uint64_t>(wanted_, count - skip);
      return skip;
    }

   private:
    uint64_t before_;
    uint64_t wanted_;
  };

  Status WalkPaths() {
    std::vector<std::pair<Entry, uint64_t>> chosen;  // with what to skip of each
    Pager pager(page_);
    RECALL_TRY(texts_.ScanPaths(page_.order->IsDescending(), [&](const PathEntry& entry) {
      if (const auto skip = pager.Take(CountIn(entry))) {
        chosen.push_back({{entry.doc_row, entry.first_chunk, entry.chunk_count}, *skip});
      }
      return !pager.Full();
    }));
    for (const auto& [entry, skip] : chosen) {
      RECALL_ASSIGN(DocRow doc, texts_.ReadDoc(entry.doc_row));
      RECALL_TRY(Append(entry, std::make_shared<const DocRow>(std::move(doc)), skip));
    }
    return Status::Ok();
  }

  Result<std::vector<std::pair<Entry, uint64_t>>> EntriesIn() const {
    std::vector<std::pair<Entry, uint64_t>> entries;
    RECALL_TRY(texts_.ScanPaths(false, [&](const PathEntry& entry) {
      if (const uint64_t count = CountIn(entry); count > 0) {
        entries.push_back({{entry.doc_row, entry.first_chunk, entry.chunk_count}, count});
      }
      return true;
    }));
    return entries;
  }

  // The keys are of documents: their order decides, and chunks follow within each.
  Status SortDocs() {
    RECALL_ASSIGN(const auto entries, EntriesIn());
    TopRows top(page_.order, page_.reach());  // every document has at least one row
    for (const auto& [entry, count] : entries) {
      RECALL_ASSIGN(DocRow doc, texts_.ReadDoc(entry.doc_row));
      ResultRow row{.doc = std::make_shared<const DocRow>(std::move(doc)),
                    .chunk = {},
                    .fused = {},
                    .keys = {}};
      page_.order->SetKeys(row, {});
      top.Push(std::move(row));
    }
    Pager pager(page_);
    for (ResultRow& row : std::move(top).Take(0)) {
      if (pager.Full()) break;
      const DocRow& doc = *row.doc;
      const Entry entry{doc.row, doc.first_chunk, doc.chunk_count};
      const auto skip = pager.Take(CountIn({doc.path, doc.row, doc.first_chunk, doc.chunk_count}));
      if (skip) RECALL_TRY(Append(entry, std::move(row.doc), *skip));
    }
    return Status::Ok();
  }

  Status SortChunks() {
    RECALL_ASSIGN(const auto entries, EntriesIn());
    TopRows top(page_.order, page_.reach());
    for (const auto& [entry, count] : entries) {
      RECALL_ASSIGN(DocRow read, texts_.ReadDoc(entry.doc_row));
      const auto doc = std::make_shared<const DocRow>(std::move(read));
      RECALL_TRY(ReadChunksOf(entry, doc, [&](ResultRow row) -> Status {
        std::string text;
        if (page_.order->NeedsText()) {
          RECALL_ASSIGN(text, texts_.ReadText(*doc, row.chunk->start_byte, row.chunk->end_byte));
        }
        page_.order->SetKeys(row, text);
        top.Push(std::move(row));
        return Status::Ok();
      }));
    }
    result_.rows = std::move(top).Take(page_.offset);
    return Status::Ok();
  }

  const Snapshot& snapshot_;
  const TextsAndFacts& texts_;
  const Bitmap* set_;
  const PageRequest& page_;
  ResultPage result_;
};

}  // namespace

size_t PageRequest::reach() const {
  constexpr size_t kAll = std::numeric_limits<size_t>::max();
  return offset > kAll - limit - 1 ? kAll : offset + limit + 1;
}

Result<ResultPage> ReadFilteredRows(const Snapshot& snapshot, const Bitmap* set,
                                    const PageRequest& page) {
  return FilteredRows(snapshot, set, page).Read();
}

}  // namespace recall
