#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "index/embed/lsa/lsa_model.h"
#include "storage/store/store.h"
#include "storage/tables/model_table.h"

namespace recall {

// A latent model as it lies in the store (docs/format/model.md, "In the store"): its terms in
// pieces of 64, and one part that says which piece begins where, so that a question reads little
// more than its own terms. Before format 7 only the terms' rows were in pieces.
// Not thread-safe while terms are being read; afterwards model() may be shared.
class StoredLsaModel final {
 public:
  // Takes a model's sections apart into what is stored.
  static std::vector<ModelPart> Split(std::vector<ModelSection> sections);

  // Reads what says where the terms are, and no terms (before format 7: all but their rows).
  // Errors: Corruption; Unsupported for a model of another tokenizer or format.
  static Result<std::unique_ptr<StoredLsaModel>> Open(Connection& connection, int64_t model);
  // The same of parts that are not stored yet, with all terms.
  static Result<std::unique_ptr<StoredLsaModel>> OfParts(const std::vector<ModelPart>& parts);

  // Makes model() know those of the terms with these hashes that there are, or all terms.
  Status ReadTerms(Connection& connection, std::span<const uint64_t> stem_hashes);
  Status ReadAllTerms(Connection& connection);

  // Of a term that was not read nothing must be asked; Find finds none of them.
  const LsaModel& model() const { return *model_; }

 private:
  StoredLsaModel(int64_t id, std::string index) : id_(id), index_(std::move(index)) {}
  static Result<std::unique_ptr<StoredLsaModel>> OfIndex(int64_t id, std::string index);
  Status OpenPieces();
  Status OpenRows();
  std::string PieceName(size_t piece) const;
  // Where the piece's terms lie in memory. Before format 7: their rows alone.
  LsaModel::Terms TermsOf(size_t piece) const;
  std::optional<size_t> PieceOf(uint64_t stem_hash) const;
  Status ReadPiece(Connection& connection, size_t piece);
  Status TakePiece(size_t piece, std::string_view bytes);
  uint8_t* Allocate(size_t bytes);

  struct Free {
    void operator()(uint8_t* memory) const { std::free(memory); }
  };

  int64_t id_;
  std::string index_;
  std::unique_ptr<uint8_t[], Free> memory_;  // from calloc: what is not read takes no memory
  LsaModel::Terms terms_;                    // in it
  std::vector<bool> read_;                   // pieces
  std::unique_ptr<const LsaModel> model_;
};

// Kinds of model parts. The two of pieces are followed by the piece's number.
inline constexpr std::string_view kLsaPart = "latent";
inline constexpr std::string_view kLsaTermsPart = "latent_terms/";
inline constexpr std::string_view kLsaRowsPart = "latent_rows/";  // before format 7
bool IsLsaPart(std::string_view kind);

// What of the parts of one model is wrong, or Ok: all pieces there, each with the right checksum.
Status CheckLsaParts(const std::vector<ModelPart>& parts);

}  // namespace recall
