#include "query/ask/cues/named_files.h"

#include <algorithm>
#include <cstddef>

#include "index/base/text/code_name.h"
#include "storage/base/ascii.h"

namespace recall {
namespace {

constexpr size_t kMostNamed = 64;
constexpr size_t kMostExtensionBytes = 5;
constexpr double kHalfNamed = 0.5;

// Whether paths and dotted names may have the byte.
bool IsPathByte(char c) {
  constexpr std::string_view kMarks = ".-/\\+@~";
  return IsCodeNameByte(c) || kMarks.find(c) != kMarks.npos;
}

std::vector<std::string_view> SplitAt(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> parts;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find_first_of(separators, at), text.size());
    const std::string_view part = text.substr(at, end - at);
    if (!part.empty() && part != "." && part != "..") parts.push_back(part);
    at = end + 1;
  }
  return parts;
}

// Whether a name ends with an extension that has a letter: 1.2 is a number.
bool HasExtension(std::string_view name) {
  const size_t dot = name.rfind('.');
  if (dot == name.npos || dot == 0 || dot + 1 == name.size()) return false;
  const std::string_view extension = name.substr(dot + 1);
  return extension.size() <= kMostExtensionBytes &&
         std::ranges::any_of(extension, IsAsciiLetter<char>) &&
         std::ranges::all_of(extension, IsAsciiAlnum<char>);
}

bool IsIdentifier(std::string_view part) {
  return !IsAsciiDigit(part.front()) && std::ranges::all_of(part, IsCodeNameByte);
}

void AddNamed(NamedFile file, std::vector<NamedFile>& named) {
  if (file.parts.empty() || named.size() == kMostNamed) return;
  if (std::ranges::find(named, file) == named.end()) named.push_back(std::move(file));
}

// The last parts of two lists that are equal.
size_t EqualAtEnd(const std::vector<std::string_view>& a, const std::vector<std::string_view>& b) {
  size_t count = 0;
  while (count < std::min(a.size(), b.size()) && a[a.size() - 1 - count] == b[b.size() - 1 - count])
    ++count;
  return count;
}

// The parts of a path as a dotted name has them: without extension, and of a package's own file
// those of its directory.
std::vector<std::string_view> ModuleParts(std::vector<std::string_view> parts) {
  if (parts.empty()) return parts;
  std::string_view& last = parts.back();
  last = last.substr(0, std::min(last.rfind('.'), last.size()));
  if (last == "__init__" || last == "index" || last == "mod") parts.pop_back();
  return parts;
}

// How many of the last parts of a module are the first of a dotted name.
size_t EqualAtBegin(const std::vector<std::string_view>& dotted,
                    const std::vector<std::string_view>& module) {
  for (size_t count = std::min(dotted.size(), module.size()); count > 0; --count) {
    if (std::equal(dotted.begin(), dotted.begin() + static_cast<ptrdiff_t>(count),
                   module.end() - static_cast<ptrdiff_t>(count))) {
      return count;
    }
  }
  return 0;
}

// How many parts of a document's path say that it is named; 0 if they are too few.
size_t NamedParts(const NamedFile& named, std::string_view path) {
  const std::vector<std::string_view> parts = SplitAt(path, "/");
  if (named.is_dotted) {
    const size_t count = EqualAtBegin(named.parts, ModuleParts(parts));
    return count >= 2 ? count : 0;
  }
  const size_t count = EqualAtEnd(named.parts, parts);
  return count >= 2 || count == std::min(named.parts.size(), parts.size()) ? count : 0;
}

}  // namespace

std::vector<NamedFile> FindNamedFiles(std::string_view question) {
  std::vector<NamedFile> named;
  for (size_t at = 0; at < question.size();) {
    const auto from = question.begin() + static_cast<ptrdiff_t>(at);
    const auto begin = std::find_if(from, question.end(), IsPathByte);
    const auto end = std::find_if_not(begin, question.end(), IsPathByte);
    at = static_cast<size_t>(end - question.begin());
    std::string_view word(begin, end);
    while (!word.empty() && (word.back() == '.' || word.back() == '-')) word.remove_suffix(1);
    const std::vector<std::string_view> parts = SplitAt(word, "/\\");
    if (parts.empty()) continue;
    if (HasExtension(parts.back())) AddNamed({parts, false}, named);
    if (parts.size() > 1) continue;
    const std::vector<std::string_view> dotted = SplitAt(word, ".");
    if (dotted.size() > 1 && std::ranges::all_of(dotted, IsIdentifier)) {
      AddNamed({dotted, true}, named);
    }
  }
  return named;
}

std::vector<double> SharesOfNamedFiles(const std::vector<NamedFile>& named,
                                       std::span<const std::string_view> paths) {
  std::vector<double> shares(paths.size(), 0);
  for (const NamedFile& file : named) {
    std::vector<size_t> counts;
    for (const std::string_view path : paths) counts.push_back(NamedParts(file, path));
    const size_t most = counts.empty() ? 0 : std::ranges::max(counts);
    if (most == 0) continue;
    const double share = (!file.is_dotted && most > 1 ? 1 : kHalfNamed) /
                         static_cast<double>(std::ranges::count(counts, most));
    for (size_t i = 0; i < paths.size(); ++i) {
      if (counts[i] == most) shares[i] = std::max(shares[i], share);
    }
  }
  return shares;
}

}  // namespace recall
