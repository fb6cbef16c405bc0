#pragma once

// Settings and where they come from. Strongest first: a flag, an environment variable
// (RECALL_THREADS for `threads`), recall.toml beside the store, the user's own recall.toml, the
// default. What the store recorded when it was made wins over all of them; see
// recorded_settings.h.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "cli/flags/flags.h"
#include "query/types/search_types.h"
#include "query/types/store_types.h"
#include "storage/base/result.h"

namespace recall {

// The value of `token_counter` that names no file.
inline constexpr std::string_view kWhitespaceCounter = "whitespace";

struct Config {
  std::string store_path = "recall.db";
  int64_t chunk_tokens = CreateOptions().chunk_tokens;
  int64_t overlap_tokens = CreateOptions().overlap_tokens;
  std::string embedding = CreateOptions().embedder;
  int64_t embedding_dim = CreateOptions().dim;  // 0: whatever the embedder or the store has
  double bm25_weight = FusionWeights().lexical;
  double vector_weight = FusionWeights().semantic;
  std::string fusion = "default";
  std::string stages;    // "mmr,recency:half-life=30d"; "": none
  std::string keywords;  // rules, one a line
  std::string token_counter = std::string(kWhitespaceCounter);
  int64_t max_limit = 1000;
  int64_t threads = 0;  // 0: one per core
  int64_t busy_timeout_ms = OpenOptions().busy_timeout_ms;
  int64_t ann_bits = 0;  // 0: whatever the store has
  int64_t ann_seed = static_cast<int64_t>(CreateOptions().ann_seed);

  // Who set each key that is not at its default: "--threads", "RECALL_THREADS", "/a/recall.toml:3".
  std::map<std::string, std::string, std::less<>> origins;
  bool IsSet(std::string_view key) const { return origins.contains(key); }
};

using ConfigValue = std::variant<int64_t, double, std::string>;

// One key set by one source, already known to have the right type and range.
struct ConfigEntry {
  std::string key;
  ConfigValue value;
  std::string origin;
};

using ConfigLayer = std::vector<ConfigEntry>;

// A recall.toml that was looked for.
struct ConfigFile {
  std::string path;
  bool exists = false;
  bool in_force = true;  // false: passed on the way up, without a store beside it
};

struct ConfigLayers {
  ConfigLayer user;
  ConfigLayer store;
  ConfigLayer environment;
  ConfigLayer flags;
  std::vector<EmbedderConfig> embedders;  // of the user's own file, or of the one that was named
  std::vector<ConfigFile> files;          // in the order looked for
};

// What is known of a key, for those who explain it.
struct ConfigKeyInfo {
  std::string_view name;
  ConfigValue default_value;
  std::string_view help;
};

// In the order of docs/cli.md.
std::vector<ConfigKeyInfo> AllConfigKeys();

// The value of a key. Requires: it is one.
ConfigValue ValueOf(const Config& config, std::string_view key);

// As recall.toml writes it: 256, 0.95, "recall.db".
std::string PrintConfigValue(const ConfigValue& value);

// The layers put over each other.
Config ResolveConfig(const ConfigLayers& layers);

// Reads one recall.toml. Unknown keys append to `warnings`; wrong types and values are
// InvalidArgument that names file and line. NotFound when there is no such file.
// Tables [embedders.NAME] append to `embedders`; where that is null the file is not trusted with
// them, for they name programs to run and servers to ask, and a warning says so.
Result<ConfigLayer> ReadConfigFile(const std::string& path, std::vector<EmbedderConfig>* embedders,
                                   std::vector<std::string>* warnings);
Result<ConfigLayer> ReadConfigEnvironment();
Result<ConfigLayer> ReadConfigFlags(const std::vector<FlagSetting>& settings);

// $XDG_CONFIG_HOME/recall/recall.toml, else ~/.config/recall/recall.toml; "" without a home.
std::string UserConfigPath();

// What a new store is made with.
CreateOptions CreateOptionsFrom(const Config& config);

// The retrievers' weights as somebody set them; none: those of the store's embedder.
std::optional<FusionWeights> WeightsFrom(const Config& config);

// The fusion, stages and rules that the settings name; no least score.
RankingChoice RankingFrom(const Config& config);

// The vocabulary whose tokens budgets count, as ContextRequest has it. A path that a settings file
// gives is one beside that file.
std::string TokenVocabularyFrom(const Config& config);

// Checks that settings fit each other: overlap < chunk, not both weights zero.
Status CheckConfig(const Config& config);

namespace internal {
// A key's value from a word ("12", "0.5") or from a typed value, checked. Requires: IsConfigKey.
Result<ConfigEntry> ParseConfigEntry(std::string_view key, std::string_view text,
                                     const std::string& origin);
Result<ConfigEntry> MakeConfigEntry(std::string_view key, const ConfigValue& value,
                                    const std::string& origin);
// What stands between the items of a key that may be written as a list of texts; 0: it may not.
char ListSeparator(std::string_view key);
// That no value of this kind suits the key.
Status UnsuitableConfigValue(std::string_view key, const std::string& origin);
// What ReadConfigFile does once it has read the file at `path`.
Result<ConfigLayer> ParseConfigText(std::string_view text, const std::string& path,
                                    std::vector<EmbedderConfig>* embedders,
                                    std::vector<std::string>* warnings);
bool IsConfigKey(std::string_view key);
std::vector<std::string> ConfigKeyNames();
}  // namespace internal

}  // namespace recall
