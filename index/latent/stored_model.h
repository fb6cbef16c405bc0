#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "index/latent/latent_model.h"
#include "storage/model_store.h"
#include "storage/store.h"

namespace recall {

// A latent model as it lies in the store (docs/format/model.md, "In the store"): one part with all
// but the rows, and the rows in pieces, so that a question reads little more than its own terms'.
// Not thread-safe while rows are being read; afterwards model() may be shared.
class StoredLatentModel final {
 public:
  // Takes a model's sections apart into what is stored.
  static std::vector<ModelPart> Split(std::vector<ModelSection> sections);

  // Reads everything but the rows, which are zero until they are read.
  // Errors: Corruption; Unsupported for a model of another tokenizer or format.
  static Result<std::unique_ptr<StoredLatentModel>> Open(Connection& connection, int64_t model);
  // The same of parts that are not stored yet.
  static Result<std::unique_ptr<StoredLatentModel>> OfParts(const std::vector<ModelPart>& parts);

  // Makes the rows of these terms, or of all, those of the model.
  Status ReadRows(Connection& connection, std::span<const uint32_t> terms);
  Status ReadAllRows(Connection& connection);

  const LatentModel& model() const { return *model_; }

 private:
  StoredLatentModel(int64_t id, std::string index) : id_(id), index_(std::move(index)) {}
  static Result<std::unique_ptr<StoredLatentModel>> OfIndex(int64_t id, std::string index);
  size_t pieces() const { return read_.size(); }
  Status ReadPiece(Connection& connection, size_t piece);
  Status TakePiece(size_t piece, std::string_view bytes);

  struct Free {
    void operator()(uint8_t* rows) const { std::free(rows); }
  };

  int64_t id_;
  std::string index_;
  std::unique_ptr<uint8_t[], Free> rows_;  // from calloc: what is not read takes no memory
  std::vector<bool> read_;                 // pieces
  std::unique_ptr<const LatentModel> model_;
};

// Kinds of model parts.
inline constexpr std::string_view kLatentPart = "latent";
inline constexpr std::string_view kLatentRowsPart = "latent_rows/";  // and the piece's number
bool IsLatentPart(std::string_view kind);

// What of the parts of one model is wrong, or Ok: all pieces there, each with the right checksum.
Status CheckLatentParts(const std::vector<ModelPart>& parts);

}  // namespace recall
