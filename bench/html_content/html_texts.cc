// html_texts main|all < PATHS: the texts of HTML pages, for measure_content.mjs. Writes for each
// path U+001E, a line with the score of the extraction and the warnings, and the text.

#include <cstring>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>

#include "index/source/extract/html/html_extractor.h"
#include "index/source/extract/worker/extract_worker.h"

namespace recall {
namespace {

std::string ReadPage(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

int WriteTexts(HtmlContent content) {
  for (std::string path; std::getline(std::cin, path);) {
    const Extraction extraction = ExtractHtml(ReadPage(path), {}, content);
    const auto score = extraction.meta.find("extraction_score");
    std::cout << '\x1e' << (score == extraction.meta.end() ? "-" : score->second.front());
    for (const std::string& warning : extraction.warnings) std::cout << ' ' << warning;
    std::cout << '\n' << extraction.text;
  }
  return 0;
}

}  // namespace
}  // namespace recall

int main(int argc, char** argv) {
  using recall::HtmlContent;
  if (argc != 2 || (std::strcmp(argv[1], "main") != 0 && std::strcmp(argv[1], "all") != 0)) {
    std::cerr << "usage: html_texts main|all < PATHS\n";
    return 2;
  }
  return recall::WriteTexts(std::strcmp(argv[1], "main") == 0 ? HtmlContent::kMain
                                                              : HtmlContent::kAll);
}
