#pragma once

// Builds a "precompiled_charsmap" of SentencePiece: a double-array trie of Darts-clone and its
// values.

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace recall {

class CharsmapBuilder final {
 public:
  // Requires: keys are not empty.
  static std::string Build(const std::map<std::string, std::string>& map) {
    CharsmapBuilder builder;
    std::string values;
    std::map<std::string, uint32_t> places;
    for (const auto& [key, value] : map) {
      places[key] = static_cast<uint32_t>(values.size());
      values += value + '\0';
    }
    builder.Claim(0);
    builder.AddNode(0, "", places);
    std::string bytes;
    Append(static_cast<uint32_t>(builder.units_.size() * 4), &bytes);
    for (const uint32_t unit : builder.units_) Append(unit, &bytes);
    return bytes + values;
  }

 private:
  static void Append(uint32_t value, std::string* out) {
    for (int i = 0; i < 4; ++i) out->push_back(static_cast<char>(value >> 8 * i));
  }

  void Claim(size_t place) {
    if (place >= units_.size()) {
      units_.resize(place + 1);
      used_.resize(place + 1);
    }
    used_[place] = true;
  }
  bool IsFree(size_t place) const { return place >= used_.size() || !used_[place]; }

  // Adds the children of the node at `place`, which represents `prefix`.
  void AddNode(size_t place, const std::string& prefix,
               const std::map<std::string, uint32_t>& places) {
    std::vector<uint32_t> labels;
    for (const auto& [key, value] : places) {
      if (!key.starts_with(prefix) || (key == prefix && prefix.empty())) continue;
      const uint32_t label = key == prefix ? 0 : static_cast<unsigned char>(key[prefix.size()]);
      if (labels.empty() || labels.back() != label) labels.push_back(label);
    }
    size_t base = 0;
    // Nodes with the same base would share their children.
    const auto fits = [&] {
      if (bases_.contains(base)) return false;
      for (const uint32_t label : labels) {
        if (!IsFree(base ^ label)) return false;
      }
      return true;
    };
    while (!fits()) ++base;
    bases_.insert(base);
    for (const uint32_t label : labels) Claim(base ^ label);
    units_[place] |= static_cast<uint32_t>(place ^ base) << 10;
    for (const uint32_t label : labels) {
      if (label == 0) {
        units_[place] |= 1u << 8;
        units_[base] = 1u << 31 | places.at(prefix);
        continue;
      }
      units_[base ^ label] = label;
      AddNode(base ^ label, prefix + static_cast<char>(label), places);
    }
  }

  std::vector<uint32_t> units_;
  std::vector<bool> used_;
  std::set<size_t> bases_;
};

}  // namespace recall
