// Hops: the documents that links of the best hits lead to.
//
//   score of a neighbour = score of the hit * decay * weight of the link
//
// Problem. What belongs to a hit may share no word and no vector with the query; somebody has
// linked it.
//
// Idea. The outgoing links of the first hits are followed once. Neighbours are no hits: they are
// told beside them, with the link that led there. This stage collects every way from a hit to a
// neighbour and changes no hit. A later stage may change the scores of both; which neighbours are
// told is decided when all scores are known (SelectRelated).
//
// Invariants. A neighbour has a chunk within the filter that the query does not exclude, and is not
// obsolete. Nothing depends on the page.
//
// Cost: the links of at most `seeds` documents, and a row for each neighbour.

#include <algorithm>
#include <unordered_map>

#include "query/ask/stages/stage.h"

namespace recall {
namespace {

constexpr StageParameter kHopsParameters[] = {
    {"seeds", StageParameter::Kind::kWhole, 20, 1, kStagedHits},
    {"max", StageParameter::Kind::kWhole, 5, 1, 100},
    {"decay", StageParameter::Kind::kNumber, 0.5, 0, 1},
};

// Decides which documents may be told as neighbours.
class NeighbourFilter final {
 public:
  explicit NeighbourFilter(StageContext& context) : context_(context) {}

  Result<bool> Passes(int64_t doc_row) {
    const auto [known, is_new] = passes_.try_emplace(doc_row, false);
    if (!is_new) return known->second;
    RECALL_ASSIGN(const std::optional<NoteState> state, context_.StateOf(doc_row));
    RECALL_ASSIGN(const StageDocument doc, context_.ReadDocument(doc_row));
    if (!HasVisibleChunk(doc)) return false;
    known->second = !state || !state->IsObsolete();
    return known->second;
  }

 private:
  bool HasVisibleChunk(const StageDocument& doc) const {
    const StageQuestion& question = context_.question();
    const ChunkFilter filter{question.allowed, question.removed};
    if (doc.chunk_count == 0) return question.allowed == nullptr;
    const uint32_t end = doc.first_chunk + doc.chunk_count;
    const auto without = question.without;
    if (without && *without >= doc.first_chunk && *without < end) return false;
    for (uint32_t chunk = doc.first_chunk; chunk < end; ++chunk) {
      if (filter.Passes(chunk)) return true;
    }
    return false;
  }

  StageContext& context_;
  std::unordered_map<int64_t, bool> passes_;
};

class HopsStage final : public RankStage {
 public:
  HopsStage(size_t seeds, size_t most, double decay) : seeds_(seeds), most_(most), decay_(decay) {}

  Status Apply(StageContext& context, std::vector<StagedHit>& hits) const override {
    context.TellRelated(most_);
    NeighbourFilter filter(context);
    for (size_t i = 0; i < std::min(seeds_, hits.size()); ++i) {
      const uint32_t seed = hits[i].fused.candidate.chunk;
      RECALL_ASSIGN(const RowReader::Located row, context.rows().Read(seed));
      const DocRow& doc = *row.doc;
      context.AddSeed({seed, doc.row});
      RECALL_ASSIGN(const std::vector<LinkRecord> links,
                    context.snapshot().notes().LinksAt(LinkEnd::kSource, doc.path));
      size_t followed = 0;
      for (const LinkRecord& link : links) {
        if (!link.target_row || *link.target_row == doc.row) continue;
        const double score = hits[i].fused.score * decay_ * link.weight;
        RECALL_ASSIGN(const bool passes, filter.Passes(*link.target_row));
        if (!(score > 0) || !passes) continue;
        context.related().push_back(
            {score, *link.target_row, link.target, seed, doc.path, link.relation, link.weight});
        ++followed;
      }
      if (followed > 0) {
        hits[i].note = std::to_string(followed) + (followed == 1 ? " link" : " links");
      }
    }
    return Status::Ok();
  }

 private:
  const size_t seeds_;
  const size_t most_;
  const double decay_;
};

std::unique_ptr<RankStage> MakeHopsStage(std::span<const StageValue> values) {
  return std::make_unique<HopsStage>(static_cast<size_t>(values[0].number),
                                     static_cast<size_t>(values[1].number), values[2].number);
}

}  // namespace

const StageInfo kHopsStage = {"hops", kHopsParameters, MakeHopsStage, kHopsEvent};

}  // namespace recall
