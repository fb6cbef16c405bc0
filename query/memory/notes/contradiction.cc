// Whether a note says another thing than an older one about the same subject.
//
// Problem. "The API listens on port 8080" is no longer true once somebody notes "the API listens on
// port 9090". Neither vectors nor word counts tell this pair from a repetition, and a false alarm
// teaches people to ignore the true ones. So what is not certain is not said.
//
// Idea. Two notes have one subject if their titles are the same, or nearly so: one title has the
// stems of the other, and kLeastShared of all stems are common. Two sentences are aligned if they
// are equal word by word (stem by stem) except for one run, which is
//
//   a value on both sides     port 8080 | port 9090;  the owner is Anna | the owner is Ben
//   a negation on one side    is supported | is no longer supported;  use X | do not use X
//   an opposite               enable | disable;  always | never
//
// What makes such a pair no contradiction was found with notes that contradict nothing:
//
//   - one note has both sentences, or another with the same rest: a list of cases
//   - the values are parts of each other: 14 and 14.2, /etc and /etc/hosts
//   - the rest is not exclusive: "supports YAML", "supports JSON"; "see ticket 12"; "step 3"
//   - a date of something that happened: there may be several
//   - titles with different numbers name different things (minutes of March, minutes of April),
//     unless they are whole sentences (kStating)
//
// Cost: O(n m) comparisons of first words for n and m sentences, at most kMostSentences each, and
// only of notes with one subject.

#include "query/memory/notes/contradiction.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <string_view>
#include <utility>

#include "index/base/text/utf8.h"

namespace recall {
namespace {

using WordRun = std::span<const StatedWord>;

constexpr double kLeastShared = 0.6;
constexpr size_t kMostSlotWords = 4;
constexpr size_t kMostShownBytes = 80;
constexpr size_t kMostWordsBefore = 3;  // that are shown with a value

// All sorted.
constexpr std::string_view kNegations[] = {"nein", "never", "nicht", "nie", "niemals", "no", "not"};
constexpr std::string_view kAroundNegations[] = {"any",  "anymore", "did",  "do",
                                                 "does", "longer",  "mehr", "more"};
// Words that the rest of a sentence has if its value is the only one: of a title, of dates.
constexpr std::string_view kStating[] = {
    "are",     "be",    "begins", "cost",  "costs",  "due",     "ends",   "equals",
    "expires", "is",    "ist",    "limit", "listen", "listens", "lives",  "must",
    "need",    "needs", "run",    "runs",  "set",    "sind",    "starts", "stays",
    "takes",   "until", "use",    "uses",  "valid",  "was",     "were",   "wird"};
// Words before a value that is one of several.
constexpr std::string_view kOpenBefore[] = {
    "accept",   "accepts",   "allow", "allows",  "also",     "and",   "contain", "contains",
    "e.g",      "eat",       "eats",  "example", "had",      "has",   "have",    "include",
    "includes", "including", "know",  "knows",   "like",     "likes", "or",      "read",
    "reads",    "see",       "siehe", "support", "supports", "und"};
// Words before a number that tells which one, not how much.
constexpr std::string_view kLabelled[] = {
    "adr",    "appendix", "attempt", "chapter", "day",   "example", "figure",  "issue",
    "item",   "kapitel",  "line",    "no",      "note",  "nr",      "page",    "paragraph",
    "part",   "phase",    "pr",      "rfc",     "round", "run",     "section", "seite",
    "sprint", "step",     "table",   "task",    "teil",  "ticket",  "week"};
static_assert(std::ranges::is_sorted(kNegations) && std::ranges::is_sorted(kAroundNegations) &&
              std::ranges::is_sorted(kStating) && std::ranges::is_sorted(kOpenBefore) &&
              std::ranges::is_sorted(kLabelled));

constexpr std::pair<std::string_view, std::string_view> kOpposites[] = {
    {"above", "below"},
    {"accept", "reject"},
    {"after", "before"},
    {"allow", "deny"},
    {"allow", "forbid"},
    {"allowed", "forbidden"},
    {"allowed", "denied"},
    {"always", "never"},
    {"ascending", "descending"},
    {"async", "sync"},
    {"asynchronous", "synchronous"},
    {"disable", "enable"},
    {"disabled", "enabled"},
    {"disables", "enables"},
    {"exclude", "include"},
    {"excluded", "included"},
    {"false", "true"},
    {"first", "last"},
    {"forbidden", "permitted"},
    {"immer", "nie"},
    {"impossible", "possible"},
    {"external", "internal"},
    {"mandatory", "optional"},
    {"max", "min"},
    {"maximum", "minimum"},
    {"off", "on"},
    {"optional", "required"},
    {"private", "public"},
    {"safe", "unsafe"},
    {"supported", "unsupported"},
    {"with", "without"}};

bool IsAnyOf(std::span<const std::string_view> sorted, const StatedWord& word) {
  return std::ranges::binary_search(sorted, std::string_view(word.folded));
}

bool AreOpposites(const StatedWord& a, const StatedWord& b) {
  return std::ranges::any_of(kOpposites, [&](const auto& pair) {
    return (a.folded == pair.first && b.folded == pair.second) ||
           (a.folded == pair.second && b.folded == pair.first);
  });
}

bool IsNegation(WordRun run) {
  const auto belongs = [](const StatedWord& word) {
    return IsAnyOf(kNegations, word) || IsAnyOf(kAroundNegations, word);
  };
  return std::ranges::all_of(run, belongs) &&
         std::ranges::any_of(run, [](const auto& word) { return IsAnyOf(kNegations, word); });
}

// The kind of a run of values, with their units; kNone if it is none.
ValueKind KindOfRun(WordRun run) {
  ValueKind kind = ValueKind::kNone;
  for (const StatedWord& word : run) {
    if (word.is_unit && kind == ValueKind::kNumber) continue;
    if (word.value == ValueKind::kNone) return ValueKind::kNone;
    const bool part_of_date = word.value == ValueKind::kNumber && kind == ValueKind::kDate;
    if (!part_of_date && kind != ValueKind::kDate) kind = word.value;
  }
  return kind;
}

std::string ComparedText(WordRun run) {
  std::string joined;
  for (const StatedWord& word : run) joined += word.compared;
  return joined;
}

// Whether one value only says more than the other: 14.2 than 14, "30s" than 30; but 80 is not 8.
bool IsPartOf(std::string_view a, std::string_view b) {
  if (a.size() > b.size()) std::swap(a, b);
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (b.starts_with(a)) {
    return a.size() == b.size() || !is_digit(b[a.size()]) || !is_digit(a.back());
  }
  return b.ends_with(a) && !(is_digit(b[b.size() - a.size() - 1]) && is_digit(a.front()));
}

// Where two sentences differ: [begin, end) of each.
struct SentenceSlot {
  size_t begin = 0;
  size_t end_before = 0;
  size_t end_after = 0;
};

SentenceSlot SlotOf(WordRun before, WordRun after) {
  const auto same = [](const StatedWord& a, const StatedWord& b) {
    return a.compared == b.compared;
  };
  SentenceSlot slot;
  const size_t shorter = std::min(before.size(), after.size());
  while (slot.begin < shorter && same(before[slot.begin], after[slot.begin])) ++slot.begin;
  size_t behind = 0;
  while (behind < shorter - slot.begin &&
         same(before[before.size() - behind - 1], after[after.size() - behind - 1])) {
    ++behind;
  }
  slot.end_before = before.size() - behind;
  slot.end_after = after.size() - behind;
  return slot;
}

bool HasAnyBefore(WordRun words, size_t end, std::span<const std::string_view> sorted) {
  return std::ranges::any_of(words.first(end),
                             [&](const auto& word) { return IsAnyOf(sorted, word); });
}

// Whether a sentence can have one value at this place only.
bool IsExclusive(WordRun words, size_t begin, ValueKind kind) {
  if (begin == 0) return false;
  if (kind == ValueKind::kDate) return HasAnyBefore(words, begin, kStating);
  const WordRun near =
      words.subspan(begin - std::min<size_t>(begin, 3), std::min<size_t>(begin, 3));
  if (kind == ValueKind::kNumber) {
    static constexpr std::string_view kHas[] = {"had", "has", "have"};
    const bool open = std::ranges::any_of(near, [](const StatedWord& word) {
      return IsAnyOf(kOpenBefore, word) && !IsAnyOf(kHas, word);
    });
    return !open && !IsAnyOf(kLabelled, words[begin - 1]);
  }
  // Of the options of a command there may be several.
  return words[begin].compared.front() != '-' &&
         std::ranges::none_of(near, [](const auto& word) { return IsAnyOf(kOpenBefore, word); });
}

// Whether two sentences that differ in this slot contradict each other.
bool Contradicts(WordRun before, WordRun after, const SentenceSlot& slot) {
  const WordRun a = before.subspan(slot.begin, slot.end_before - slot.begin);
  const WordRun b = after.subspan(slot.begin, slot.end_after - slot.begin);
  if (a.empty() && b.empty()) return false;
  if (a.empty() || b.empty()) {
    const bool only = slot.end_after < after.size() && after[slot.end_after].folded == "only";
    return !only && IsNegation(a.empty() ? b : a);
  }
  if (a.size() > kMostSlotWords || b.size() > kMostSlotWords) return false;
  if (a.size() == 1 && b.size() == 1 && AreOpposites(a[0], b[0])) return true;
  const ValueKind kind = KindOfRun(a);
  if (kind == ValueKind::kNone || kind != KindOfRun(b)) return false;
  return !IsPartOf(ComparedText(a), ComparedText(b)) && IsExclusive(before, slot.begin, kind);
}

// How many words that say something two sentences have in common.
size_t CountCommonContent(WordRun words, const SentenceSlot& slot) {
  size_t content = 0;
  for (size_t i = 0; i < words.size(); ++i) {
    const bool common = i < slot.begin || i >= slot.end_before;
    content += common && (words[i].IsContent() || words[i].value == ValueKind::kName);
  }
  return content;
}

bool AreSame(WordRun a, WordRun b) {
  return std::ranges::equal(a, b, {}, &StatedWord::compared, &StatedWord::compared);
}

// Whether a note has another sentence than `own` that is equal to it outside of the slot, and has
// there what the sentences compared have, or another value: then the note lists cases.
bool HasAnotherCase(const StatedNote& note, const NoteSentence& own, WordRun before, WordRun after,
                    const SentenceSlot& slot) {
  const WordRun a = before.subspan(slot.begin, slot.end_before - slot.begin);
  const WordRun b = after.subspan(slot.begin, slot.end_after - slot.begin);
  const WordRun behind = before.subspan(slot.end_before);
  const ValueKind kind = KindOfRun(a);
  const auto is_case = [&](const NoteSentence& other) {
    // What is said twice, as by title and text, is one case.
    if (&other == &own || other.text == own.text) return false;
    const WordRun words = other.words;
    if (words.size() < slot.begin + behind.size()) return false;
    if (!AreSame(words.first(slot.begin), before.first(slot.begin))) return false;
    if (!AreSame(words.last(behind.size()), behind)) return false;
    const WordRun there = words.subspan(slot.begin, words.size() - slot.begin - behind.size());
    const bool is_value = kind != ValueKind::kNone && KindOfRun(there) == kind;
    return is_value || AreSame(there, a) || AreSame(there, b);
  };
  return is_case(note.title()) || std::ranges::any_of(note.Sentences(), is_case);
}

// The slot of a sentence with a word or more before it, and, if it has no words here, behind it.
std::string ShownPart(const NoteSentence& sentence, size_t begin, size_t end) {
  const WordRun words = sentence.words;
  size_t from = begin;
  while (from > 0 && begin - from < kMostWordsBefore) {
    --from;
    if (words[from].IsContent()) break;
  }
  const bool is_bare = end == begin || words[end - 1].value == ValueKind::kNone;
  if (is_bare && end < words.size()) ++end;
  std::string shown =
      sentence.text.substr(words[from].begin, words[end - 1].end - words[from].begin);
  if (shown.size() > kMostShownBytes) {
    shown.resize(FloorToCharacter(shown, kMostShownBytes));
    shown += "\u2026";
  }
  return shown;
}

bool HaveOneSubject(const StatedNote& a, const StatedNote& b) {
  if (a.bare_title().empty() || b.bare_title().empty()) return false;
  if (a.bare_title() == b.bare_title()) return true;
  std::vector<std::string> shared;
  std::ranges::set_intersection(a.subject(), b.subject(), std::back_inserter(shared));
  const size_t smaller = std::min(a.subject().size(), b.subject().size());
  const size_t all = a.subject().size() + b.subject().size() - shared.size();
  return shared.size() >= 2 && shared.size() == smaller &&
         static_cast<double>(shared.size()) >= kLeastShared * static_cast<double>(all);
}

// Titles with different numbers name different things, unless they state the number.
bool AreOfOneThing(const StatedNote& a, const StatedNote& b) {
  return a.title_values().empty() || b.title_values().empty() ||
         a.title_values() == b.title_values();
}

// Compares two notes of one scope, sentence by sentence.
class Comparison final {
 public:
  Comparison(const StatedNote& older, const StatedNote& newer) : older_(older), newer_(newer) {}

  std::optional<StatedDifference> Find() const {
    // A title is compared without knowing that both notes have one subject: it is the subject.
    const bool have_one_subject = HaveOneSubject(older_, newer_) && AreOfOneThing(older_, newer_);
    const auto found = Compare(older_.title(), newer_.title(), false);
    if (found || !have_one_subject) return found;
    const size_t least = older_.bare_title() == newer_.bare_title() ? 1 : 2;
    for (size_t i = 0; i <= newer_.Sentences().size(); ++i) {
      for (size_t j = 0; j <= older_.Sentences().size(); ++j) {
        if (i == 0 && j == 0) continue;
        const auto here = Compare(SentenceOf(older_, j), SentenceOf(newer_, i), true, least);
        if (here) return here;
      }
    }
    return std::nullopt;
  }

 private:
  // The title is the first one.
  static const NoteSentence& SentenceOf(const StatedNote& note, size_t index) {
    return index == 0 ? note.title() : note.Sentences()[index - 1];
  }

  // `least`: the number of words that say something, which both must have in common.
  std::optional<StatedDifference> Compare(const NoteSentence& before, const NoteSentence& after,
                                          bool have_one_subject, size_t least = 2) const {
    const size_t most = std::max(before.words.size(), after.words.size());
    const size_t fewest = std::min(before.words.size(), after.words.size());
    if (fewest == 0 || most - fewest > kMostSlotWords) return std::nullopt;
    const SentenceSlot slot = SlotOf(before.words, after.words);
    if (!Contradicts(before.words, after.words, slot)) return std::nullopt;
    const WordRun there = WordRun(before.words).subspan(slot.begin, slot.end_before - slot.begin);
    const bool is_value = KindOfRun(there) != ValueKind::kNone;
    if (!have_one_subject && is_value && !HasAnyBefore(before.words, slot.begin, kStating)) {
      return std::nullopt;
    }
    if (CountCommonContent(before.words, slot) < least) return std::nullopt;
    if (HasAnotherCase(older_, before, before.words, after.words, slot) ||
        HasAnotherCase(newer_, after, before.words, after.words, slot)) {
      return std::nullopt;
    }
    return StatedDifference{ShownPart(before, slot.begin, slot.end_before),
                            ShownPart(after, slot.begin, slot.end_after)};
  }

  const StatedNote& older_;
  const StatedNote& newer_;
};

}  // namespace

StatedNote::StatedNote(const ComparedNote& note) : note_(&note), title_(ReadSentence(note.title)) {
  for (const StatedWord& word : title_.words) {
    if (word.value == ValueKind::kNumber || word.value == ValueKind::kDate) {
      title_values_.push_back(word.compared);
      continue;
    }
    bare_title_ += (bare_title_.empty() ? "" : " ") + word.folded;
    if (word.IsContent() || word.value == ValueKind::kName) subject_.push_back(word.compared);
  }
  std::ranges::sort(title_values_);
  std::ranges::sort(subject_);
  subject_.erase(std::unique(subject_.begin(), subject_.end()), subject_.end());
}

const std::vector<NoteSentence>& StatedNote::Sentences() const {
  if (!sentences_) {
    sentences_ = ReadSentences(note_->summary);
    for (NoteSentence& sentence : ReadSentences(note_->text)) {
      sentences_->push_back(std::move(sentence));
    }
  }
  return *sentences_;
}

std::optional<StatedDifference> FindContradiction(const StatedNote& older,
                                                  const StatedNote& newer) {
  const bool apart =
      !older.scope().empty() && !newer.scope().empty() && older.scope() != newer.scope();
  if (apart) return std::nullopt;
  return Comparison(older, newer).Find();
}

}  // namespace recall
