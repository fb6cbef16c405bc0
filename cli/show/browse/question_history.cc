#include "cli/show/browse/question_history.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "cli/show/browse/private_file.h"
#include "storage/base/trim.h"

namespace recall {

std::string HistoryPath() {
  const std::string directory = StateDirectory();
  return directory.empty() ? "" : directory + "/history";
}

std::vector<std::string> ReadHistory(const std::string& path) {
  std::vector<std::string> questions;
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return questions;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (!Trim(line).empty()) questions.push_back(std::move(line));
  }
  if (questions.size() > kMostQuestions) {
    questions.erase(questions.begin(), questions.end() - kMostQuestions);
  }
  return questions;
}

Status AddToHistory(const std::string& path, std::string_view question) {
  std::vector<std::string> questions = ReadHistory(path);
  std::erase(questions, question);
  questions.emplace_back(question);
  const size_t first = questions.size() > kMostQuestions ? questions.size() - kMostQuestions : 0;
  std::string text;
  for (size_t i = first; i < questions.size(); ++i) text += questions[i] + "\n";

  const Status written = WritePrivateFile(path, text);
  if (written.ok()) return {};
  return Status::IoError("the history: " + std::string(written.message()),
                         "--no-history keeps none");
}

}  // namespace recall
