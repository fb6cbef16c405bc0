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

// What the terms of a text are: its stems, or what all forms of a word have in common
// (form_terms.h).
enum class FormTerms : uint32_t { kWords = 0, kCommon = 1 };

// An LSA model (Deerwester et al., "Indexing by latent semantic analysis", 1990) as a model file
// stores it: for each term a row of V * sigma^0.5 in 4 bits, and its weight. The bytes are read in
// place; opening reads about 20 bytes per term and no row. Immutable: safe to use from several
// threads. The bytes must outlive the model.
class LsaModel final {
 public:
  // The columns of all terms, or of one piece of 64 terms, which the store keeps as one part.
  struct Terms {
    ByteSpan hashes;   // HashStem, 8 bytes each, ascending
    ByteSpan weights;  // format::LsaTerm each
    ByteSpan rows;     // dim() / 2 bytes each
  };

  // Errors of all constructors: Corruption; Unsupported for a newer format or another tokenizer.
  static Result<LsaModel> Open(ByteSpan bytes);
  // Opens a model whose rows are stored separately: `rows` contains dim() / 2 bytes for each of the
  // terms(). Without `rows`, UseRows must be called before row(). The rows must outlive the model.
  static Result<LsaModel> Open(ByteSpan bytes, std::optional<ByteSpan> rows);
  void UseRows(ByteSpan rows);
  // Opens a model whose terms are stored in separate pieces. UseTerms must be called before any
  // lookup of a term. The bytes of pieces that have not been read are zero.
  static Result<LsaModel> OfPieces(ByteSpan bytes);
  void UseTerms(const Terms& terms);
  // Whether the hashes and weights are valid and in the hash range of the piece. Requires: as many
  // terms as the piece has.
  bool IsPiece(size_t piece, const Terms& terms) const;
  // The only piece that can contain the term with this hash; none if the hash precedes all pieces.
  std::optional<size_t> PieceOf(uint64_t stem_hash) const;
  size_t pieces() const;

  uint32_t dim() const { return dim_; }    // a multiple of 8
  uint32_t rank() const { return rank_; }  // the other components are 0
  uint32_t terms() const { return terms_; }
  // The hash of the lexicon with which it was trained; 0 without one.
  uint64_t lexicon() const { return lexicon_; }
  FormTerms form_terms() const { return form_terms_; }
  uint64_t documents() const { return documents_; }  // number of training texts
  const ModelFile& file() const { return file_; }

  // The number of the term with this HashStem, < terms().
  std::optional<uint32_t> Find(uint64_t stem_hash) const;
  // The number of training texts that contain the term. Requires: term < terms().
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
  uint64_t lexicon_ = 0;
  FormTerms form_terms_ = FormTerms::kWords;
  ByteSpan buckets_;  // one of the two is used to find a hash
  ByteSpan firsts_;
  Terms all_;
};

// A term of a model that EncodeLsaModel encodes.
struct LsaTermRow {
  uint64_t stem_hash;
  uint32_t df;
  const float* row;  // `rank` components of V * sigma^0.5
};

// Encodes an LSA model as sections. `documents`: N. The dimension of the vectors is `rank` rounded
// up to a multiple of 8, at least 8. Requires: hashes are unique, df in 1 .. N, rank <= 4096.
std::vector<ModelSection> EncodeLsaModel(std::vector<LsaTermRow> terms, uint32_t rank,
                                         uint64_t documents,
                                         FormTerms form_terms = FormTerms::kWords);

// The section of a model that was trained with a lexicon.
ModelSection LexiconSection(uint64_t hash);

}  // namespace recall
