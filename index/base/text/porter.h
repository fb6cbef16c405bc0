#pragma once

#include <cstddef>

namespace recall {

// Stems an English word in place: M. F. Porter, "An algorithm for suffix stripping", Program 14
// (1980), with the author's later rules for -bli and -logi. The result is exactly that of FTS5's
// tokenizer `porter`, so that every SQLite finds the same stems. libstemmer's `porter` lacks both
// later rules: it gives "technology" and "technological" different stems. Requires: word[0, size)
// is a-z, and one more byte is writable, because a stem may end in a new "e". Returns the size of
// the stem, at least 1 for a word of one letter or more.
size_t PorterStem(char* word, size_t size);

}  // namespace recall
