// Makes the lexicon that is in the program (index/base/lexicon) of a WordNet directory:
//
//   make_lexicon DIRECTORY OUT
//
// Problem. A store knows only its own texts. That "automobile" is a car, and a "wage" is pay, is in
// dictionaries; those are large, are read by lemma and not by stem, and are not on every machine.
//
// Idea. WordNet has sets of synonyms (synsets), each a concept, with their hypernyms. A stem gets
// the concepts of the words that it stands for:
//
//   raw weight   1, .6, .4, .25, .15 for the first five senses of a word in each part of speech;
//                half for each level of up to three of hypernyms; half for what is derived from the
//                sense ("pay" and "payment"); of several ways the greatest
//   weight       raw / sqrt(1 + .15 df), where df stems have the concept; of a stem in all 1 long
//   similarity   of two stems: the greatest product of raw weights for one concept. 1 is the same
//                first sense, .5 is a hypernym of it. Of equals, those with more weights in common
//                are nearer.
//
// Only lemmas of a-z count, as no other ones are stems of words. A concept that only one stem has
// says nothing of others; its weight is in the length alone.
//
// Invariants. The same bytes on every machine: the order is that of bytes and numbers, and + - * /
// and sqrt are rounded in the same way everywhere (-ffp-contract=off).
//
// Cost: about two seconds, once for each build directory.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <map>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "index/base/lexicon/lexicon_format.h"
#include "index/base/text/porter.h"
#include "index/base/text/stop_words.h"

namespace {

namespace format = recall::lexicon_format;

constexpr double kSenses[] = {1, .6, .4, .25, .15};
constexpr int kLevels = 3;          // of hypernyms
constexpr double kLevel = .5;       // the factor of each
constexpr double kDerived = .5;     // the factor of what is derived from a sense
constexpr double kCommon = .15;     // how much a concept loses that many stems have
constexpr double kSimilar = .5;     // the least similarity of relatives
constexpr double kRounding = 1e-9;  // a product of .5 and 1 counts as .5

[[noreturn]] void Die(const std::string& message) {
  std::cerr << "make_lexicon: " << message << "\n";
  std::exit(1);
}

struct Pointer {
  char symbol = 0;
  uint32_t target = 0;  // a concept
  uint32_t source = 0;  // the number of the word that it begins at, from 1; 0: all
};

struct Concept {
  std::vector<std::string> words;
  std::vector<Pointer> pointers;
  uint32_t df = 0;  // stems that have it
};

// The four parts of speech, by the name of their files and the letters that stand for them.
constexpr const char* kParts[] = {"noun", "verb", "adj", "adv"};

size_t PartOf(char letter) {
  const char* const found = std::strchr("nvasr", letter);
  if (found == nullptr || letter == 0) Die(std::string("unknown part of speech: ") + letter);
  return letter == 's' ? 2 : letter == 'r' ? 3 : static_cast<size_t>(found - "nvasr");
}

std::string LowerCase(std::string word) {
  for (char& letter : word) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  return word;
}

class WordNet final {
 public:
  explicit WordNet(const std::string& directory) : directory_(directory) {
    for (size_t part = 0; part < 4; ++part) NumberConcepts(part);
    for (size_t part = 0; part < 4; ++part) ReadConcepts(part);
  }

  std::vector<Concept>& concepts() { return concepts_; }

  // Calls visit(lemma, concepts) for each line of the index of a part of speech, the most frequent
  // sense first.
  template <typename Visit>
  void ForEachLemma(size_t part, Visit visit) const {
    ForEachLine("index", part, [&](const std::string& line) {
      std::istringstream in(line);
      std::string lemma, skipped;
      size_t senses = 0, pointers = 0, tagged = 0;
      in >> lemma >> skipped >> senses >> pointers;
      for (size_t i = 0; i < pointers; ++i) in >> skipped;
      in >> skipped >> tagged;
      std::vector<uint32_t> of;
      for (uint64_t offset = 0; of.size() < senses && in >> offset;) of.push_back(At(part, offset));
      if (of.size() != senses) Die("a line of index." + std::string(kParts[part]) + " is cut off");
      visit(lemma, of);
    });
  }

 private:
  template <typename Visit>
  void ForEachLine(const std::string& kind, size_t part, Visit visit) const {
    const std::string path = directory_ + "/" + kind + "." + kParts[part];
    std::ifstream file(path);
    if (!file) Die("cannot read " + path);
    for (std::string line; std::getline(file, line);) {
      if (!line.empty() && line[0] != ' ') visit(line);  // a space begins a line of the licence
    }
  }

  uint32_t At(size_t part, uint64_t offset) const {
    const auto found = numbers_.find(uint64_t{part} << 32 | offset);
    if (found == numbers_.end()) Die("no concept at offset " + std::to_string(offset));
    return found->second;
  }

  void NumberConcepts(size_t part) {
    ForEachLine("data", part, [&](const std::string& line) {
      const uint64_t offset = std::strtoull(line.c_str(), nullptr, 10);
      const auto number = static_cast<uint32_t>(numbers_.size());
      numbers_.emplace(uint64_t{part} << 32 | offset, number);
    });
  }

  void ReadConcepts(size_t part) {
    ForEachLine("data", part, [&](const std::string& line) {
      Concept& read = concepts_.emplace_back();
      std::istringstream in(line);
      std::string skipped, word;
      size_t words = 0, pointers = 0;
      in >> skipped >> skipped >> skipped >> std::hex >> words >> std::dec;
      for (size_t i = 0; i < words; ++i) {
        in >> word >> skipped;
        read.words.push_back(LowerCase(word.substr(0, word.find('('))));
      }
      in >> pointers;
      for (size_t i = 0; i < pointers; ++i) {
        std::string symbol, of, ends;
        uint64_t offset = 0;
        if (!(in >> symbol >> offset >> of >> ends)) Die("a line of data is cut off");
        const auto source = std::strtoul(ends.substr(0, 2).c_str(), nullptr, 16);
        read.pointers.push_back(
            {symbol[0], At(PartOf(of[0]), offset), static_cast<uint32_t>(source)});
      }
    });
  }

  std::string directory_;
  std::unordered_map<uint64_t, uint32_t> numbers_;  // by part of speech and offset
  std::vector<Concept> concepts_;
};

using Weights = std::map<uint32_t, double>;  // by concept

void Raise(uint32_t of, double weight, Weights* weights) {
  double& known = (*weights)[of];
  known = std::max(known, weight);
}

// Adds a sense of a word with its hypernyms and what is derived from it.
void AddSense(const std::vector<Concept>& concepts, const std::string& lemma, uint32_t sense,
              double weight, Weights* weights) {
  Raise(sense, weight, weights);
  const Concept& own = concepts[sense];
  const auto word = std::find(own.words.begin(), own.words.end(), lemma);
  const auto number = static_cast<uint32_t>(word - own.words.begin() + 1);
  for (const Pointer& pointer : own.pointers) {
    const bool of_word = pointer.source == 0 || pointer.source == number;
    if (pointer.symbol == '+' && of_word) Raise(pointer.target, weight * kDerived, weights);
  }
  std::vector<uint32_t> level = {sense};
  for (int depth = 0; depth < kLevels; ++depth) {
    weight *= kLevel;
    std::vector<uint32_t> above;
    for (const uint32_t below : level) {
      for (const Pointer& pointer : concepts[below].pointers) {
        if (pointer.symbol == '@') above.push_back(pointer.target);
      }
    }
    for (const uint32_t hypernym : above) Raise(hypernym, weight, weights);
    level = std::move(above);
  }
}

std::string StemOf(std::string word) {
  if (word.size() < 3) return word;
  word.push_back(0);
  word.resize(recall::PorterStem(word.data(), word.size() - 1));
  return word;
}

// A stem and its concepts, by number.
struct Entry {
  struct Of {
    uint32_t number = 0;
    double raw = 0;
    double weight = 0;
  };
  std::string stem;
  std::string word;  // the shortest one with the stem, the first of equals
  std::vector<Of> concepts;
};

std::vector<Entry> ReadEntries(WordNet& wordnet) {
  std::map<std::string, Weights> by_stem;
  std::map<std::string, std::string> words;
  for (size_t part = 0; part < 4; ++part) {
    wordnet.ForEachLemma(part, [&](const std::string& lemma, const std::vector<uint32_t>& senses) {
      if (lemma.find_first_not_of("abcdefghijklmnopqrstuvwxyz") != std::string::npos) return;
      if (recall::IsStopWord(lemma)) return;
      const std::string stem = StemOf(lemma);
      std::string& word = words.emplace(stem, lemma).first->second;
      word = std::min(word, lemma, [](const std::string& a, const std::string& b) {
        return a.size() != b.size() ? a.size() < b.size() : a < b;
      });
      Weights& weights = by_stem[stem];
      for (size_t i = 0; i < senses.size() && i < std::size(kSenses); ++i) {
        AddSense(wordnet.concepts(), lemma, senses[i], kSenses[i], &weights);
      }
    });
  }
  for (const auto& [stem, weights] : by_stem) {
    for (const auto& [of, raw] : weights) ++wordnet.concepts()[of].df;
  }
  std::vector<Entry> entries;
  for (const auto& [stem, weights] : by_stem) {
    Entry& entry = entries.emplace_back();
    entry.stem = stem;
    entry.word = words.at(stem);
    double square = 0;
    for (const auto& [of, raw] : weights) {
      const double weight = raw / std::sqrt(1 + kCommon * wordnet.concepts()[of].df);
      square += weight * weight;
      entry.concepts.push_back({of, raw, weight});
    }
    for (Entry::Of& of : entry.concepts) of.weight /= std::sqrt(square);
    std::erase_if(entry.concepts,
                  [&](const Entry::Of& of) { return wordnet.concepts()[of.number].df < 2; });
  }
  return entries;
}

// The relatives of each stem, nearest first, as lexicon_format has them.
class Relatives final {
 public:
  explicit Relatives(const std::vector<Entry>& entries, size_t concepts)
      : entries_(entries), having_(concepts), similarity_(entries.size()) {
    for (uint32_t i = 0; i < entries.size(); ++i) {
      for (const Entry::Of& of : entries[i].concepts) having_[of.number].push_back({i, of.raw});
    }
  }

  std::vector<uint32_t> Of(uint32_t stem) {
    std::vector<uint32_t> found;
    for (const Entry::Of& of : entries_[stem].concepts) {
      if (of.raw < kSimilar - kRounding) continue;
      for (const auto& [other, raw] : having_[of.number]) {
        const double similarity = of.raw * raw;
        if (other == stem || similarity < kSimilar - kRounding) continue;
        if (similarity_[other] == 0) found.push_back(other);
        similarity_[other] = std::max(similarity_[other], similarity);
      }
    }
    std::vector<Near> near;
    for (const uint32_t other : found) {
      near.push_back({similarity_[other], Cosine(entries_[stem], entries_[other]), other});
      similarity_[other] = 0;
    }
    std::sort(near.begin(), near.end(), [](const Near& a, const Near& b) {
      if (a.similarity != b.similarity) return a.similarity > b.similarity;
      return a.cosine != b.cosine ? a.cosine > b.cosine : a.stem < b.stem;
    });
    if (near.size() > format::kMostRelatives) near.resize(format::kMostRelatives);
    std::vector<uint32_t> packed;
    for (const Near& each : near) {
      packed.push_back(each.stem << 8 |
                       static_cast<uint32_t>(each.similarity * format::kUnit + .5));
    }
    return packed;
  }

 private:
  struct Near {
    double similarity = 0;
    double cosine = 0;
    uint32_t stem = 0;
  };

  static double Cosine(const Entry& a, const Entry& b) {
    double sum = 0;
    auto other = b.concepts.begin();
    for (const Entry::Of& of : a.concepts) {
      while (other != b.concepts.end() && other->number < of.number) ++other;
      if (other == b.concepts.end()) break;
      if (other->number == of.number) sum += of.weight * other->weight;
    }
    return sum;
  }

  const std::vector<Entry>& entries_;
  std::vector<std::vector<std::pair<uint32_t, double>>> having_;  // by concept
  std::vector<double> similarity_;                                // of the present stem
};

template <typename T>
void Append(const T* values, size_t count, std::string* out) {
  out->append(reinterpret_cast<const char*>(values), count * sizeof(T));
}

void AppendText(const Entry& entry, std::string* text) {
  const auto [stem, word] =
      std::mismatch(entry.stem.begin(), entry.stem.end(), entry.word.begin(), entry.word.end());
  const std::string ending(word, entry.word.end());
  *text += static_cast<char>(entry.stem.end() - stem);
  *text += static_cast<char>(ending.size());
  *text += entry.stem + ending;
}

// What the lexicon says, as plain tables: the texts, where those of each stem begin, and entries of
// number << 8 | weight.
struct Tables {
  struct Stem {
    uint32_t text = 0;
    uint32_t concepts = 0;
    uint32_t relatives = 0;
  };
  std::string text;
  std::vector<Stem> stems;
  std::vector<uint32_t> concepts, relatives;
  uint32_t concept_count = 0;

  void Begin() {
    stems.push_back({static_cast<uint32_t>(text.size()), static_cast<uint32_t>(concepts.size()),
                     static_cast<uint32_t>(relatives.size())});
  }
};

Tables MakeTables(const std::vector<Entry>& entries, size_t all_concepts) {
  Relatives relatives(entries, all_concepts);
  Tables tables;
  std::map<uint32_t, uint32_t> numbers;  // those concepts that are left, from 0
  for (const Entry& entry : entries) {
    for (const Entry::Of& of : entry.concepts) numbers.emplace(of.number, 0);
  }
  for (auto& [old, number] : numbers) number = tables.concept_count++;
  for (uint32_t i = 0; i < entries.size(); ++i) {
    tables.Begin();
    AppendText(entries[i], &tables.text);
    for (const Entry::Of& of : entries[i].concepts) {
      const auto weight = static_cast<uint32_t>(of.weight * format::kUnit + .5);
      if (weight > 0) tables.concepts.push_back(numbers.at(of.number) << 8 | weight);
    }
    const std::vector<uint32_t> near = relatives.Of(i);
    tables.relatives.insert(tables.relatives.end(), near.begin(), near.end());
  }
  tables.Begin();
  return tables;
}

// Models have the hash of the lexicon that they were trained with, so it is of the tables, whatever
// the format is.
uint64_t HashOf(const Tables& tables) {
  std::string body = tables.text;
  body.resize((body.size() + 3) / 4 * 4);
  Append(tables.stems.data(), tables.stems.size(), &body);
  Append(tables.concepts.data(), tables.concepts.size(), &body);
  Append(tables.relatives.data(), tables.relatives.size(), &body);
  return format::HashOf(reinterpret_cast<const uint8_t*>(body.data()), body.size());
}

// Returns the value as a byte, or as two. Ends the program if it is too large.
std::string Byte(size_t value) {
  if (value > 0xff) Die("a number needs more than a byte");
  return {static_cast<char>(value)};
}
std::string TwoBytes(size_t value) {
  if (value > 0xffff) Die("a number needs more than two bytes");
  return {static_cast<char>(value & 0xff), static_cast<char>(value >> 8)};
}

// The record of a text. `before`: the stem before it in the block, or "".
std::string PackText(const Entry& entry, std::string_view before) {
  const std::string& stem = entry.stem;
  const auto shared = static_cast<size_t>(
      std::mismatch(stem.begin(), stem.end(), before.begin(), before.end()).first - stem.begin());
  const auto [cut, word] =
      std::mismatch(stem.begin(), stem.end(), entry.word.begin(), entry.word.end());
  const std::string ending(word, entry.word.end());
  const auto dropped = static_cast<size_t>(stem.end() - cut);
  if (shared == stem.size() || dropped > 15 || ending.size() > 15) Die("cannot pack " + stem);
  std::string packed = Byte(shared) + Byte(dropped << 4 | ending.size()) + stem.substr(shared);
  packed.back() = static_cast<char>(packed.back() | format::kLast);
  return packed + ending;
}

std::string PackConcepts(std::span<const uint32_t> entries) {
  std::string packed = Byte(entries.size());
  for (const uint32_t entry : entries) packed += TwoBytes(entry >> 8) + Byte(entry & 255);
  return packed;
}

// `similarities`: those that groups have so far.
std::string PackRelatives(std::span<const uint32_t> entries, std::vector<uint8_t>* similarities) {
  std::string packed;
  for (size_t begin = 0, end = 0; begin < entries.size(); begin = end) {
    const auto similarity = static_cast<uint8_t>(entries[begin] & 255);
    std::string group;
    for (; end < entries.size() && (entries[end] & 255) == similarity; ++end) {
      group += TwoBytes(entries[end] >> 8);
    }
    auto known = std::find(similarities->begin(), similarities->end(), similarity);
    if (known == similarities->end()) known = similarities->insert(known, similarity);
    const auto index = static_cast<size_t>(known - similarities->begin());
    packed += Byte(index << 6 | (end < entries.size() ? format::kMore : 0) | (end - begin)) + group;
  }
  return packed.empty() ? Byte(0) : packed;
}

std::string Encode(const std::vector<Entry>& entries, const Tables& tables) {
  std::string texts, concepts, relatives;
  std::vector<format::Block> blocks;
  const auto begin_block = [&] {
    blocks.push_back({static_cast<uint32_t>(texts.size()), static_cast<uint32_t>(concepts.size()),
                      static_cast<uint32_t>(relatives.size())});
  };
  std::vector<uint8_t> similarities;
  for (size_t i = 0; i < entries.size(); ++i) {
    const bool first = i % format::kBlock == 0;
    if (first) begin_block();
    texts += PackText(entries[i], first ? std::string_view() : entries[i - 1].stem);
    const Tables::Stem& begin = tables.stems[i];
    const Tables::Stem& end = tables.stems[i + 1];
    concepts += PackConcepts(
        std::span(tables.concepts).subspan(begin.concepts, end.concepts - begin.concepts));
    relatives += PackRelatives(
        std::span(tables.relatives).subspan(begin.relatives, end.relatives - begin.relatives),
        &similarities);
  }
  begin_block();
  format::Header header = {.magic = format::kMagic,
                           .stems = static_cast<uint32_t>(entries.size()),
                           .text_bytes = static_cast<uint32_t>(texts.size()),
                           .concept_bytes = static_cast<uint32_t>(concepts.size()),
                           .relative_bytes = static_cast<uint32_t>(relatives.size()),
                           .concept_count = tables.concept_count,
                           .hash = HashOf(tables),
                           .similarities = {},
                           .reserved = 0};
  if (similarities.size() > std::size(header.similarities)) Die("too many similarities");
  std::copy(similarities.begin(), similarities.end(), header.similarities);
  std::string bytes;
  Append(&header, 1, &bytes);
  Append(blocks.data(), blocks.size(), &bytes);
  return bytes + texts + concepts + relatives;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) Die("usage: make_lexicon DIRECTORY OUT");
  WordNet wordnet(argv[1]);
  const std::vector<Entry> entries = ReadEntries(wordnet);
  const std::string bytes = Encode(entries, MakeTables(entries, wordnet.concepts().size()));
  std::ofstream out(argv[2], std::ios::binary);
  out << bytes;
  out.close();
  if (!out) Die(std::string("cannot write ") + argv[2]);
  return 0;
}
