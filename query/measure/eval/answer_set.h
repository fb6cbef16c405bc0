#pragma once

#include <atomic>
#include <string>
#include <string_view>
#include <vector>

#include "storage/base/result.h"

namespace recall {

// Questions whose answers are strings that a context must contain.
struct AnswerSet {
  // A string that must occur, or several of which one must.
  using Answer = std::vector<std::string>;
  struct Question {
    std::string id;
    std::string text;
    std::string kind;             // "" if the file does not name one
    std::string corpus;           // "" if the file does not name one
    std::vector<Answer> answers;  // all must be there; not empty
  };
  std::vector<Question> questions;
};

// Reads the lines of `path` (or `path`.zst), one question each:
//
//   {"_id": "12", "question": "how long may a name be", "answers": ["NAME_MAX 255"],
//    "kind": "constant", "corpus": "headers"}
//
// An answer is a string, or an array of strings of which one suffices. `kind` and `corpus` may be
// missing. Errors: NotFound; InvalidArgument, with the line, for invalid data; Cancelled.
Result<AnswerSet> ReadAnswerSet(const std::string& path, const std::atomic<bool>& cancel);

// Returns: the text with each run of white space replaced by one space. Answers are compared in
// this form, because a text may wrap anywhere.
std::string WithSingleSpaces(std::string_view text);

// Whether all answers of the question are in `text`, which has single spaces.
bool ContainsAnswers(std::string_view text, const AnswerSet::Question& question);

}  // namespace recall
