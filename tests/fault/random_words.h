#pragma once

#include <cstdint>
#include <iterator>
#include <random>
#include <string>

namespace recall {

// A text of `words` words from a small vocabulary, determined by `seed`.
inline std::string RandomWords(uint64_t seed, size_t words) {
  constexpr const char* kWords[] = {"alpha", "beta",   "gamma", "delta",  "epsilon", "zeta",
                                    "eta",   "theta",  "iota",  "kappa",  "lambda",  "memory",
                                    "file",  "vector", "index", "search", "fooBar",  "chunk"};
  std::mt19937_64 random(seed);
  std::string text;
  for (size_t i = 0; i < words; ++i) {
    text += kWords[random() % std::size(kWords)];
    text += random() % 12 == 0 ? "\n" : " ";
  }
  return text + std::to_string(seed) + "\n";
}

}  // namespace recall
