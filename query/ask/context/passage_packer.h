#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "query/ask/context/packed_context.h"
#include "query/ask/context/unit_evidence.h"
#include "query/ask/passages/passage_units.h"
#include "query/ask/rows/ranked_page.h"
#include "query/ask/rows/views.h"

namespace recall {

// Fills a token budget with the units (sentences, lines) of the best chunks that are most relevant
// to the query (docs/RETRIEVAL.md, "Context"). Adjacent units form one piece. A gap between two
// selected units is filled if it costs no more than a second citation. Documents are ordered by
// their best unit, the pieces of a document by position. Not thread-safe. The pointers must outlive
// the packer.
class PassagePacker final {
 public:
  PassagePacker(RowReader* rows, const PackOptions& options, UnitEvidence* evidence)
      : rows_(rows), options_(options), evidence_(evidence) {}

  // Call once, before Pack. `offered` contains chunks in ranking order, followed by chunks with a
  // score of 0, from which only neighbours of selected units may be packed. It must outlive the
  // packer. Errors: Corruption.
  Status Prepare(const std::vector<RankedRow>& offered);
  // Returns: the pieces of a context of at most `limit` tokens, still without text. With a
  // vocabulary this is an estimate (see PackWithin). May be called again with another limit.
  PackedContext Pack(int64_t limit);

 private:
  // A contiguous span of one document: chunks that overlap or have only white space between them.
  struct Stretch {
    const DocRow* doc = nullptr;
    std::vector<const RankedRow*> chunks;  // by position
    uint64_t start = 0;
    uint64_t end = 0;
    std::string text;
    size_t first_unit = 0;
    size_t end_unit = 0;
  };
  struct Unit {
    size_t stretch = 0;
    PassageUnit place;                // byte offsets in the document, indexes into units_
    int64_t tokens = -1;              // tokens it adds to a piece; -1: not counted yet
    const RankedRow* best = nullptr;  // the best-ranked chunk that contains bytes of it
    double value = 0;
    uint64_t sense = 0;  // equal for passages that say the same; 0: too short to tell
    bool taken = false;
  };
  // The units first .. end-1 of one span.
  struct Run {
    size_t first = 0;
    size_t end = 0;
  };

  // What is left of a piece that does not fit.
  struct Cut {
    uint64_t start = 0;  // in the document
    int64_t most_tokens = 0;
  };

  void Gather(const std::vector<RankedRow>& offered);
  Status CutStretches();
  // Returns: the words of each unit.
  std::vector<UnitEvidence::Words> Value(double best_score);
  void PreferMissingWords(const std::vector<UnitEvidence::Words>& words);
  double NeighbourEvidence(const std::vector<double>& evidence, size_t unit) const;

  int64_t DocOf(const Unit& unit) const { return stretches_[unit.stretch].doc->row; }
  // Whether a unit may be selected for its own sake.
  bool MeansSomething(const Unit& unit) const;
  // Whether the query has the key of this line of front matter.
  bool AsksForKey(std::string_view line) const;
  // The next unit to select, by value, without those that say what a selected one says.
  std::optional<size_t> NextUnit();
  // Selects the unit with those that it needs to be understood, or alone if they do not fit.
  // Returns: as Take.
  bool TakeWithRiders(size_t unit);
  std::vector<size_t> RidersOf(size_t unit) const;
  // Adds units of the answer to a unit of a question in a session.
  void AddAnswer(size_t unit, std::vector<size_t>* riders) const;
  // Selects the unit, together with the gaps to selected units near it if they are cheap. Returns:
  // false if it does not fit. True, without selecting it, if the document already has its maximum
  // number of pieces.
  bool Take(size_t unit);
  // Selects the neighbours of a selected unit, as many on either side as fit, up to
  // PackOptions::expand.
  void Expand(size_t unit);
  // Returns: the nearest run of selected units that ends before (starts after) the unit, if at most
  // `most_gap` tokens are between them; else an empty run next to the unit.
  Run RunBefore(size_t unit, int64_t most_gap);
  Run RunAfter(size_t unit, int64_t most_gap);
  int64_t Cost(const Run& run);
  // Returns: the tokens of the unit and of the gap before it.
  int64_t TokensOf(size_t unit);
  int64_t CitationTokens(const Run& run);
  // Returns: the chunk that contains the start of the unit. The citation has its heading, and lines
  // are counted from its start.
  const RankedRow& HeadOf(size_t unit) const;
  std::string_view TextOf(size_t stretch, uint64_t start, uint64_t end) const;

  // The runs of selected units, in output order.
  std::vector<Run> Runs() const;
  // Where a unit that does not fit into `room` tokens is cut: so that its line or sentence with the
  // most evidence is inside, as late as that needs.
  uint64_t StartOfCut(size_t unit, int64_t room) const;
  // Appends the run as a piece, cut if given.
  void Emit(const Run& run, std::optional<Cut> cut, PackedContext* packed) const;

  RowReader* rows_;
  PackOptions options_;
  UnitEvidence* evidence_;
  std::vector<Stretch> stretches_;  // ordered by path and position
  std::vector<Unit> units_;         // in the order of the spans
  std::vector<size_t> order_;       // indexes of units_, by descending value
  std::unordered_map<const RankedRow*, int64_t> citation_tokens_;  // by the first chunk of a run
  // The state of the current Pack().
  int64_t limit_ = 0;
  std::unordered_map<int64_t, int64_t> runs_per_doc_;
  int64_t used_ = 0;
  size_t next_ = 0;             // the place in order_
  std::deque<size_t> repeats_;  // units that repeat a selected one of their document
  std::vector<size_t> trail_;   // units in the order in which Take() selected them
  std::unordered_map<uint64_t, int64_t> said_;  // senses of selected units, with their documents
};

}  // namespace recall
