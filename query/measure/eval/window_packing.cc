// The baseline of span evaluation: the text that fixed-size chunking, as in most retrieval
// pipelines, would put into the same budget.
//
//   document   | window 0: tokens 0..255 | window 1: 256..511 | ... | rest |
//   ranking    search over the windows, with the settings of the evaluated search
//   context    the windows by rank, until the budget is full; the last one is cut
//
// Each window is indexed as a document of its own. The chunk size of this store is set to the
// maximum and the overlap to 0, so that a window is one chunk. Everything else (tokenizer,
// embedder, fusion, reranking) is equal, so the comparison isolates the choice of the text units.
//
// Budgets count tokens without citations, which favours the windows when contexts print theirs.
// Cost: one ingest of all documents, and one search per question for all budgets.

#include "query/measure/eval/window_packing.h"

#include <algorithm>
#include <string>
#include <utility>

namespace recall {
namespace {

// The maximum number of ranked windows, as for contexts.
constexpr size_t kOfferedWindows = 200;

}  // namespace

Result<WindowPacking> WindowPacking::Index(const SpanSet& set, const CreateOptions& settings,
                                           const EvalProgressFn& progress,
                                           const std::atomic<bool>& cancel) {
  std::vector<Window> windows;
  std::vector<std::string> texts;
  for (uint32_t i = 0; i < set.documents.size(); ++i) {
    const SpanSet::Document& document = set.documents[i];
    for (uint64_t first = 0; first < document.tokens.size(); first += kWindowTokens) {
      const DocumentTokens::Range tokens{first,
                                         std::min(first + kWindowTokens, document.tokens.size())};
      const auto bytes = document.tokens.Bytes(tokens);
      windows.push_back({i, tokens});
      texts.push_back(document.text.substr(bytes.begin, bytes.end - bytes.begin));
    }
  }
  // Make each window one chunk.
  CreateOptions whole = settings;
  whole.chunk_tokens = 65536;
  whole.overlap_tokens = 0;
  RECALL_ASSIGN(DocumentRanking ranking, DocumentRanking::Index(texts, whole, progress, cancel));
  return WindowPacking(std::move(windows), std::move(ranking));
}

Result<std::vector<WindowPacking::Window>> WindowPacking::Ranked(const SearchRequest& search) {
  RECALL_ASSIGN(const std::vector<uint32_t> ranked, ranking_.Rank(search, kOfferedWindows));
  std::vector<Window> windows;
  for (const uint32_t number : ranked) windows.push_back(windows_[number]);
  return windows;
}

Result<std::vector<TokenSet>> WindowPacking::Pack(const SearchRequest& search,
                                                  const std::vector<int64_t>& budgets) {
  RECALL_ASSIGN(const std::vector<Window> ranked, Ranked(search));
  std::vector<TokenSet> packed(budgets.size());
  for (size_t i = 0; i < budgets.size(); ++i) {
    auto room = static_cast<uint64_t>(budgets[i]);
    for (const Window& window : ranked) {
      const uint64_t taken = std::min(room, window.tokens.end - window.tokens.begin);
      packed[i].Add(window.document, {window.tokens.begin, window.tokens.begin + taken});
      room -= taken;
      if (room == 0) break;
    }
  }
  return packed;
}

}  // namespace recall
