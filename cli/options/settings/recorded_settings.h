#pragma once

// Compares settings with those recorded in a store, which have priority over all configuration.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options/settings/config.h"
#include "query/types/store_types.h"
#include "storage/base/status.h"

namespace recall {

// The recorded value of a key; nullopt for keys that are not recorded.
std::optional<ConfigValue> RecordedValue(const StatsReport& store, std::string_view key);

// InvalidArgument if a flag, the environment or the recall.toml beside the store contradicts a
// recorded setting. The user's own file is not compared, because it contains defaults for new
// stores.
Status CheckAgainstStore(const ConfigLayers& layers, const StatsReport& store);
// Whether CheckAgainstStore has something to check; if not, the facts of the store are not needed.
bool MayContradictStore(const ConfigLayers& layers);

enum class SettingSource { kDefault, kFile, kEnvironment, kFlag, kStore };

// "default", "file", "environment", "flag", "store".
std::string_view SettingSourceName(SettingSource source);

// The effective value of a key and its source.
struct EffectiveSetting {
  std::string_view key;
  ConfigValue value;
  SettingSource source = SettingSource::kDefault;
  std::string origin;  // "--threads", "RECALL_THREADS", "/a/recall.toml:3", "store", "default"
};

// All keys, in the order of AllConfigKeys. `store` is null if no store exists.
std::vector<EffectiveSetting> EffectiveSettings(const ConfigLayers& layers,
                                                const StatsReport* store);

}  // namespace recall
