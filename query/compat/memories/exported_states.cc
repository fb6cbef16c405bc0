#include "query/compat/memories/exported_states.h"

#include <algorithm>
#include <set>

#include "index/base/paths/doc_path.h"
#include "index/source/note/text_links.h"

namespace recall {
namespace {

using Json = nlohmann::json;

std::optional<UnixNanos> TimeIn(const Json& object, const char* name) {
  const auto field = object.find(name);
  if (field == object.end() || !field->is_string()) return std::nullopt;
  return ParseForeignTime(field->get_ref<const std::string&>());
}

std::optional<int64_t> IntegerIn(const Json& object, const char* name, int64_t least,
                                 int64_t most) {
  const auto field = object.find(name);
  if (field == object.end() || !field->is_number_integer()) return std::nullopt;
  if (field->is_number_unsigned() && field->get<uint64_t>() > uint64_t{INT64_MAX}) {
    return std::nullopt;
  }
  const auto value = field->get<int64_t>();
  return value < least || value > most ? std::nullopt : std::optional(value);
}

std::string TextIn(const Json& object, const char* name) {
  const auto field = object.find(name);
  return field != object.end() && field->is_string() ? field->get<std::string>() : std::string();
}

std::optional<ForeignLink> LinkFrom(const Json& object) {
  ForeignLink link;
  link.target = TextIn(object, "to");
  link.is_path = true;
  link.relation = TextIn(object, "as");
  link.reason = TextIn(object, "reason");
  link.near = TextIn(object, "origin") == "near";
  link.at = TimeIn(object, "at");
  const auto weight = object.find("weight");
  if (weight != object.end()) {
    if (!weight->is_number()) return std::nullopt;
    link.weight = weight->get<double>();
  }
  const bool sound =
      !link.target.empty() && IsRelationName(link.relation) && link.weight >= 0 && link.weight <= 1;
  return sound ? std::optional(std::move(link)) : std::nullopt;
}

}  // namespace

Json LinksToJson(const std::vector<ForeignLink>& links) {
  Json list = Json::array();
  for (const ForeignLink& link : links) {
    Json object = {{"as", link.relation}, {"to", link.target}};
    if (link.weight != 1) object["weight"] = link.weight;
    if (!link.reason.empty()) object["reason"] = link.reason;
    if (link.near) object["origin"] = "near";
    if (link.at) object["at"] = FormatRfc3339(*link.at);
    list.push_back(std::move(object));
  }
  return list;
}

Json UsesToJson(const ForeignUse& uses) {
  return {{"count", uses.count}, {"last", FormatRfc3339(uses.last)}};
}

Json ReviewToJson(const ForeignReview& review) {
  Json object = {{"algorithm", review.algorithm},         {"repetitions", review.repetitions},
                 {"interval_days", review.interval_days}, {"easiness", review.easiness},
                 {"due", FormatRfc3339(review.due)},      {"at", FormatRfc3339(review.at)}};
  if (review.quality) object["quality"] = *review.quality;
  return object;
}

void TakeStates(CardFields* fields, ForeignNote* note) {
  const auto path = fields->Take({kPathKey}, [](const Json& value) -> std::optional<std::string> {
    if (!value.is_string()) return std::nullopt;
    const auto& text = value.get_ref<const std::string&>();
    const bool sound =
        IsNormalPath(text) && !text.starts_with('/') && text.find('\0') == std::string::npos;
    return sound ? std::optional(text) : std::nullopt;
  });
  if (path) note->path = *path;
  const auto added = fields->Take({kRelatedKey}, [](const Json& value) -> std::optional<bool> {
    return value.is_boolean() ? std::optional(value.get<bool>()) : std::nullopt;
  });
  if (added.value_or(false)) note->draft.related.clear();
  const auto links =
      fields->Take({kLinksKey}, [](const Json& value) -> std::optional<std::vector<ForeignLink>> {
        if (!value.is_array()) return std::nullopt;
        std::vector<ForeignLink> list;
        for (const Json& element : value) {
          auto link = element.is_object() ? LinkFrom(element) : std::nullopt;
          if (!link) return std::nullopt;
          list.push_back(*std::move(link));
        }
        return list;
      });
  if (links) note->links.insert(note->links.end(), links->begin(), links->end());
  note->uses = fields->Take({kUsesKey}, [](const Json& value) -> std::optional<ForeignUse> {
    if (!value.is_object()) return std::nullopt;
    const auto count = IntegerIn(value, "count", 1, INT64_MAX);
    const auto last = TimeIn(value, "last");
    if (!count || !last) return std::nullopt;
    return ForeignUse{*count, *last};
  });
  note->review = fields->Take({kReviewKey}, [](const Json& value) -> std::optional<ForeignReview> {
    if (!value.is_object()) return std::nullopt;
    ForeignReview review;
    review.algorithm = TextIn(value, "algorithm");
    const auto repetitions = IntegerIn(value, "repetitions", 0, INT32_MAX);
    const auto interval = IntegerIn(value, "interval_days", 1, kMostForeignInterval);
    const auto easiness = IntegerIn(value, "easiness", 130, 100'000);
    const auto due = TimeIn(value, "due");
    const auto at = TimeIn(value, "at");
    if (review.algorithm.empty() || !repetitions || !interval || !easiness || !due || !at) {
      return std::nullopt;
    }
    review.repetitions = *repetitions;
    review.interval_days = *interval;
    review.easiness = *easiness;
    review.due = *due;
    review.at = *at;
    review.quality = IntegerIn(value, "quality", 0, 5);
    return review;
  });
}

}  // namespace recall
