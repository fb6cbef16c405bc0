#include "cli/show/browse/document_rows.h"

#include <algorithm>
#include <iterator>

#include "cli/show/output/card_text.h"
#include "cli/show/output/metadata_tree.h"
#include "cli/show/output/payload.h"

namespace recall {
namespace {

constexpr size_t kMostSummaryRows = 3;

}  // namespace

std::string NoteText(std::string_view type, const std::optional<Lifecycle>& state) {
  std::string text = type.empty() ? "" : "  " + EscapeLine(type);
  if (state && *state != Lifecycle::kFresh) {
    text += (text.empty() ? "  " : ", ") + std::string(LifecycleName(*state));
  }
  return text;
}

std::vector<ScreenRow> CardRows(const DocView& doc, const std::optional<Lifecycle>& state,
                                size_t columns) {
  std::vector<ScreenRow> rows;
  const CardSummary card = CardOf(doc);
  if (card.title) rows = WrapText(*card.title, columns, Paint::kStrong);
  std::string about = NoteText(card.type.value_or(""), state);
  const std::string key = "tags";
  for (const std::string& tag : MetadataTree(doc.meta_json).Texts({&key, 1})) {
    about += "  #" + EscapeLine(tag);
  }
  if (!about.empty()) rows.push_back({{about.substr(2), Paint::kDim}});
  if (card.summary) {
    std::vector<ScreenRow> summary = WrapText(*card.summary, columns, Paint::kPlain);
    summary.resize(std::min(summary.size(), kMostSummaryRows));
    std::ranges::move(summary, std::back_inserter(rows));
  }
  return rows;
}

std::vector<ScreenRow> DocumentRows(std::string_view text, size_t columns) {
  text.remove_prefix(CardLength(text));
  text.remove_prefix(std::min(text.find_first_not_of("\r\n"), text.size()));
  const bool cut = text.size() > kMostShownBytes;
  if (cut) text = text.substr(0, text.rfind('\n', kMostShownBytes));
  text = text.substr(0, kMostShownBytes);
  std::vector<ScreenRow> rows = WrapText(text, columns, Paint::kPlain);
  if (cut) rows.push_back({{"(the text goes on)", Paint::kDim}});
  return rows;
}

}  // namespace recall
