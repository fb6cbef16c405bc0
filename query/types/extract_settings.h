#pragma once

#include <cstdint>
#include <string>

namespace recall {

// How text is extracted from documents of other formats (docs/formats.md), and the definitions from
// source code.
struct ExtractSettings {
  // The program that extracts: Recall's own, which main() gives to RunExtractWorkerCommand. "":
  // nothing does.
  std::string program;
  bool documents = true;        // false: files of other formats stay as they are, text or none
  bool definitions = true;      // false: source code is cut at lines that look like definitions
  bool unsafe = false;          // even if the kernel or libseccomp cannot confine the extractors
  bool all_html = false;        // all text of web pages, not only the main content
  bool retry_failed = false;    // extract again what gave no text
  bool reextract = false;       // extract everything again
  int64_t timeout_ms = 60'000;  // for each file
  // A file with passwords of encrypted documents, one a line. "": those of the settings, if any.
  std::string password_file = {};
};

}  // namespace recall
