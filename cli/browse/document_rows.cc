#include "cli/browse/document_rows.h"

#include <algorithm>

#include "cli/output/card_text.h"

namespace recall {

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
