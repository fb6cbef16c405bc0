#include "query/add/records/document_records_json.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

#include "index/source/note/text_links.h"
#include "storage/base/base64.h"
#include "storage/base/bytes.h"

namespace recall {
namespace {

using Json = nlohmann::json;

constexpr int64_t kMostCount = 1'000'000'000;
constexpr int64_t kMostDays = 1'000'000;
constexpr int64_t kMostEasiness = 100'000;
constexpr int64_t kLeastEasiness = 130;
constexpr int64_t kMostQuality = 5;

Status Wrong(const char* what) { return Status::InvalidArgument(what); }

const Json& Member(const Json& object, const char* name) {
  static const Json kNull;
  const auto found = object.find(name);
  return found == object.end() ? kNull : *found;
}

std::optional<std::string> TextOf(const Json& object, const char* name) {
  const Json& value = Member(object, name);
  return value.is_string() ? std::optional(value.get<std::string>()) : std::nullopt;
}

std::optional<UnixNanos> TimeOf(const Json& object, const char* name) {
  const auto text = TextOf(object, name);
  return text ? ParseRfc3339(*text) : std::nullopt;
}

std::optional<int64_t> IntegerOf(const Json& object, const char* name, int64_t least,
                                 int64_t most) {
  const Json& value = Member(object, name);
  if (!value.is_number_integer()) return std::nullopt;
  if (value.is_number_unsigned() && value.get<uint64_t>() > static_cast<uint64_t>(most)) {
    return std::nullopt;
  }
  const auto number = value.get<int64_t>();
  return number >= least && number <= most ? std::optional(number) : std::nullopt;
}

// A text, or the bytes in its form in base64.
std::optional<std::string> PathOf(const Json& object, const char* name, const char* in_base64) {
  if (auto text = TextOf(object, name)) return text;
  const auto encoded = TextOf(object, in_base64);
  return encoded ? DecodeBase64(*encoded) : std::nullopt;
}

Result<LinkRecord> LinkOf(const Json& object, std::string_view source) {
  LinkRecord link;
  link.source = source;
  const auto target = PathOf(object, "target", "target_base64");
  const auto relation = TextOf(object, "relation");
  const Json& weight = Member(object, "weight");
  const auto origin = TextOf(object, "origin");
  const auto at = TimeOf(object, "at");
  const bool valid =
      target && !target->empty() && *target != source && target->find('\0') == std::string::npos &&
      relation && IsRelationName(*relation) && weight.is_number() && weight.get<double>() >= 0 &&
      weight.get<double>() <= 1 && origin && at && (*origin == kUserLink || *origin == kNearLink);
  if (!valid) return Fail(Wrong("has a link with an invalid value"));
  link.target = *target;
  link.relation = *relation;
  link.weight = weight.get<double>();
  link.reason = TextOf(object, "reason");
  link.origin = *origin;
  link.at = *at;
  return link;
}

Result<UseRow> UseOf(const Json& object) {
  const auto at = TimeOf(object, "at");
  const auto how = TextOf(object, "how");
  const auto count = IntegerOf(object, "count", 1, kMostCount);
  if (!at || !how || how->empty() || !count) return Fail(Wrong("has a use with an invalid value"));
  UseRow use;
  use.at = *at;
  use.how = *how;
  use.count = *count;
  return use;
}

Result<ReviewRow> ReviewOf(const Json& object) {
  const auto at = TimeOf(object, "at");
  const auto due = TimeOf(object, "due");
  const auto algorithm = TextOf(object, "algorithm");
  const auto repetitions = IntegerOf(object, "repetitions", 0, kMostCount);
  const auto interval = IntegerOf(object, "interval_days", 0, kMostDays);
  const auto easiness = IntegerOf(object, "easiness", kLeastEasiness, kMostEasiness);
  const auto quality = IntegerOf(object, "quality", 0, kMostQuality);
  const bool has_quality = !Member(object, "quality").is_null();
  if (!at || !due || !algorithm || !repetitions || !interval || !easiness ||
      (has_quality && !quality)) {
    return Fail(Wrong("has a review with an invalid value"));
  }
  ReviewRow review;
  review.at = *at;
  review.quality = quality;
  review.algorithm = *algorithm;
  review.repetitions = *repetitions;
  review.interval_days = *interval;
  review.easiness = *easiness;
  review.due = *due;
  return review;
}

// Appends parse(item) for each object of a list.
template <typename Item, typename Parse>
Status ReadList(const Json& records, const char* name, std::vector<Item>* items,
                const Parse& parse) {
  const Json& list = Member(records, name);
  if (list.is_null()) return Status::Ok();
  if (!list.is_array()) return Wrong("has a member that is not a list");
  for (const Json& item : list) {
    if (!item.is_object()) return Wrong("has an item that is not an object");
    RECALL_ASSIGN(Item parsed, parse(item));
    items->push_back(std::move(parsed));
  }
  return Status::Ok();
}

}  // namespace

Result<DocumentRecords> ParseDocumentRecords(const nlohmann::json& records,
                                             std::string_view source) {
  DocumentRecords history;
  RECALL_TRY(ReadList(records, "links", &history.links,
                      [&](const Json& item) { return LinkOf(item, source); }));
  RECALL_TRY(ReadList(records, "uses", &history.uses, UseOf));
  RECALL_TRY(ReadList(records, "reviews", &history.reviews, ReviewOf));
  return history;
}

}  // namespace recall
