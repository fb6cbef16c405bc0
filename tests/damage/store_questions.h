#pragma once

// A fixed set of questions to a store, which together run all reading operations.

#include <string>
#include <vector>

#include "query/database/database.h"

namespace recall {

struct Answer {
  std::string text;  // with all bits of the scores; empty if the question failed
  Status status;
  std::string question = {};  // its name
};
using Answers = std::vector<Answer>;

struct QuestionOptions {
  std::string target = "docs/a0.md";  // the document of `get` and `similar`
  // The vector of semantic questions, for a store with user-supplied vectors.
  std::vector<float> embedding = {};
  PageVerification verify_pages = PageVerification::kFirstUse;
};

// Opens the store for reading and asks: counts, searches of each kind, a phrase, filters, a former
// commit, RQL, similar, context, get, notes, links, reviews, stages, export. If the store cannot be
// opened, there is one answer. The words and tags are those of the stores of corrupt_sweep_test.cc
// and flip_stores.h.
Answers AskStore(const std::string& path, const QuestionOptions& options = {});

}  // namespace recall
