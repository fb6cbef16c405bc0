#include "index/source/extract/html/html_content_scores.h"

#include <algorithm>
#include <string_view>

namespace recall {
namespace {

bool IsPhrasingTag(GumboTag tag) {
  return tag == GUMBO_TAG_A || tag == GUMBO_TAG_SPAN || tag == GUMBO_TAG_TIME ||
         tag == GUMBO_TAG_IMG || tag == GUMBO_TAG_BR;
}

bool MakesDivABlock(GumboTag tag) {
  return tag == GUMBO_TAG_BLOCKQUOTE || tag == GUMBO_TAG_DL || tag == GUMBO_TAG_DIV ||
         tag == GUMBO_TAG_IMG || tag == GUMBO_TAG_OL || tag == GUMBO_TAG_P ||
         tag == GUMBO_TAG_PRE || tag == GUMBO_TAG_TABLE || tag == GUMBO_TAG_UL;
}

bool IsScoredTag(GumboTag tag) {
  return tag == GUMBO_TAG_SECTION || tag == GUMBO_TAG_P || tag == GUMBO_TAG_TD ||
         tag == GUMBO_TAG_PRE || (IsHeadingTag(tag) && tag != GUMBO_TAG_H1);
}

// What an element scores for its tag.
double TagScore(GumboTag tag) {
  switch (tag) {
    case GUMBO_TAG_DIV:
      return 5;
    case GUMBO_TAG_PRE:
    case GUMBO_TAG_TD:
    case GUMBO_TAG_BLOCKQUOTE:
      return 3;
    case GUMBO_TAG_ADDRESS:
    case GUMBO_TAG_OL:
    case GUMBO_TAG_UL:
    case GUMBO_TAG_DL:
    case GUMBO_TAG_DD:
    case GUMBO_TAG_DT:
    case GUMBO_TAG_LI:
    case GUMBO_TAG_FORM:
      return -3;
    case GUMBO_TAG_TH:
      return -5;
    default:
      return IsHeadingTag(tag) ? -5 : 0;
  }
}

bool EndsSentence(std::string_view text) {
  for (size_t i = text.find('.'); i != text.npos; i = text.find('.', i + 1)) {
    if (i + 1 == text.size() || text[i + 1] == ' ' || text[i + 1] == '\n') return true;
  }
  return false;
}

}  // namespace

HtmlContentScores::HtmlContentScores(const HtmlContentPage& page, const HtmlContentText& text,
                                     bool weigh)
    : page_(page), text_(text), weigh_(weigh) {
  const auto count = static_cast<size_t>(page.Count());
  roles_.assign(count, HtmlRole::kPlain);
  scores_.assign(count, 0);
  is_candidate_.assign(count, 0);
  FindRoles();
  ScoreAll();
}

// Returns for each node whether it contains a block.
std::vector<uint8_t> HtmlContentScores::FindBlocks() const {
  std::vector<uint8_t> has_block(static_cast<size_t>(page_.Count()), 0);
  for (int32_t i = page_.Count() - 1; i > 0; --i) {
    if (page_.At(i).is_text() || text_.IsRemoved(i)) continue;
    const bool empty_div = page_.Is(i, GUMBO_TAG_DIV) && text_.facts(i).length == 0;
    if (has_block[static_cast<size_t>(i)] != 0 || (MakesDivABlock(page_.At(i).tag) && !empty_div)) {
      has_block[static_cast<size_t>(page_.At(i).parent)] = 1;
    }
  }
  return has_block;
}

bool HtmlContentScores::IsAroundOneParagraph(int32_t div) const {
  int32_t children = 0;
  int32_t paragraphs = 0;
  int64_t text = 0;
  for (int32_t c = div + 1; c < page_.At(div).end; c = page_.At(c).end) {
    if (text_.IsRemoved(c)) continue;
    if (page_.At(c).is_text()) {
      text += page_.OwnFacts(c).length;
    } else {
      ++children;
      paragraphs += page_.At(c).tag == GUMBO_TAG_P;
    }
  }
  return children == 1 && paragraphs == 1 && text == 0;
}

void HtmlContentScores::FindRoles() {
  const std::vector<uint8_t> has_block = FindBlocks();
  for (int32_t i = 1; i < page_.Count(); ++i) {
    if (!page_.Is(i, GUMBO_TAG_DIV) || text_.IsRemoved(i)) continue;
    const HtmlTextFacts& facts = text_.facts(i);
    if (facts.LinkDensity() >= 0.25) continue;
    if (has_block[static_cast<size_t>(i)] == 0) {
      if (facts.length > 0) roles_[static_cast<size_t>(i)] = HtmlRole::kParagraph;
    } else if (IsAroundOneParagraph(i)) {
      roles_[static_cast<size_t>(i)] = HtmlRole::kTransparent;
    }
  }
}

int32_t HtmlContentScores::ParentOf(int32_t i) const {
  int32_t parent = page_.At(i).parent;
  while (parent >= 0 && role(parent) == HtmlRole::kTransparent) parent = page_.At(parent).parent;
  return parent;
}

double HtmlContentScores::FirstScore(int32_t i) const {
  const double score = Weight(i);
  if (role(i) == HtmlRole::kParagraph) return score;
  return score + TagScore(page_.At(i).tag);
}

// Returns whether the element was not yet a candidate.
bool HtmlContentScores::MakeCandidate(int32_t i) {
  if (IsCandidate(i)) return false;
  is_candidate_[static_cast<size_t>(i)] = 1;
  scores_[static_cast<size_t>(i)] = FirstScore(i);
  return true;
}

// Adds the score of a paragraph, of `length` characters with `commas`, to the element `first`
// that contains it, and shares of it to the four next elements outwards.
void HtmlContentScores::ScoreParagraph(int64_t length, int64_t commas, int32_t first) {
  if (length < 25) return;
  const double score =
      2 + static_cast<double>(commas) + static_cast<double>(std::min<int64_t>(length / 100, 3));
  int level = 0;
  for (int32_t a = first; a > 0 && level < 5; a = ParentOf(a), ++level) {
    if (MakeCandidate(a)) candidates_.push_back(a);
    const double divider = level == 0 ? 1 : level == 1 ? 2 : level * 3;
    scores_[static_cast<size_t>(a)] += score / divider;
  }
}

void HtmlContentScores::ScoreAll() {
  for (int32_t i = 1; i < page_.Count();) {
    if (text_.IsRemoved(i)) {
      i = page_.At(i).end;
      continue;
    }
    if (!page_.At(i).is_text()) {
      const HtmlTextFacts& facts = text_.facts(i);
      if (IsScoredTag(page_.At(i).tag) || role(i) == HtmlRole::kParagraph) {
        ScoreParagraph(facts.length, facts.commas, ParentOf(i));
      } else if (page_.At(i).tag == GUMBO_TAG_DIV && role(i) == HtmlRole::kPlain) {
        ScoreRuns(i);
      }
    }
    ++i;
  }
  for (const int32_t i : candidates_) {
    scores_[static_cast<size_t>(i)] *= 1 - text_.facts(i).LinkDensity();
  }
}

// Scores the texts of a div between its blocks as paragraphs.
void HtmlContentScores::ScoreRuns(int32_t div) {
  int64_t length = 0;
  int64_t commas = 0;
  for (int32_t c = div + 1; c < page_.At(div).end; c = page_.At(c).end) {
    if (text_.IsRemoved(c)) continue;
    if (page_.At(c).is_text() || IsPhrasingTag(page_.At(c).tag)) {
      length += text_.facts(c).length;
      commas += text_.facts(c).commas;
    } else {
      ScoreParagraph(length, commas, div);
      length = commas = 0;
    }
  }
  ScoreParagraph(length, commas, div);
}

// Returns the candidates with the highest scores, best first; of equal ones the first scored.
std::vector<int32_t> HtmlContentScores::TopCandidates() const {
  constexpr size_t kTop = 5;
  std::vector<int32_t> top;
  for (const int32_t i : candidates_) {
    const auto place =
        std::ranges::find_if(top, [&](int32_t other) { return score(i) > score(other); });
    if (place == top.end() && top.size() >= kTop) continue;
    top.insert(place, i);
    if (top.size() > kTop) top.pop_back();
  }
  return top;
}

// Returns the nearest element around the best candidate that contains three others which are
// nearly as good; the best candidate if there is none.
int32_t HtmlContentScores::AroundRivals(const std::vector<int32_t>& top) const {
  const int32_t winner = top[0];
  std::vector<int32_t> rivals;
  for (size_t i = 1; i < top.size(); ++i) {
    if (score(top[i]) >= 0.75 * score(winner)) rivals.push_back(top[i]);
  }
  constexpr int kFewRivals = 3;
  if (rivals.size() < kFewRivals) return winner;
  for (int32_t a = ParentOf(winner); a > page_.body(); a = ParentOf(a)) {
    const auto inside =
        std::ranges::count_if(rivals, [&](int32_t rival) { return page_.IsInside(rival, a); });
    if (inside >= kFewRivals) return a;
  }
  return winner;
}

// Returns the first candidate around the winner with a higher score than the one before it, unless
// the scores fall below a third of the winner's first.
int32_t HtmlContentScores::BetterAncestor(int32_t winner) const {
  double last = score(winner);
  const double least = last / 3;
  for (int32_t a = ParentOf(winner); a > page_.body(); a = ParentOf(a)) {
    if (!IsCandidate(a)) continue;
    if (score(a) < least) break;
    if (score(a) > last) return a;
    last = score(a);
  }
  return winner;
}

HtmlContentScores::Winner HtmlContentScores::FindWinner() {
  const std::vector<int32_t> top = TopCandidates();
  if (top.empty() || top[0] <= page_.body()) return {page_.body(), page_.body()};
  int32_t winner = AroundRivals(top);
  MakeCandidate(winner);
  winner = BetterAncestor(winner);
  for (int32_t a = ParentOf(winner); a > page_.body() && IsOnlyChild(winner, a); a = ParentOf(a)) {
    winner = a;
  }
  const int32_t outer = Outermost(winner);
  MakeCandidate(outer);
  return {winner, outer};
}

// Returns the outermost element around the winner that has text beside it.
int32_t HtmlContentScores::Outermost(int32_t winner) const {
  int32_t child = winner;
  for (int32_t a = ParentOf(winner); a > page_.body(); child = a, a = ParentOf(a)) {
    HtmlTextFacts rest = text_.facts(a);
    rest.Add(text_.facts(child), -1);
    if (rest.IsLongText() && rest.sentences > 0) winner = a;
  }
  return winner;
}

bool HtmlContentScores::IsOnlyChild(int32_t child, int32_t parent) const {
  for (int32_t c = parent + 1; c < page_.At(parent).end; c = page_.At(c).end) {
    if (page_.At(c).is_text() || text_.IsRemoved(c)) continue;
    if (c != child && !page_.IsInside(child, c)) return false;
  }
  return true;
}

bool HtmlContentScores::HasSentence(int32_t i) const {
  for (int32_t t = i + 1; t < page_.At(i).end; ++t) {
    if (page_.At(t).is_text() && EndsSentence(page_.At(t).text)) return true;
  }
  return false;
}

bool HtmlContentScores::JoinsWinner(int32_t sibling, int32_t winner) const {
  const double best = score(winner);
  double bonus = 0;
  const std::string_view classes = page_.Attribute(winner, "class");
  if (!classes.empty() && page_.Attribute(sibling, "class") == classes) bonus = best * 0.2;
  if (IsCandidate(sibling) && score(sibling) + bonus >= std::max(10.0, best * 0.2)) return true;
  // Sections of one parent are parts of one text, with its header (HTML standard, 4.3.3).
  const GumboTag tag = page_.At(sibling).tag;
  if (page_.Is(winner, GUMBO_TAG_SECTION) &&
      (tag == GUMBO_TAG_SECTION || tag == GUMBO_TAG_HEADER)) {
    return true;
  }
  const HtmlTextFacts& facts = text_.facts(sibling);
  if (facts.IsLongText()) return true;
  const bool is_paragraph = page_.Is(sibling, GUMBO_TAG_P) || role(sibling) != HtmlRole::kPlain;
  if (!is_paragraph) return false;
  const double density = facts.LinkDensity();
  if (facts.length > 80) return density < 0.25;
  return facts.length > 0 && density == 0 && HasSentence(sibling);
}

}  // namespace recall
