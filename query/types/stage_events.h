#pragma once

// Messages about the stages of answering a question, for listeners.

#include <cstdint>
#include <functional>
#include <string_view>

namespace recall {

// The stages of answering a question that are reported to listeners. The names are a contract.
inline constexpr std::string_view kParseStage = "query.parse";
inline constexpr std::string_view kLexicalStage = "bm25.search";
inline constexpr std::string_view kSemanticStage = "vector.search";
inline constexpr std::string_view kFusionStage = "rrf.fuse";
inline constexpr std::string_view kHopsEvent = "hops.expand";          // the stage `hops`
inline constexpr std::string_view kStalenessEvent = "staleness.rank";  // the stage `freshness`

// A stage begins or ends. Stages that run at the same time overlap; a stage runs again if a search
// widens its question.
struct StageEvent {
  std::string_view stage;
  bool ended = false;
  int64_t micros = 0;  // since it began; 0 for the beginning
  int64_t count = 0;   // of terms, matches, vectors or hits that it found; 0 for the beginning
};

// Called on the thread that asks. Must be quick, and must not use the database.
using StageListener = std::function<void(const StageEvent&)>;

}  // namespace recall
