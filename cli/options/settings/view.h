#pragma once

// Views: named bundles of what a question would otherwise say by flags. They come from tables
// [view.NAME] of recall.toml; two are built in. A view names no program and no file, so one that
// came with a store is as harmless as the other settings beside it.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/options/settings/config_value.h"

namespace recall {

inline constexpr std::string_view kLeanPayload = "lean";
inline constexpr std::string_view kFullPayload = "full";

// What is unset is left to the flags and to the other settings.
struct View {
  std::string name;
  std::string origin = "built in";    // or "/a/recall.toml:3", the line of the table
  std::optional<std::string> filter;  // a filter expression, ANDed with --filter
  std::optional<std::string> fusion;  // as the key `fusion`
  std::optional<std::string> field_weights;
  std::optional<std::string> stages;   // as the key `stages`
  std::optional<int64_t> k;            // results
  std::optional<double> min_score;     // the floor: lower scores are left out
  std::optional<double> strong;        // scores from here on are in the band `strong`
  std::optional<std::string> payload;  // kLeanPayload or kFullPayload
  std::optional<int64_t> hops;         // 1: the stage `hops` runs first
};

// The views that exist without a settings file, in alphabetical order.
std::vector<View> BuiltInViews();

// The values that a view sets, by key, in the order of the documentation.
std::vector<std::pair<std::string_view, ConfigValue>> ValuesOf(const View& view);

// Sets the value of a key. Returns: what is wrong with key or value, or "".
std::string SetViewValue(std::string_view key, const ConfigValue& value, View* view);
// Whether the key may be written as a list of texts, which are then joined by commas.
bool IsViewList(std::string_view key);
// What is wrong with the values together, or "".
std::string FaultOf(const View& view);

// The built-in views and those of settings files, by name. Of several with one name the last one
// counts, as a whole.
std::vector<View> CombineViews(const std::vector<View>& from_files);

}  // namespace recall
