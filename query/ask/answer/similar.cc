// More like this: finds the chunks or documents that are similar to a text of the store.
//
// 1. Find the target (targets.h) and its own chunks: the named chunk, or those that overlap the
//    range.
// 2. Synthesise the query: the terms of the text with the largest count times inverse document
//    frequency, and for the semantic retriever the text itself, or the supplied vector of its
//    document. Only the first kMaxQuestionBytes of the text are used. Front matter that was stored
//    as metadata is left out: otherwise documents with the same keys would be near each other. The
//    title of a note stays.
// 3. Choose the reference, the own chunk with the best BM25. The other own chunks are excluded.
// 4. Rank as a search does. The reference is a candidate even if it does not satisfy the filter.
// 5. Divide all scores by the best score, normally that of the reference, so that an equal text has
//    the score 1, and remove the reference.
//
// Invariants. The minimum score applies to the divided scores; LeastBefore converts it exactly.
// Stages do not see the reference: it would make its own near-duplicates redundant. The total does
// not count it.
//
// Cost: that of a search for kMostTellingWords terms. The reference may have any rank, so all rows
// before the page are read.

#include "query/ask/answer/similar.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "index/base/text/utf8.h"
#include "index/search/lexical/salient_terms.h"
#include "index/source/chunk/front_matter.h"
#include "query/ask/answer/get.h"
#include "query/ask/answer/row_source.h"
#include "query/ask/rows/computed_fields.h"
#include "storage/documents/document_store.h"
#include "storage/metadata/metadata_values.h"
#include "storage/tables/supplied_vectors.h"

namespace recall {
namespace {

// The number of terms of the synthesised query. Fewer miss topics of the text; more add little and
// cost reading their postings.
constexpr size_t kMostTellingWords = 32;

// The part of the target that the query is synthesised from, as long as the longest query that a
// search accepts. It bounds time and memory: both grow with the text, and an embedder cannot be
// interrupted while it reads one.
constexpr size_t kMaxQuestionBytes = 1 << 20;
constexpr size_t kMaxTitleBytes = 1 << 10;

// Returns: the text without its front matter, unless it has nothing else.
std::string_view WithoutFrontMatter(std::string_view text) {
  const auto front_matter = FindFrontMatter(text);
  if (!front_matter) return text;
  const std::string_view body = text.substr(front_matter->end);
  return body.find_first_not_of(" \t\r\n") == body.npos ? text : body;
}

// The execution of one request.
class SimilarRun final {
 public:
  SimilarRun(const Snapshot& snapshot, const QueryDependencies& deps, const SimilarRequest& request,
             const std::string& commit_token)
      : snapshot_(snapshot),
        deps_(deps),
        commit_token_(commit_token),
        question_(WithTime(request.search)) {}

  Result<SimilarResponse> Run(GetResponse target) {
    RECALL_ASSIGN(cut_.stages, StageList::Parse(question_.ranking.stages));
    RECALL_TRY(ApplyFilter());
    response_.doc = std::move(target.doc);
    response_.chunk = std::move(target.chunk);
    response_.whole_doc = target.whole_doc;
    RECALL_TRY(FindOwnChunks());
    RECALL_TRY(MakeQuestion());
    clock_.Finish("question", response_.timings);
    // Stop words alone do not characterise a text, so the answer is empty.
    if (made_.words.Empty() || own_.Empty()) return std::move(response_);
    RECALL_TRY(ChooseReference());
    RECALL_TRY(Rank());
    return std::move(response_);
  }

 private:
  Status ApplyFilter() {
    RECALL_ASSIGN(scope_, ResolveScope(snapshot_.filters(), question_.scope, commit_token_,
                                       FilterDomain::kChunks));
    clock_.Finish("filter", response_.timings);
    ReportScope(scope_, question_.explain, response_);
    return {};
  }

  // In a store with user-supplied embeddings, uses the vector that came with the document as the
  // query vector.
  Status TakeSuppliedVector(const DocRow& doc) {
    if (!deps_.embedding->is_user_supplied()) return {};
    RECALL_ASSIGN(const std::string record, snapshot_.texts().ReadSuppliedVector(doc.row));
    if (auto vector = DecodeSuppliedVector(record))
      question_.ranking.embedding = *std::move(vector);
    return {};
  }

  // Finds the chunks that the text of the target comes from.
  Status FindOwnChunks() {
    RECALL_ASSIGN(const auto doc, snapshot_.texts().FindDoc(response_.doc.path));
    if (!doc) return Status::Corruption(response_.doc.path + " was found by id, not by path");
    RECALL_TRY(TakeSuppliedVector(*doc));
    const ChunkView& named = response_.chunk;
    RECALL_ASSIGN(const std::vector<ChunkRow> chunks, snapshot_.texts().ReadChunksOf(*doc));
    for (const ChunkRow& chunk : chunks) {
      const bool overlaps = chunk.start_byte < named.end_byte && chunk.end_byte > named.start_byte;
      if (named.id.empty() ? overlaps : MakeChunkView(*doc, chunk).id == named.id) {
        own_.Add(chunk.row);
      }
    }
    return {};
  }

  // The title of a note is on its card, which is left out, and says the most. With a newline.
  std::string TitleOfNote() const {
    static const std::string kTitle = "title";
    const auto title = MetadataAt(response_.doc.meta_json.value_or(""), {&kTitle, 1});
    if (!title || title->empty()) return {};
    const std::string& text = title->front().text;
    return text.substr(0, FloorToCharacter(text, kMaxTitleBytes)) + "\n";
  }

  Status MakeQuestion() {
    const ChunkView& named = response_.chunk;
    std::string_view text = named.text;
    if (response_.whole_doc && response_.doc.meta_json) text = WithoutFrontMatter(text);
    std::string title;
    if (response_.whole_doc && response_.doc.parser == kNoteParser) title = TitleOfNote();
    question_.text = title;
    question_.text += text.substr(0, FloorToCharacter(text, kMaxQuestionBytes - title.size()));
    if (question_.text.size() < title.size() + text.size()) {
      response_.warnings.push_back("the query is made of the first MiB of the text");
    }
    question_.lexical_mode = LexicalMode::kLiteral;
    RECALL_ASSIGN(indexes_, snapshot_.OpenIndexes(deps_.geometry()));
    LexicalQuery all = ParseLiteralQuery(named.heading + "\n" + question_.text, *deps_.tokenizer);
    RECALL_ASSIGN(made_.words, KeepSalientTerms(*indexes_, std::move(all), kMostTellingWords,
                                                indexes_->removed(), own_));
    response_.words = made_.words.wanted;
    return {};
  }

  Status ChooseReference() {
    reference_ = own_.Values().front();
    if (own_.Count() > 1) {
      RECALL_ASSIGN(const auto matches,
                    indexes_->SearchLexical(made_.words, {&own_, &indexes_->removed()}));
      RECALL_ASSIGN(const std::vector<RetrieverHit> best, matches->Top(1));
      if (!best.empty()) reference_ = best.front().chunk;
    }
    Bitmap reference;
    reference.Add(reference_);
    made_.unseen = own_.AndNot(reference);
    if (scope_.set) scope_.set = scope_.set->Or(reference);
    return {};
  }

  Status Rank() {
    RECALL_TRY(CheckMinScore(question_));
    RECALL_ASSIGN(FusedRanking fused,
                  MakeFusedRanking(snapshot_, deps_, question_, scope_.allowed(), &made_));
    RECALL_ASSIGN(const auto first, fused.Best(1));
    const double best = first.empty() ? 0 : first.front().score;
    // Stages do not see the reference: it would make its own near-duplicates redundant.
    cut_.without = reference_;
    cut_.min_score = LeastBefore(question_.ranking.min_score, best);
    RECALL_ASSIGN(const Ranking ranking, Ranking::Make(std::move(fused), deps_, question_, cut_));
    RECALL_TRY(ReportRanking(ranking, question_.explain, response_));
    clock_ = StageClock();
    const bool documents = response_.whole_doc;
    WarnWhereCut(ranking, documents ? SIZE_MAX : question_.offset + question_.k, response_);
    // The reference may have any rank, so all rows before the page are read, and one more.
    const RowOrder by_score(no_keys_);
    const PageRequest reach = {documents ? RqlTable::kDoc : RqlTable::kChunk, &by_score, 0,
                               question_.offset + question_.k + 1};
    RECALL_ASSIGN(ResultPage page, FindRankedRows(snapshot_, ranking, reach));
    RECALL_ASSIGN(const bool counts_reference, ranking.IsMember(reference_));
    response_.total_hits = page.total - (counts_reference ? 1 : 0);
    std::erase_if(page.ranked, [this](const ScoredChunk& scored) {
      return scored.candidate.chunk == reference_;
    });
    if (response_.total_hits == 0) {
      response_.warnings.push_back(
          question_.scope.filter.empty()
              ? "no results: nothing else is similar"
              : "no results: nothing else that passes the filter is similar");
    }
    clock_.Finish("rank", response_.timings);
    return Assemble(page, ranking, best);
  }

  // Returns: the smallest score that is at least `least` after division by `best`.
  static double LeastBefore(double least, double best) {
    double score = least * best;
    while (score > 0 && std::nextafter(score, 0.0) / best >= least) {
      score = std::nextafter(score, 0.0);
    }
    while (score / best < least) score = std::nextafter(score, 1.0);
    return score;
  }

  // `best`: the greatest score, that of the reference or of a chunk that has the same terms in
  // fewer words.
  Status Assemble(const ResultPage& page, const Ranking& ranking, double best) {
    const size_t end = question_.offset + question_.k;
    HitMaker hits(snapshot_, deps_, ranking, question_);
    RowReader rows(snapshot_.texts());
    for (size_t i = question_.offset; i < std::min(end, page.ranked.size()); ++i) {
      const ScoredChunk& scored = page.ranked[i];
      RECALL_ASSIGN(const RowReader::Located row, rows.Read(scored.candidate.chunk));
      RECALL_ASSIGN(SearchHit hit, hits.Make(*row.doc, row.chunk, scored));
      hit.score /= best;
      if (hit.explain) {
        for (StageEffect& effect : hit.explain->stages) {
          effect.score_before /= best;
          effect.score /= best;
        }
      }
      response_.hits.push_back(std::move(hit));
    }
    const bool more = page.more || page.ranked.size() > end;
    if (more && !response_.hits.empty()) response_.next_offset = static_cast<int64_t>(end);
    if (response_.explain && best > 0) response_.explain->calibration /= best;
    if (response_.related) {
      for (RelatedDoc& related : *response_.related) related.score /= best;
    }
    RECALL_TRY(AddComputed(snapshot_, question_.computed_fields, question_.scope.as_of.value_or(0),
                           response_.hits, &response_.as_of));
    LeaveOutShown(response_.hits, response_);
    clock_.Finish("assemble", response_.timings);
    return {};
  }

  const Snapshot& snapshot_;
  const QueryDependencies& deps_;
  const std::string& commit_token_;
  StageClock clock_;
  ResolvedScope scope_;
  SearchRequest question_;
  RankingCut cut_;
  SynthesizedQuery made_;
  std::unique_ptr<const SearchIndexes> indexes_;
  Bitmap own_;
  uint32_t reference_ = 0;
  const std::vector<OrderKey> no_keys_;
  SimilarResponse response_;
};

}  // namespace

Result<SimilarResponse> RunSimilar(const Snapshot& snapshot, const QueryDependencies& deps,
                                   const SimilarRequest& request, const std::string& commit_token,
                                   const std::string& store_root) {
  RECALL_ASSIGN(GetResponse target,
                RunGet(snapshot.texts(), {.target = request.target}, {store_root}));
  if (target.citation == CitationOutcome::kReplaced) {
    return Fail(Status::CitationChanged("the cited text is no longer that of " + target.doc.path,
                                        "`recall get` prints it and says where it is now"));
  }
  return SimilarRun(snapshot, deps, request, commit_token).Run(std::move(target));
}

}  // namespace recall
