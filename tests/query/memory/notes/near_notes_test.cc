// Whether `save` knows what is in the store already: terse notes, saved one by one into a store
// that grows from nothing, so that its model has seen few of their words.

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <optional>
#include <random>

#include "query/memory/notes/text_likeness.h"
#include "tests/query/query_fixture.h"
#include "tests/test_paths.h"

namespace recall {
namespace {

constexpr double kLeast = 0.9;  // --unless-near

struct TerseNote {
  std::string type;
  std::string title;
  std::string text;
};

std::string LineOf(const std::string& note, const std::string& key) {
  const size_t begin = note.find("\n" + key + ": ") + key.size() + 3;
  std::string line = note.substr(begin, note.find('\n', begin) - begin);
  if (line.starts_with('"')) line = line.substr(1, line.size() - 2);
  return line;
}

// The notes of tests/memory_questions with their title and the first sentence of their text,
// shuffled.
std::vector<TerseNote> TerseNotes(uint64_t seed) {
  std::vector<std::filesystem::path> paths;
  for (const auto& file :
       std::filesystem::directory_iterator(SourceDir() + "/tests/memory_questions/notes")) {
    paths.push_back(file.path());
  }
  std::ranges::sort(paths);
  std::vector<TerseNote> notes;
  for (const auto& path : paths) {
    const std::string note = ReadWhole(path);
    std::string text = note.substr(note.find("\n---\n", 4) + 5);
    text.erase(0, text.find_first_not_of('\n'));
    const size_t end = std::min(text.find(". "), text.find('\n'));
    if (end < text.size()) text.resize(end);
    notes.push_back({LineOf(note, "type"), LineOf(note, "title"), text});
  }
  std::mt19937_64 random(seed);
  for (size_t i = notes.size(); i > 1; --i) std::swap(notes[i - 1], notes[random() % i]);
  return notes;
}

size_t CountWords(const std::string& text) {
  return static_cast<size_t>(std::ranges::count(text, ' ')) + 1;
}

// The text of a note with another word at a random place, other punctuation, or in capitals.
std::string Changed(std::string text, size_t way, std::mt19937_64& random) {
  if (way == 0) {
    size_t begin = 0;
    for (size_t skip = random() % CountWords(text); skip > 0; --skip) {
      begin = text.find(' ', begin) + 1;
    }
    const size_t end = std::min(text.find(' ', begin), text.size());
    return text.replace(begin, end - begin, "wombat");
  }
  if (way == 1) {
    std::ranges::replace(text, ',', ';');
    return "- " + text + " !";
  }
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

class NearNotesTest : public QueryFixture {
 protected:
  Result<SaveReport> Save(const TerseNote& note, bool dry_run, std::optional<double> unless_near) {
    SaveRequest request;
    request.note.type = note.type;
    request.note.title = note.title;
    request.note.text = note.text;
    request.unless_near = unless_near;
    request.dry_run = dry_run;
    request.at = 1'750'000'000'000'000'000;
    return database_->Save(request);
  }
  bool IsRefused(const TerseNote& note, bool dry_run = true) {
    const auto saved = Save(note, dry_run, kLeast);
    if (saved) return false;
    EXPECT_EQ(saved.error().code(), StatusCode::kNearDuplicate) << saved.error().ToString();
    return true;
  }
};

TEST_F(NearNotesTest, NewNotesAreSavedAndRepeatedOnesRefused) {
  const std::vector<TerseNote> notes = TerseNotes(1);
  std::mt19937_64 random(7);
  size_t refused = 0;  // of all notes, which are new
  size_t near = 0;     // said to be
  size_t contradicting = 0;
  size_t repeated = 0;
  size_t taken = 0;          // of the repeated ones
  size_t changed_taken = 0;  // of as many that were changed
  for (size_t i = 0; i < notes.size(); ++i) {
    ASSERT_OK_AND_ASSIGN(const SaveReport planned, Save(notes[i], true, std::nullopt));
    if (!planned.near.empty() && planned.near[0].score >= kLeast) ++near;
    if (!planned.contradicts.empty()) ++contradicting;
    if (IsRefused(notes[i], false)) ++refused;
    if (i % 4 != 0) continue;
    const TerseNote& old = notes[random() % (i + 1)];
    ++repeated;
    if (!IsRefused(old)) ++taken;
    TerseNote like = old;
    like.text = Changed(old.text, i / 4 % 3, random);
    if (!IsRefused(like)) ++changed_taken;
  }
  EXPECT_LE(refused, 2u) << "of " << notes.size();
  EXPECT_LE(near, 2u) << "of " << notes.size();
  EXPECT_EQ(contradicting, 0u) << "of " << notes.size();
  EXPECT_EQ(taken, 0u) << "of " << repeated;
  EXPECT_LE(changed_taken, repeated / 20) << "of " << repeated;
}

// A larger store of other texts has a model that knows no word of the note.
TEST_F(NearNotesTest, ANoteOfUnknownWordsIsKnownAgain) {
  std::mt19937_64 random(5);
  for (int i = 0; i < 30; ++i) {
    WriteFile("f" + std::to_string(i) + ".md", RandomText(random, 400));
  }
  Add();
  const TerseNote note = {"lesson", "Quokka gates aren't left open",
                          "Quokka gates must stay shut when the wallaby herd passes."};
  EXPECT_FALSE(IsRefused(note, false));
  EXPECT_TRUE(IsRefused(note));
  TerseNote other = note;
  other.text = "Wallabies eat hay in winter.";
  EXPECT_FALSE(IsRefused(other));
}

TEST(TextLikenessTest, IsTheLongestCommonSubsequence) {
  std::mt19937_64 random(TestSeed(2));
  for (int round = 0; round < 200; ++round) {
    std::vector<std::string> a, b;
    const auto fill = [&](std::vector<std::string>& words) {
      words.resize(random() % 150);
      for (std::string& word : words) word = "w" + std::to_string(random() % 12);
    };
    fill(a);
    fill(b);
    std::vector<std::vector<size_t>> lcs(a.size() + 1, std::vector<size_t>(b.size() + 1));
    for (size_t i = 1; i <= a.size(); ++i) {
      for (size_t j = 1; j <= b.size(); ++j) {
        lcs[i][j] =
            a[i - 1] == b[j - 1] ? lcs[i - 1][j - 1] + 1 : std::max(lcs[i - 1][j], lcs[i][j - 1]);
      }
    }
    const auto text = [](const std::vector<std::string>& words) {
      std::string joined;
      for (const std::string& word : words) joined += word + ", ";
      return joined;
    };
    const double words = static_cast<double>(a.size() + b.size());
    const double expected =
        a.empty() || b.empty() ? 0 : 2 * static_cast<double>(lcs[a.size()][b.size()]) / words;
    EXPECT_EQ(TextLikeness(text(a)).To(text(b)), expected) << text(a) << "\n" << text(b);
  }
  EXPECT_EQ(TextLikeness("K\u00f6ln: A, b!").To("koln a (B)"), 1);
  EXPECT_EQ(TextLikeness("").To(""), 0);
}

}  // namespace
}  // namespace recall
