#include "query/memory/notes/compared_note.h"

#include <cstdint>
#include <optional>
#include <utility>

#include "index/source/chunk/front_matter.h"
#include "storage/metadata/metadata_values.h"

namespace recall {
namespace {

std::string TrimmedText(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const size_t begin = text.find_first_not_of(kSpace);
  if (begin == text.npos) return {};
  return std::string(text.substr(begin, text.find_last_not_of(kSpace) - begin + 1));
}

std::string TextOnCard(const std::optional<std::string>& meta, const std::string& key) {
  if (!meta) return "";
  const auto scalars = MetadataAt(*meta, {&key, 1});
  return scalars && !scalars->empty() ? scalars->front().text : std::string();
}

}  // namespace

std::string ComparedNote::Whole() const {
  std::string whole;
  for (const std::string* part : {&title, &summary, &text}) {
    if (part->empty()) continue;
    if (!whole.empty()) whole += '\n';
    whole += *part;
  }
  return whole;
}

ComparedNote ComparedPartOf(std::string title, std::string summary, std::string_view note) {
  const auto card = FindFrontMatter(note);
  return {std::move(title), std::move(summary), TrimmedText(note.substr(card ? card->end : 0))};
}

Result<ComparedNote> ReadComparedPart(const TextsAndFacts& texts, const DocRow& doc) {
  RECALL_ASSIGN(const std::string text, texts.ReadText(doc, 0, static_cast<uint64_t>(doc.size)));
  ComparedNote note =
      ComparedPartOf(TextOnCard(doc.meta, "title"), TextOnCard(doc.meta, "summary"), text);
  note.scope = TextOnCard(doc.meta, "scope");
  return note;
}

}  // namespace recall
