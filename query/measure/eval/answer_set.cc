// Reads questions with answers, and compares answers with texts.
//
// An answer is a literal string and not a regular expression, so that anyone can see what is asked
// for, and nothing matches by accident. The case of letters counts; white space does not.

#include "query/measure/eval/answer_set.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "query/measure/eval/eval_lines.h"

namespace recall {
namespace {

bool IsSpace(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

Result<AnswerSet::Answer> ReadAnswer(const nlohmann::json& value, const LineRef& line) {
  AnswerSet::Answer answer;
  const auto take = [&](const nlohmann::json& text) {
    if (!text.is_string()) return false;
    answer.push_back(WithSingleSpaces(text.get<std::string>()));
    return answer.back().find_first_not_of(' ') != std::string::npos;
  };
  const bool valid =
      value.is_array() ? !value.empty() && std::ranges::all_of(value, take) : take(value);
  if (valid) return answer;
  return Fail(LineFault(line, "an answer is a text, or an array of texts of which one suffices"));
}

Result<AnswerSet::Question> ReadQuestion(const nlohmann::json& object, const LineRef& line) {
  AnswerSet::Question question;
  RECALL_ASSIGN(question.id, IdField(object, line));
  RECALL_ASSIGN(question.text, TextField(object, line, "question"));
  RECALL_ASSIGN(question.kind, TextField(object, line, "kind", ""));
  RECALL_ASSIGN(question.corpus, TextField(object, line, "corpus", ""));
  if (question.text.find_first_not_of(" \t\r\n") == question.text.npos) {
    return Fail(LineFault(line, "\"question\" is empty"));
  }
  const auto answers = object.find("answers");
  if (answers == object.end() || !answers->is_array() || answers->empty()) {
    return Fail(LineFault(line, "\"answers\" is not an array with an answer"));
  }
  for (const nlohmann::json& value : *answers) {
    RECALL_ASSIGN(AnswerSet::Answer answer, ReadAnswer(value, line));
    question.answers.push_back(std::move(answer));
  }
  return question;
}

}  // namespace

Result<AnswerSet> ReadAnswerSet(const std::string& path, const std::atomic<bool>& cancel) {
  AnswerSet set;
  std::unordered_set<std::string> ids;
  RECALL_TRY(ReadJsonLines(path, cancel, [&](const auto& object, const LineRef& line) -> Status {
    RECALL_ASSIGN(AnswerSet::Question question, ReadQuestion(object, line));
    if (!ids.insert(question.id).second) {
      return LineFault(line, "the id '" + question.id + "' occurs twice");
    }
    set.questions.push_back(std::move(question));
    return Status::Ok();
  }));
  if (!set.questions.empty()) return set;
  return Fail(Status::InvalidArgument(path + " has no question"));
}

std::string WithSingleSpaces(std::string_view text) {
  std::string single;
  for (const char c : text) {
    if (!IsSpace(c)) {
      single += c;
    } else if (single.empty() || single.back() != ' ') {
      single += ' ';
    }
  }
  return single;
}

bool ContainsAnswers(std::string_view text, const AnswerSet::Question& question) {
  return std::ranges::all_of(question.answers, [&](const AnswerSet::Answer& answer) {
    return std::ranges::any_of(
        answer, [&](const std::string& string) { return text.find(string) != text.npos; });
  });
}

}  // namespace recall
