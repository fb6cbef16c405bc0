// Notes that could be linked, and those that may have a pattern.
//
// Notes of one subject are found by their words (note_clusters.h). Two notes are only offered as a
// link if their vectors say the same: a cosine of kLeastCosineOfLink, times the share of the words
// that the model knows, as for nearness (near_notes.h). So there are two kinds of evidence, and
// each is reported. Without vectors, the words alone must say more.
//
// Embedders of the user's own may be slow or cost money: their stored vectors are compared, by a
// search for at most kMostSearched notes.

#include <algorithm>
#include <numeric>
#include <string>
#include <unordered_map>
#include <vector>

#include "query/ask/answer/similar.h"
#include "query/memory/suggest/note_clusters.h"
#include "query/memory/suggest/suggestion_sources.h"

namespace recall {
namespace {

constexpr size_t kMostShared = 5;  // words that are shown
constexpr size_t kMostSearched = 64;
constexpr double kLeastCosineOfLink = 0.3;
constexpr double kLikenessWithoutVectors = 2 * kLeastPairLikeness;

NoteSubjects SubjectsOf(const SuggestableNotes& all) {
  NoteSubjects subjects;
  for (const SuggestableNote& note : all.notes) {
    std::vector<std::string> naming = note.naming;
    naming.push_back(note.text.title);
    std::vector<std::string> rest = note.topics;
    rest.push_back(note.text.summary);
    rest.push_back(note.text.text);
    subjects.Add(naming, rest);
  }
  subjects.Finish();
  return subjects;
}

// The first words that these notes share, beginning with some of them.
std::vector<std::string> SharedWords(const NoteSubjects& subjects,
                                     const std::vector<uint32_t>& notes,
                                     std::vector<uint32_t> terms = {}) {
  for (const uint32_t term : subjects.Shared(notes)) {
    if (std::ranges::find(terms, term) == terms.end()) terms.push_back(term);
  }
  if (terms.size() > kMostShared) terms.resize(kMostShared);
  std::vector<std::string> words;
  for (const uint32_t term : terms) words.push_back(subjects.Word(term));
  return words;
}

std::string JoinedWords(const std::vector<std::string>& words, std::string_view joint) {
  std::string joined;
  for (const std::string& word : words) joined += (joined.empty() ? "" : std::string(joint)) + word;
  return joined;
}

double MeanLikeness(const NoteSubjects& subjects, const std::vector<uint32_t>& notes) {
  double sum = 0;
  size_t pairs = 0;
  for (size_t i = 0; i < notes.size(); ++i) {
    for (size_t j = i + 1; j < notes.size(); ++j, ++pairs) {
      sum += subjects.Likeness(notes[i], notes[j]);
    }
  }
  return sum / static_cast<double>(pairs);
}

// Compares notes by their vectors.
class VectorEvidence final {
 public:
  VectorEvidence(const SuggestTools& tools, const SuggestableNotes& all)
      : tools_(tools), all_(all) {}

  // Whether there are any.
  bool has_vectors() const { return embedding().has_vectors(); }

  // Unset if that would need another search.
  Result<std::optional<double>> Cosine(size_t a, size_t b) {
    const bool by_search = embedding().is_configured() || embedding().is_user_supplied();
    if (by_search) return CosineBySearch(a, b);
    RECALL_ASSIGN(const Embedded* const x, Embed(a));
    RECALL_ASSIGN(const Embedded* const y, Embed(b));
    const double all = x->share.all + y->share.all;
    if (!(all > 0)) return std::optional<double>(0);
    const double cosine =
        std::inner_product(x->vector.begin(), x->vector.end(), y->vector.begin(), 0.0);
    return std::optional<double>(
        std::clamp(cosine * (x->share.known + y->share.known) / all, 0.0, 1.0));
  }

 private:
  struct Embedded {
    std::vector<float> vector;
    KnownShare share;
  };

  const EmbeddingSpace& embedding() const { return *tools_.deps.embedding; }

  Result<const Embedded*> Embed(size_t note) {
    const auto [place, is_new] = embedded_.try_emplace(note);
    Embedded& embedded = place->second;
    if (!is_new) return &embedded;
    const std::string whole = all_.notes[note].text.Whole();
    embedded.vector.resize(tools_.deps.geometry().dim());
    const std::string_view texts[] = {whole};
    RECALL_TRY(tools_.deps.embedder->Embed(texts, embedded.vector));
    RECALL_ASSIGN(embedded.share, tools_.deps.embedder->ShareOf(whole));
    return &embedded;
  }

  Result<std::optional<double>> CosineBySearch(size_t a, size_t b) {
    const auto known = similar_.find(a);
    if (known == similar_.end()) {
      if (similar_.size() == kMostSearched) return std::optional<double>();
      constexpr size_t kMostSimilar = 50;
      SimilarRequest request;
      request.target = all_.notes[a].shown.path;
      request.search.mode = SearchMode::kSemantic;
      request.search.k = kMostSimilar;
      request.search.threads = 1;
      request.search.scope.filter = "doc.kind = 'note'";
      RECALL_ASSIGN(const SimilarResponse found,
                    RunSimilar(tools_.snapshot, tools_.deps, request, tools_.commit_token,
                               tools_.store_root));
      for (const SearchHit& hit : found.hits) similar_[a][hit.doc.path] = hit.score;
    }
    const auto score = similar_[a].find(all_.notes[b].shown.path);
    return std::optional<double>(score == similar_[a].end() ? 0 : score->second);
  }

  const SuggestTools& tools_;
  const SuggestableNotes& all_;
  std::unordered_map<size_t, Embedded> embedded_;
  std::unordered_map<size_t, std::unordered_map<std::string, double>> similar_;  // by note, path
};

Suggestion PatternOf(const SuggestableNotes& all, const NoteSubjects& subjects,
                     const NoteCluster& cluster) {
  const std::vector<uint32_t> subject = {cluster.subject.first, cluster.subject.second};
  Suggestion suggestion{.kind = SuggestionKind::kPattern, .cause = "subject"};
  suggestion.shared = SharedWords(subjects, cluster.notes, subject);
  suggestion.likeness = MeanLikeness(subjects, cluster.notes);
  // Of the subject, not of the notes: another note of the same subject makes no new suggestion.
  std::vector<std::string> about;
  for (const uint32_t term : subject) about.push_back(subjects.Stem(term));
  suggestion.id = SuggestionId(suggestion.kind, suggestion.cause, about);
  suggestion.reason = std::to_string(cluster.notes.size()) + " notes share " +
                      JoinedWords(suggestion.shared, ", ") + ", and none says what is behind them";
  suggestion.command = {"recall", "save", std::string(kPatternType),
                        JoinedWords(suggestion.shared, " ")};
  for (const uint32_t note : cluster.notes) {
    const SuggestedNote& shown = all.notes[note].shown;
    suggestion.notes.push_back(shown);
    suggestion.command.insert(suggestion.command.end(), {"--link", "derived_from=" + shown.path});
  }
  suggestion.command.insert(suggestion.command.end(), {"--text", "@-"});
  return suggestion;
}

}  // namespace

void OfferPatterns(const SuggestableNotes& all, SuggestionList& list) {
  const NoteSubjects subjects = SubjectsOf(all);
  std::vector<uint32_t> episodes;
  for (size_t i = 0; i < all.notes.size(); ++i) {
    if (IsOfEpisode(all.notes[i].shown.type) && !all.of_patterns.contains(i)) {
      episodes.push_back(static_cast<uint32_t>(i));
    }
  }
  for (const NoteCluster& cluster : FindClusters(subjects, episodes)) {
    list.Add(PatternOf(all, subjects, cluster));
  }
}

Status OfferLinks(const SuggestTools& tools, const SuggestableNotes& all,
                  const Contradictions& contradictions, SuggestionList& list) {
  const NoteSubjects subjects = SubjectsOf(all);
  VectorEvidence vectors(tools, all);
  for (const NotePair& pair : FindNearPairs(subjects)) {
    if (list.HasAll(SuggestionKind::kLink)) break;
    const bool contradict =
        contradictions.contains({pair.a, pair.b}) || contradictions.contains({pair.b, pair.a});
    if (contradict || all.linked.contains({pair.a, pair.b})) continue;
    const SuggestedNote& a = all.notes[pair.a].shown;
    const SuggestedNote& b = all.notes[pair.b].shown;
    Suggestion suggestion{.kind = SuggestionKind::kLink, .cause = "near"};
    suggestion.id = SuggestionId(suggestion.kind, suggestion.cause, {a.path, b.path});
    if (!list.WantsId(suggestion.id)) continue;
    if (vectors.has_vectors()) {
      RECALL_ASSIGN(suggestion.cosine, vectors.Cosine(pair.a, pair.b));
      if (suggestion.cosine.value_or(0) < kLeastCosineOfLink) continue;
    } else if (pair.likeness < kLikenessWithoutVectors) {
      continue;
    }
    suggestion.likeness = pair.likeness;
    suggestion.shared = SharedWords(subjects, {pair.a, pair.b});
    suggestion.reason = "both have " + JoinedWords(suggestion.shared, ", ");
    suggestion.notes = {a, b};
    suggestion.command = {"recall", "link", a.path, b.path};
    list.Add(std::move(suggestion));
  }
  return {};
}

}  // namespace recall
