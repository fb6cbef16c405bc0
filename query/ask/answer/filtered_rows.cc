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
// Memory: one small entry for each document of the set, and for each of offset + limit + 1 rows its
// place, with its keys where a heap orders them.

#include <algorithm>
#include <utility>

#include "query/ask/answer/row_source.h"

namespace recall {
namespace {

// Finds the rows in the cheapest way that the order allows.
class FilteredRows final {
 public:
  FilteredRows(const Snapshot& snapshot, const Bitmap* set, const PageRequest& page)
      : snapshot_(snapshot), texts_(snapshot.texts()), set_(set), page_(page) {}

  Result<ResultPage> Find() {
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
    return std::move(result_);
  }

 private:
  static RowPlace PlaceOf(const PathEntry& entry) {
    return {entry.doc_row, entry.first_chunk, entry.chunk_count};
  }

  // The number of the document's rows in the set: chunks, or 1 or 0 if rows are documents.
  template <typename Document>
  uint64_t CountIn(const Document& doc) const {
    if (page_.from == RqlTable::kDoc) {
      return !set_ || set_->Contains(static_cast<uint32_t>(doc.doc_row));
    }
    if (doc.chunk_count == 0) return 0;
    if (!set_) return doc.chunk_count;
    return set_->CountRange(doc.first_chunk, doc.first_chunk + doc.chunk_count - 1);
  }

  // Adds places to the page, in the order of the calls, until it is full and there is a row more.
  class Pager {
   public:
    Pager(const PageRequest& page, ResultPage* result)
        : before_(page.offset), wanted_(page.limit), result_(result) {}
    bool Full() const { return result_->more; }
    // `count`: the number of rows of the place.
    void Add(const RowPlace& place, uint64_t count) {
      const uint64_t skip = std::min<uint64_t>(before_, count);
      before_ -= skip;
      const uint64_t take = std::min<uint64_t>(wanted_ - result_->count, count - skip);
      result_->more |= take < count - skip;
      if (take == 0) return;
      result_->places.push_back({place, skip, take});
      result_->count += take;
    }

   private:
    uint64_t before_;
    uint64_t wanted_;
    ResultPage* result_;
  };

  Status WalkPaths() {
    Pager pager(page_, &result_);
    return texts_.ScanPaths(page_.order->IsDescending(), [&](const PathEntry& entry) {
      pager.Add(PlaceOf(entry), CountIn(entry));
      return !pager.Full();
    });
  }

  Result<std::vector<RowPlace>> PlacesInSet() const {
    std::vector<RowPlace> places;
    RECALL_TRY(texts_.ScanPaths(false, [&](const PathEntry& entry) {
      if (CountIn(entry) > 0) places.push_back(PlaceOf(entry));
      return true;
    }));
    return places;
  }

  // All keys are fields of documents, so the order of documents decides. Chunks follow in text
  // order.
  Status SortDocs() {
    RECALL_ASSIGN(const auto places, PlacesInSet());
    TopRows top(page_.order, page_.reach());  // enough, because every document has at least one row
    for (const RowPlace& place : places) {
      RECALL_ASSIGN(DocRow doc, texts_.ReadDoc(place.doc_row));
      ResultRow row{.doc = std::make_shared<const DocRow>(std::move(doc)),
                    .chunk = {},
                    .fused = {},
                    .keys = {}};
      RECALL_TRY(page_.order->SetKeys(row, {}));
      top.Push(std::move(row));
    }
    Pager pager(page_, &result_);
    for (const RowPlace& place : std::move(top).Take(0)) {
      if (pager.Full()) break;
      pager.Add(place, CountIn(place));
    }
    return Status::Ok();
  }

  Status SortChunks() {
    RECALL_ASSIGN(const auto places, PlacesInSet());
    TopRows top(page_.order, page_.reach());
    ResultPage all;
    for (const RowPlace& place : places) all.places.push_back({place, 0, CountIn(place)});
    const Status read =
        ReadRows(texts_, page_.from, set_, all, [&](const ResultRow& found) -> Status {
          ResultRow row = found;
          std::string text;
          if (page_.order->NeedsText()) {
            RECALL_ASSIGN(text,
                          texts_.ReadText(*row.doc, row.chunk->start_byte, row.chunk->end_byte));
          }
          RECALL_TRY(page_.order->SetKeys(row, text));
          top.Push(std::move(row));
          return Status::Ok();
        });
    RECALL_TRY(read);
    Pager pager({.offset = 0, .limit = page_.limit}, &result_);
    for (const RowPlace& place : std::move(top).Take(page_.offset)) pager.Add(place, 1);
    return Status::Ok();
  }

  const Snapshot& snapshot_;
  const TextsAndFacts& texts_;
  const Bitmap* set_;
  const PageRequest& page_;
  ResultPage result_;
};

}  // namespace

Result<ResultPage> FindFilteredRows(const Snapshot& snapshot, const Bitmap* set,
                                    const PageRequest& page) {
  return FilteredRows(snapshot, set, page).Find();
}

}  // namespace recall
