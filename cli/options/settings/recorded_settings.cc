#include "cli/options/settings/recorded_settings.h"

#include <algorithm>

namespace recall {
namespace {

// Settings for which a contradiction is an error. Other recorded values do not matter to users.
constexpr std::string_view kStoreKeys[] = {"embedding", "embedding_dim", "chunk_tokens",
                                           "overlap_tokens"};

// The entry of `key` with the highest priority that applies to this store.
const ConfigEntry* FindClaim(const ConfigLayers& layers, std::string_view key) {
  const ConfigEntry* claim = nullptr;
  for (const ConfigLayer* layer : {&layers.store, &layers.environment, &layers.flags}) {
    for (const ConfigEntry& entry : *layer) {
      if (entry.key == key) claim = &entry;
    }
  }
  return claim;
}

bool Sets(const ConfigLayer& layer, std::string_view key) {
  return std::ranges::count(layer, key, &ConfigEntry::key) > 0;
}

SettingSource SourceOf(const ConfigLayers& layers, std::string_view key) {
  if (Sets(layers.flags, key)) return SettingSource::kFlag;
  if (Sets(layers.environment, key)) return SettingSource::kEnvironment;
  const bool in_file = Sets(layers.store, key) || Sets(layers.user, key);
  return in_file ? SettingSource::kFile : SettingSource::kDefault;
}

}  // namespace

std::optional<ConfigValue> RecordedValue(const StatsReport& store, std::string_view key) {
  if (key == "embedding") return store.embedder;
  if (key == "embedding_dim") return store.dim;
  if (key == "chunk_tokens") return store.chunk_tokens;
  if (key == "overlap_tokens") return store.overlap_tokens;
  if (key == "ann_bits") return store.ann_bits;
  if (key == "ann_seed") return static_cast<int64_t>(store.ann_seed);
  return std::nullopt;
}

bool MayContradictStore(const ConfigLayers& layers) {
  return std::any_of(std::begin(kStoreKeys), std::end(kStoreKeys),
                     [&](std::string_view key) { return FindClaim(layers, key) != nullptr; });
}

Status CheckAgainstStore(const ConfigLayers& layers, const StatsReport& store) {
  for (const std::string_view key : kStoreKeys) {
    const ConfigEntry* claim = FindClaim(layers, key);
    if (claim == nullptr) continue;
    const ConfigValue recorded = *RecordedValue(store, key);
    const bool leaves_it_open = key == "embedding_dim" && claim->value == ConfigValue(int64_t{0});
    if (claim->value == recorded || leaves_it_open) continue;
    return Status::InvalidArgument(
        claim->origin + " sets " + std::string(key) + " = " + PrintConfigValue(claim->value) +
            ", but " + store.path + " was created with " + PrintConfigValue(recorded),
        key == "embedding" ? "remove that setting, or run `recall embed --as NAME`"
                           : "remove that setting, or create a new store with `recall init` and "
                             "add the files again");
  }
  return {};
}

std::string_view SettingSourceName(SettingSource source) {
  switch (source) {
    case SettingSource::kDefault:
      return "default";
    case SettingSource::kFile:
      return "file";
    case SettingSource::kEnvironment:
      return "environment";
    case SettingSource::kFlag:
      return "flag";
    case SettingSource::kStore:
      return "store";
  }
  return "";
}

std::vector<EffectiveSetting> EffectiveSettings(const ConfigLayers& layers,
                                                const StatsReport* store) {
  const Config config = ResolveConfig(layers);
  std::vector<EffectiveSetting> settings;
  for (const ConfigKeyInfo& key : AllConfigKeys()) {
    EffectiveSetting setting{key.name, ValueOf(config, key.name), SourceOf(layers, key.name),
                             "default"};
    if (config.IsSet(key.name)) setting.origin = config.origins.find(key.name)->second;
    if (store != nullptr) {
      if (std::optional<ConfigValue> recorded = RecordedValue(*store, key.name)) {
        setting.value = *std::move(recorded);
        setting.source = SettingSource::kStore;
        setting.origin = "store";
      } else if (key.name == "notes_dir" && !config.IsSet(key.name) && !store->notes_dir.empty()) {
        // The store has a default of its own; a setting from a file, a variable or a flag wins.
        setting.value = store->notes_dir;
        setting.source = SettingSource::kStore;
        setting.origin = "store";
      } else if (!WeightsFrom(config)) {
        const FusionWeights weights = DefaultWeights(store->embedder, RankingFrom(config).fusion);
        if (key.name == "bm25_weight") setting.value = weights.lexical;
        if (key.name == "vector_weight") setting.value = weights.semantic;
      }
    }
    settings.push_back(std::move(setting));
  }
  return settings;
}

}  // namespace recall
