// Which notes have one subject.
//
// Problem. Three bugs about CORS headers have a pattern that nobody has written down. Vectors group
// notes of a store into as many clusters as one asks for, and cannot say why; a cluster without a
// reason that can be read is not trusted.
//
// Idea. A subject is a pair of words, "cors" and "headers". It is that of a note if the note has
// both, and one of them in its title, tags or triggers. A word that many notes have is none of a
// subject (MostNotesOfSubject). A cluster is what is left of the notes of a subject, when the note
// with the least mean likeness to the others is taken away until each has kLeastClusterLikeness. So
// notes that have two words in common by chance do not count.
//
//   strength = (weight of both words) * (notes - 1)
//
// The strongest cluster is taken, its notes are put aside, and so on. In each round, only clusters
// are computed that could be stronger than the best so far: without likeness, a subject has no more
// notes.
//
// Pairs to be linked are found by their rare words, so no pair of notes is compared that has none
// in common.
//
// Cost. Clusters: for each note, the pairs of those of its terms that three notes have, and no more
// than MostNotesOfSubject; a cluster of n notes costs n^2 likenesses. Pairs: the sum of d^2 over
// rare terms in d notes.

#include "query/memory/suggest/note_clusters.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

namespace recall {
namespace {

using Subject = std::pair<uint32_t, uint32_t>;

// What is left of these notes if those that are unlike the others are taken away, the most unlike
// first, of equals the last one. Empty if fewer than kFewestOfPattern are left.
std::vector<uint32_t> KeepAlike(const NoteSubjects& subjects, std::vector<uint32_t> notes) {
  std::vector<std::vector<double>> likeness(notes.size(), std::vector<double>(notes.size()));
  for (size_t i = 0; i < notes.size(); ++i) {
    for (size_t j = i + 1; j < notes.size(); ++j) {
      likeness[i][j] = likeness[j][i] = subjects.Likeness(notes[i], notes[j]);
    }
  }
  std::vector<size_t> kept(notes.size());
  for (size_t i = 0; i < kept.size(); ++i) kept[i] = i;
  while (kept.size() >= kFewestOfPattern) {
    size_t least_like = 0;
    double least = 2;
    for (size_t i = 0; i < kept.size(); ++i) {
      double sum = 0;
      for (const size_t other : kept) sum += likeness[kept[i]][other];
      const double mean = sum / static_cast<double>(kept.size() - 1);
      if (mean <= least) {
        least = mean;
        least_like = i;
      }
    }
    if (least >= kLeastClusterLikeness) {
      std::vector<uint32_t> alike;
      for (const size_t i : kept) alike.push_back(notes[i]);
      return alike;
    }
    kept.erase(kept.begin() + static_cast<ptrdiff_t>(least_like));
  }
  return {};
}

class ClusterFinder final {
 public:
  ClusterFinder(const NoteSubjects& subjects, std::span<const uint32_t> notes)
      : subjects_(subjects), is_free_(subjects.size()) {
    for (const uint32_t note : notes) is_free_[note] = true;
    std::map<Subject, std::vector<uint32_t>> of_subjects;
    for (const uint32_t note : notes) AddSubjectsOf(note, &of_subjects);
    for (auto& [subject, members] : of_subjects) {
      if (members.size() >= kFewestOfPattern) groups_.push_back({subject, std::move(members)});
    }
  }

  std::vector<NoteCluster> Find() {
    std::vector<NoteCluster> clusters;
    while (auto strongest = Strongest()) {
      for (const uint32_t note : strongest->notes) is_free_[note] = false;
      clusters.push_back(*std::move(strongest));
    }
    return clusters;
  }

 private:
  struct Group {
    Subject subject;
    std::vector<uint32_t> notes;
  };

  void AddSubjectsOf(uint32_t note, std::map<Subject, std::vector<uint32_t>>* of_subjects) const {
    const size_t most = MostNotesOfSubject(subjects_.size());
    std::vector<uint32_t> terms;
    for (const uint32_t term : subjects_.TermsOf(note)) {
      const std::span<const uint32_t> with = subjects_.NotesWith(term);
      const auto free = std::ranges::count_if(with, [&](uint32_t n) { return is_free_[n]; });
      if (with.size() <= most && free >= static_cast<ptrdiff_t>(kFewestOfPattern)) {
        terms.push_back(term);
      }
    }
    for (size_t i = 0; i < terms.size(); ++i) {
      for (size_t j = i + 1; j < terms.size(); ++j) {
        if (!subjects_.Names(note, terms[i]) && !subjects_.Names(note, terms[j])) continue;
        (*of_subjects)[{terms[i], terms[j]}].push_back(note);
      }
    }
  }

  double StrengthOf(const Subject& subject, size_t notes) const {
    return (subjects_.Weight(subject.first) + subjects_.Weight(subject.second)) *
           static_cast<double>(notes - 1);
  }

  std::optional<NoteCluster> Strongest() {
    std::optional<NoteCluster> best;
    for (Group& group : groups_) {
      std::erase_if(group.notes, [&](uint32_t note) { return !is_free_[note]; });
      if (group.notes.size() < kFewestOfPattern) continue;
      // Groups are in the order of subjects, so an equal one comes too late.
      if (best && StrengthOf(group.subject, group.notes.size()) <= best->strength) continue;
      std::vector<uint32_t> notes = KeepAlike(subjects_, group.notes);
      if (notes.empty()) continue;
      const double strength = StrengthOf(group.subject, notes.size());
      if (!best || strength > best->strength) best = {group.subject, std::move(notes), strength};
    }
    return best;
  }

  const NoteSubjects& subjects_;
  std::vector<bool> is_free_;  // by note: it may be in a cluster, and is in none
  std::vector<Group> groups_;
};

}  // namespace

size_t MostNotesOfSubject(size_t notes) {
  return std::clamp<size_t>(notes / 12, 2 * kFewestOfPattern, 60);
}

size_t MostNotesOfRareTerm(size_t notes) { return std::clamp<size_t>(notes / 25, 4, 40); }

std::vector<NoteCluster> FindClusters(const NoteSubjects& subjects,
                                      std::span<const uint32_t> notes) {
  return ClusterFinder(subjects, notes).Find();
}

std::vector<NotePair> FindNearPairs(const NoteSubjects& subjects) {
  struct Common {
    uint32_t rare = 0;
    bool names = false;
  };
  std::map<std::pair<uint32_t, uint32_t>, Common> common;
  const size_t most = MostNotesOfRareTerm(subjects.size());
  for (uint32_t term = 0; term < subjects.term_count(); ++term) {
    const std::span<const uint32_t> notes = subjects.NotesWith(term);
    if (notes.size() > most) continue;
    for (size_t i = 0; i < notes.size(); ++i) {
      for (size_t j = i + 1; j < notes.size(); ++j) {
        Common& of_pair = common[{notes[i], notes[j]}];
        ++of_pair.rare;
        of_pair.names |= subjects.Names(notes[i], term) && subjects.Names(notes[j], term);
      }
    }
  }
  std::vector<NotePair> pairs;
  for (const auto& [pair, of_pair] : common) {
    if (of_pair.rare < 2 || !of_pair.names) continue;
    const double likeness = subjects.Likeness(pair.first, pair.second);
    if (likeness >= kLeastPairLikeness) pairs.push_back({pair.first, pair.second, likeness});
  }
  std::ranges::sort(pairs, [](const NotePair& x, const NotePair& y) {
    return std::tuple(-x.likeness, x.a, x.b) < std::tuple(-y.likeness, y.a, y.b);
  });
  return pairs;
}

}  // namespace recall
