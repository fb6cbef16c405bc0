#include "tests/cli/library/c_examples.h"

#include <sstream>
#include <vector>

namespace recall {
namespace {

constexpr std::string_view kIndented = " *     ";

// The examples, each the lines of one comment.
std::vector<std::vector<std::string>> ExamplesOf(const std::string& header) {
  std::vector<std::vector<std::string>> examples(1);
  std::istringstream lines(header);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(kIndented) && line[kIndented.size()] != ' ') {
      examples.back().push_back(line.substr(kIndented.size()));
    } else if (line.starts_with(kIndented) && !examples.back().empty()) {
      examples.back().push_back(line.substr(kIndented.size()));
    } else if (line.starts_with(" */") && !examples.back().empty()) {
      examples.emplace_back();
    }
  }
  examples.pop_back();
  return examples;
}

}  // namespace

std::string ProgramOfExamples(const std::string& header) {
  std::string functions;
  size_t number = 0;
  for (const std::vector<std::string>& example : ExamplesOf(header)) {
    std::string body;
    bool in_function = false;
    for (const std::string& line : example) {
      if (line.starts_with("static ")) in_function = true;
      (in_function ? functions : body) += line + "\n";
      if (line.ends_with("}") && (line == "}" || line.starts_with("static "))) in_function = false;
    }
    functions +=
        "int example_" + std::to_string(++number) +
        "(recall_store *store, recall_answer *answer, recall_hits *hits, recall_set *set) {\n"
        "(void)store; (void)answer; (void)hits; (void)set;\n{\n" +
        body + "}\nreturn 0;\n}\n";
  }
  return "#include \"recall.h\"\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n" +
         functions;
}

std::string ProgramOfPage(const std::string& page) {
  constexpr std::string_view kBegin = "```c\n";
  const size_t begin = page.find(kBegin);
  if (begin == page.npos) return "";
  const size_t text = begin + kBegin.size();
  return page.substr(text, page.find("```", text) - text);
}

}  // namespace recall
