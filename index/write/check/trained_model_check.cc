#include "index/write/check/trained_model_check.h"

#include <limits>
#include <map>
#include <set>
#include <string>

#include "index/embed/lsa/stored_model.h"
#include "index/embed/vector_space/coarse_quantizer.h"
#include "index/search/ngram/ngram_statistics.h"
#include "index/search/vocabulary/term_index.h"
#include "index/search/vocabulary/term_index_check.h"
#include "storage/base/bytes.h"
#include "storage/sqlite/connection.h"
#include "storage/tables/meta_table.h"

namespace recall {
namespace {

class ModelCheck final {
 public:
  ModelCheck(CheckRun& run, int64_t commit_sequence) : run_(run), commit_(commit_sequence) {}

  Status Run() {
    RECALL_TRY(ReadModels());
    RECALL_TRY(ReadParts());
    for (const int64_t model : models_) {
      if (!with_ngrams_.contains(model)) Report(Name(model), "it has no part \"grams\"");
    }
    for (const auto& [model, parts] : lsa_) {
      const Status sound = CheckLsaParts(parts);
      if (!sound.ok()) Report(Name(model), std::string(sound.message()));
    }
    for (const auto& [model, kinds] : term_kinds_) RECALL_TRY(CheckTerms(model, kinds));
    return Status::Ok();
  }

 private:
  static std::string Name(int64_t model) { return "model " + std::to_string(model); }
  void Report(std::string where, std::string what) {
    run_.findings().Add(FindingCode::kModel, std::move(where), std::move(what));
  }

  Status ReadModels() {
    RECALL_ASSIGN(Statement * cached,
                  run_.connection().Cached("SELECT id, since, chunks FROM model ORDER BY id"));
    const StatementScope select(cached);
    for (;;) {
      RECALL_ASSIGN(const bool row, select->Step());
      if (!row) return Status::Ok();
      const int64_t id = select->ColumnInt(0);
      const int64_t since = select->ColumnInt(1);
      models_.insert(id);
      if (since < 1 || since > commit_) {
        Report(Name(id), "it is active since commit " + std::to_string(since) +
                             ", but the last commit is " + std::to_string(commit_));
      }
      if (select->ColumnInt(2) < 0) Report(Name(id), "its number of chunks is negative");
    }
  }

  Status ReadParts() {
    RECALL_ASSIGN(
        Statement * cached,
        run_.connection().Cached("SELECT model, CAST(kind AS TEXT), data, typeof(kind) = 'text' "
                                 "FROM model_part ORDER BY model, kind"));
    const StatementScope select(cached);
    for (;;) {
      RECALL_ASSIGN(const bool row, select->Step());
      if (!row) return Status::Ok();
      const int64_t model = select->ColumnInt(0);
      const std::string kind(select->ColumnText(1));
      const std::string where = Name(model) + ", part \"" + kind.substr(0, 40) + "\"";
      if (!models_.contains(model)) Report(where, "the model does not exist");
      if (select->ColumnInt(3) == 0) {
        Report(where, "its kind is not a text, so searches do not find it");
        continue;
      }
      if (IsLsaPart(kind)) {
        lsa_[model].push_back({kind, std::string(AsText(select->ColumnBlob(2)))});
      }
      if (IsTermIndexPart(kind)) term_kinds_[model].insert(kind);
      if (kind == kCoarseQuantizerPart) {
        const auto lists = CoarseQuantizer::Open(std::string(AsText(select->ColumnBlob(2))));
        if (!lists) Report(where, std::string(lists.error().message()));
      }
      if (kind != kNgramPart) continue;
      with_ngrams_.insert(model);
      const auto decoded = NgramStatistics::Decode(select->ColumnBlob(2));
      if (!decoded) Report(where, std::string(decoded.error().message()));
    }
  }

  // An index of terms has thousands of parts, which are read one by one.
  Status CheckTerms(int64_t model, const std::set<std::string>& kinds) {
    const StoredModels models(run_.connection());
    const auto read = [&](const std::string& kind) -> Result<std::string> {
      RECALL_TRY(run_.CheckCancelled());
      RECALL_ASSIGN(auto data, models.ReadPart(model, kind));
      if (data) return *std::move(data);
      return Fail(Status::Corruption("it has no part \"" + kind + "\"", ""));
    };
    const Status sound = CheckTermIndex(kinds, read);
    if (EndsExamination(sound)) return sound;
    if (!sound.ok()) Report(Name(model), std::string(sound.message()));
    return Status::Ok();
  }

  CheckRun& run_;
  int64_t commit_;
  std::set<int64_t> models_;
  std::set<int64_t> with_ngrams_;
  std::map<int64_t, std::vector<ModelPart>> lsa_;
  std::map<int64_t, std::set<std::string>> term_kinds_;
};

}  // namespace

Status CheckModels(CheckRun& run) {
  if (!run.HasTable("model") || !run.HasTable("model_part")) return Status::Ok();
  // A counter that cannot be read is reported by the check of counters.
  const auto commits = ReadMetaCounter(run.connection(), "commit_sequence");
  const int64_t last = commits ? *commits : std::numeric_limits<int64_t>::max();
  return run.Absorb(ModelCheck(run, last).Run(), FindingCode::kModel, "model");
}

}  // namespace recall
