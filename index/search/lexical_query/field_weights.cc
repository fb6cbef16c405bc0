#include "index/search/lexical_query/field_weights.h"

#include <algorithm>
#include <string>

#include "storage/base/from_chars.h"
#include "storage/base/nearest_word.h"
#include "storage/base/trim.h"

namespace recall {
namespace {

constexpr const char* kExample = "for example trigger=5:title=4:tags=3:topic=2:summary=2:body=1";

// Removes the part of `text` before the next `separator`, and the separator. Returns: the part.
std::string_view TakePart(char separator, std::string_view& text) {
  const size_t end = std::min(text.find(separator), text.size());
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return Trim(part);
}

Result<size_t> FindField(std::string_view name) {
  const auto* const found = std::ranges::find(kTextFieldNames, name);
  if (found != kTextFieldNames.end()) return static_cast<size_t>(found - kTextFieldNames.begin());
  const std::string nearest = NearestWord(name, {kTextFieldNames.begin(), kTextFieldNames.end()});
  return Fail(Status::InvalidArgument("unknown field '" + std::string(name) + "' in field weights",
                                      nearest.empty()
                                          ? "fields are trigger, title, tags, topic, summary, body"
                                          : "did you mean " + nearest + "?"));
}

Result<double> ParseWeight(std::string_view name, std::string_view text) {
  double weight = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = FromChars(text.data(), end, weight);
  const bool is_number = error == std::errc() && stop == end;
  if (is_number && weight >= kLeastFieldWeight && weight <= kMostFieldWeight) return weight;
  return Fail(Status::InvalidArgument("the weight of the field " + std::string(name) +
                                          " must be a number from 0.01 to 100, not '" +
                                          std::string(text) + "'",
                                      kExample));
}

}  // namespace

Result<FieldWeights> ParseFieldWeights(std::string_view text) {
  FieldWeights weights;
  std::array<bool, kTextFields> given{};
  for (text = Trim(text); !text.empty();) {
    std::string_view value = TakePart(':', text);
    const std::string_view name = TakePart('=', value);
    RECALL_ASSIGN(const size_t field, FindField(name));
    if (given[field]) {
      return Fail(Status::InvalidArgument("the field " + std::string(name) + " has two weights",
                                          "name each field once"));
    }
    given[field] = true;
    RECALL_ASSIGN(const double weight, ParseWeight(name, Trim(value)));
    (field < kCardFields ? weights.card[field] : weights.body) = weight;
  }
  return weights;
}

}  // namespace recall
