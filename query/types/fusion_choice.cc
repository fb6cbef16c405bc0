#include "query/types/fusion_choice.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <span>
#include <system_error>
#include <utility>

#include "storage/base/from_chars.h"
#include "storage/base/nearest_word.h"
#include "storage/base/trim.h"

namespace recall {
namespace {

struct NamedMethod {
  std::string_view name;
  FusionMethod method;
};
constexpr NamedMethod kMethods[] = {
    {"default", FusionMethod::kDefault},   {"legs", FusionMethod::kWithoutReranking},
    {"weighted", FusionMethod::kWeighted}, {"rrf", FusionMethod::kReciprocalRank},
    {"parts", FusionMethod::kParts},       {"grouped", FusionMethod::kGrouped},
};

struct NamedPart {
  std::string_view name;
  double PartWeights::*weight;
};
constexpr NamedPart kParts[] = {
    {"words", &PartWeights::words},
    {"meaning", &PartWeights::meaning},
    {"triggers", &PartWeights::triggers},
};

constexpr double kMostWeight = 1'000'000;

std::string PrintWeight(double value) {
  char buffer[32];
  return {buffer, std::to_chars(buffer, std::end(buffer), value).ptr};
}

// The parts of a method: triggers belong to the first chunks of notes, not to groups.
std::span<const NamedPart> PartsOf(FusionMethod method) {
  return std::span(kParts).first(method == FusionMethod::kGrouped ? 2 : 3);
}

PartWeights DefaultParts(FusionMethod method) {
  return method == FusionMethod::kGrouped ? PartWeights{0.4, 0.6, 0} : PartWeights();
}

std::string PrintParts(FusionMethod method, const PartWeights& weights) {
  std::string text;
  for (const auto& [name, weight] : PartsOf(method)) {
    text += ":" + std::string(name) + "=" + PrintWeight(weights.*weight);
  }
  return text;
}

Status BadParts(FusionMethod method, std::string_view name, std::string message) {
  const bool grouped = method == FusionMethod::kGrouped;
  return Status::InvalidArgument(
      std::move(message), std::string("the parts are ") +
                              (grouped ? "words and meaning" : "words, meaning and triggers") +
                              ", each with a weight from 0 to 1000000: " + std::string(name) +
                              PrintParts(method, DefaultParts(method)));
}

Result<PartWeights> ParseParts(const NamedMethod& fusion, std::string_view text) {
  const auto fault = [&](std::string message) {
    return Fail(BadParts(fusion.method, fusion.name, std::move(message)));
  };
  const std::span<const NamedPart> parts = PartsOf(fusion.method);
  PartWeights weights = DefaultParts(fusion.method);
  std::vector<std::string_view> given;
  while (!text.empty()) {
    std::string_view value = TakeUntil(':', text);
    const std::string_view name = TakeUntil('=', value);
    value = Trim(value);
    const auto part = std::ranges::find(parts, name, &NamedPart::name);
    if (part == parts.end()) {
      return fault("the fusion " + std::string(fusion.name) + " has no part '" + std::string(name) +
                   "'");
    }
    if (std::ranges::count(given, name) > 0) {
      return fault("the part " + std::string(name) + " of the fusion is given twice");
    }
    given.push_back(name);
    double& weight = weights.*(part->weight);
    const char* const end = value.data() + value.size();
    const auto [stop, error] = FromChars(value.data(), end, weight);
    const bool is_number = error == std::errc() && stop == end && std::isfinite(weight);
    if (!is_number || weight < 0 || weight > kMostWeight) {
      return fault("the weight of the part " + std::string(name) +
                   " must be a number from 0 to 1000000, not '" + std::string(value) + "'");
    }
  }
  if (!(weights.words + weights.meaning + weights.triggers > 0)) {
    return fault("one part of the fusion must have a weight above 0");
  }
  return weights;
}

}  // namespace

Result<FusionChoice> ParseFusion(std::string_view text) {
  const bool has_more = text.find(':') != text.npos;
  const std::string_view name = TakeUntil(':', text);
  const auto* const found = std::ranges::find(kMethods, name, &NamedMethod::name);
  if (found == std::end(kMethods)) {
    const std::vector<std::string> names = FusionNames();
    std::string list;
    for (const std::string& each : names) list += (list.empty() ? "" : ", ") + each;
    const std::string nearest = NearestWord(name, names);
    return Fail(Status::InvalidArgument(
        "unknown fusion '" + std::string(name) + "'",
        nearest.empty() ? "fusions are " + list : "did you mean " + nearest + "?"));
  }
  FusionChoice choice{found->method, {}};
  if (FusesParts(found->method)) {
    RECALL_ASSIGN(choice.parts, ParseParts(*found, text));
  } else if (has_more) {
    return Fail(Status::InvalidArgument(
        "the fusion " + std::string(name) + " has no parameters",
        "only parts and grouped have: parts" + PrintParts(FusionMethod::kParts, PartWeights())));
  }
  return choice;
}

std::string PrintFusion(const FusionChoice& fusion) {
  const auto* const found = std::ranges::find(kMethods, fusion.method, &NamedMethod::method);
  const bool parts = FusesParts(fusion.method);
  return std::string(found->name) + (parts ? PrintParts(fusion.method, fusion.parts) : "");
}

std::vector<std::string> FusionNames() {
  std::vector<std::string> names;
  for (const NamedMethod& method : kMethods) names.emplace_back(method.name);
  return names;
}

}  // namespace recall
