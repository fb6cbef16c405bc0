#include "cli/options/settings/view.h"

#include <algorithm>
#include <variant>

namespace recall {
namespace {

using ViewMember = std::variant<std::optional<std::string> View::*, std::optional<int64_t> View::*,
                                std::optional<double> View::*>;

// A key, its member of View, and its largest number.
struct ViewKey {
  std::string_view name;
  ViewMember member;
  int64_t min = 0;
  int64_t max = 1;
};

const ViewKey kViewKeys[] = {
    {"filter", &View::filter},
    {"fusion", &View::fusion},
    {"field_weights", &View::field_weights},
    {"stages", &View::stages},
    {"k", &View::k, 1, 1'000'000},
    {"min_score", &View::min_score},
    {"strong", &View::strong},
    {"payload", &View::payload},
    {"hops", &View::hops},
};

const ViewKey* FindViewKey(std::string_view name) {
  const auto* found = std::ranges::find(kViewKeys, name, &ViewKey::name);
  return found == std::end(kViewKeys) ? nullptr : found;
}

std::string KnownViewKeys() {
  std::string names;
  for (const ViewKey& key : kViewKeys) names += (names.empty() ? "" : ", ") + std::string(key.name);
  return names;
}

bool IsBlankValue(std::string_view text) { return text.find_first_not_of(" \t\r\n") == text.npos; }

// Returns: what is wrong with the value, or "".
std::string TakeValue(const ViewKey& key, const ConfigValue& value,
                      std::optional<std::string>* target) {
  const auto* text = std::get_if<std::string>(&value);
  const std::string name(key.name);
  if (key.name == "payload") {
    if (!text || (*text != kLeanPayload && *text != kFullPayload)) {
      return "payload must be lean or full";
    }
  } else if (!text || (IsBlankValue(*text) && key.name != "stages")) {
    return name + (IsViewList(name) ? " must be text, or a list of texts"
                                    : " must be text that is not empty");
  }
  *target = *text;
  return "";
}

std::string TakeValue(const ViewKey& key, const ConfigValue& value,
                      std::optional<int64_t>* target) {
  const auto* number = std::get_if<int64_t>(&value);
  if (!number || *number < key.min || *number > key.max) {
    return std::string(key.name) + " must be a whole number from " + std::to_string(key.min) +
           " to " + std::to_string(key.max);
  }
  *target = *number;
  return "";
}

std::string TakeValue(const ViewKey& key, const ConfigValue& value, std::optional<double>* target) {
  const auto* whole = std::get_if<int64_t>(&value);
  const auto* number = std::get_if<double>(&value);
  const double given = whole ? static_cast<double>(*whole) : number ? *number : -1;
  if (!(given >= 0 && given <= 1)) return std::string(key.name) + " must be a number from 0 to 1";
  *target = given;
  return "";
}

}  // namespace

std::vector<View> BuiltInViews() {
  View entries;
  entries.name = "entries";
  entries.filter = "doc.kind = 'note' AND doc.status = 'active'";
  entries.fusion = "parts:words=0.5:meaning=0.3:triggers=0.2";
  entries.stages = "per-document";
  entries.k = 20;
  entries.payload = kLeanPayload;
  View memory;
  memory.name = "memory";
  memory.filter = "doc.kind = 'note' AND doc.lifecycle != 'obsolete'";
  memory.field_weights = "trigger=5:title=4:tags=3:topic=2:summary=2:body=1";
  memory.stages = "freshness,per-document";
  memory.k = 5;
  memory.min_score = 0.25;  // both measured: docs/decisions/0050-view-memory.md
  memory.strong = 0.40;
  memory.payload = kLeanPayload;
  View sessions;
  sessions.name = "sessions";
  sessions.filter = "doc.kind = 'session'";
  sessions.fusion = "grouped:words=0.4:meaning=0.6";
  sessions.stages = "";
  sessions.k = 20;
  sessions.payload = kLeanPayload;
  return {std::move(entries), std::move(memory), std::move(sessions)};
}

std::vector<std::pair<std::string_view, ConfigValue>> ValuesOf(const View& view) {
  std::vector<std::pair<std::string_view, ConfigValue>> values;
  for (const ViewKey& key : kViewKeys) {
    std::visit(
        [&](auto member) {
          if (view.*member) values.emplace_back(key.name, *(view.*member));
        },
        key.member);
  }
  return values;
}

std::string SetViewValue(std::string_view name, const ConfigValue& value, View* view) {
  const ViewKey* key = FindViewKey(name);
  if (key == nullptr) return "unknown key '" + std::string(name) + "'; known: " + KnownViewKeys();
  return std::visit([&](auto member) { return TakeValue(*key, value, &(view->*member)); },
                    key->member);
}

bool IsViewList(std::string_view key) { return key == "stages"; }

std::string FaultOf(const View& view) {
  const bool crossed = view.min_score && view.strong && *view.strong < *view.min_score;
  return crossed ? "strong must be at least min_score" : "";
}

std::vector<View> CombineViews(const std::vector<View>& from_files) {
  std::vector<View> views = BuiltInViews();
  for (const View& view : from_files) {
    const auto place = std::ranges::lower_bound(views, view.name, {}, &View::name);
    if (place != views.end() && place->name == view.name) {
      *place = view;
    } else {
      views.insert(place, view);
    }
  }
  return views;
}

}  // namespace recall
