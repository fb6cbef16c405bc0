#include "cli/options/settings/config.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "cli/options/settings/found_store.h"
#include "cli/options/settings/named_stores.h"
#include "query/types/fusion_choice.h"
#include "storage/base/from_chars.h"
#include "storage/base/nearest_word.h"

namespace recall {
namespace {

using ConfigMember = std::variant<int64_t Config::*, double Config::*, std::string Config::*>;

// A key, its member of Config and its range.
struct ConfigKey {
  std::string_view name;
  ConfigMember member;
  std::string_view help;
  int64_t min = 0;  // for text: its minimum length
  int64_t max = 0;
  std::string_view choices = {};  // possible texts, separated by commas; empty: any text
  char separator = 0;             // separator of the items, if a list may be written
  double least = 0;               // the minimum of a number, if it is no whole one
};

constexpr int64_t kMaxInt = INT64_MAX;
const ConfigKey kConfigKeys[] = {
    {"store_path", &Config::store_path, "name of the store in its directory", 1},
    {"chunk_tokens", &Config::chunk_tokens, "maximum number of tokens in a chunk", 1, 65536},
    {"overlap_tokens", &Config::overlap_tokens, "number of tokens that consecutive chunks share", 0,
     65535},
    {"code_chunker", &Config::code_chunker,
     "source code is cut by its grammar (auto) or by its lines (plain)", 1, 0, "auto,plain"},
    {"encoding", &Config::encoding, "charset of text that is not UTF-8; auto: it is detected", 1},
    {"lang", &Config::lang, "language of documents, such as de, or none; auto: it is detected", 1},
    {"embedding", &Config::embedding, "the embedder of new stores", 1},
    {"embedding_dim", &Config::embedding_dim, "dimensions; 0: those of the embedder or the store",
     0, 65536},
    {"bm25_weight", &Config::bm25_weight, "weight of lexical search in a hybrid score", 0,
     1'000'000},
    {"vector_weight", &Config::vector_weight, "weight of semantic search; not both 0", 0,
     1'000'000},
    {"fusion", &Config::fusion, "fusion of lexical and semantic search", 1, 0,
     "default,legs,weighted,rrf,parts,grouped"},
    {"stages", &Config::stages, "stages that rerank the best hundred", 0, 0, {}, ','},
    {"keywords",
     &Config::keywords,
     "rules of the stage keywords: WORDS => FILTER [=> WEIGHT]",
     0,
     0,
     {},
     '\n'},
    {"synonyms",
     &Config::synonyms,
     "terms that mean the same: car, automobile, or pto => paid time off",
     0,
     0,
     {},
     '\n'},
    {"field_weights", &Config::field_weights, "weights of the fields of notes: trigger=5:title=4"},
    {"cues", &Config::cues,
     "weights of definitions, imports and roles of files: tests=0.5, or none"},
    {"notes_dir", &Config::notes_dir,
     "directory in which save writes notes as files, below that of the store"},
    {"review_algorithm", &Config::review_algorithm, "how intervals of reviews grow", 1, 0,
     "sm2,rekall"},
    {"review_easiness",
     &Config::review_easiness,
     "easiness before the first review",
     1,
     10,
     {},
     0,
     1.3},
    {"token_counter", &Config::token_counter,
     "what budgets of contexts count: estimate, words, or the path of a vocabulary", 1},
    {"max_limit", &Config::max_limit, "largest --k", 1, 1'000'000},
    {"threads", &Config::threads, "0: one per core (a search uses at most two unless this is set)",
     0, 1024},
    {"busy_timeout_ms", &Config::busy_timeout_ms, "how long to wait for another process", 0,
     3'600'000},
    {"verify", &Config::verify, "when pages are compared with their checksums", 1, 0,
     "first_use,always,doctor"},
    {"check_sources", &Config::check_sources, "whether results are compared with their files", 1, 0,
     "yes,no"},
    {"secrets", &Config::secrets, "what add does with credentials in texts", 1, 0,
     "warn,redact,skip,keep"},
    {"auto_backup", &Config::auto_backup,
     "copies of the store to keep from before imports and new formats", 0, 100},
    {"ann_bits", &Config::ann_bits, "accepted for old settings files, without effect", 0, 65536},
    {"ann_seed", &Config::ann_seed, "seed of the vector index", 0, kMaxInt},
    {"safe_directories",
     &Config::safe_directories,
     "directories whose stores are used although others own them or links lead out",
     0,
     0,
     {},
     ':'},
    {"stores", &Config::stores, "names of stores: NAME=PATH or NAME=ADDRESS", 0, 0, {}, ';'},
};

const ConfigKey* FindKey(std::string_view name) {
  const auto* found = std::find_if(std::begin(kConfigKeys), std::end(kConfigKeys),
                                   [&](const ConfigKey& key) { return key.name == name; });
  return found == std::end(kConfigKeys) ? nullptr : found;
}

bool WantsInteger(const ConfigKey& key) {
  return std::holds_alternative<int64_t Config::*>(key.member);
}

bool WantsText(const ConfigKey& key) {
  return std::holds_alternative<std::string Config::*>(key.member);
}

std::string Expectation(const ConfigKey& key) {
  if (!key.choices.empty()) return "one of " + std::string(key.choices);
  if (key.separator != 0) return "text, or a list of texts";
  if (WantsText(key)) return "text that is not empty";
  const std::string kind = WantsInteger(key) ? "a whole number" : "a number";
  const std::string least =
      key.least > 0 ? PrintConfigValue(ConfigValue(key.least)) : std::to_string(key.min);
  return kind + " from " + least + " to " + std::to_string(key.max);
}

std::string Lowered(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return text;
}

std::vector<std::string> ChoicesOf(std::string_view choices) {
  std::vector<std::string> list;
  while (!choices.empty()) {
    const size_t end = std::min(choices.find(','), choices.size());
    list.emplace_back(choices.substr(0, end));
    choices.remove_prefix(std::min(end + 1, choices.size()));
  }
  return list;
}

// "did you mean rrf?", or where the settings are described. `value` may be null.
std::string HintFor(const ConfigKey& key, const ConfigValue* value) {
  const auto* text = value == nullptr ? nullptr : std::get_if<std::string>(value);
  const std::string nearest =
      text == nullptr ? "" : NearestWord(Lowered(*text), ChoicesOf(key.choices));
  return nearest.empty() ? "docs/cli/settings.md lists the settings"
                         : "did you mean " + nearest + "?";
}

Status BadValue(const ConfigKey& key, const std::string& origin,
                const ConfigValue* value = nullptr) {
  // "--chunk-tokens" and "RECALL_CHUNK_TOKENS" already contain the key.
  const bool from_file = origin.find(".toml:") != origin.npos;
  const std::string where = from_file ? origin + ": " + std::string(key.name) : origin;
  return Status::InvalidArgument(where + " must be " + Expectation(key), HintFor(key, value));
}

Status CheckFusion(const std::string& text, const std::string& origin) {
  const auto parsed = ParseFusion(text);
  if (parsed) return {};
  return Status::InvalidArgument(origin + ": " + std::string(parsed.error().message()),
                                 std::string(parsed.error().hint()));
}

bool InRange(const ConfigKey& key, const ConfigValue& value) {
  if (const auto* number = std::get_if<int64_t>(&value)) {
    return *number >= key.min && *number <= key.max;
  }
  if (const auto* number = std::get_if<double>(&value)) {
    return std::isfinite(*number) && *number >= static_cast<double>(key.min) &&
           *number >= key.least && *number <= static_cast<double>(key.max);
  }
  const auto& text = std::get<std::string>(value);
  if (!key.choices.empty()) {
    // "parts:words=1": the parameters are checked by CheckFusion.
    const size_t name_end = key.name == "fusion" ? text.find(':') : text.npos;
    return std::ranges::count(ChoicesOf(key.choices), text.substr(0, name_end)) > 0;
  }
  return text.size() >= static_cast<size_t>(key.min);
}

template <typename T>
std::optional<ConfigValue> ParseAll(std::string_view text) {
  T value{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = FromChars(text.data(), end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  return ConfigValue(value);
}

std::string EnvironmentName(std::string_view key) {
  std::string name = "RECALL_";
  for (const char c : key) name.push_back(c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c);
  return name;
}

void Apply(const ConfigLayer& layer, Config* config) {
  for (const ConfigEntry& entry : layer) {
    std::visit(
        [&](auto member) {
          using Value = std::remove_reference_t<decltype(config->*member)>;
          config->*member = std::get<Value>(entry.value);
        },
        FindKey(entry.key)->member);
    config->origins[entry.key] = entry.origin;
  }
}

// "Hash " and "hash" are the same embedder.
// A text in TOML syntax.
std::string QuotedText(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      char escape[8];
      std::snprintf(escape, sizeof(escape), "\\u%04X", static_cast<unsigned>(c));
      quoted += escape;
    } else {
      quoted += c;
    }
  }
  return quoted + "\"";
}

}  // namespace

namespace internal {

bool IsConfigKey(std::string_view key) { return FindKey(key) != nullptr; }

char ListSeparator(std::string_view key) { return FindKey(key)->separator; }

Status UnsuitableConfigValue(std::string_view key, const std::string& origin) {
  return BadValue(*FindKey(key), origin);
}

std::vector<std::string> ConfigKeyNames() {
  std::vector<std::string> names;
  for (const ConfigKey& key : kConfigKeys) names.emplace_back(key.name);
  return names;
}

Result<ConfigEntry> MakeConfigEntry(std::string_view name, const ConfigValue& value,
                                    const std::string& origin) {
  const ConfigKey& key = *FindKey(name);
  ConfigValue checked = value;
  const bool is_text = std::holds_alternative<std::string>(value);
  if (is_text != WantsText(key)) return Fail(BadValue(key, origin));
  if (!is_text && !WantsInteger(key) && std::holds_alternative<int64_t>(value)) {
    checked = static_cast<double>(std::get<int64_t>(value));  // bm25_weight = 1
  }
  if (WantsInteger(key) && !std::holds_alternative<int64_t>(value)) {
    return Fail(BadValue(key, origin));
  }
  if (!InRange(key, checked)) return Fail(BadValue(key, origin, &checked));
  if (name == "fusion") RECALL_TRY(CheckFusion(std::get<std::string>(checked), origin));
  if (name == "embedding") checked = Lowered(std::get<std::string>(checked));
  return ConfigEntry{std::string(name), std::move(checked), origin};
}

Result<ConfigEntry> ParseConfigEntry(std::string_view name, std::string_view text,
                                     const std::string& origin) {
  const ConfigKey& key = *FindKey(name);
  if (WantsText(key)) return MakeConfigEntry(name, ConfigValue(std::string(text)), origin);
  const auto value = WantsInteger(key) ? ParseAll<int64_t>(text) : ParseAll<double>(text);
  if (!value) return Fail(BadValue(key, origin));
  return MakeConfigEntry(name, *value, origin);
}

}  // namespace internal

Config ResolveConfig(const ConfigLayers& layers) {
  Config config;
  for (const ConfigLayer* layer :
       {&layers.user, &layers.store, &layers.environment, &layers.flags}) {
    Apply(*layer, &config);
  }
  // If only a small chunk size is set, reduce the default overlap.
  if (!config.IsSet("overlap_tokens") && config.overlap_tokens >= config.chunk_tokens) {
    config.overlap_tokens = config.chunk_tokens / 8;
  }
  config.views = CombineViews(layers.views);
  config.secret_settings = layers.secrets;
  return config;
}

Result<const View*> FindView(const Config& config, std::string_view name) {
  const auto found = std::ranges::find(config.views, name, &View::name);
  if (found != config.views.end()) return &*found;
  std::string names;
  for (const View& view : config.views) names += (names.empty() ? "" : ", ") + view.name;
  return Fail(Status::InvalidArgument("there is no view '" + std::string(name) + "'",
                                      "the views are " + names + "; see `recall config --views`"));
}

Result<Config> WithView(Config config, const View& view) {
  std::optional<std::string> stages = view.stages;
  const bool has_hops = ("," + stages.value_or("")).find(",hops") != std::string::npos;
  if (view.hops == 1 && !has_hops) {
    stages = "hops" + (stages.value_or("").empty() ? "" : "," + *stages);
  }
  ConfigLayer layer;
  const auto set = [&](std::string_view key, const std::optional<std::string>& value) -> Status {
    const auto origin = config.origins.find(key);
    const bool by_flag = origin != config.origins.end() && origin->second.starts_with("--");
    if (!value || by_flag) return {};
    // The error for a value from a file names its key.
    const bool from_file = view.origin.find(".toml:") != view.origin.npos;
    const std::string where =
        view.origin + ": view." + view.name + (from_file ? "" : ": " + std::string(key));
    RECALL_ASSIGN(ConfigEntry entry, internal::MakeConfigEntry(key, *value, where));
    layer.push_back(std::move(entry));
    return {};
  };
  RECALL_TRY(set("fusion", view.fusion));
  RECALL_TRY(set("field_weights", view.field_weights));
  RECALL_TRY(set("stages", stages));
  Apply(layer, &config);
  return config;
}

std::string PrintConfigValue(const ConfigValue& value) {
  if (const auto* number = std::get_if<int64_t>(&value)) return std::to_string(*number);
  if (const auto* text = std::get_if<std::string>(&value)) return QuotedText(*text);
  char buffer[32];
  const char* end = std::to_chars(buffer, std::end(buffer), std::get<double>(value)).ptr;
  std::string number(buffer, static_cast<size_t>(end - buffer));
  return number.find_first_of(".e") == number.npos ? number + ".0" : number;
}

std::string PrintView(const View& view) {
  std::string text = "[view." + QuotedText(view.name) + "]\n";
  if (view.name.find('.') == view.name.npos) text = "[view." + view.name + "]\n";
  for (const auto& [key, value] : ValuesOf(view)) {
    text += std::string(key) + " = " + PrintConfigValue(value) + "\n";
  }
  return text;
}

std::string PrintSecretSettings(const SecretSettings& settings, std::string_view policy) {
  const auto list = [](const std::vector<std::string>& texts) {
    std::string printed = "[";
    for (const std::string& text : texts) {
      printed += (printed.size() > 1 ? ", " : "") + QuotedText(text);
    }
    return printed + "]\n";
  };
  std::string text = "[secrets]\npolicy = " + QuotedText(policy) + "\n";
  if (!settings.allow.empty()) text += "allow = " + list(settings.allow);
  for (const SecretRule& rule : settings.rules) {
    text += "\n[[secrets.rule]]\nid = " + QuotedText(rule.id) +
            "\npattern = " + QuotedText(rule.pattern) + "\n";
    if (!rule.keywords.empty()) text += "keywords = " + list(rule.keywords);
    if (rule.entropy > 0) text += "entropy = " + PrintConfigValue(rule.entropy) + "\n";
  }
  return text;
}

ConfigValue ValueOf(const Config& config, std::string_view name) {
  return std::visit([&](auto member) { return ConfigValue(config.*member); },
                    FindKey(name)->member);
}

std::vector<ConfigKeyInfo> AllConfigKeys() {
  std::vector<ConfigKeyInfo> keys;
  for (const ConfigKey& key : kConfigKeys) {
    keys.push_back({key.name, ValueOf(Config(), key.name), key.help});
  }
  return keys;
}

Result<ConfigLayer> ReadConfigEnvironment() {
  ConfigLayer layer;
  for (const ConfigKey& key : kConfigKeys) {
    const std::string name = EnvironmentName(key.name);
    const char* text = std::getenv(name.c_str());
    if (text == nullptr || *text == '\0') continue;
    RECALL_ASSIGN(ConfigEntry entry, internal::ParseConfigEntry(key.name, text, name));
    layer.push_back(std::move(entry));
  }
  return layer;
}

Result<ConfigLayer> ReadConfigFlags(const std::vector<FlagSetting>& settings) {
  ConfigLayer layer;
  for (const FlagSetting& setting : settings) {
    RECALL_ASSIGN(ConfigEntry entry,
                  internal::ParseConfigEntry(setting.key, setting.text, setting.flag));
    layer.push_back(std::move(entry));
  }
  return layer;
}

std::string UserConfigPath() {
  const char* xdg = std::getenv("XDG_CONFIG_HOME");
  if (xdg != nullptr && *xdg == '/') return std::string(xdg) + "/recall/recall.toml";
  const char* home = std::getenv("HOME");
  if (home != nullptr && *home != '\0') return std::string(home) + "/.config/recall/recall.toml";
  return "";
}

PageVerification VerificationFrom(const Config& config) {
  if (config.verify == "always") return PageVerification::kAlways;
  return config.verify == "doctor" ? PageVerification::kNever : PageVerification::kFirstUse;
}

CreateOptions CreateOptionsFrom(const Config& config) {
  CreateOptions options;
  options.embedder = config.embedding;
  if (config.embedding_dim > 0) options.dim = static_cast<uint32_t>(config.embedding_dim);
  options.chunk_tokens = static_cast<uint32_t>(config.chunk_tokens);
  options.overlap_tokens = static_cast<uint32_t>(config.overlap_tokens);
  options.ann_seed = static_cast<uint64_t>(config.ann_seed);
  return options;
}

std::optional<FusionWeights> WeightsFrom(const Config& config) {
  if (!config.IsSet("bm25_weight") && !config.IsSet("vector_weight")) return std::nullopt;
  return FusionWeights{config.bm25_weight, config.vector_weight};
}

ReviewRequest RatingFrom(const Config& config) {
  ReviewRequest rating;
  if (config.review_algorithm == NameOf(ReviewAlgorithm::kGeometric)) {
    rating.algorithm = ReviewAlgorithm::kGeometric;
  }
  rating.first_easiness = static_cast<int64_t>(config.review_easiness * 100 + 0.5);
  return rating;
}

SaveRequest SavingFrom(const Config& config, std::string_view secrets) {
  SaveRequest saving;
  if (config.IsSet("notes_dir")) saving.notes_dir = config.notes_dir;
  saving.secret_settings = config.secret_settings;
  const std::string_view policy = secrets.empty() ? std::string_view(config.secrets) : secrets;
  saving.secrets = policy == "keep"     ? SecretPolicy::kKeep
                   : policy == "redact" ? SecretPolicy::kRedact
                   : policy == "skip"   ? SecretPolicy::kSkip
                                        : SecretPolicy::kWarn;
  return saving;
}

RankingChoice RankingFrom(const Config& config) {
  RankingChoice ranking;
  // The settings were checked when they were read.
  const FusionChoice fusion = ParseFusion(config.fusion).value_or(FusionChoice());
  ranking.fusion = fusion.method;
  ranking.parts = fusion.parts;
  ranking.stages = config.stages;
  ranking.keywords = config.keywords;
  ranking.synonyms = config.synonyms;
  ranking.field_weights = config.field_weights;
  ranking.cues = config.cues;
  return ranking;
}

std::string TokenCounterFrom(const Config& config) {
  if (config.token_counter == kWhitespaceCounter) return std::string(kWordsCounter);
  if (config.token_counter == kWordsCounter || config.token_counter == kEstimateCounter) {
    return config.token_counter;
  }
  const auto origin = config.origins.find("token_counter");
  if (origin == config.origins.end() || config.token_counter.starts_with('/')) {
    return config.token_counter;
  }
  const std::string_view place = origin->second;
  const size_t file_end = place.rfind(".toml:");
  const size_t slash = place.substr(0, file_end).rfind('/');
  if (file_end == place.npos || slash == place.npos) return config.token_counter;
  return std::string(place.substr(0, slash + 1)) + config.token_counter;
}

Status CheckConfig(const Config& config) {
  if (config.overlap_tokens >= config.chunk_tokens) {
    return Status::InvalidArgument("overlap_tokens (" + std::to_string(config.overlap_tokens) +
                                       ") must be smaller than chunk_tokens (" +
                                       std::to_string(config.chunk_tokens) + ")",
                                   "an eighth of chunk_tokens is a good overlap");
  }
  if (config.bm25_weight == 0 && config.vector_weight == 0) {
    return Status::InvalidArgument("bm25_weight and vector_weight are both 0",
                                   "set at least one of them above 0");
  }
  RECALL_TRY(CheckSafeDirectories(config.safe_directories));
  const auto origin = config.origins.find("stores");
  return CheckStoreNames({config.stores, origin == config.origins.end() ? "" : origin->second});
}

}  // namespace recall
