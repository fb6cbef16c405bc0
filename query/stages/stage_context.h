#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "index/bitmap/bitmap.h"
#include "index/embed/factory/embedding_space.h"
#include "index/interface/snapshot.h"
#include "index/lexical_query/lexical_query.h"
#include "index/text/tokenizer.h"
#include "query/rows/views.h"

namespace recall {

// A chunk as stages read it.
struct StageChunk {
  RowReader::Located row;
  std::string text;
  // The stems of its headings and its text, as the index contains them, without stop words.
  std::vector<std::string> stems;
};

// The query, as stages need it.
struct StageQuestion {
  const LexicalQuery* query = nullptr;
<<<<<<< HEAD
  const Bitmap* removed = nullptr;  // chunks that count nowhere; null: none
=======
  const Bitmap* removed = nullptr;  // removed chunks, excluded from all counts
>>>>>>> wt-ed3
  UnixNanos as_of = 0;
  std::string_view keyword_rules;  // RankingChoice::keywords
};

<<<<<<< HEAD
// Where the vectors of terms come from: a vector space, and the connection that reads its model.
struct TermVectorSource {
  EmbeddingSpace* space = nullptr;
  Connection* models = nullptr;
};

// What stages may ask of the store, each chunk read once. All arguments must outlive it.
=======
                                    // Gives stages access to the store. Each chunk is read once. All arguments must outlive the object.
>>>>>>> wt-ed3
class StageContext final {
 public:
  StageContext(const Snapshot& snapshot, const SearchIndexes& indexes,
               const TermVectorSource& term_vectors, Tokenizer& tokenizer,
               const StageQuestion& question);

  // The returned pointer is valid as long as the context.
  Result<const StageChunk*> Read(uint32_t chunk);
  // The stems of the query without stop words, in the order of the query.
  const std::vector<std::string>& question_stems() const { return question_stems_; }
  // The stems of any text, analysed as a query is.
  std::vector<std::string> StemsOf(std::string_view text);
  // The vectors of terms in the active embedding space. Errors: as EmbeddingSpace::NewTermVectors.
  Result<std::unique_ptr<TermVectors>> NewTermVectors() {
    return term_vectors_.space->NewTermVectors(*term_vectors_.models);
  }
  // The reference time of the query. Calling it records that the answer depends on this time.
  UnixNanos AsOf();
  // The reference time if AsOf was called.
  const std::optional<UnixNanos>& as_of_used() const { return as_of_used_; }
  // Excludes the chunks first .. last from the ranking, also below the window of the stages.
  void LeaveOut(uint32_t first, uint32_t last) { left_out_.AddRange(first, last); }
  const Bitmap& left_out() const { return left_out_; }
  // The explanation of the current stage about the query; StageList moves it into the summary.
  std::string note;

  const Snapshot& snapshot() const { return snapshot_; }
  const SearchIndexes& indexes() const { return indexes_; }
  const StageQuestion& question() const { return question_; }
  // For stages that need rows but no text.
  RowReader& rows() { return rows_; }

 private:
  const Snapshot& snapshot_;
  const SearchIndexes& indexes_;
  const TermVectorSource term_vectors_;
  Tokenizer& tokenizer_;
  const StageQuestion question_;
  RowReader rows_;
  std::unordered_map<uint32_t, std::unique_ptr<StageChunk>> chunks_;
  std::vector<std::string> question_stems_;
  std::optional<UnixNanos> as_of_used_;
  Bitmap left_out_;
};

}  // namespace recall
