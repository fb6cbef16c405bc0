// Which notes and passages are offered on a question that nobody asked.
//
// Problem. Who asks reads past a poor result; who is told unasked learns to ignore all of it. A
// ranking always has a best result, so most of what it says must be left out.
//
// Idea. A result is offered on two conditions. Its score is above the one from which on a best
// result counts as an answer (irrelevance.h), by a factor, which is smaller for notes: somebody
// wrote them to be told. And its text has two of the words at least, and half of them, or of a long
// question 1.5 times the square root of their number. Words of conversation do not count, so
// "thanks, go on" asks for nothing.
//
// Invariant: what is offered has no warning that possibly nothing is relevant, because every score
// is above that of the warning.
//
// Figures: docs/decisions/0076-hooks.md. Cost: one search, and the texts of its best results.

#include <algorithm>
#include <unordered_set>

#include "query/ask/answer/irrelevance.h"
#include "query/ask/answer/search.h"
#include "query/ask/rows/ranked_page.h"
#include "query/ask/rows/turn_replies.h"
#include "query/memory/hints/asked_words.h"
#include "query/memory/hints/hint_of_document.h"
#include "query/memory/hints/hint_sources.h"

namespace recall {
namespace {

constexpr size_t kLooksAt = 24;  // results
// Documents. Of those that follow, one in ten is right.
constexpr size_t kMostOffers = 3;
// The first is right about twice as often as those behind it, and gets more words.
constexpr size_t kFirstSnippetBytes = 200;
constexpr size_t kFurtherSnippetBytes = 100;
constexpr size_t kFewestMatches = 2;

// Times LeastRelevantScore, which is .37 for a short question: .42 and .46.
constexpr double kNoteFactor = 1.135;
constexpr double kPassageFactor = 1.243;
static_assert(kNoteFactor >= 1 && kPassageFactor >= 1);  // the invariant

bool IsOfSubject(const LexicalClause& clause) {
  return clause.occur != LexicalClause::Occur::kMustNot && !clause.stands_for &&
         !IsWordOfConversation(clause.text);
}

// Whether `matched` of `wanted` words are enough.
bool HasEnoughWords(size_t matched, size_t wanted) {
  if (matched < kFewestMatches) return false;
  return 2 * matched >= wanted || 4 * matched * matched >= 9 * wanted;
}

class AnswerOffers final {
 public:
  AnswerOffers(const HintRequest& request, const Ranking& ranking, HintPacker& packer)
      : request_(request),
        packer_(packer),
        by_words_(!ranking.fused().plan->hybrid()),
        wanted_(static_cast<size_t>(std::ranges::count_if(ranking.query().clauses, IsOfSubject))) {}

  // Whether the score of a result is high enough. A cheap test, before its text is read.
  bool MayOffer(const DocRow& doc, double score) const {
    const double factor = doc.parser == kNoteParser ? kNoteFactor : kPassageFactor;
    return score >= factor * LeastRelevantScore(wanted_, by_words_);
  }

  // Each document is offered once, with its best chunk.
  bool IsNew(const DocRow& doc) { return seen_.insert(doc.path).second; }

  // `reply`: what the assistant answered, if the hit is a question of a session, because that says
  // more than the question does.
  void Offer(const SearchHit& hit, const std::optional<TurnReply>& reply) {
    const auto matched = static_cast<size_t>(std::ranges::count_if(
        hit.matched_terms, [](const std::string& word) { return !IsWordOfConversation(word); }));
    if (!hit.doc.note_state.empty() || !HasEnoughWords(matched, wanted_)) return;
    if (hit.doc.source_state == SourceState::kDeleted) return;
    if (IsThisSession(hit.doc, request_.session_id)) return;
    found_ = true;
    Hint hint = HintOfHit(hit);
    const size_t bytes = packer_.hints().empty() ? kFirstSnippetBytes : kFurtherSnippetBytes;
    hint.words = reply ? "answered: " + HintLine(reply->text, bytes) : HintLine(hint.words, bytes);
    packer_.Offer(std::move(hint));
  }

  bool found() const { return found_; }
  bool full() const { return packer_.hints().size() >= kMostOffers; }

 private:
  const HintRequest& request_;
  HintPacker& packer_;
  const bool by_words_;
  const size_t wanted_;
  std::unordered_set<std::string> seen_;
  bool found_ = false;
};

}  // namespace

Result<std::string> OfferAnswers(const HintTools& tools, const HintRequest& request,
                                 const HintQuestion& question, HintPacker& packer,
                                 HintResponse& response) {
  SearchRequest search;
  search.text = question.text;
  search.lexical_mode = LexicalMode::kLiteral;
  search.scope.filter = question.filter;
  search.scope.as_of = request.as_of;
  search.snippet_bytes = kFirstSnippetBytes;
  search.evidence = true;
  search.check.on = true;
  RECALL_ASSIGN(const ResolvedScope scope, ResolveScope(tools.snapshot.filters(), search.scope,
                                                        tools.commit_token, FilterDomain::kChunks));
  RECALL_ASSIGN(const Ranking ranking, Rank(tools.snapshot, tools.deps, search, scope.allowed()));
  RECALL_TRY(ReportRanking(ranking, false, response));
  RECALL_ASSIGN(const std::vector<ScoredChunk> best, ranking.Best(kLooksAt));
  RowReader& rows = *ranking.fused().rows;
  RECALL_ASSIGN(const std::vector<RankedRow> page, ReadPage(best, rows, 0, kLooksAt));
  HitMaker hits(tools.snapshot, tools.deps, ranking, search);
  ReplyReader replies(tools.snapshot, rows);
  AnswerOffers offers(request, ranking, packer);
  for (const RankedRow& ranked : page) {
    if (offers.full()) break;
    const DocRow& doc = *ranked.row.doc;
    if (!offers.MayOffer(doc, ranked.fused.score) || !offers.IsNew(doc)) continue;
    RECALL_ASSIGN(const SearchHit hit, hits.Make(doc, ranked.row.chunk, ranked.fused));
    RECALL_ASSIGN(const auto reply, replies.Read(ranked.row, SIZE_MAX));
    offers.Offer(hit, reply);
  }
  if (!packer.hints().empty()) return "";
  return offers.found() ? "all that bears on it is known, or does not fit"
                        : "nothing bears on it clearly enough";
}

}  // namespace recall
