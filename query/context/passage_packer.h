#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "query/context/packed_context.h"
#include "query/context/unit_evidence.h"
#include "query/passages/text_units.h"
#include "query/rows/ranked_page.h"
#include "query/rows/views.h"

namespace recall {

// Fills a token budget with the units (sentences, lines) of the best chunks that say most about the
// question (docs/RETRIEVAL.md, "Context"). Units side by side become one piece, and a gap between
// two that costs no more than a second citation is filled. Documents in the order of their best
// unit, pieces of a document in reading order.
class PassagePacker final {
 public:
  PassagePacker(RowReader* rows, const PackOptions& options, UnitEvidence* evidence)
      : rows_(rows), options_(options), evidence_(evidence) {}

  // Once per object, before Pack. `offered` in ranking order, which must outlive the packer; behind
  // them, with a score of 0, chunks of which only what is beside a packed unit may be packed.
  Status Prepare(const std::vector<RankedRow>& offered);
  // What is packed for `limit` tokens.
  PackedContext Pack(int64_t limit);

 private:
  // Chunks of one document that overlap or have only white space between them.
  struct Stretch {
    const DocRow* doc = nullptr;
    std::vector<const RankedRow*> chunks;  // by place
    uint64_t start = 0;
    uint64_t end = 0;
    std::string text;
    size_t first_unit = 0;
    size_t end_unit = 0;
  };
  struct Unit {
    size_t stretch = 0;
    TextUnit place;                   // bytes of the document
    int64_t tokens = -1;              // what it adds to a run; -1: not counted yet
    const RankedRow* best = nullptr;  // of the chunks that hold bytes of it
    double value = 0;
    bool taken = false;
  };
  // Units first .. end-1 of one stretch.
  struct Run {
    size_t first = 0;
    size_t end = 0;
  };

  void Gather(const std::vector<RankedRow>& offered);
  Status CutStretches();
  void Value(double best_score);
  double NeighbourEvidence(const std::vector<double>& evidence, size_t unit) const;

  // Takes the unit, and what lies between it and its neighbours if that is cheap, when that fits.
  bool Take(size_t unit);
  // Takes the neighbours of a taken unit, on either side as far as they fit.
  void Expand(size_t unit);
  // The nearest run of taken units that ends before (starts after) the unit, if no more than
  // `most_gap` tokens lie between; empty, at the unit, when there is none.
  Run RunBefore(size_t unit, int64_t most_gap);
  Run RunAfter(size_t unit, int64_t most_gap);
  int64_t Cost(const Run& run);
  // Tokens of the unit, with what stands between it and the one before it.
  int64_t TokensOf(size_t unit);
  int64_t CitationTokens(const Run& run);
  // The chunk that the unit starts in: its heading, and what lines are counted from.
  const RankedRow& HeadOf(size_t unit) const;
  std::string_view TextOf(size_t stretch, uint64_t start, uint64_t end) const;

  // What is taken, in the order of the context.
  std::vector<Run> Runs() const;
  // Appends the run, or as much of it as has `most_tokens`.
  void Emit(const Run& run, std::optional<int64_t> most_tokens, PackedContext* packed) const;

  RowReader* rows_;
  PackOptions options_;
  UnitEvidence* evidence_;
  std::vector<Stretch> stretches_;  // by path and place
  std::vector<Unit> units_;         // in the order of the stretches
  std::vector<size_t> order_;       // of the units by value, the best first
  std::unordered_map<const RankedRow*, int64_t> citation_tokens_;  // by what a run begins in
  // Of the packing under way.
  int64_t limit_ = 0;
  std::unordered_map<int64_t, int64_t> runs_per_doc_;
  int64_t used_ = 0;
};

}  // namespace recall
