// Which notes say nearly the same as a new one.
//
// Problem. In a young store the model knows one or two words of a terse note, and these are words
// of the card: type, created, recall_when. So the cosines of unrelated notes were near 1. In a
// larger store, words of a new note are unknown to the model, so the same note saved again was not
// near.
//
// Idea. Compare what notes say: title, summary and text, without the other keys of the card.
// Nearness is the larger of
//
//   cosine * (known idf of both) / (idf of both)    what the vectors say, as far as they can
//   likeness, if at least kLeastSameLikeness        the share of common words (text_likeness.h)
//
// and 1 if title and text are the same. A cosine alone never says that two notes are one: only
// likeness does, so `likeness` is reported beside the score.
//
// Candidates are the notes nearest by their stored vectors, those that match the words best, and
// those of the same title, which include every note with the same title and text. Each of them is
// also asked whether the new note contradicts it (contradiction.h).
//
// Embedders of the user's own may be slow or cost money, and know all words: their stored vectors
// are compared, not new ones.
//
// Cost: two searches, and the texts of at most 3 * kFewest + kMostOfTitle candidates.

#include "query/memory/notes/near_notes.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "index/base/text/utf8.h"
#include "query/ask/answer/search.h"
#include "query/memory/notes/contradiction.h"
#include "query/memory/notes/text_likeness.h"
#include "storage/notes/note_card.h"

namespace recall {
namespace {

constexpr size_t kFewest = 18;        // chunks that each retriever proposes
constexpr size_t kMostOfTitle = 256;  // notes of the same title
constexpr size_t kMostAsked = 2048;   // bytes of a note by which others are searched

class NearNotes final {
 public:
  NearNotes(const Snapshot& snapshot, const QueryDependencies& deps, const ComparedNote& note,
            const std::string& commit_token)
      : snapshot_(snapshot),
        deps_(deps),
        note_(note),
        whole_(note.Whole()),
        likeness_(whole_),
        stated_(note),
        commit_token_(commit_token) {}

  Result<NearAnswer> Find(size_t most) {
    RECALL_TRY(Propose());
    std::vector<Compared> compared;
    if (recomputes()) RECALL_TRY(Embed(whole_, vector_, share_));
    for (auto& [path, candidate] : candidates_) {
      RECALL_ASSIGN(compared.emplace_back(), Compare(path, std::move(candidate)));
    }
    std::ranges::stable_sort(compared, std::ranges::greater(),
                             [](const Compared& each) { return each.near.score; });
    NearAnswer answer;
    for (Compared& each : compared) {
      if (each.difference && answer.contradicts.size() < kMostContradictions) {
        answer.contradicts.push_back(
            {each.near.doc, std::move(each.difference->before), std::move(each.difference->after)});
      }
      if (each.near.score > 0 && answer.near.size() < most) {
        answer.near.push_back(std::move(each.near));
      }
    }
    return answer;
  }

 private:
  struct Candidate {
    DocView doc;
    double cosine = 0;  // of its nearest chunk
  };
  struct Compared {
    NearDocument near;
    std::optional<StatedDifference> difference;
  };

  // Whether cosines are computed of what is compared, not taken from the stored vectors.
  bool recomputes() const {
    return deps_.embedding->has_vectors() && !deps_.embedding->is_configured() &&
           !deps_.embedding->is_user_supplied();
  }

  Status Propose() {
    if (whole_.empty()) return {};
    SearchRequest request;
    request.text = whole_.substr(0, FloorToCharacter(whole_, kMostAsked));
    request.lexical_mode = LexicalMode::kLiteral;
    request.expand_words = false;
    request.identical = IdenticalChunks::kKeep;
    request.scope.filter = "doc.kind = 'note'";
    request.k = kFewest;
    request.threads = 1;
    request.mode = SearchMode::kLexical;
    RECALL_TRY(Take(request));
    request.mode = SearchMode::kSemantic;
    if (deps_.embedding->has_vectors() && !deps_.embedding->is_user_supplied()) {
      RECALL_TRY(Take(request));
    }
    if (note_.title.empty()) return {};
    std::string quoted;
    for (const char c : note_.title) quoted.append(c == '\'' ? 2 : 1, c);
    request.scope.filter += " AND doc.title = '" + quoted + "'";
    request.newest = true;
    request.k = kMostOfTitle;
    return Take(request);
  }

  Status Take(const SearchRequest& request) {
    RECALL_ASSIGN(SearchResponse found, RunSearch(snapshot_, deps_, request, commit_token_));
    for (SearchHit& hit : found.hits) {
      const bool by_vector = request.mode == SearchMode::kSemantic && !request.newest;
      const std::string path = hit.doc.path;
      Candidate& candidate = candidates_.try_emplace(path, std::move(hit.doc)).first->second;
      if (by_vector) candidate.cosine = std::max(candidate.cosine, hit.score);
    }
    return {};
  }

  Result<Compared> Compare(const std::string& path, Candidate candidate) {
    Compared compared{.near = {.doc = std::move(candidate.doc)}, .difference = {}};
    NearDocument& near = compared.near;
    RECALL_ASSIGN(const auto doc, snapshot_.texts().FindDoc(path));
    if (!doc) return compared;
    RECALL_ASSIGN(const ComparedNote other, ReadComparedPart(snapshot_.texts(), *doc));
    const bool equal = other.title == note_.title && other.text == note_.text &&
                       (!note_.text.empty() || other.summary == note_.summary);
    const std::string whole = other.Whole();
    near.likeness = equal ? 1 : likeness_.To(whole);
    near.score = candidate.cosine;
    if (recomputes()) {
      RECALL_ASSIGN(near.score, Nearness(whole));
    }
    if (near.likeness >= kLeastSameLikeness) near.score = std::max(near.score, near.likeness);
    near.score = std::clamp(near.score, 0.0, 1.0);
    if (!equal && !ReadNoteCard(doc->meta.value_or(""), doc->mtime).obsolete) {
      compared.difference = FindContradiction(StatedNote(other), stated_);
    }
    return compared;
  }

  // The cosine with another text, as far as the model knows the words of both.
  Result<double> Nearness(const std::string& other) {
    std::vector<float> vector;
    KnownShare share;
    RECALL_TRY(Embed(other, vector, share));
    const double known = share.known + share_.known;
    const double all = share.all + share_.all;
    if (!(all > 0)) return 0;
    return std::inner_product(vector.begin(), vector.end(), vector_.begin(), 0.0) * known / all;
  }

  Status Embed(const std::string& text, std::vector<float>& vector, KnownShare& share) {
    vector.resize(deps_.geometry().dim());
    const std::string_view texts[] = {text};
    RECALL_TRY(deps_.embedder->Embed(texts, vector));
    RECALL_ASSIGN(share, deps_.embedder->ShareOf(text));
    return {};
  }

  const Snapshot& snapshot_;
  const QueryDependencies& deps_;
  const ComparedNote& note_;
  const std::string whole_;
  TextLikeness likeness_;
  const StatedNote stated_;
  const std::string& commit_token_;
  std::map<std::string, Candidate> candidates_;  // by path
  std::vector<float> vector_;
  KnownShare share_;
};

}  // namespace

Result<NearAnswer> FindNearNotes(const Snapshot& snapshot, const QueryDependencies& deps,
                                 const ComparedNote& note, size_t most,
                                 const std::string& commit_token) {
  return NearNotes(snapshot, deps, note, commit_token).Find(most);
}

}  // namespace recall
