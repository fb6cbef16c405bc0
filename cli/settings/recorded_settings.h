#pragma once

// Settings against a store: what it recorded when it was made wins over all configuration.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/settings/config.h"
#include "query/types/store_types.h"
#include "storage/base/status.h"

namespace recall {

// What the store recorded for a key; none for keys that are not recorded.
std::optional<ConfigValue> RecordedValue(const StatsReport& store, std::string_view key);

// InvalidArgument when a flag, the environment or the store's recall.toml asks for something else
// than what the store was made with. The user's own file is not held against a store: it says what
// new stores are like.
Status CheckAgainstStore(const ConfigLayers& layers, const StatsReport& store);
// Whether CheckAgainstStore has anything to check, so that most commands need not read the facts.
bool MayContradictStore(const ConfigLayers& layers);

enum class SettingSource { kDefault, kFile, kEnvironment, kFlag, kStore };

// "default", "file", "environment", "flag", "store".
std::string_view SettingSourceName(SettingSource source);

// The value of a key that is in force, and who set it.
struct EffectiveSetting {
  std::string_view key;
  ConfigValue value;
  SettingSource source = SettingSource::kDefault;
  std::string origin;  // "--threads", "RECALL_THREADS", "/a/recall.toml:3", "store", "default"
};

// Every key, in the order of AllConfigKeys. `store` is null when there is none yet.
std::vector<EffectiveSetting> EffectiveSettings(const ConfigLayers& layers,
                                                const StatsReport* store);

}  // namespace recall
