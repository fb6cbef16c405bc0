#include "index/embed/lsa/lsa_term_vectors.h"

#include <algorithm>
#include <cmath>

#include "index/base/math/natural_log.h"
#include "index/embed/lsa/stem_hash.h"
#include "simd/kernels.h"
#include "storage/base/check.h"

namespace recall {

// In LSA the vector of a text is a weighted sum of term vectors, and both are in the same space.
// The cosine of two term vectors measures how similarly the terms are used in the training texts.
// The late interaction stage (query/ask/stages) compares the terms of a query with the terms of a
// passage by these vectors.
//
// Find hashes the stems of a text and reads only the pieces of the stored model (64 terms each)
// that can contain them: one small row of the database per piece, and none that was read before.
// Read expands the 4-bit rows to floats and normalises them. The scale of a row cancels in the
// normalisation, so the quantised integers are used as they are.
//
// The model stores hashes of stems and not the stems. The names of terms are therefore known only
// for stems that were passed to Find; they are kept in a map for the life of the object.

Status LsaTermVectors::Find(std::string_view, std::span<const std::string> stems,
                            std::vector<uint32_t>* terms) {
  terms->clear();
  for (const std::string& stem : stems) {
    const uint64_t hash = HashStem(stem);
    RECALL_TRY(model_.ReadTerms(models_, {&hash, 1}));
    const auto term = model_.model().Find(hash);
    if (!term) continue;
    terms->push_back(*term);
    names_.try_emplace(*term, stem);
  }
  return Status::Ok();
}

Status LsaTermVectors::Read(std::span<const uint32_t> terms, std::span<float> out) {
  RECALL_CHECK(out.size() == terms.size() * dim());
  std::ranges::fill(out, 0.0f);
  for (size_t i = 0; i < terms.size(); ++i) {
    const std::span<float> vector = out.subspan(i * dim(), dim());
    AddScaledI4(vector.data(), 1, model_.model().row(terms[i]), dim() / 2);
    const float length = std::sqrt(DotF32(vector.data(), vector.data(), vector.size()));
    if (!(length > 0)) continue;
    for (float& component : vector) component /= length;
  }
  return Status::Ok();
}

Result<double> LsaTermVectors::Weight(uint32_t term) {
  const LsaModel& model = model_.model();
  return NaturalLog(static_cast<double>(model.documents()) / model.df(term));
}

std::string_view LsaTermVectors::Name(uint32_t term) const {
  const auto known = names_.find(term);
  return known == names_.end() ? std::string_view() : known->second;
}

}  // namespace recall
