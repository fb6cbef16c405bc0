#pragma once

// Settings and their sources, highest priority first: a flag, an environment variable
// (RECALL_THREADS for `threads`), recall.toml beside the store, the user's own recall.toml, the
// default. The settings recorded in the store have priority over all of them; see
// recorded_settings.h.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options/flags/flags.h"
#include "cli/options/settings/config_value.h"
#include "cli/options/settings/view.h"
#include "query/types/context_types.h"
#include "query/types/note_types.h"
#include "query/types/open_types.h"
#include "storage/base/page_verification.h"
#include "storage/base/result.h"

namespace recall {

// The name of kWordsCounter in answers, accepted as a value of `token_counter`, too.
inline constexpr std::string_view kWhitespaceCounter = "whitespace";

struct Config {
  std::string store_path = "recall.db";
  int64_t chunk_tokens = CreateOptions().chunk_tokens;
  int64_t overlap_tokens = CreateOptions().overlap_tokens;
  std::string code_chunker = "auto";
  std::string encoding = "auto";
  std::string lang = "auto";
  std::string embedding = CreateOptions().embedder;
  int64_t embedding_dim = CreateOptions().dim;  // 0: that of the embedder or the store
  double bm25_weight = FusionWeights().lexical;
  double vector_weight = FusionWeights().semantic;
  std::string fusion = "default";
  std::string stages;         // "mmr,recency:half-life=30d"; "": none
  std::string keywords;       // rules, one per line
  std::string synonyms;       // groups, one per line
  std::string field_weights;  // "trigger=5:title=4"; "": all 1
  std::string cues;           // "tests=0.5:definition=0"; "": the defaults
  std::string notes_dir;      // where `save` writes notes as files; "": nowhere
  std::string review_algorithm = "sm2";
  double review_easiness = 2.5;  // before the first review
  std::string token_counter = std::string(kEstimateCounter);
  int64_t max_limit = 1000;
  int64_t threads = 0;  // 0: one per core
  int64_t busy_timeout_ms = OpenOptions().busy_timeout_ms;
  std::string verify = "first_use";
  std::string check_sources = "yes";
  std::string secrets = "warn";
  int64_t auto_backup = 0;  // copies that are kept from before imports and new formats
  int64_t ann_bits = 0;     // 0: that of the store
  int64_t ann_seed = static_cast<int64_t>(CreateOptions().ann_seed);
  std::string safe_directories;              // "/srv/team:/data"; see found_store.h
  std::string stores;                        // "team=postgres://a/b;old=/c.db"; see named_stores.h
  std::vector<View> views = BuiltInViews();  // by name
  SecretSettings secret_settings;            // [secrets]

  // The source of each key that is not at its default: "--threads", "RECALL_THREADS",
  // "/a/recall.toml:3".
  std::map<std::string, std::string, std::less<>> origins;
  bool IsSet(std::string_view key) const { return origins.contains(key); }
};

// The value of one key from one source; its type and range are valid.
struct ConfigEntry {
  std::string key;
  ConfigValue value;
  std::string origin;
};

using ConfigLayer = std::vector<ConfigEntry>;

// A recall.toml that was searched for.
struct ConfigFile {
  std::string path;
  bool exists = false;
  bool in_force = true;  // false: ignored, because it is in a parent directory without a store
};

// The tables of a settings file that name programs to run and servers to contact.
struct UserPrograms {
  std::vector<EmbedderConfig> embedders;  // [embedders.NAME]
  std::vector<RankerConfig> rankers;      // [rankers.NAME]
  std::vector<UserExtractor> extractors;  // [extractors.NAME]
  PasswordSource passwords;               // [passwords]
};

struct ConfigLayers {
  ConfigLayer user;
  ConfigLayer store;
  ConfigLayer environment;
  ConfigLayer flags;
  UserPrograms programs;          // from the user's own file, or from that of --config
  std::vector<View> views;        // of all files, those of the file beside the store last
  SecretSettings secrets;         // of all files
  std::vector<ConfigFile> files;  // in search order
};

// The description of a key, for documentation.
struct ConfigKeyInfo {
  std::string_view name;
  ConfigValue default_value;
  std::string_view help;
};

// All keys, in the order of docs/cli/settings.md.
std::vector<ConfigKeyInfo> AllConfigKeys();

// The value of a key. Requires: the key exists.
ConfigValue ValueOf(const Config& config, std::string_view key);

// The value in the syntax of recall.toml: 256, 0.95, "recall.db".
std::string PrintConfigValue(const ConfigValue& value);

// A view as a table of recall.toml.
std::string PrintView(const View& view);

// [secrets] and its rules as tables of recall.toml. `policy`: the value of the key `secrets`.
std::string PrintSecretSettings(const SecretSettings& settings, std::string_view policy);

// Combines the layers by priority.
Config ResolveConfig(const ConfigLayers& layers);

// Returns: the view with this name. Errors: InvalidArgument, which lists the views.
Result<const View*> FindView(const Config& config, std::string_view name);
// Returns: the settings with the fusion, field weights and stages of the view in place of those
// that no flag set. Errors: InvalidArgument, with the origin of the view, for an invalid value.
Result<Config> WithView(Config config, const View& view);

// Reads one recall.toml. Unknown keys are appended to `warnings`; invalid types and values are
// InvalidArgument with file and line. NotFound if the file does not exist; InvalidArgument if it is
// not a regular file, larger than 1 MiB or nested too deep.
// Tables [embedders.NAME] and [rankers.NAME] are appended to `programs`, tables [view.NAME] to
// `views`, what [secrets] contains to `secrets`, which may be null. A file that is not trusted is
// read with a null `programs`; tables of programs, and what is no secret, then cause a warning.
Result<ConfigLayer> ReadConfigFile(const std::string& path, UserPrograms* programs,
                                   std::vector<View>* views, std::vector<std::string>* warnings,
                                   SecretSettings* secrets = nullptr);
Result<ConfigLayer> ReadConfigEnvironment();
Result<ConfigLayer> ReadConfigFlags(const std::vector<FlagSetting>& settings);

// $XDG_CONFIG_HOME/recall/recall.toml, else ~/.config/recall/recall.toml; "" without a home.
std::string UserConfigPath();

// When a search compares pages with their checksums.
PageVerification VerificationFrom(const Config& config);

// The options of a new store.
CreateOptions CreateOptionsFrom(const Config& config);

// The configured weights of the retrievers; nullopt: the default for the store's embedder.
std::optional<FusionWeights> WeightsFrom(const Config& config);

// The configured fusion, stages, rules and field weights; without a minimum score.
RankingChoice RankingFrom(const Config& config);
// A rating without target and quality.
ReviewRequest RatingFrom(const Config& config);
// A note to save, without the note. `secrets`: as of the setting, in place of it unless it is "".
SaveRequest SavingFrom(const Config& config, std::string_view secrets = "");

// The counter of budgets, as in ContextRequest. A relative path in a settings file is relative to
// the directory of that file.
std::string TokenCounterFrom(const Config& config);

// Checks that settings are consistent: overlap < chunk, not both weights zero, safe directories
// absolute, stores well-formed.
Status CheckConfig(const Config& config);

namespace internal {
// Makes a checked entry from a word ("12", "0.5") or from a typed value. Requires: IsConfigKey.
Result<ConfigEntry> ParseConfigEntry(std::string_view key, std::string_view text,
                                     const std::string& origin);
Result<ConfigEntry> MakeConfigEntry(std::string_view key, const ConfigValue& value,
                                    const std::string& origin);
// The separator of the items of a key that may be written as a list of texts; 0 for other keys.
char ListSeparator(std::string_view key);
// The error for a value whose type does not fit the key.
Status UnsuitableConfigValue(std::string_view key, const std::string& origin);
// Parses the text of the file at `path`, for ReadConfigFile.
Result<ConfigLayer> ParseConfigText(std::string_view text, const std::string& path,
                                    UserPrograms* programs, std::vector<View>* views,
                                    std::vector<std::string>* warnings,
                                    SecretSettings* secrets = nullptr);
bool IsConfigKey(std::string_view key);
std::vector<std::string> ConfigKeyNames();
}  // namespace internal

}  // namespace recall
