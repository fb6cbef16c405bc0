#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "index/bitmap/bitmap.h"
#include "index/columns/chunk_columns.h"
#include "index/embed/factory/embedding_space.h"
#include "index/lexical/lexical_query.h"
#include "index/text/tokenizer.h"
#include "query/rows/views.h"
#include "storage/store/store.h"

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
  const Bitmap* removed = nullptr;  // removed chunks, excluded from all counts
  UnixNanos as_of = 0;
  std::string_view keyword_rules;  // RankingChoice::keywords
};

// Gives stages access to the store. Each chunk is read once. All arguments must outlive the object.
class StageContext final {
 public:
  StageContext(const ReadTransaction& transaction, const ChunkColumns& columns,
               EmbeddingSpace& embedding, Tokenizer& tokenizer, const StageQuestion& question);

  // The returned pointer is valid as long as the context.
  Result<const StageChunk*> Read(uint32_t chunk);
  // The stems of the query without stop words, in the order of the query.
  const std::vector<std::string>& question_stems() const { return question_stems_; }
  // The stems of any text, analysed as a query is.
  std::vector<std::string> StemsOf(std::string_view text);
  // The vectors of terms in the active embedding space. Errors: as EmbeddingSpace::NewTermVectors.
  Result<std::unique_ptr<TermVectors>> NewTermVectors() {
    return embedding_.NewTermVectors(transaction_.connection());
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

  const ReadTransaction& transaction() const { return transaction_; }
  const ChunkColumns& columns() const { return columns_; }
  const StageQuestion& question() const { return question_; }
  // For stages that need rows but no text.
  RowReader& rows() { return rows_; }

 private:
  const ReadTransaction& transaction_;
  const ChunkColumns& columns_;
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
