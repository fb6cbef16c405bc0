#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "index/base/text/tokenizer.h"
#include "index/embed/factory/embedding_space.h"
#include "index/search/bitmap/bitmap.h"
#include "index/search/lexical_query/lexical_query.h"
#include "index/search/ranker/ranker.h"
#include "index/search/snapshot/note_records.h"
#include "index/search/snapshot/snapshot.h"
#include "query/ask/rows/views.h"
#include "query/types/stage_events.h"

namespace recall {

// A chunk with its text and stems.
struct StageChunk {
  RowReader::Located row;
  std::string text;
  // The stems of its headings and its text, as in the full-text index, without stop words.
  std::vector<std::string> stems;
};

// The query, as stages see it.
struct StageQuestion {
  const LexicalQuery* query = nullptr;
  const Bitmap* removed = nullptr;  // removed and excluded chunks; null: none
  UnixNanos as_of = 0;
  std::string_view keyword_rules;           // RankingChoice::keywords
  const Bitmap* allowed = nullptr;          // the chunks within the filter; null: no filter
  std::optional<uint32_t> without = {};     // a chunk that is no hit: the source of `similar`
  const StageListener* on_stage = nullptr;  // may be null
  double min_score = 0;                     // hits with a lower score after all stages are dropped
};

// A document, and the rowids of its chunks: chunk_count from first_chunk on.
struct StageDocument {
  int64_t row = 0;
  uint32_t first_chunk = 0;
  uint32_t chunk_count = 0;
};

// A hit whose links the stage `hops` followed.
struct HopSeed {
  uint32_t chunk = 0;
  int64_t doc_row = 0;
};

// A way from a hit to the document that a link leads to.
struct RelatedRow {
  double score = 0;
  int64_t doc_row = 0;
  std::string path;   // of this document
  uint32_t seed = 0;  // the chunk of the hit
  std::string via;    // the path of the hit's document
  std::string relation;
  double weight = 1;
};

// Gives stages access to the store and the query. Each chunk is read once. All arguments must
// outlive the object. Not thread-safe.
class StageContext final {
 public:
  StageContext(const Snapshot& snapshot, const SearchIndexes& indexes, EmbeddingSpace& embedding,
               Tokenizer& tokenizer, const Rankers& rankers, const StageQuestion& question);

  // The result is valid as long as the context.
  Result<const StageChunk*> Read(uint32_t chunk);
  // The stems of the query without stop words, in order.
  const std::vector<std::string>& question_stems() const { return question_stems_; }
  // The stems of any text, analysed like a query, without stop words.
  std::vector<std::string> StemsOf(std::string_view text);
  // The vectors of terms in the active space. Errors: as EmbeddingSpace::NewTermVectors.
  Result<std::unique_ptr<TermVectors>> NewTermVectors() {
    return embedding_.NewTermVectors(snapshot_.models());
  }
  // The reference time of the query. The call records that the answer depends on it.
  UnixNanos AsOf();
  // Set if AsOf was called.
  const std::optional<UnixNanos>& as_of_used() const { return as_of_used_; }
  // Excludes chunks that are not among the hits of a stage: the chunk rowids first..last.
  void LeaveOut(uint32_t first, uint32_t last) { left_out_.AddRange(first, last); }
  const Bitmap& left_out() const { return left_out_; }
  // Called by the stage `hops`: the answer tells the best `most` neighbours.
  void TellRelated(size_t most) { most_related_ = most; }
  std::optional<size_t> most_related() const { return most_related_; }
  void AddSeed(HopSeed seed) { seeds_.push_back(seed); }
  const std::vector<HopSeed>& seeds() const { return seeds_; }
  // All ways to neighbours; stages may change their scores.
  std::vector<RelatedRow>& related() { return related_; }
  // The explanation of the present stage about the query; moved out after each stage.
  std::string note;
  // Set while the last stage is applied.
  bool is_last = false;
  // A hit with a lower score is dropped after this stage, unless the stage raises the score.
  double floor() const { return is_last ? question_.min_score : 0; }

  const Snapshot& snapshot() const { return snapshot_; }
  const SearchIndexes& indexes() const { return indexes_; }
  const StageQuestion& question() const { return question_; }
  // The rankers of the user's own settings.
  const Rankers& rankers() const { return rankers_; }
  // Rows of chunks, for stages that need no text.
  RowReader& rows() { return rows_; }
  // The document of a chunk: its rowid, without reading its row.
  Result<int64_t> DocumentOf(uint32_t chunk);
  // The chunks of a document. Reads its row unless StateOf has found them.
  Result<StageDocument> ReadDocument(int64_t doc_row);
  // The state of a note as of the reference time of the query; nullopt: it is none, and nothing is
  // known of it.
  Result<std::optional<NoteState>> StateOf(int64_t doc_row);

 private:
  const Snapshot& snapshot_;
  const SearchIndexes& indexes_;
  EmbeddingSpace& embedding_;
  Tokenizer& tokenizer_;
  const Rankers& rankers_;
  const StageQuestion question_;
  RowReader rows_;
  std::unordered_map<uint32_t, std::unique_ptr<StageChunk>> chunks_;
  std::unordered_map<uint32_t, int64_t> docs_of_chunks_;
  std::unordered_map<int64_t, std::optional<NoteState>> states_;  // by document
  std::vector<std::string> question_stems_;
  std::optional<UnixNanos> as_of_used_;
  std::optional<size_t> most_related_;
  std::vector<HopSeed> seeds_;
  std::vector<RelatedRow> related_;
  Bitmap left_out_;
};

}  // namespace recall
