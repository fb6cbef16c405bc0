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

// A chunk as stages look at it.
struct StageChunk {
  RowReader::Located row;
  std::string text;
  // Of its headings and its text, as the index holds them, without function words.
  std::vector<std::string> stems;
};

// What a question is, for stages.
struct StageQuestion {
  const LexicalQuery* query = nullptr;
  const Bitmap* removed = nullptr;  // chunks that count nowhere; null: none
  UnixNanos as_of = 0;
  std::string_view keyword_rules;  // RankingChoice::keywords
};

// What stages may ask of the store, each chunk read once. All arguments must outlive it.
class StageContext final {
 public:
  StageContext(const Snapshot& snapshot, const SearchIndexes& indexes, EmbeddingSpace& embedding,
               Tokenizer& tokenizer, const StageQuestion& question);

  // Valid as long as the context.
  Result<const StageChunk*> Read(uint32_t chunk);
  // Without function words, in the order of the question.
  const std::vector<std::string>& question_stems() const { return question_stems_; }
  // The same of any text, as a question is understood.
  std::vector<std::string> StemsOf(std::string_view text);
  // Of the store's vectors. Errors: as EmbeddingSpace::NewTermVectors.
  Result<std::unique_ptr<TermVectors>> NewTermVectors() {
    return embedding_.NewTermVectors(snapshot_.models());
  }
  // The question's time. From then on the answer depends on it.
  UnixNanos AsOf();
  // Set when AsOf was asked.
  const std::optional<UnixNanos>& as_of_used() const { return as_of_used_; }
  // That a stage leaves a chunk out which is not among its hits.
  void LeaveOut(uint32_t first, uint32_t last) { left_out_.AddRange(first, last); }
  const Bitmap& left_out() const { return left_out_; }
  // What the present stage says of the question; taken by whoever runs it.
  std::string note;

  const Snapshot& snapshot() const { return snapshot_; }
  const SearchIndexes& indexes() const { return indexes_; }
  const StageQuestion& question() const { return question_; }
  // For stages that need no text.
  RowReader& rows() { return rows_; }

 private:
  const Snapshot& snapshot_;
  const SearchIndexes& indexes_;
  EmbeddingSpace& embedding_;
  Tokenizer& tokenizer_;
  const StageQuestion question_;
  RowReader rows_;
  std::unordered_map<uint32_t, std::unique_ptr<StageChunk>> chunks_;
  std::vector<std::string> question_stems_;
  std::optional<UnixNanos> as_of_used_;
  Bitmap left_out_;
};

}  // namespace recall
