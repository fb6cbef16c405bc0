#pragma once

#include <cstddef>

namespace recall {

// Cuts an English word to its stem, in place: M. F. Porter, "An algorithm for suffix stripping",
// Program 14 (1980), with the author's later rules for -bli and -logi. Gives exactly what FTS5's
// `porter` gives, so that a stem means the same to every SQLite; libstemmer's `porter` lacks both
// later rules (technology is not a technological word there).
// Requires: word[0, size) is a-z, and one more byte is writable: a stem may end in a new "e".
// Returns: the size of the stem, at least 1 for a word of one letter or more.
size_t PorterStem(char* word, size_t size);

}  // namespace recall
