// The problem: a definition is stored with its lines, but not with where its body begins.
//
// The idea: behind the name, brackets are counted. Outside of them `{`, `;` and `=` end a
// signature, or the end of the line, where statements end with lines:
//
//   @cached                                    no part of it
//   def read(path: str,                        ( is open: the next line is a part, too
//            size: int) -> bytes:              ends here
//
// Texts and comments between are not looked for. They seldom have brackets, and no signature has
// more than kMostSignatureLines.
//
// Cost: the bytes of the signature, and of what is above it.

#include "query/ask/map/signature.h"

#include <algorithm>

#include "index/base/text/code_name.h"
#include "storage/base/trim.h"

namespace recall {
namespace {

constexpr std::string_view kEndsWithBrace =
    " .c .h .cc .cpp .cxx .c++ .hh .hpp .hxx .h++ .inl .ipp .tpp .cu .cuh .java .cs .rs .php ";

// Whether the line stands above a definition without being a part of its signature.
bool IsAbove(std::string_view line) {
  line = Trim(line);
  return line.starts_with('@') || line.starts_with("#[") || line.starts_with('[') ||
         line.starts_with("template");
}

std::string CutLine(std::string_view line) {
  const size_t end = line.find_last_not_of(" \t\r\n\v\f");
  line = line.substr(0, end == line.npos ? 0 : end + 1);
  size_t size = std::min(line.size(), kMostSignatureBytes);
  while (size > 0 && size < line.size() && (line[size] & 0xC0) == 0x80) --size;
  return std::string(line.substr(0, size)) + (size < line.size() ? "..." : "");
}

class SignatureReader final {
 public:
  SignatureReader(std::string_view path, std::string_view lines, const Symbol& symbol)
      : symbol_(symbol) {
    const size_t dot = path.rfind('.');
    const std::string extension = " " + std::string(dot == path.npos ? "" : path.substr(dot)) + " ";
    goes_on_ = kEndsWithBrace.find(extension) != kEndsWithBrace.npos && symbol.kind != "macro";
    for (size_t at = 0; at < lines.size() && lines_.size() < kMostLinesRead;) {
      const size_t end = std::min(lines.find('\n', at), lines.size());
      lines_.push_back(lines.substr(at, end - at));
      at = end + 1;
    }
  }

  std::vector<SignatureLine> Read() {
    size_t named = 0;
    size_t at = std::string_view::npos;
    for (; named < lines_.size(); ++named) {
      at = FindCodeName(lines_[named], symbol_.name);
      if (at != std::string_view::npos && !Trim(lines_[named]).starts_with('@')) break;
    }
    if (named == lines_.size()) named = at = 0;
    // The type of a function may stand in a line above its name.
    constexpr size_t kMostAbove = 2;
    const bool begins_above = named > 0 && named <= kMostAbove && !IsAbove(lines_[0]);
    const size_t first = begins_above ? 0 : named;
    size_t last = named;
    size_t behind = at == 0 && lines_.empty() ? 0 : at + symbol_.name.size();
    while (last < lines_.size() && !EndsIn(lines_[last], behind)) {
      if (last + 1 == lines_.size() || last + 1 - first == kMostSignatureLines) break;
      // The members that a constructor of C++ initialises are of its body.
      if (open_ <= 0 && Trim(lines_[last + 1]).starts_with(':')) break;
      ++last;
      behind = 0;
    }
    // A brace alone in its line says nothing.
    if (last > named && Trim(lines_[last]) == "{") --last;
    std::vector<SignatureLine> signature;
    for (size_t i = first; i <= last && i < lines_.size(); ++i) {
      signature.push_back({symbol_.start_line + static_cast<uint32_t>(i), CutLine(lines_[i])});
    }
    return signature;
  }

 private:
  static constexpr size_t kMostLinesRead = 32;

  // Whether the signature ends in the line, read from `at` on.
  bool EndsIn(std::string_view line, size_t at) {
    for (; at < line.size(); ++at) {
      const char c = line[at];
      if (c == '(' || c == '[') ++open_;
      if (c == ')' || c == ']') --open_;
      if (open_ <= 0 && (c == '{' || c == ';' || c == '=')) return true;
      if (line.substr(at).starts_with("//")) break;
    }
    return open_ <= 0 && !goes_on_;
  }

  const Symbol& symbol_;
  bool goes_on_ = false;  // the signature may go on in the next line without brackets
  std::vector<std::string_view> lines_;
  int open_ = 0;
};

}  // namespace

std::vector<SignatureLine> SignatureOf(std::string_view path, std::string_view lines,
                                       const Symbol& symbol) {
  return SignatureReader(path, lines, symbol).Read();
}

}  // namespace recall
