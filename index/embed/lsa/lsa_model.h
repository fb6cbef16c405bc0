#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "index/embed/lsa/model_file.h"
#include "storage/base/coding.h"
#include "storage/base/result.h"

namespace recall {

// The latent semantic model (Deerwester et al., "Indexing by latent semantic analysis", 1990) as
// it lies in a model file: for each term a row of V * sigma^0.5 in 4 bits, and what weighs it.
// Read in place; opening looks at some 20 bytes a term, and at no row. Immutable: safe to use from
// several threads. The bytes must outlive it.
class LsaModel final {
 public:
  // Of all its terms, or of 64 at a time, as the store keeps them apart.
  struct Terms {
    ByteSpan hashes;   // HashStem, 8 bytes each, ascending
    ByteSpan weights;  // format::LsaTerm each
    ByteSpan rows;     // dim() / 2 bytes each
  };

  // Errors of these: Corruption; Unsupported for a newer format or another tokenizer.
  static Result<LsaModel> Open(ByteSpan bytes);
  // Of a model whose rows are kept apart: `rows` holds terms() of dim() / 2 bytes; without them,
  // UseRows must be called before row(). They must outlive it too.
  static Result<LsaModel> Open(ByteSpan bytes, std::optional<ByteSpan> rows);
  void UseRows(ByteSpan rows);
  // Of a model whose terms are kept apart, in pieces. UseTerms must be called before anything is
  // asked of a term; what is not read yet is zero there.
  static Result<LsaModel> OfPieces(ByteSpan bytes);
  void UseTerms(const Terms& terms);
  // Whether these can be the terms of the piece. Requires: terms of its number.
  bool IsPiece(size_t piece, const Terms& terms) const;
  // The piece that holds the term with this hash if any does; none in a model without terms.
  std::optional<size_t> PieceOf(uint64_t stem_hash) const;
  size_t pieces() const;

  uint32_t dim() const { return dim_; }    // a multiple of 8
  uint32_t rank() const { return rank_; }  // components beyond are 0
  uint32_t terms() const { return terms_; }
  uint64_t documents() const { return documents_; }  // trained on
  const ModelFile& file() const { return file_; }

  // The number of the term with this HashStem, < terms().
  std::optional<uint32_t> Find(uint64_t stem_hash) const;
  // How many texts of the training held the term. Requires: term < terms().
  uint32_t df(uint32_t term) const;
  // A term that occurs tf times adds (1 + ln tf) * factor(term) * row(term) to a text's vector.
  float factor(uint32_t term) const;
  // dim() components of 4 bits, as AddScaledI4 takes them.
  const uint8_t* row(uint32_t term) const;

 private:
  explicit LsaModel(ModelFile file) : file_(std::move(file)) {}
  Status ReadParameters();
  Status FindSections(std::optional<ByteSpan> rows);
  Status CheckBuckets() const;
  bool AreTerms(const Terms& terms) const;
  uint64_t first_of(size_t piece) const { return LoadLittle<uint64_t>(firsts_.data() + 8 * piece); }
  uint64_t hash(size_t term) const { return LoadLittle<uint64_t>(all_.hashes.data() + 8 * term); }
  uint32_t bucket(size_t b) const { return LoadLittle<uint32_t>(buckets_.data() + 4 * b); }
  size_t BucketOf(uint64_t stem_hash) const {
    return bucket_bits_ == 0 ? 0 : stem_hash >> (64 - bucket_bits_);
  }

  ModelFile file_;
  uint32_t dim_ = 0;
  uint32_t rank_ = 0;
  uint32_t terms_ = 0;
  uint32_t bucket_bits_ = 0;
  uint64_t documents_ = 0;
  ByteSpan buckets_;  // one of the two: where to look for a hash
  ByteSpan firsts_;
  Terms all_;
};

// What a model is made of.
struct LsaTermRow {
  uint64_t stem_hash;
  uint32_t df;
  const float* row;  // `rank` components of V * sigma^0.5
};

// The sections of a latent model. `documents`: N. The vectors' dimension is `rank` rounded up to a
// multiple of 8, at least 8. Requires: hashes are unique, df in 1 .. N, rank <= 4096.
std::vector<ModelSection> EncodeLsaModel(std::vector<LsaTermRow> terms, uint32_t rank,
                                         uint64_t documents);

}  // namespace recall
