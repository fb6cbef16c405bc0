#include "index/search/vocabulary/vocabulary_search.h"

#include <algorithm>
#include <optional>
#include <string>

#include "index/search/vocabulary/term_index.h"
#include "index/search/vocabulary/term_similarity.h"
#include "storage/fts5/fts_vocabulary.h"
#include "storage/tables/model_table.h"

namespace recall {
namespace {

Result<std::vector<NearTerm>> ScanVocabulary(Connection& connection,
                                             const TermSimilarity& similarity, size_t most) {
  std::vector<NearTerm> near;
  RECALL_TRY(ScanFtsTokens(connection, [&](std::string_view term) {
    const auto value = similarity.Of(term);
    if (!value || !IsExpansionTerm(term)) return;
    near.push_back({std::string(term), *value, similarity.one_edit().contains(term)});
  }));
  std::ranges::sort(near, IsNearer);
  const auto same = [](const NearTerm& a, const NearTerm& b) { return a.term == b.term; };
  near.erase(std::unique(near.begin(), near.end(), same), near.end());
  near.resize(std::min(near.size(), most));
  return near;
}

}  // namespace

Result<std::vector<NearTerm>> FindNearTerms(const ReadTransaction& transaction,
                                            std::string_view word, std::string_view stem,
                                            size_t most) {
  Connection& connection = transaction.connection();
  Tokenizer tokenizer;
  const TermSimilarity similarity(word, stem, tokenizer);
  RECALL_ASSIGN(const std::optional<ModelRow> model,
                FindModelAt(connection, transaction.counts().commit_sequence));
  std::optional<std::string> header;
  const StoredModels models(connection);
  if (model) {
    RECALL_ASSIGN(header, models.ReadPart(model->id, kTermsPart));
  }
  if (!header) return ScanVocabulary(connection, similarity, most);
  const auto read = [&](const std::string& kind) -> Result<std::string> {
    RECALL_ASSIGN(auto part, models.ReadPart(model->id, kind));
    if (part) return *std::move(part);
    return Fail(
        Status::Corruption("the model has no part \"" + kind + "\"", "run `recall doctor --fix`"));
  };
  RECALL_ASSIGN(TermIndex index, TermIndex::Open(*std::move(header), read));
  return index.Find(similarity, most);
}

}  // namespace recall
