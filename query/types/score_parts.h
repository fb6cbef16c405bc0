#pragma once

namespace recall {

// The contributions of each kind of evidence to a score. Their sum is the score before calibration.
struct ScoreParts {
  double lexical = 0;
  double ngrams = 0;
  double semantic = 0;
  double neighbours = 0;  // from the chunks of the reranking window with the most similar vectors
  double triggers = 0;    // from the triggers of the document
  double path = 0;        // from words of the document's path; `lexical` contains it

  double Sum() const { return lexical + ngrams + semantic + neighbours + triggers; }
};

}  // namespace recall
