#pragma once

#include <cstdint>
#include <vector>

#include "index/source/extract/html/html_content_page.h"
#include "index/source/extract/html/html_content_text.h"

namespace recall {

// What an element is for the scores.
enum class HtmlRole : uint8_t {
  kPlain,
  kParagraph,    // a div that contains text and no blocks
  kTransparent,  // a div around one paragraph; the paragraph counts as a child of its parent
};

// Scores the elements of a page by the paragraphs in them, and finds the one with the content.
// `page` and `text` must outlive it.
class HtmlContentScores final {
 public:
  // `weigh`: the names of elements change their scores.
  HtmlContentScores(const HtmlContentPage& page, const HtmlContentText& text, bool weigh);

  struct Winner {
    int32_t inner;  // the element that won by its score
    int32_t outer;  // the outermost element around it with more text; `inner` if there is none
  };
  // Returns the element with the content; the body if no element has a score.
  Winner FindWinner();

  // Whether a sibling of the winner belongs to the content, too.
  bool JoinsWinner(int32_t sibling, int32_t winner) const;

  HtmlRole role(int32_t i) const { return roles_[static_cast<size_t>(i)]; }
  // What the element's name adds to its score.
  int Weight(int32_t i) const { return weigh_ ? page_.NameWeight(i) : 0; }
  // Returns the nearest element around the node that is not transparent; -1 if there is none.
  int32_t ParentOf(int32_t i) const;

 private:
  std::vector<uint8_t> FindBlocks() const;
  bool IsAroundOneParagraph(int32_t div) const;
  void FindRoles();
  void ScoreAll();
  void ScoreParagraph(int64_t length, int64_t commas, int32_t first);
  void ScoreRuns(int32_t div);
  double FirstScore(int32_t i) const;
  bool IsCandidate(int32_t i) const { return is_candidate_[static_cast<size_t>(i)] != 0; }
  double score(int32_t i) const { return scores_[static_cast<size_t>(i)]; }
  bool MakeCandidate(int32_t i);
  std::vector<int32_t> TopCandidates() const;
  int32_t AroundRivals(const std::vector<int32_t>& top) const;
  int32_t BetterAncestor(int32_t winner) const;
  int32_t Outermost(int32_t winner) const;
  bool IsOnlyChild(int32_t child, int32_t parent) const;
  bool HasSentence(int32_t i) const;

  const HtmlContentPage& page_;
  const HtmlContentText& text_;
  const bool weigh_;
  std::vector<HtmlRole> roles_;
  std::vector<double> scores_;
  std::vector<uint8_t> is_candidate_;
  std::vector<int32_t> candidates_;
};

}  // namespace recall
