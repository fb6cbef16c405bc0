#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "index/embed/lsa/lsa_model.h"
#include "storage/base/result.h"

namespace recall {

// The length of the concepts of a term, beside which the term itself is the rest of a length of 1:
// .8 times as long as the term.
inline constexpr float kConceptShare = 0.6247F;

// A term of a model that stands for a word that the model lacks: adds `weight` times its row.
struct StandIn {
  uint32_t term = 0;
  float weight = 0;
};

// The terms of the model that share concepts with the words of a text that it lacks. `body`: its
// LexicalText::body. `read` makes the term with a hash available, if the model has it. Empty if the
// model was not trained with the lexicon in the program.
Result<std::vector<StandIn>> FindStandIns(const LsaModel& model, std::string_view body,
                                          const std::function<Status(uint64_t hash)>& read);

}  // namespace recall
