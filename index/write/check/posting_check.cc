#include "index/write/check/posting_check.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "index/search/lexical/bm25.h"
#include "index/search/lexical/posting_blocks.h"
#include "storage/fts5/fts_words.h"
#include "storage/sqlite/connection.h"
#include "storage/tables/chunk_lengths.h"
#include "storage/tables/meta_table.h"
#include "storage/tables/posting_table.h"

namespace recall {
namespace {

class PostingCheck final {
 public:
  explicit PostingCheck(CheckRun& run) : run_(run) {}

  Status Run() {
    RECALL_TRY(FindStrayLists());
    RECALL_ASSIGN(const auto set, FindPostingSet(run_.connection()));
    if (!set) return Status::Ok();
    const auto next_chunk = ReadMetaCounter(run_.connection(), "next_chunk");
    if (next_chunk && set->end_chunk > *next_chunk) {
      Report("posting set " + std::to_string(set->id), "it ends after the last chunk rowid");
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
      Report("table posting_list",
             std::to_string(stray) + " lists belong to a missing posting set");
    }
    return Status::Ok();
  }

  Status Compare(FtsWords& index, const PostingSet& set, std::string_view word, ByteSpan list) {
    RECALL_ASSIGN(auto postings, index.Read(word.substr(0, FtsWords::kMaxTokenBytes)));
    if (!postings) return Status::Ok();  // reported by the check of the full-text index
    std::erase_if(*postings, [&](const Posting& posting) { return posting.row >= set.end_chunk; });
    const LengthNorm norm(set.average_length);
    const std::vector<uint8_t> expected =
        PostingBlocks::Encode(*postings, [&](uint32_t row) { return norm(lengths_.Of(row)); });
    if (std::ranges::equal(expected, list)) return Status::Ok();
    Report("postings of \"" + std::string(word.substr(0, 40)) + "\"",
           "the list does not match the " + std::to_string(postings->size()) +
               " chunks that contain it");
    return Status::Ok();
  }

  CheckRun& run_;
  ChunkLengths lengths_;
};

}  // namespace

Status CheckPostingSets(CheckRun& run) {
  for (const char* table : {"posting_set", "posting_list", "chunk", "lexicon"}) {
    if (!run.HasTable(table)) return Status::Ok();
  }
  return run.Absorb(PostingCheck(run).Run(), FindingCode::kPostingList, "posting_list");
}

}  // namespace recall
