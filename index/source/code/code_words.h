#pragma once

#include <cstddef>
#include <functional>
#include <string_view>
#include <vector>

namespace recall {

// The places at which a name stands in source code, as whole word outside of comments and texts,
// ascending. What a text computes ("${name}" of JavaScript, f"{name}" of Python, "#{name}" of Ruby)
// is code. The extension of `path` says what are comments and texts; of one that is not known,
// nothing is. Linear. Any bytes are accepted.
std::vector<size_t> FindCodeWords(std::string_view path, std::string_view text,
                                  std::string_view name);

// Visits all words in source code outside of comments and texts, ascending: runs of ASCII letters,
// digits, `_` and bytes beyond ASCII. Comments and texts as above. Linear.
void VisitCodeWords(std::string_view path, std::string_view text,
                    const std::function<void(size_t begin, std::string_view word)>& visit);

}  // namespace recall
