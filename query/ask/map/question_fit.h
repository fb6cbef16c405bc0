#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "index/base/text/tokenizer.h"
#include "query/ask/cues/asked_names.h"

namespace recall {

// How much names and paths have of a question: of its words, by their stems, and of the names of
// code in it. Words that many names have count less. Not thread-safe.
class QuestionFit final {
 public:
  // `names`: all that are compared, each once.
  QuestionFit(std::string_view question, const std::vector<std::string>& names);

  // Whether the question has a word that says something.
  bool IsUseful() const { return !asked_.empty() || !asked_names_.empty(); }

  // From 0 to 1: the share of the question that the name has, and half of it if the name has much
  // else; 1 for a name that the question has as it is written.
  double OfName(std::string_view name);
  // From 0 to 1, likewise: by the name of the file, and a quarter of it by its directories.
  double OfPath(std::string_view path);

 private:
  struct AskedStem {
    std::string stem;
    double weight = 0;
  };
  // The stems of a name or a path, each once.
  std::vector<std::string> StemsIn(std::string_view text);
  // The weights of the asked stems that are in `stems`, as a part of all weights.
  double ShareIn(const std::vector<std::string>& stems) const;
  double FitOf(std::string_view text);

  Tokenizer tokenizer_;
  LexicalText analyzed_;  // scratch
  std::vector<AskedStem> asked_;
  std::vector<AskedName> asked_names_;
};

}  // namespace recall
