#include "index/check/posting_check.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "index/lexical/bm25.h"
#include "index/lexical/posting_blocks.h"
#include "storage/fts5/fts_words.h"
#include "storage/tables/meta_table.h"
#include "storage/tables/posting_table.h"

namespace recall {
namespace {

// The lengths of chunks by rowid. Rowids without a chunk take no memory, because there may be many.
class Lengths final {
 public:
  Status Read(Connection& connection, uint32_t end) {
    RECALL_ASSIGN(Statement * cached,
                  connection.Cached("SELECT id, lexical_tokens FROM chunk WHERE id BETWEEN 0 AND "
                                    "?1 ORDER BY id"));
    const StatementScope select(cached);
    select->BindInt(1, int64_t{end} - 1);
    for (;;) {
      RECALL_ASSIGN(const bool row, select->Step());
      if (!row) return Status::Ok();
      constexpr int64_t kMost = std::numeric_limits<uint16_t>::max();
      rows_.push_back(static_cast<uint32_t>(select->ColumnInt(0)));
      lengths_.push_back(
          static_cast<uint16_t>(std::clamp<int64_t>(select->ColumnInt(1), 0, kMost)));
    }
  }

  // Returns 0 for a rowid without a chunk. Fastest for ascending rowids.
  uint32_t Of(uint32_t row) {
    if (at_ == rows_.size() || rows_[at_] > row) at_ = 0;
    size_t step = 1;
    for (; at_ + step < rows_.size() && rows_[at_ + step] <= row; step *= 2) at_ += step;
    const auto from = rows_.begin() + static_cast<ptrdiff_t>(at_);
    const auto to = rows_.begin() + static_cast<ptrdiff_t>(std::min(at_ + step, rows_.size()));
    at_ = static_cast<size_t>(std::lower_bound(from, to, row) - rows_.begin());
    return at_ < rows_.size() && rows_[at_] == row ? lengths_[at_] : 0;
  }

 private:
  std::vector<uint32_t> rows_;
  std::vector<uint16_t> lengths_;
  size_t at_ = 0;  // index of the last result
};

class PostingCheck final {
 public:
  explicit PostingCheck(CheckRun& run) : run_(run) {}

  Status Run() {
    RECALL_TRY(FindStrayLists());
    RECALL_ASSIGN(const auto set, FindPostingSet(run_.connection()));
    if (!set) return Status::Ok();
    const auto next_chunk = ReadMetaCounter(run_.connection(), "next_chunk");
    if (next_chunk && set->end_chunk > *next_chunk) {
      Report("posting set " + std::to_string(set->id), "it ends behind the last chunk row");
      return Status::Ok();
    }
    RECALL_ASSIGN(auto index, FtsWords::Open(run_.connection()));
    if (!index) return Status::Ok();  // only FTS5 can read it
    RECALL_TRY(lengths_.Read(run_.connection(), set->end_chunk));
    return ScanPostingLists(run_.connection(), set->id,
                            [&](std::string_view word, ByteSpan list) -> Status {
                              RECALL_TRY(run_.CheckCancelled());
                              return Compare(*index, *set, word, list);
                            });
  }

 private:
  void Report(std::string where, std::string what) {
    run_.findings().Add(FindingCode::kPostingList, std::move(where), std::move(what));
  }

  Status FindStrayLists() {
    RECALL_ASSIGN(const int64_t stray,
                  run_.connection().QueryInt("SELECT count(*) FROM posting_list WHERE posting_set "
                                             "NOT IN (SELECT id FROM posting_set)"));
    if (stray > 0) {
      Report("table posting_list", std::to_string(stray) + " lists are of a set that is not there");
    }
    return Status::Ok();
  }

  Status Compare(FtsWords& index, const PostingSet& set, std::string_view word, ByteSpan list) {
    RECALL_ASSIGN(auto postings, index.Read(word.substr(0, FtsWords::kMaxTokenBytes)));
    if (!postings) return Status::Ok();  // the check of the full-text index reports the damage
    std::erase_if(*postings, [&](const Posting& posting) { return posting.row >= set.end_chunk; });
    const LengthNorm norm(set.average_length);
    const std::vector<uint8_t> expected =
        PostingBlocks::Encode(*postings, [&](uint32_t row) { return norm(lengths_.Of(row)); });
    if (std::ranges::equal(expected, list)) return Status::Ok();
    Report("postings of \"" + std::string(word.substr(0, 40)) + "\"",
           std::to_string(postings->size()) + " chunks have it, and the list says something else");
    return Status::Ok();
  }

  CheckRun& run_;
  Lengths lengths_;
};

}  // namespace

Status CheckPostingSets(CheckRun& run) {
  for (const char* table : {"posting_set", "posting_list", "chunk", "lexicon"}) {
    if (!run.HasTable(table)) return Status::Ok();
  }
  return run.Absorb(PostingCheck(run).Run(), FindingCode::kPostingList, "posting_list");
}

}  // namespace recall
