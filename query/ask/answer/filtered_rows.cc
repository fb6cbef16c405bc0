// Rows of a query without USING: the documents or chunks of a filter, ordered and paged.
//
// Problem. A filter may leave a million chunks, of which a page shows ten. Reading all rows to sort
// them is too slow if the order does not require it.
//
// Idea. The filter is a bitmap, so the total is its cardinality. The order decides how rows are
// found:
// - By path, or without ORDER BY: the index of paths is scanned in order. The bitmap gives the
//   number of rows of each document, so documents before the page are skipped without reading their
//   rows, and the scan stops when the page is full.
// - By fields of documents: the row of every document in the set is read, and a heap keeps as many
//   as the page reaches. Chunks are read only for documents on the page.
// - By fields of chunks: every chunk row of the set is read (with its text if the order needs it),
//   and a heap keeps as many as the page reaches.
//
// Invariant. Rows with equal keys are ordered by path and position in every case.
//
// Memory: one small entry for each document of the set, and offset + limit + 1 rows.

#include <algorithm>
#include <limits>
#include <utility>

#include "query/ask/answer/row_source.h"

namespace recall {
namespace {

// Finds the rows in the cheapest way that the order allows.
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
  // A document that is in the set or has chunks in it.
  struct Entry {
    int64_t doc_row;
    uint32_t first_chunk;
    uint32_t chunk_count;
  };

  bool wants_docs() const { return page_.from == RqlTable::kDoc; }

  // The number of the document's rows in the set: chunks, or 1 or 0 if rows are documents.
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

  // Appends the rows of a document without the first `skip`, until there is one more than the page
  // has.
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

  // Selects documents, in the order of the calls, until the page and one more row are found.
  class Pager {
   public:
    explicit Pager(const PageRequest& page) : before_(page.offset), wanted_(page.limit + 1) {}
    bool Full() const { return wanted_ == 0; }
    // For a document with `count` rows. Returns: how many of them to skip; nothing if all of them
    // are before the page.
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
    std::vector<std::pair<Entry, uint64_t>> chosen;  // and how many rows to skip in each
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

  // All keys are fields of documents, so the order of documents decides. Chunks follow in text
  // order.
  Status SortDocs() {
    RECALL_ASSIGN(const auto entries, EntriesIn());
    TopRows top(page_.order, page_.reach());  // enough, because every document has at least one row
    for (const auto& [entry, count] : entries) {
      RECALL_ASSIGN(DocRow doc, texts_.ReadDoc(entry.doc_row));
      ResultRow row{.doc = std::make_shared<const DocRow>(std::move(doc)),
                    .chunk = {},
                    .fused = {},
                    .keys = {}};
      RECALL_TRY(page_.order->SetKeys(row, {}));
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
      const Status read_chunks = ReadChunksOf(entry, doc, [&](ResultRow row) -> Status {
        std::string text;
        if (page_.order->NeedsText()) {
          RECALL_ASSIGN(text, texts_.ReadText(*doc, row.chunk->start_byte, row.chunk->end_byte));
        }
        RECALL_TRY(page_.order->SetKeys(row, text));
        top.Push(std::move(row));
        return Status::Ok();
      });
      RECALL_TRY(read_chunks);
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
