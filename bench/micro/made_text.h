#pragma once

// The texts that benchmarks read: those of `--files`, or made-up ones, the same in every run.

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "storage/base/split_mix.h"

namespace recall {

// A word of some letters for each number; common ones are short.
std::string MakeWord(uint64_t number);
// A sentence of words that are drawn by Zipf's law, with a full stop and a space.
std::string MakeSentence(SplitMix64* random, size_t words);
// A document of Markdown of about 4 KB, for each number.
std::string MakeDocument(uint64_t number);

// Calls `take` with texts (UTF-8) until it returns false: of `--files` each once, shuffled, so that
// the first are a sample of all subjects; or made-up ones without end.
void ForEachText(const std::function<bool(std::string text)>& take);
// Texts of 4 MB in all (--small: 200 KB).
const std::vector<std::string>& SampleTexts();
// The bytes of all these texts.
size_t BytesOf(const std::vector<std::string>& texts);

// The files of `--files` whose names end with one of these, by path.
std::vector<std::string> GivenFiles(std::initializer_list<std::string_view> endings);

}  // namespace recall
