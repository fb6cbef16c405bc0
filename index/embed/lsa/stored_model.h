#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "index/embed/lsa/lsa_model.h"
#include "storage/tables/model_table.h"

namespace recall {

// An LSA model as the store contains it (docs/format/model.md, "In the store"): the terms in pieces
// of 64, each piece a part of its own, and one part with the first hash of each piece. A query
// reads only the pieces of its own terms. Before format 7 only the rows of the terms were in
// pieces. Not thread-safe while terms are being read; afterwards model() may be shared.
class StoredLsaModel final {
 public:
  // Splits the sections of a model into the parts that are stored.
  static std::vector<ModelPart> Split(std::vector<ModelSection> sections);

  // Reads the index of the pieces and no terms (before format 7: all of the model but the rows).
  // Errors: Corruption; Unsupported for a model of another tokenizer or format.
  static Result<std::unique_ptr<StoredLsaModel>> Open(const ModelReader& models, int64_t model);
  // Opens a model from parts that are not stored yet, and reads all terms.
  static Result<std::unique_ptr<StoredLsaModel>> OfParts(const std::vector<ModelPart>& parts);

  // Reads the pieces that can contain terms with these hashes, or all pieces, into model().
  Status ReadTerms(const ModelReader& models, std::span<const uint64_t> stem_hashes);
  Status ReadAllTerms(const ModelReader& models);

  // The model. Find does not find a term whose piece has not been read; the other functions must
  // not be called for such a term.
  const LsaModel& model() const { return *model_; }

 private:
  StoredLsaModel(int64_t id, std::string index) : id_(id), index_(std::move(index)) {}
  static Result<std::unique_ptr<StoredLsaModel>> OfIndex(int64_t id, std::string index);
  Status OpenPieces();
  Status OpenRows();
  std::string PieceName(size_t piece) const;
  // The place of the piece's terms in memory. Before format 7: of their rows alone.
  LsaModel::Terms TermsOf(size_t piece) const;
  std::optional<size_t> PieceOf(uint64_t stem_hash) const;
  Status ReadPiece(const ModelReader& models, size_t piece);
  Status LoadPiece(size_t piece, std::string_view bytes);
  uint8_t* Allocate(size_t bytes);

  struct Free {
    void operator()(uint8_t* memory) const { std::free(memory); }
  };

  int64_t id_;
  std::string index_;
  std::unique_ptr<uint8_t[], Free> memory_;  // from calloc: pieces not read take no memory
  LsaModel::Terms terms_;                    // views of memory_
  std::vector<bool> read_;                   // one flag per piece
  std::unique_ptr<const LsaModel> model_;
};

// The names (kinds) of model parts. The names of pieces end with the number of the piece.
inline constexpr std::string_view kLsaPart = "latent";
inline constexpr std::string_view kLsaTermsPart = "latent_terms/";
inline constexpr std::string_view kLsaRowsPart = "latent_rows/";  // before format 7
bool IsLsaPart(std::string_view kind);

// Checks that all pieces of a model exist and have the right checksums. Errors: Corruption.
Status CheckLsaParts(const std::vector<ModelPart>& parts);

}  // namespace recall
