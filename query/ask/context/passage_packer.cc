// Packs the most relevant sentences and lines of the best chunks into a token budget.
//
// A chunk of 256 tokens usually answers a question in a few sentences or lines; the rest wastes the
// budget. The chunks are therefore cut into units (query/ask/passages/passage_units.h), and a
// greedy knapsack selects units by descending value:
//
//   value = evidence of the unit itself (unit_evidence.h)         share of the best unit, 0..1
//         + 1/2, 1/4, 1/8 of that of its neighbours at distance 1, 2, 3
//         + 2 * score of its best chunk                           share of the best chunk, 0..1
//
// The best unit of the best chunk is selected first. If the question asks for several things, words
// that no unit before has count more, so that each part of it is answered. Headings, headers of
// tables, imports and front matter are not selected for their own sake; but what a unit needs to be
// understood comes along if both fit: the header of its table, the line that heads it unless the
// citation prints it, and the sentence that ends in a colon with the unit after it. A passage that
// another document has as well is selected once; repeats within one document wait for units of less
// value, because long documents repeat themselves.
//
// A piece costs a citation in addition to its text. A unit near a selected one is therefore joined
// with it if the gap between them costs no more than a second citation:
//
//   span      u0 [u1 u2] u3  u4 [u5]        [ ] selected runs
//                         ^ select u4: gap u3 <= citation: the runs become one, [u1 u2 u3 u4 u5]
//
// Invariants: `used_` is the sum of Cost() over all runs of selected units and never exceeds
// `limit_`. Each byte belongs to at most one unit, so no byte is printed twice. A unit that does
// not fit is skipped. If not even the best unit fits, it is cut to as many tokens as fit, around
// its line or sentence with the most evidence.
//
// Prepare() reads each contiguous span once and computes the values. These do not depend on the
// limit, so Pack() can run again with a smaller one. Cost: O(chunks x units of a span + bytes read)
// for Prepare(), and for Pack() O(units) steps of at most as many units as a gap or a run has.

#include "query/ask/context/passage_packer.h"

#include <algorithm>
#include <deque>
#include <tuple>
#include <unordered_set>
#include <utility>

#include "index/base/text/tokenizer.h"
#include "index/source/chunk/sentence_end.h"
#include "index/source/chunk/token_scan.h"
#include "query/ask/passages/token_counter.h"
#include "query/ask/rows/turn_replies.h"

namespace recall {
namespace {

// The evidence of neighbouring units counts half as much at each step, up to this many steps on
// either side: an answer is often next to the sentence that contains the query terms.
constexpr size_t kUnitNeighbours = 3;
constexpr double kNeighbourShare = 0.5;

// Packing ends if fewer tokens than this are left, because so short a unit is rarely useful.
constexpr int64_t kLeastRoom = 8;

// The score of the chunk, a share of the best, counts more than the best unit: most of the ranker's
// evidence is in it, and the shares of the best chunks are close to each other.
constexpr double kRankWeight = 2;
// A unit that repeats a selected one of its document waits for units of this much less value.
constexpr double kRepeatDelay = 0.3;
// Passages of fewer letters are never taken for the same.
constexpr size_t kFewLetters = 12;
// A heading of more tokens does not come along.
constexpr int64_t kLongestRider = 16;
// Passages of at least this many letters say the same if they have the same letters; shorter ones
// if they also have the same digits, which are all that tells two constants apart.
constexpr size_t kLettersTell = 60;
// In a question that asks for several things, words that no selected unit has count this much more.
constexpr double kMissingWords = 1.5;
// Units that are ordered anew after a selection.
constexpr size_t kMostReordered = 64;

// A number that is equal for passages that say the same: FNV-1a of their letters, without case,
// punctuation and, in longer passages, digits. 0 for very short ones.
uint64_t SenseOf(std::string_view text) {
  uint64_t letters_only = 14695981039346656037ull;
  uint64_t with_digits = letters_only;
  size_t letters = 0;
  for (const char c : text) {
    const char low = static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
    const bool letter = (low >= 'a' && low <= 'z') || (c & 0x80);
    if (!letter && (c < '0' || c > '9')) continue;
    with_digits = (with_digits ^ static_cast<uint8_t>(low)) * 1099511628211ull;
    if (!letter) continue;
    ++letters;
    letters_only = (letters_only ^ static_cast<uint8_t>(low)) * 1099511628211ull;
  }
  if (letters < kFewLetters) return 0;
  return letters >= kLettersTell ? letters_only : with_digits;
}

// The lines of a text, those with several sentences cut after each; as ranges of bytes. Not empty
// if the text has a token.
std::vector<std::pair<size_t, size_t>> LinesAndSentences(std::string_view text) {
  std::vector<std::pair<size_t, size_t>> parts;
  size_t last = 0;
  bool ends = true;
  for (size_t at = SkipWhiteSpace(text, 0); at < text.size(); at = SkipWhiteSpace(text, last)) {
    ends = ends || text.substr(last, at - last).find('\n') != text.npos;
    last = FindTokenEnd(text, at);
    if (ends) parts.emplace_back(at, last);
    parts.back().second = last;
    ends = EndsSentence(text.substr(at, last - at));
  }
  return parts;
}

// The last two components of a path.
std::string_view NameIn(std::string_view path) {
  const size_t slash = path.rfind('/');
  if (slash == path.npos || slash == 0) return path;
  const size_t before = path.rfind('/', slash - 1);
  return before == path.npos ? path : path.substr(before + 1);
}

bool Overlap(const ChunkRow& chunk, uint64_t start, uint64_t end) {
  return chunk.start_byte < end && chunk.end_byte > start;
}

}  // namespace

Status PassagePacker::Prepare(const std::vector<RankedRow>& offered) {
  if (offered.empty()) return {};
  Gather(offered);
  RECALL_TRY(CutStretches());
  const std::vector<UnitEvidence::Words> words = Value(offered.front().fused.score);
  for (size_t i = 0; i < units_.size(); ++i) {
    if (MeansSomething(units_[i])) order_.push_back(i);
  }
  if (order_.empty()) {  // headings alone
    for (size_t i = 0; i < units_.size(); ++i) {
      if (units_[i].best->fused.score > 0) order_.push_back(i);
    }
  }
  std::ranges::stable_sort(order_, std::greater<>(),
                           [&](size_t unit) { return units_[unit].value; });
  // The best unit of the best chunk is always in the context, and the first one.
  const auto first = std::ranges::find_if(
      order_, [&](size_t unit) { return units_[unit].best == &offered.front(); });
  if (first != order_.end()) std::rotate(order_.begin(), first, first + 1);
  if (evidence_->asks_for_several()) PreferMissingWords(words);
  return {};
}

// Orders the units again, the first one excepted: a unit gains what the words of it weigh that no
// unit before it has. Values stay in order, so a unit is compared with those alone that it could
// fall behind.
void PassagePacker::PreferMissingWords(const std::vector<UnitEvidence::Words>& words) {
  std::unordered_set<size_t> had;
  for (size_t place = 0; place < std::min(order_.size(), kMostReordered); ++place) {
    size_t best = place;
    double greatest = -1;
    for (size_t other = place; other < order_.size(); ++other) {
      double value = units_[order_[other]].value;
      if (value + kMissingWords < greatest) break;  // the words of a unit weigh at most 1
      for (const UnitEvidence::Word& word : words[order_[other]]) {
        if (!had.contains(word.clause)) value += kMissingWords * word.weight;
      }
      if (value > greatest) {
        greatest = value;
        best = other;
      }
      if (place == 0) break;
    }
    const auto at = [&](size_t index) { return order_.begin() + static_cast<ptrdiff_t>(index); };
    std::rotate(at(place), at(best), at(best + 1));
    for (const UnitEvidence::Word& word : words[order_[place]]) had.insert(word.clause);
  }
}

PackedContext PassagePacker::Pack(int64_t limit) {
  limit_ = limit;
  used_ = 0;
  runs_per_doc_.clear();
  said_.clear();
  next_ = 0;
  repeats_.clear();
  for (Unit& unit : units_) unit.taken = false;
  PackedContext packed;
  while (const std::optional<size_t> unit = NextUnit()) {
    if (TakeWithRiders(*unit)) {
      if (!units_[*unit].taken) continue;
      said_.emplace(units_[*unit].sense, DocOf(units_[*unit]));
      Expand(*unit);
    } else if (used_ == 0) {
      // Not even the best unit fits: cut it to as many tokens as fit, around what answers.
      const Run run{*unit, *unit + 1};
      const int64_t room = limit_ - CitationTokens(run);
      if (room > 0) Emit(run, Cut{StartOfCut(*unit, room), room}, &packed);
      break;
    } else if (limit_ - used_ < kLeastRoom) {
      break;
    }
  }
  for (const Run& run : Runs()) Emit(run, std::nullopt, &packed);
  return packed;
}

std::optional<size_t> PassagePacker::NextUnit() {
  while (next_ < order_.size() || !repeats_.empty()) {
    const bool repeat = !repeats_.empty() && (next_ == order_.size() ||
                                              units_[order_[next_]].value <
                                                  units_[repeats_.front()].value - kRepeatDelay);
    if (repeat) {
      const size_t unit = repeats_.front();
      repeats_.pop_front();
      if (!units_[unit].taken) return unit;
      continue;
    }
    const size_t unit = order_[next_++];
    if (units_[unit].taken) continue;
    const auto said = units_[unit].sense == 0 ? said_.end() : said_.find(units_[unit].sense);
    if (said == said_.end()) return unit;
    if (said->second == DocOf(units_[unit])) repeats_.push_back(unit);
  }
  return std::nullopt;
}

// Every byte that is not white space belongs to some chunk, so only white space can lie between
// chunks with adjacent rowids; in a session also headings of turns and uses of tools, which become
// units that are not selected for their own sake.
void PassagePacker::Gather(const std::vector<RankedRow>& offered) {
  std::unordered_map<int64_t, int64_t> offered_of_doc;
  std::vector<const RankedRow*> chunks;
  for (const RankedRow& ranked : offered) {
    int64_t& count = offered_of_doc[ranked.row.doc->row];
    const bool counts = ranked.fused.score > 0;
    if (counts && options_.diversity && count >= *options_.diversity) continue;
    if (counts) ++count;
    chunks.push_back(&ranked);
  }
  std::ranges::sort(chunks, {}, [](const RankedRow* ranked) {
    const auto& [chunk, doc] = ranked->row;
    return std::tuple(std::string_view(doc->path), doc->row, chunk.start_byte, chunk.row);
  });
  for (const RankedRow* ranked : chunks) {
    const auto& [chunk, doc] = ranked->row;
    Stretch* last = stretches_.empty() ? nullptr : &stretches_.back();
    const bool joins =
        last && last->doc->row == doc->row &&
        (chunk.row <= last->chunks.back()->row.chunk.row + 1 || chunk.start_byte < last->end);
    if (!joins) {
      last = &stretches_.emplace_back();
      last->doc = doc;
      last->start = chunk.start_byte;
    }
    last->chunks.push_back(ranked);
    last->end = std::max(last->end, chunk.end_byte);
  }
}

Status PassagePacker::CutStretches() {
  for (size_t i = 0; i < stretches_.size(); ++i) {
    Stretch& stretch = stretches_[i];
    RECALL_ASSIGN(stretch.text, rows_->texts().ReadText(*stretch.doc, stretch.start, stretch.end));
    stretch.first_unit = units_.size();
    for (PassageUnit place :
         CutPassageUnits(stretch.text, stretch.doc->parser == "code", stretch.start == 0)) {
      place.start += stretch.start;
      place.end += stretch.start;
      for (auto* rider : {&place.heading, &place.header, &place.lead_in}) {
        if (*rider) **rider += stretch.first_unit;
      }
      const RankedRow* best = nullptr;
      for (const RankedRow* ranked : stretch.chunks) {  // addresses ascend in ranking order
        if (!Overlap(ranked->row.chunk, place.start, place.end)) continue;
        if (!best || ranked < best) best = ranked;
      }
      if (stretch.doc->parser == kSessionParser) place.heading.reset();  // the citation has it
      if (!best) place.kind = PassageUnit::Kind::kHeading;
      Unit& unit = units_.emplace_back();
      unit.stretch = i;
      unit.place = place;
      unit.best = best ? best : &HeadOf(units_.size() - 1);
    }
    stretch.end_unit = units_.size();
  }
  return {};
}

// The value of a unit is the sum of its own evidence, that of its neighbours, and twice the score
// of its chunk as a share of the best.
std::vector<UnitEvidence::Words> PassagePacker::Value(double best_score) {
  std::vector<UnitEvidence::Unit> texts;
  for (size_t i = 0; i < units_.size(); ++i) {
    Unit& unit = units_[i];
    const std::string_view text = TextOf(unit.stretch, unit.place.start, unit.place.end);
    std::string_view heading;
    if (unit.place.heading) {
      const Unit& above = units_[*unit.place.heading];
      heading = TextOf(above.stretch, above.place.start, above.place.end);
    }
    const std::string& path = stretches_[unit.stretch].doc->path;
    texts.push_back({text, HeadOf(i).row.chunk.heading, heading, NameIn(path)});
    unit.sense = SenseOf(text);
  }
  std::vector<UnitEvidence::Words> words;
  const std::vector<double> evidence = evidence_->Weigh(texts, &words);
  for (size_t i = 0; i < units_.size(); ++i) {
    const double rank = best_score > 0 ? units_[i].best->fused.score / best_score : 0;
    units_[i].value = evidence[i] + NeighbourEvidence(evidence, i) + kRankWeight * rank;
  }
  return words;
}

bool PassagePacker::MeansSomething(const Unit& unit) const {
  if (unit.best->fused.score <= 0) return false;
  switch (unit.place.kind) {
    case PassageUnit::Kind::kText:
      return true;
    case PassageUnit::Kind::kImport:
      return evidence_->AsksFor({"include", "includes", "import", "imports", "header", "headers"});
    case PassageUnit::Kind::kMatter:
      return AsksForKey(TextOf(unit.stretch, unit.place.start, unit.place.end));
    case PassageUnit::Kind::kHeading:
    case PassageUnit::Kind::kHeader:
      return false;
  }
  return false;
}

bool PassagePacker::AsksForKey(std::string_view line) const {
  if (line.starts_with("---")) line.remove_prefix(std::min(line.find('\n') + 1, line.size()));
  std::string key(line.substr(0, line.find(':')));
  for (char& c : key) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
  return evidence_->AsksFor({key});
}

std::vector<size_t> PassagePacker::RidersOf(size_t unit) const {
  std::vector<size_t> riders;
  const PassageUnit& place = units_[unit].place;
  if (place.header) riders.push_back(*place.header);
  if (place.lead_in) riders.push_back(*place.lead_in);
  if (unit + 1 < units_.size() && units_[unit + 1].place.lead_in == unit) {
    riders.push_back(unit + 1);
  }
  AddAnswer(unit, &riders);
  if (place.heading && units_[*place.heading].place.tokens <= kLongestRider) {
    const Unit& above = units_[*place.heading];
    std::string_view text = TextOf(above.stretch, above.place.start, above.place.end);
    text.remove_prefix(std::min(text.find_first_not_of("#= "), text.size()));
    text = text.substr(0, text.find('\n'));
    // A citation prints the headings of its chunk.
    if (!options_.citations || HeadOf(unit).row.chunk.heading.find(text) == std::string::npos) {
      riders.push_back(*place.heading);
    }
  }
  return riders;
}

// The answer to a question of a session is the next turn of the agent. What it says first and what
// of it answers best come along.
void PassagePacker::AddAnswer(size_t unit, std::vector<size_t>* riders) const {
  if (RoleOfTurn(HeadOf(unit).row) != kAskingRole) return;
  const size_t end = stretches_[units_[unit].stretch].end_unit;
  std::optional<size_t> first;
  size_t best = 0;
  for (size_t i = unit + 1; i < end; ++i) {
    if (units_[i].place.kind != PassageUnit::Kind::kText) continue;
    const std::string_view role = RoleOfTurn(HeadOf(i).row);
    if (role != kAnsweringRole && first) break;
    if (role != kAnsweringRole) continue;
    if (!first) first = best = i;
    if (units_[i].value > units_[best].value) best = i;
  }
  if (!first) return;
  riders->push_back(*first);
  if (best != *first) riders->push_back(best);
}

bool PassagePacker::TakeWithRiders(size_t unit) {
  const std::vector<size_t> riders = RidersOf(unit);
  if (riders.empty()) return Take(unit);
  const int64_t used = used_;
  const auto runs = runs_per_doc_;
  trail_.clear();
  bool fits = Take(unit);
  for (const size_t rider : riders) fits = fits && Take(rider);
  if (fits) return true;
  for (const size_t taken : trail_) units_[taken].taken = false;
  used_ = used;
  runs_per_doc_ = runs;
  return Take(unit);
}

double PassagePacker::NeighbourEvidence(const std::vector<double>& evidence, size_t unit) const {
  const Stretch& stretch = stretches_[units_[unit].stretch];
  double sum = 0;
  double share = 1;
  for (size_t step = 1; step <= kUnitNeighbours; ++step) {
    share *= kNeighbourShare;
    if (unit >= stretch.first_unit + step) sum += share * evidence[unit - step];
    if (unit + step < stretch.end_unit) sum += share * evidence[unit + step];
  }
  return sum;
}

bool PassagePacker::Take(size_t unit) {
  if (units_[unit].taken) return true;
  // Filling a gap is better than a second citation that costs at least as much.
  const int64_t most_gap = CitationTokens({unit, unit + 1});
  const Run before = RunBefore(unit, most_gap);
  const Run after = RunAfter(unit, most_gap);
  const Run joined{before.first, after.end};
  int64_t cost = Cost(joined);
  int64_t& runs = runs_per_doc_[stretches_[units_[unit].stretch].doc->row];
  int64_t more_runs = 1;
  for (const Run& old : {before, after}) {
    if (old.first == old.end) continue;
    cost -= Cost(old);
    --more_runs;
  }
  if (used_ + cost > limit_) return false;
  if (options_.diversity && runs + more_runs > *options_.diversity) return true;
  used_ += cost;
  runs += more_runs;
  for (size_t i = joined.first; i < joined.end; ++i) {
    if (!units_[i].taken) trail_.push_back(i);
    units_[i].taken = true;
  }
  return true;
}

void PassagePacker::Expand(size_t unit) {
  const Stretch& stretch = stretches_[units_[unit].stretch];
  bool open[] = {true, true};
  for (size_t step = 1; step <= static_cast<size_t>(options_.expand); ++step) {
    open[0] = open[0] && unit >= stretch.first_unit + step && Take(unit - step);
    open[1] = open[1] && unit + step < stretch.end_unit && Take(unit + step);
  }
}

PassagePacker::Run PassagePacker::RunBefore(size_t unit, int64_t most_gap) {
  const size_t begin = stretches_[units_[unit].stretch].first_unit;
  size_t end = unit;
  for (int64_t gap = 0; end > begin && !units_[end - 1].taken; --end) {
    gap += TokensOf(end - 1);
    if (gap > most_gap) return {unit, unit};
  }
  if (end == begin) return {unit, unit};
  size_t first = end;
  while (first > begin && units_[first - 1].taken) --first;
  return {first, end};
}

PassagePacker::Run PassagePacker::RunAfter(size_t unit, int64_t most_gap) {
  const size_t limit = stretches_[units_[unit].stretch].end_unit;
  size_t first = unit + 1;
  for (int64_t gap = 0; first < limit && !units_[first].taken; ++first) {
    gap += TokensOf(first);
    if (gap > most_gap) return {unit + 1, unit + 1};
  }
  if (first == limit) return {unit + 1, unit + 1};
  size_t end = first;
  while (end < limit && units_[end].taken) ++end;
  return {first, end};
}

int64_t PassagePacker::Cost(const Run& run) {
  int64_t cost = CitationTokens(run);
  for (size_t i = run.first; i < run.end; ++i) cost += TokensOf(i);
  return cost;
}

int64_t PassagePacker::TokensOf(size_t unit) {
  Unit& asked = units_[unit];
  if (options_.counter->counts_words()) return asked.place.tokens;
  if (asked.tokens >= 0) return asked.tokens;
  const bool first = unit == stretches_[asked.stretch].first_unit;
  const uint64_t start = first ? asked.place.start : units_[unit - 1].place.end;
  asked.tokens = options_.counter->Count(TextOf(asked.stretch, start, asked.place.end));
  return asked.tokens;
}

int64_t PassagePacker::CitationTokens(const Run& run) {
  const RankedRow& head = HeadOf(run.first);
  const auto [known, added] = citation_tokens_.emplace(&head, 0);
  if (added) known->second = CitationCost(options_, *head.row.doc, head.row.chunk);
  return known->second;
}

const RankedRow& PassagePacker::HeadOf(size_t unit) const {
  const RankedRow* head = nullptr;
  for (const RankedRow* ranked : stretches_[units_[unit].stretch].chunks) {
    if (head && ranked->row.chunk.start_byte > units_[unit].place.start) break;
    head = ranked;
  }
  return *head;
}

std::string_view PassagePacker::TextOf(size_t stretch, uint64_t start, uint64_t end) const {
  const Stretch& whole = stretches_[stretch];
  return std::string_view(whole.text).substr(start - whole.start, end - start);
}

std::vector<PassagePacker::Run> PassagePacker::Runs() const {
  std::unordered_map<int64_t, size_t> place_of_doc;
  for (const size_t unit : order_) {
    if (units_[unit].taken) {
      place_of_doc.emplace(stretches_[units_[unit].stretch].doc->row, place_of_doc.size());
    }
  }
  std::vector<Run> runs;
  for (size_t i = 0; i < units_.size(); ++i) {
    if (!units_[i].taken) continue;
    const bool goes_on = i > 0 && units_[i - 1].taken && units_[i - 1].stretch == units_[i].stretch;
    if (goes_on) {
      ++runs.back().end;
    } else {
      runs.push_back({i, i + 1});
    }
  }
  std::ranges::stable_sort(runs, {}, [&](const Run& run) {
    return place_of_doc.at(stretches_[units_[run.first].stretch].doc->row);
  });
  // The best passage comes first, for a reader who stops early.
  const auto best = std::ranges::find_if(order_, [&](size_t unit) { return units_[unit].taken; });
  if (best == order_.end()) return runs;
  const auto with_best = std::ranges::find_if(
      runs, [&](const Run& run) { return run.first <= *best && *best < run.end; });
  std::rotate(runs.begin(), with_best, with_best + 1);
  return runs;
}

uint64_t PassagePacker::StartOfCut(size_t unit, int64_t room) const {
  const uint64_t begin = units_[unit].place.start;
  const std::string_view text = TextOf(units_[unit].stretch, begin, units_[unit].place.end);
  const auto parts = LinesAndSentences(text);
  std::vector<UnitEvidence::Unit> texts;
  for (const auto& [start, end] : parts) {
    texts.push_back({text.substr(start, end - start), {}, {}, {}});
  }
  const std::vector<double> evidence = evidence_->Weigh(texts);
  const auto best = static_cast<size_t>(std::ranges::max_element(evidence) - evidence.begin());
  for (size_t from = 0; from < best; ++from) {
    const size_t size = parts[best].second - parts[from].first;
    if (options_.counter->Count(text.substr(parts[from].first, size)) <= room) {
      return begin + parts[from].first;
    }
  }
  return begin + parts[best].first;
}

void PassagePacker::Emit(const Run& run, std::optional<Cut> cut, PackedContext* packed) const {
  const Stretch& stretch = stretches_[units_[run.first].stretch];
  const ChunkRow& head = HeadOf(run.first).row.chunk;
  const uint64_t start = cut ? cut->start : units_[run.first].place.start;
  const std::string_view before = TextOf(units_[run.first].stretch, head.start_byte, start);
  std::string_view text = TextOf(units_[run.first].stretch, start, units_[run.end - 1].place.end);
  const size_t kept = cut ? options_.counter->PrefixThatFits(text, cut->most_tokens) : text.size();
  if (kept == 0) return;
  ContextPiece piece;
  piece.truncated = kept < text.size() || start > units_[run.first].place.start;
  text = text.substr(0, kept);

  std::vector<const RankedRow*> chunks = stretch.chunks;
  std::erase_if(chunks, [&](const RankedRow* ranked) {
    return !Overlap(ranked->row.chunk, start, start + kept);
  });
  std::ranges::sort(chunks);  // by address, which is the order in which they were offered
  for (const RankedRow* ranked : chunks) {
    piece.chunk_ids.push_back(MakeChunkView(*stretch.doc, ranked->row.chunk).id);
  }
  piece.doc = MakeDocView(*stretch.doc);
  piece.score = chunks.front()->fused.score;
  piece.chunk = MakeChunkView(*stretch.doc, head);
  piece.chunk.id = piece.chunk_ids.front();
  piece.chunk.offset += CountTokens(before);
  piece.chunk.start_byte = start;
  piece.chunk.end_byte = start + kept;
  piece.chunk.start_line += static_cast<uint32_t>(std::count(before.begin(), before.end(), '\n'));
  piece.chunk.end_line = EndLine(piece.chunk.start_line, text);
  piece.chunk.tokens = CountTokens(text);
  piece.chunk.text = text;
  packed->Add(std::move(piece), chunks.front()->row.chunk.row);
}

}  // namespace recall
