// Result grouping: keeps at most `max` hits of each document, the best ones. A document that
// reached the maximum contributes no further chunk, not even below the window.

#include <unordered_map>

#include "query/ask/stages/stage.h"

namespace recall {
namespace {

constexpr StageParameter kPerDocumentParameters[] = {
    {"max", StageParameter::Kind::kWhole, 1, 1, 100},
};

class PerDocumentStage final : public RankStage {
 public:
  explicit PerDocumentStage(size_t most) : most_(most) {}

  Status Apply(StageContext& context, std::vector<StagedHit>& hits) const override {
    struct Shown {
      size_t kept = 0;
      size_t left_out = 0;
      size_t last = 0;  // index in `kept` of its last hit
    };
    std::unordered_map<int64_t, Shown> documents;
    std::vector<StagedHit> kept;
    for (StagedHit& hit : hits) {
      RECALL_ASSIGN(const int64_t doc_row, context.DocumentOf(hit.fused.candidate.chunk));
      RECALL_ASSIGN(const StageDocument doc, context.ReadDocument(doc_row));
      Shown& shown = documents[doc.row];
      if (shown.kept == most_) {
        ++shown.left_out;
        continue;
      }
      if (++shown.kept == most_) {
        context.LeaveOut(doc.first_chunk, doc.first_chunk + doc.chunk_count - 1);
      }
      shown.last = kept.size();
      kept.push_back(std::move(hit));
    }
    for (const auto& [row, shown] : documents) {
      if (shown.left_out == 0) continue;
      kept[shown.last].note =
          "last of its document, " + std::to_string(shown.left_out) + " left out";
    }
    hits = std::move(kept);
    return Status::Ok();
  }

 private:
  const size_t most_;
};

std::unique_ptr<RankStage> MakePerDocumentStage(std::span<const StageValue> values) {
  return std::make_unique<PerDocumentStage>(static_cast<size_t>(values[0].number));
}

}  // namespace

const StageInfo kPerDocumentStage = {"per-document", kPerDocumentParameters, MakePerDocumentStage};

}  // namespace recall
