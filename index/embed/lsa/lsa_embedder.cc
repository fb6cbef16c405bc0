#include "index/embed/lsa/lsa_embedder.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "index/embed/lsa/stem_hash.h"
#include "index/embed/lsa/term_frequency.h"
#include "simd/kernels.h"
#include "storage/base/check.h"

namespace recall {
namespace {

// The version of the algorithm. It must change whenever the same model would give a text another
// vector.
constexpr char kLsaVersion[] = "1";

std::string VersionOf(const LsaModel& model) {
  char hex[17];
  std::snprintf(hex, sizeof(hex), "%016llx",
                static_cast<unsigned long long>(model.file().fingerprint()));
  return std::string(kLsaVersion) + "-" + hex;
}

}  // namespace

LsaEmbedder::LsaEmbedder(const LsaModel& model)
    : model_(model), identity_{"lsa", VersionOf(model), model.dim()} {}

Status LsaEmbedder::Embed(std::span<const std::string_view> texts, std::span<float> out) {
  const size_t dim = identity_.dim;
  RECALL_CHECK(out.size() == texts.size() * dim);
  for (size_t i = 0; i < texts.size(); ++i) {
    tokenizer_.Analyze("", texts[i], &lexical_);
    EmbedOne(lexical_.body, out.subspan(i * dim, dim));
  }
  return Status::Ok();
}

Status LsaEmbedder::EmbedStems(std::span<const std::string_view> bodies, std::span<float> out) {
  const size_t dim = identity_.dim;
  RECALL_CHECK(out.size() == bodies.size() * dim);
  for (size_t i = 0; i < bodies.size(); ++i) EmbedOne(bodies[i], out.subspan(i * dim, dim));
  return Status::Ok();
}

std::vector<uint64_t> LsaEmbedder::HashTerms(std::string_view text) {
  tokenizer_.Analyze("", text, &lexical_);
  std::vector<uint64_t> hashes;
  ForEachStem(lexical_.body, [&](std::string_view stem) { hashes.push_back(HashStem(stem)); });
  return hashes;
}

std::optional<uint32_t> LsaEmbedder::FindStem(std::string_view stem) const {
  return model_.Find(HashStem(stem));
}

void LsaEmbedder::FindStems(std::string_view body) {
  found_.clear();
  ForEachStem(body, [this](std::string_view stem) {
    if (const auto term = FindStem(stem)) found_.push_back(*term);
  });
  std::sort(found_.begin(), found_.end());
}

void LsaEmbedder::EmbedOne(std::string_view body, std::span<float> vector) {
  FindStems(body);
  counts_.clear();
  for (size_t i = 0; i < found_.size();) {
    size_t end = i + 1;
    while (end < found_.size() && found_[end] == found_[i]) ++end;
    counts_.push_back({found_[i], static_cast<uint32_t>(end - i)});
    i = end;
  }
  EmbedTerms(counts_, vector);
}

void LsaEmbedder::EmbedTerms(std::span<const TermCount> terms, std::span<float> vector) {
  const size_t dim = identity_.dim;
  RECALL_CHECK(vector.size() == dim);
  std::fill(vector.begin(), vector.end(), 0.0f);
  // The rows are scattered over megabytes, so later rows are prefetched while one is added.
  constexpr size_t kAhead = 4;
  constexpr size_t kCacheLine = 64;
  for (size_t i = 0; i < terms.size(); ++i) {
    if (i + kAhead < terms.size()) {
      const uint8_t* later = model_.row(terms[i + kAhead].term);
      for (size_t byte = 0; byte < dim / 2; byte += kCacheLine) __builtin_prefetch(later + byte);
    }
    const auto [term, count] = terms[i];
    const float weight = TermFrequencyWeight(count) * model_.factor(term);
    AddScaledI4(vector.data(), weight, model_.row(term), dim / 2);
  }
  const float length = std::sqrt(DotF32(vector.data(), vector.data(), dim));
  if (!(length > 0)) {
    std::fill(vector.begin(), vector.end(), 0.0f);
    return;
  }
  for (float& component : vector) component /= length;
}

}  // namespace recall
