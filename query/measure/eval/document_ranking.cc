#include "query/measure/eval/document_ranking.h"

#include <cstdio>
#include <unordered_set>
#include <utility>

namespace recall {
namespace {

// The number of further chunks requested at a time: documents may have several chunks, so the first
// request may not yield enough documents.
constexpr size_t kPage = 200;

// Names sort by number, so documents with equal scores keep the order of the collection. Each
// directory contains a thousand files.
std::string NameOf(size_t number) {
  char name[48];
  std::snprintf(name, sizeof(name), "%06zu/%09zu.txt", number / 1000, number);
  return name;
}

}  // namespace

Result<DocumentRanking> DocumentRanking::Index(const std::vector<std::string>& documents,
                                               const CreateOptions& settings,
                                               const EvalProgressFn& progress,
                                               const std::atomic<bool>& cancel) {
  DocumentRanking ranking;
  RECALL_ASSIGN(ranking.store_, ScratchStore::Create(settings));
  for (size_t i = 0; i < documents.size(); ++i) {
    if (cancel.load(std::memory_order_relaxed)) return Fail(Status::Cancelled("interrupted"));
    RECALL_TRY(ranking.store_->Write(NameOf(i), documents[i]));
    ranking.numbers_.emplace(ScratchStore::StoredPath(NameOf(i)), static_cast<uint32_t>(i));
  }
  RECALL_ASSIGN(const AddReport report, ranking.store_->Index(progress, cancel));
  if (report.failed > 0) return Fail(Status::IoError(report.warnings.front()));
  ranking.skipped_ = report.skipped;
  return ranking;
}

Result<std::vector<uint32_t>> DocumentRanking::Rank(SearchRequest search, size_t count) {
  std::vector<uint32_t> ranked;
  std::unordered_set<uint32_t> seen;
  search.k = count;
  search.offset = 0;
  search.identical = IdenticalChunks::kKeep;  // each document has its rank
  for (;;) {
    RECALL_ASSIGN(const SearchResponse page, database().Search(search));
    for (const SearchHit& hit : page.hits) {
      const uint32_t document = numbers_.at(hit.doc.path);
      if (!seen.insert(document).second) continue;
      ranked.push_back(document);
      if (ranked.size() == count) return ranked;
    }
    if (!page.next_offset) return ranked;
    search.offset = static_cast<size_t>(*page.next_offset);
    search.k = kPage;
  }
}

}  // namespace recall
