// Clusters and pairs of notes, compared with those that are found by trying everything.

#include "query/memory/suggest/note_clusters.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <tuple>

#include "index/base/math/natural_log.h"
#include "index/source/note/triggers.h"
#include "tests/test_paths.h"
#include "tests/test_util.h"

namespace recall {
namespace {

// Notes of words that are their own stems.
struct MadeNote {
  std::set<std::string> naming;
  std::set<std::string> rest;

  std::set<std::string> All() const {
    std::set<std::string> all = naming;
    all.insert(rest.begin(), rest.end());
    return all;
  }
};

// Each note is about one of some topics, with most of its eight words, and has others by chance.
std::vector<MadeNote> MadeNotes(std::mt19937_64& random, size_t count) {
  const size_t topics = count / 5 + 1;
  std::vector<MadeNote> notes(count);
  for (MadeNote& note : notes) {
    const size_t topic = random() % topics;
    const auto word = [&] {
      const size_t number = random() % 8 != 0 ? topic * 8 + random() % 8 : random() % (topics * 12);
      return "w" + std::to_string(100 + number) + "q";
    };
    for (size_t i = 2 + random() % 4; i > 0; --i) note.naming.insert(word());
    for (size_t i = 4 + random() % 8; i > 0; --i) note.rest.insert(word());
  }
  return notes;
}

NoteSubjects SubjectsOfMade(const std::vector<MadeNote>& notes) {
  NoteSubjects subjects;
  for (const MadeNote& note : notes) {
    subjects.Add(std::vector<std::string>(note.naming.begin(), note.naming.end()),
                 std::vector<std::string>(note.rest.begin(), note.rest.end()));
  }
  subjects.Finish();
  return subjects;
}

// All that a cluster depends on, computed anew each time.
class TriedClusters final {
 public:
  explicit TriedClusters(const std::vector<MadeNote>& notes) : notes_(notes) {
    for (const MadeNote& note : notes) {
      all_.push_back(note.All());
      for (const std::string& word : all_.back()) ++count_[word];
    }
  }

  double Weight(const std::string& word) const {
    return NaturalLog(1 +
                      static_cast<double>(notes_.size()) / static_cast<double>(count_.at(word)));
  }

  double Likeness(size_t a, size_t b) const {
    std::set<std::string> both;
    const auto &x = all_[a], &y = all_[b];
    std::ranges::set_intersection(x, y, std::inserter(both, both.end()));
    if (both.size() < 4) return 0;
    return Squares(both) / (std::sqrt(Squares(x)) * std::sqrt(Squares(y)));
  }

  std::vector<size_t> KeepAlike(std::vector<size_t> group) const {
    while (group.size() >= 3) {
      std::optional<size_t> worst;
      double least = 2;
      for (size_t i = 0; i < group.size(); ++i) {
        double sum = 0;
        for (const size_t other : group) sum += other == group[i] ? 0 : Likeness(group[i], other);
        const double mean = sum / static_cast<double>(group.size() - 1);
        if (mean <= least) {
          least = mean;
          worst = i;
        }
      }
      if (least >= kLeastClusterLikeness) return group;
      group.erase(group.begin() + static_cast<ptrdiff_t>(*worst));
    }
    return {};
  }

  // Words and notes of the clusters, in their order.
  std::vector<std::tuple<std::string, std::string, std::vector<size_t>>> Clusters(
      std::set<size_t> free) const {
    std::vector<std::tuple<std::string, std::string, std::vector<size_t>>> clusters;
    for (;;) {
      double best = 0;
      std::tuple<std::string, std::string, std::vector<size_t>> strongest;
      for (const auto& [a, count_a] : count_) {
        for (const auto& [b, count_b] : count_) {
          const size_t most = MostNotesOfSubject(notes_.size());
          if (a >= b || count_a > most || count_b > most) continue;
          const std::vector<size_t> kept = KeepAlike(GroupOf(a, b, free));
          if (kept.empty()) continue;
          const double strength = (Weight(a) + Weight(b)) * static_cast<double>(kept.size() - 1);
          if (strength > best) {
            best = strength;
            strongest = {a, b, kept};
          }
        }
      }
      if (best == 0) return clusters;
      for (const size_t note : std::get<2>(strongest)) free.erase(note);
      clusters.push_back(std::move(strongest));
    }
  }

  std::vector<std::tuple<double, size_t, size_t>> Pairs() const {
    std::vector<std::tuple<double, size_t, size_t>> pairs;
    for (size_t a = 0; a < notes_.size(); ++a) {
      for (size_t b = a + 1; b < notes_.size(); ++b) {
        size_t rare = 0;
        bool names = false;
        for (const std::string& word : all_[a]) {
          if (!all_[b].contains(word)) continue;
          if (count_.at(word) > MostNotesOfRareTerm(notes_.size())) continue;
          ++rare;
          names |= notes_[a].naming.contains(word) && notes_[b].naming.contains(word);
        }
        const double likeness = Likeness(a, b);
        if (rare >= 2 && names && likeness >= kLeastPairLikeness) {
          pairs.emplace_back(-likeness, a, b);
        }
      }
    }
    std::ranges::sort(pairs);
    return pairs;
  }

 private:
  double Squares(const std::set<std::string>& words) const {
    double sum = 0;
    for (const std::string& word : words) sum += Weight(word) * Weight(word);
    return sum;
  }

  std::vector<size_t> GroupOf(const std::string& a, const std::string& b,
                              const std::set<size_t>& free) const {
    std::vector<size_t> group;
    for (const size_t note : free) {
      const std::set<std::string>& all = all_[note];
      const bool named = notes_[note].naming.contains(a) || notes_[note].naming.contains(b);
      if (named && all.contains(a) && all.contains(b)) group.push_back(note);
    }
    return group.size() >= kFewestOfPattern ? group : std::vector<size_t>();
  }

  const std::vector<MadeNote>& notes_;
  std::vector<std::set<std::string>> all_;
  std::map<std::string, size_t> count_;
};

TEST(NoteClustersTest, AreThoseThatAreFoundByTryingEverything) {
  std::mt19937_64 random(TestSeed(11));
  size_t found = 0;
  for (int round = 0; round < 30; ++round) {
    const std::vector<MadeNote> notes = MadeNotes(random, 8 + random() % 20);
    const NoteSubjects subjects = SubjectsOfMade(notes);
    std::set<size_t> free;
    for (size_t i = 0; i < notes.size(); ++i) {
      if (random() % 5 != 0) free.insert(i);
    }
    const auto expected = TriedClusters(notes).Clusters(free);
    const auto clusters = FindClusters(subjects, std::vector<uint32_t>(free.begin(), free.end()));
    ASSERT_EQ(clusters.size(), expected.size()) << "round " << round;
    for (size_t i = 0; i < clusters.size(); ++i) {
      const auto& [a, b, members] = expected[i];
      EXPECT_EQ(subjects.Stem(clusters[i].subject.first), a) << "round " << round;
      EXPECT_EQ(subjects.Stem(clusters[i].subject.second), b) << "round " << round;
      EXPECT_EQ(std::vector<size_t>(clusters[i].notes.begin(), clusters[i].notes.end()), members)
          << "round " << round;
    }
    found += clusters.size();
  }
  EXPECT_GT(found, 30u);
}

TEST(NoteClustersTest, PairsAreThoseThatAreFoundByTryingEverything) {
  std::mt19937_64 random(TestSeed(12));
  size_t found = 0;
  for (int round = 0; round < 30; ++round) {
    const std::vector<MadeNote> notes = MadeNotes(random, 5 + random() % 40);
    const auto expected = TriedClusters(notes).Pairs();
    const auto pairs = FindNearPairs(SubjectsOfMade(notes));
    ASSERT_EQ(pairs.size(), expected.size()) << "round " << round;
    for (size_t i = 0; i < pairs.size(); ++i) {
      EXPECT_EQ(std::tuple(-pairs[i].likeness, size_t{pairs[i].a}, size_t{pairs[i].b}), expected[i])
          << "round " << round;
    }
    found += pairs.size();
  }
  EXPECT_GT(found, 30u);
}

TEST(NoteClustersTest, WordsAreShownAsTheyAreWritten) {
  NoteSubjects subjects;
  subjects.Add(std::vector<std::string>{"Caching headers"}, std::vector<std::string>{"of 2026"});
  subjects.Add(std::vector<std::string>{"the header"}, std::vector<std::string>{"caches"});
  subjects.Finish();
  const uint32_t notes[] = {0, 1};
  std::vector<std::string> words;
  for (const uint32_t term : subjects.Shared(notes)) words.push_back(subjects.Word(term));
  EXPECT_EQ(words, (std::vector<std::string>{"caches", "header"}));
  EXPECT_EQ(subjects.Likeness(0, 1), 0) << "two words are too few";
}

std::string KeyOfNote(const std::string& note, const std::string& key) {
  const size_t begin = note.find("\n" + key + ": ") + key.size() + 3;
  return note.substr(begin, note.find('\n', begin) - begin);
}

// Terse notes, of which older programs linked every other one to something unrelated.
TEST(NoteClustersTest, NotesOfADozenWordsAreNotAlikeByChance) {
  std::vector<std::string> ids;
  NoteSubjects subjects;
  std::vector<std::filesystem::path> paths;
  for (const auto& file :
       std::filesystem::directory_iterator(SourceDir() + "/tests/memory_questions/notes")) {
    paths.push_back(file.path());
  }
  std::ranges::sort(paths);
  for (const auto& path : paths) {
    std::ifstream file(path, std::ios::binary);
    const std::string note(std::istreambuf_iterator<char>(file), {});
    const std::string title = KeyOfNote(note, "title");
    std::string text = note.substr(note.find("\n---\n", 4) + 5);
    text.erase(0, text.find_first_not_of('\n'));
    text.resize(std::min({text.find(". "), text.find('\n'), text.size()}));
    std::vector<std::string> naming = ExtractTriggers(RedactedText(nullptr, title, nullptr),
                                                      RedactedText(nullptr, text, nullptr));
    naming.push_back(title);
    subjects.Add(naming, std::vector<std::string>{text});
    ids.push_back(path.stem());
  }
  subjects.Finish();
  const std::vector<NotePair> pairs = FindNearPairs(subjects);
  ASSERT_FALSE(pairs.empty());
  EXPECT_EQ(ids[pairs[0].a] + " " + ids[pairs[0].b], "recipe-pizza-dough recipe-pizza-quick");
  EXPECT_LE(pairs.size(), ids.size() / 20);
}

}  // namespace
}  // namespace recall
