#pragma once

#include <string>
#include <unordered_map>

#include "index/embed/embedder/term_vectors.h"
#include "index/embed/lsa/stored_model.h"

namespace recall {

// The term vectors of an LSA model. A term is a stem; its weight is its inverse document frequency
// in the training texts. The model and its reader must outlive it. It must be used on the
// reader's thread, within the transaction.
class LsaTermVectors final : public TermVectors {
 public:
  LsaTermVectors(const ModelReader& models, StoredLsaModel& model)
      : models_(models), model_(model) {}

  uint32_t dim() const override { return model_.model().dim(); }
  Status Find(std::string_view text, std::span<const std::string> stems,
              std::vector<uint32_t>* terms) override;
  // Copies the rows that Find read. Errors: Corruption.
  Status Read(std::span<const uint32_t> terms, std::span<float> out) override;
  Result<double> Weight(uint32_t term) override;
  std::string_view Name(uint32_t term) const override;

 private:
  const ModelReader& models_;
  StoredLsaModel& model_;
  std::unordered_map<uint32_t, std::string> names_;
};

}  // namespace recall
