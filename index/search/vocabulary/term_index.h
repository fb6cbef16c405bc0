#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "index/search/vocabulary/near_term.h"
#include "index/search/vocabulary/term_similarity.h"
#include "storage/base/result.h"
#include "storage/tables/model_table.h"

namespace recall {

// The names (kinds) of the model parts of a term index. The names of pieces end with their number.
inline constexpr std::string_view kTermsPart = "terms";
inline constexpr std::string_view kTermPieces = "terms/";
inline constexpr std::string_view kTrigramPieces = "term_trigrams/";
bool IsTermIndexPart(std::string_view kind);

// An index of the vocabulary by trigrams, as part of a model (docs/format/model.md): which terms
// are similar to a word? Reads only the pieces that a word needs, and keeps them. Not thread-safe.
class TermIndex final {
 public:
  // Reads one part. Errors: Corruption if there is no such part.
  using ReadPart = std::function<Result<std::string>(const std::string& kind)>;

  // Makes the parts of an index. `terms`: in any order, repetitions allowed; those that are no
  // IsExpansionTerm are left out. The same set of terms always gives the same bytes.
  static std::vector<ModelPart> Build(std::vector<std::string> terms);

  // `header`: the part kTermsPart. Errors: Corruption; Unsupported for a newer version.
  static Result<TermIndex> Open(std::string header, ReadPart read);

  // Returns the `most` most similar terms, in the order of IsNearer: the same as if all terms were
  // compared. Errors: Corruption.
  Result<std::vector<NearTerm>> Find(const TermSimilarity& similarity, size_t most);

  uint32_t terms() const { return terms_; }
  uint32_t term_pieces() const { return static_cast<uint32_t>(firsts_.size()); }
  // There are 2^bits pieces of lists.
  uint32_t bits() const { return bits_; }
  // The terms of a piece. `bytes`: the part. Errors: Corruption. Requires: piece < term_pieces().
  Result<std::vector<std::string>> DecodeTerms(uint32_t piece, std::string_view bytes) const;

 private:
  TermIndex() = default;
  Result<const std::vector<std::string>*> ReadPiece(uint32_t piece);
  Result<std::string> ReadTerm(uint32_t number);
  Result<bool> Contains(const std::string& term);
  Status CountCommonTrigrams(std::span<const uint64_t> trigrams, std::vector<uint8_t>& counts);

  std::string header_;
  ReadPart read_;
  uint32_t terms_ = 0;
  uint32_t bits_ = 0;
  std::vector<uint32_t> ends_;            // by letters: the number after the last such term
  std::vector<std::string_view> firsts_;  // the first term of each piece; views of header_
  std::map<uint32_t, std::vector<std::string>> pieces_;
};

}  // namespace recall
