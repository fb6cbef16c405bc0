#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace recall {

// A file that a question names.
//   src/store.cc:40 · C:\code\store.cc · "store.cc", line 40    the parts of a path
//   shop.cart.Cart · import shop.cart                           the parts of a dotted name
struct NamedFile {
  std::vector<std::string_view> parts;
  bool is_dotted = false;
  bool operator==(const NamedFile&) const = default;
};

// The files that a question names, each once, at most 64, in its order. The parts refer to the
// question.
std::vector<NamedFile> FindNamedFiles(std::string_view question);

// How much each of the documents with these paths is named, from 0 to 1. A path means the documents
// whose last parts are equal to its last parts, as many as possible: all parts of one of both, or
// at least two. A dotted name means the documents whose last parts, without extension, are its
// first parts, at least two. Where only the name of a file is equal, and for a dotted name, the
// document is half named; several documents share it.
std::vector<double> SharesOfNamedFiles(const std::vector<NamedFile>& named,
                                       std::span<const std::string_view> paths);

}  // namespace recall
