#pragma once

// What `recall export --format notes` writes besides the text of a note, so that an import
// elsewhere has the same links and states: keys of the card that begin with "recall_", and a
// section of links for other readers.

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "query/compat/memories/foreign_card.h"
#include "query/compat/memories/foreign_memory.h"

namespace recall {

inline constexpr std::string_view kLinksStart = "<!-- recall:links:start -->";
inline constexpr std::string_view kLinksEnd = "<!-- recall:links:end -->";

// The keys.
inline constexpr std::string_view kPathKey = "recall_path";
inline constexpr std::string_view kLinksKey = "recall_links";
inline constexpr std::string_view kRelatedKey = "recall_related";  // true: `related` was added
inline constexpr std::string_view kUsesKey = "recall_uses";
inline constexpr std::string_view kReviewKey = "recall_review";

nlohmann::json LinksToJson(const std::vector<ForeignLink>& links);
nlohmann::json UsesToJson(const ForeignUse& uses);
nlohmann::json ReviewToJson(const ForeignReview& review);

// Takes the keys above out of a card. What is not as Recall writes it stays there.
void TakeStates(CardFields* fields, ForeignNote* note);

}  // namespace recall
