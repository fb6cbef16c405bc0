#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace recall {

// A link that the text of a note has: to a note by its id, title or path.
struct TextLink {
  std::string target;    // as written, without label and heading: "css-focus", "notes/a.md"
  std::string relation;  // "related" unless the text says another

  bool operator==(const TextLink&) const = default;
};

inline constexpr std::string_view kRelatedRelation = "related";
inline constexpr size_t kMostTextLinks = 10'000;  // of a note; further links are ignored

// Whether `name` may be a relation: letters a-z and A-Z, digits and '_', at most 64.
bool IsRelationName(std::string_view name);

// The links of a note, each once, in the order of the text: `[[target]]`, `[[target|label]]` and
// `[[target#heading]]`, outside of code. A list item "- relation [[target]]" names the relation. In
// the front matter the items of `related`, with or without brackets. `related` are these items.
std::vector<TextLink> FindTextLinks(std::string_view note, const std::vector<std::string>& related);

// The links of a note with this metadata, as its card has them.
std::vector<TextLink> LinksOfNote(std::string_view note, const std::optional<std::string>& meta);

}  // namespace recall
