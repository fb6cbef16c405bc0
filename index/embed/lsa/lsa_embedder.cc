#include "index/embed/lsa/lsa_embedder.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "index/base/math/natural_log.h"
#include "index/base/text/stop_words.h"
#include "index/embed/lsa/form_terms.h"
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

void ScaleToUnit(std::span<float> vector) {
  const float length = std::sqrt(DotF32(vector.data(), vector.data(), vector.size()));
  if (!(length > 0)) return std::fill(vector.begin(), vector.end(), 0.0f);
  for (float& component : vector) component /= length;
}

}  // namespace

LsaEmbedder::LsaEmbedder(const LsaModel& model)
    : model_(model), identity_{"lsa", VersionOf(model), model.dim()}, bag_(model.terms()) {}

Status LsaEmbedder::Embed(std::span<const std::string_view> texts, std::span<float> out) {
  const size_t dim = identity_.dim;
  RECALL_CHECK(out.size() == texts.size() * dim);
  for (size_t i = 0; i < texts.size(); ++i) {
    tokenizer_.Analyze("", texts[i], &lexical_);
    EmbedOne(lexical_.body, {}, out.subspan(i * dim, dim));
  }
  return Status::Ok();
}

Status LsaEmbedder::EmbedStems(std::span<const std::string_view> bodies, std::span<float> out) {
  const size_t dim = identity_.dim;
  RECALL_CHECK(out.size() == bodies.size() * dim);
  for (size_t i = 0; i < bodies.size(); ++i) EmbedOne(bodies[i], {}, out.subspan(i * dim, dim));
  return Status::Ok();
}

void LsaEmbedder::EmbedWith(std::string_view text, std::span<const StandIn> more,
                            std::span<float> out) {
  EmbedOne(StemsOf(text), more, out);
}

Result<KnownShare> LsaEmbedder::ShareOf(std::string_view text) {
  KnownShare share;
  const auto documents = static_cast<double>(model_.documents());
  ForEachStem(TermsOf(StemsOf(text)), [&](std::string_view stem) {
    if (IsStopStem(stem)) return;
    const std::optional<uint32_t> term = FindTerm(stem);
    const double idf = NaturalLog(term ? documents / model_.df(*term) : documents);
    share.all += idf;
    if (term) share.known += idf;
  });
  return share;
}

std::string_view LsaEmbedder::StemsOf(std::string_view text) {
  tokenizer_.Analyze("", text, &lexical_);
  return lexical_.body;
}

std::string_view LsaEmbedder::TermsOf(std::string_view body) {
  const bool common = model_.form_terms() == FormTerms::kCommon;
  return common ? ReplaceForms(body, &replaced_) : body;
}

std::vector<uint64_t> LsaEmbedder::HashTerms(std::string_view text) {
  return HashStems(StemsOf(text));
}

std::vector<uint64_t> LsaEmbedder::HashStems(std::string_view body) {
  std::vector<uint64_t> hashes;
  ForEachStem(TermsOf(body), [&](std::string_view stem) { hashes.push_back(HashStem(stem)); });
  return hashes;
}

std::optional<uint32_t> LsaEmbedder::FindTerm(std::string_view term) const {
  return model_.Find(HashStem(term));
}

std::optional<uint32_t> LsaEmbedder::FindStem(std::string_view stem) const {
  if (model_.form_terms() == FormTerms::kWords) return FindTerm(stem);
  std::string buffer;
  const std::string_view terms = ReplaceForms(stem, &buffer);
  return terms.find(' ') == terms.npos ? FindTerm(terms) : kSeveralTerms;
}

void LsaEmbedder::EmbedOne(std::string_view body, std::span<const StandIn> more,
                           std::span<float> vector) {
  memo_.ForEach(
      TermsOf(body), [this](std::string_view stem) { return FindTerm(stem).value_or(kNoTerm); },
      [this](uint32_t term) {
        if (term != kNoTerm) bag_.Add(term);
      });
  counts_.clear();
  bag_.Take([this](uint32_t term, uint32_t count) { counts_.push_back({term, count}); });
  AddTerms(counts_, vector);
  for (const StandIn& each : more) {
    const double idf = NaturalLog(static_cast<double>(model_.documents()) / model_.df(each.term));
    if (!(idf > 0)) continue;
    const float weight = each.weight * model_.factor(each.term) / static_cast<float>(idf);
    AddScaledI4(vector.data(), weight, model_.row(each.term), identity_.dim / 2);
  }
  ScaleToUnit(vector);
}

void LsaEmbedder::EmbedTerms(std::span<const TermCount> terms, std::span<float> vector) {
  AddTerms(terms, vector);
  ScaleToUnit(vector);
}

void LsaEmbedder::AddTerms(std::span<const TermCount> terms, std::span<float> vector) {
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
}

}  // namespace recall
