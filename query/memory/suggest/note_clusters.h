#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "query/memory/suggest/note_subjects.h"

namespace recall {

inline constexpr size_t kFewestOfPattern = 3;
// The least mean likeness of a note of a cluster with the others, and of two notes to be linked.
// Chosen on one half of tests/memory_questions (docs/decisions/0080-suggestions.md).
inline constexpr double kLeastClusterLikeness = 0.08;
inline constexpr double kLeastPairLikeness = 0.15;

// Notes that share a subject: two terms that all of them have.
struct NoteCluster {
  std::pair<uint32_t, uint32_t> subject;  // terms, ascending
  std::vector<uint32_t> notes;            // ascending, at least kFewestOfPattern
  double strength = 0;                    // weight of the subject times (notes - 1)
};

// Two notes that could be linked.
struct NotePair {
  uint32_t a = 0;  // less than b
  uint32_t b = 0;
  double likeness = 0;
};

// In how many notes of `notes` a term may be to tell a subject, or for a rare one.
size_t MostNotesOfSubject(size_t notes);
size_t MostNotesOfRareTerm(size_t notes);

// The clusters of some of the notes, which ascend: the strongest one, then the strongest one of the
// other notes, and so on. Equal ones by subject. No note is in two of them.
std::vector<NoteCluster> FindClusters(const NoteSubjects& subjects,
                                      std::span<const uint32_t> notes);

// The pairs of notes with a likeness of at least kLeastPairLikeness that have two rare terms in
// common, one of which names the subject of both: the most alike first, then by notes.
std::vector<NotePair> FindNearPairs(const NoteSubjects& subjects);

}  // namespace recall
