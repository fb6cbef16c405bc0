// Field boosts: chunks with terms of the query in the title of the document, the headings of the
// chunk, the tag or the path rank higher.
//
//   score = best * (body * score / best + sum of weight * share) / (body + sum of weights)
//
// `share` is the fraction of the different stems of the query that the field contains. The title is
// the first heading of the document, else its first line.

#include <algorithm>
#include <array>
#include <set>

#include "query/ask/stages/stage.h"

namespace recall {
namespace {

enum FieldNumber { kTitleWeight, kHeadingWeight, kTagWeight, kPathWeight, kWeightCount };

constexpr StageParameter kFieldsParameters[] = {
    {"title", StageParameter::Kind::kNumber, 0.1, 0, 10},
    {"heading", StageParameter::Kind::kNumber, 0.1, 0, 10},
    {"tag", StageParameter::Kind::kNumber, 0.05, 0, 10},
    {"path", StageParameter::Kind::kNumber, 0.05, 0, 10},
    {"body", StageParameter::Kind::kNumber, 1, 0.01, 10},
};

// A longer first line is not a title.
constexpr size_t kLongestTitle = 300;

class FieldsStage final : public RankStage {
 public:
  explicit FieldsStage(std::span<const StageValue> values) : body_(values[kWeightCount].number) {
    std::ranges::transform(values.first(kWeightCount), weights_.begin(), &StageValue::number);
  }

  Status Apply(StageContext& context, std::vector<StagedHit>& hits) const override {
    const std::vector<std::string>& stems = context.question_stems();
    const std::set<std::string> wanted(stems.begin(), stems.end());
    double total = 0;
    for (const double weight : weights_) total += weight;
    if (wanted.empty() || !(total > 0)) return Status::Ok();
    std::vector<double> evidence;
    for (StagedHit& hit : hits) {
      RECALL_ASSIGN(const StageChunk* chunk, context.Read(hit.fused.candidate.chunk));
      std::array<std::string, kWeightCount> texts;
      RECALL_ASSIGN(texts[kTitleWeight], TitleOf(context, *chunk->row.doc));
      texts[kHeadingWeight] = chunk->row.chunk.heading;
      texts[kTagWeight] = chunk->row.doc->tag.value_or("");
      texts[kPathWeight] = chunk->row.doc->path;
      double sum = 0;
      for (size_t field = 0; field < kWeightCount; ++field) {
        const size_t held = weights_[field] > 0 ? Held(context, texts[field], wanted) : 0;
        sum += weights_[field] * static_cast<double>(held) / static_cast<double>(wanted.size());
        if (held > 0) {
          hit.note += (hit.note.empty() ? "" : ", ") + std::string(kFieldsParameters[field].name) +
                      " " + std::to_string(held) + "/" + std::to_string(wanted.size());
        }
      }
      evidence.push_back(sum / total);
    }
    AddEvidence(hits, evidence, total / body_);
    return Status::Ok();
  }

 private:
  static size_t Held(StageContext& context, const std::string& text,
                     const std::set<std::string>& wanted) {
    std::set<std::string> held;
    for (std::string& stem : context.StemsOf(text)) {
      if (wanted.contains(stem)) held.insert(std::move(stem));
    }
    return held.size();
  }

  static Result<std::string> TitleOf(StageContext& context, const DocRow& doc) {
    const TextsAndFacts& texts = context.snapshot().texts();
    RECALL_ASSIGN(const ChunkRow first, texts.ReadChunk(doc.first_chunk));
    if (!first.heading.empty()) return first.heading.substr(0, first.heading.find(" > "));
    RECALL_ASSIGN(std::string line, texts.ReadText(doc, 0, kLongestTitle + 1));
    const size_t begin = std::min(line.find_first_not_of("\r\n\t "), line.size());
    const size_t end = line.find('\n', begin);
    const bool too_long = end == line.npos && line.size() > kLongestTitle;
    return too_long ? std::string() : line.substr(begin, end - begin);
  }

  std::array<double, kWeightCount> weights_;
  const double body_;
};

std::unique_ptr<RankStage> MakeFieldsStage(std::span<const StageValue> values) {
  return std::make_unique<FieldsStage>(values);
}

}  // namespace

const StageInfo kFieldsStage = {"fields", kFieldsParameters, MakeFieldsStage};

}  // namespace recall
