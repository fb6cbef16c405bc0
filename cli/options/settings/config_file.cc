// Reads recall.toml: one key per line, and tables of embedders, rankers and views.

#include <algorithm>

#include "cli/options/settings/config.h"
#include "cli/options/settings/config_text.h"
#include "cli/options/settings/synonym_files.h"
#include "cli/options/settings/toml_library.h"
#include "cli/options/settings/toml_nesting.h"
#include "storage/base/nearest_word.h"

namespace recall {
namespace {

std::optional<ConfigValue> ScalarOf(const toml::node& node) {
  if (const auto* value = node.as_integer()) return ConfigValue(int64_t{**value});
  if (const auto* value = node.as_floating_point()) return ConfigValue(double{**value});
  if (const auto* value = node.as_string()) return ConfigValue(std::string(**value));
  return std::nullopt;
}

// A list of texts joined by the separator.
std::optional<ConfigValue> ListOf(const toml::node& node, char separator) {
  const toml::array* const list = node.as_array();
  if (list == nullptr || separator == 0) return std::nullopt;
  std::string joined;
  for (const toml::node& item : *list) {
    const auto* text = item.as_string();
    if (text == nullptr) return std::nullopt;
    if (!joined.empty()) joined += separator;
    joined += **text;
  }
  return ConfigValue(std::move(joined));
}

std::string UnknownKeyWarning(const std::string& origin, const std::string& key) {
  const std::string nearest = NearestWord(key, internal::ConfigKeyNames());
  const std::string hint = nearest.empty() ? "" : "; did you mean " + nearest + "?";
  return origin + ": unknown key '" + key + "' is ignored" + hint;
}

// "kind" of an embedder's table.
std::optional<EmbedderKind> KindNamed(std::string_view name) {
  for (const EmbedderKind kind : {EmbedderKind::kModel2Vec, EmbedderKind::kCommand,
                                  EmbedderKind::kOpenAi, EmbedderKind::kOllama}) {
    if (EmbedderKindName(kind) == name) return kind;
  }
  return std::nullopt;
}

// Reads a command: the program and its arguments. Returns: what is wrong with it, or "".
std::string ReadCommand(const toml::node& value, std::vector<std::string>* command) {
  const toml::array* const words = value.as_array();
  for (size_t i = 0; words != nullptr && i < words->size(); ++i) {
    const std::optional<std::string> word = (*words)[i].value_exact<std::string>();
    if (!word) return "command must be a list of texts";
    command->push_back(*word);
  }
  const bool whole = !command->empty() && !command->front().empty();
  return whole ? "" : "command must be a list: the program and its arguments";
}

// One table [embedders.NAME].
class EmbedderTable final {
 public:
  EmbedderTable(std::string name, const std::string& path) : path_(path) {
    config_.name = std::move(name);
  }

  Result<EmbedderConfig> Read(const toml::node& node) {
    const bool taken = config_.name == kLsaEmbedder || config_.name == kHashEmbedder ||
                       config_.name == kUserSuppliedEmbedder;
    if (!IsProgramName(config_.name) || taken) {
      return Fail(Fault(node,
                        "the name of an embedder consists of lower-case letters, digits, '-', '_' "
                        "and '.', and is not lsa, hash or given"));
    }
    const toml::table* const table = node.as_table();
    if (table == nullptr) return Fail(Fault(node, "it must be a table"));
    for (const auto& [key, value] : *table) RECALL_TRY(Take(key.str(), value));
    RECALL_TRY(CheckWhole(node));
    return std::move(config_);
  }

 private:
  Status Take(std::string_view key, const toml::node& value) {
    if (key == "kind") {
      const std::optional<std::string> name = value.value<std::string>();
      const std::optional<EmbedderKind> kind = name ? KindNamed(*name) : std::nullopt;
      if (!kind) return Fault(value, "kind must be model2vec, command, openai or ollama");
      config_.kind = *kind;
      has_kind_ = true;
      return {};
    }
    if (key == "path") return TakeText(key, value, &config_.path);
    if (key == "url") return TakeText(key, value, &config_.url);
    if (key == "model") return TakeText(key, value, &config_.model);
    if (key == "key_variable") return TakeText(key, value, &config_.key_variable);
    if (key == "command") return TakeCommand(value);
    if (key != "dim") {
      return Fault(value, "unknown key '" + std::string(key) +
                              "'; known: kind, path, command, url, model, key_variable, dim");
    }
    const std::optional<int64_t> dim = value.value_exact<int64_t>();
    if (!dim || *dim < 8 || *dim > 4096) return Fault(value, "dim must be 8 to 4096");
    config_.dim = static_cast<uint32_t>(*dim);
    return {};
  }

  Status TakeText(std::string_view key, const toml::node& value, std::string* out) {
    const std::optional<std::string> text = value.value_exact<std::string>();
    if (!text || text->empty()) {
      return Fault(value, std::string(key) + " must be text that is not empty");
    }
    *out = *text;
    return {};
  }

  Status TakeCommand(const toml::node& value) {
    const std::string fault = ReadCommand(value, &config_.command);
    return fault.empty() ? Status::Ok() : Fault(value, fault);
  }

  Status CheckWhole(const toml::node& node) const {
    if (!has_kind_) return Fault(node, "kind is missing: model2vec, command, openai or ollama");
    const bool server =
        config_.kind == EmbedderKind::kOpenAi || config_.kind == EmbedderKind::kOllama;
    if (config_.kind == EmbedderKind::kModel2Vec && config_.path.empty()) {
      return Fault(node, "path is missing: the directory of the model");
    }
    if (config_.kind == EmbedderKind::kCommand && config_.command.empty()) {
      return Fault(node, "command is missing: the program and its arguments");
    }
    if (server && (config_.url.empty() || config_.model.empty())) {
      return Fault(node, "url or model is missing");
    }
    return {};
  }

  Status Fault(const toml::node& node, const std::string& what) const {
    return Status::InvalidArgument(path_ + ":" + std::to_string(node.source().begin.line) +
                                       ": embedders." + config_.name + ": " + what,
                                   "docs/embedders.md describes these tables");
  }

  const std::string& path_;
  EmbedderConfig config_;
  bool has_kind_ = false;
};

// One table [rankers.NAME].
class RankerTable final {
 public:
  RankerTable(std::string name, const std::string& path) : path_(path) {
    config_.name = std::move(name);
  }

  Result<RankerConfig> Read(const toml::node& node) {
    if (!IsProgramName(config_.name)) {
      return Fail(Fault(node,
                        "the name of a ranker consists of lower-case letters, digits, '-', '_' "
                        "and '.'"));
    }
    const toml::table* const table = node.as_table();
    if (table == nullptr) return Fail(Fault(node, "it must be a table"));
    for (const auto& [key, value] : *table) RECALL_TRY(Take(key.str(), value));
    if (!config_.command.empty()) return std::move(config_);
    return Fail(Fault(node, "command is missing: the program and its arguments"));
  }

 private:
  Status Take(std::string_view key, const toml::node& value) {
    if (key == "command") {
      const std::string fault = ReadCommand(value, &config_.command);
      return fault.empty() ? Status::Ok() : Fault(value, fault);
    }
    if (key != "timeout") {
      return Fault(value, "unknown key '" + std::string(key) + "'; known: command, timeout");
    }
    const std::optional<int64_t> seconds = value.value_exact<int64_t>();
    if (!seconds || *seconds < 1 || *seconds > 3600) {
      return Fault(value, "timeout must be 1 to 3600 seconds");
    }
    config_.timeout = std::chrono::seconds(*seconds);
    return {};
  }

  Status Fault(const toml::node& node, const std::string& what) const {
    return Status::InvalidArgument(path_ + ":" + std::to_string(node.source().begin.line) +
                                       ": rankers." + config_.name + ": " + what,
                                   "docs/embedders.md describes these tables");
  }

  const std::string& path_;
  RankerConfig config_;
};

// One table [extractors.NAME].
class ExtractorTable final {
 public:
  ExtractorTable(std::string name, const std::string& path) : path_(path) {
    extractor_.name = std::move(name);
  }

  Result<UserExtractor> Read(const toml::node& node) {
    if (!IsProgramName(extractor_.name)) {
      return Fail(Fault(node,
                        "the name of an extractor consists of lower-case letters, digits, '-', "
                        "'_' and '.'"));
    }
    const toml::table* const table = node.as_table();
    if (table == nullptr) return Fail(Fault(node, "it must be a table"));
    for (const auto& [key, value] : *table) RECALL_TRY(Take(key.str(), value));
    if (extractor_.command.empty()) {
      return Fail(Fault(node, "command is missing: the program and its arguments"));
    }
    if (extractor_.suffixes.empty()) {
      return Fail(Fault(node, "suffixes is missing: those of its files, such as [\".djvu\"]"));
    }
    return std::move(extractor_);
  }

 private:
  Status Take(std::string_view key, const toml::node& value) {
    if (key == "command") {
      const std::string fault = ReadCommand(value, &extractor_.command);
      return fault.empty() ? Status::Ok() : Fault(value, fault);
    }
    if (key == "suffixes") return TakeSuffixes(value);
    if (key != "timeout") {
      return Fault(value,
                   "unknown key '" + std::string(key) + "'; known: command, suffixes, timeout");
    }
    const std::optional<int64_t> seconds = value.value_exact<int64_t>();
    if (!seconds || *seconds < 1 || *seconds > 3600) {
      return Fault(value, "timeout must be 1 to 3600 seconds");
    }
    extractor_.timeout = std::chrono::seconds(*seconds);
    return {};
  }

  Status TakeSuffixes(const toml::node& value) {
    constexpr size_t kMostSuffixes = 100;
    const toml::array* const list = value.as_array();
    if (list == nullptr || list->empty() || list->size() > kMostSuffixes) {
      return Fault(value, "suffixes must be a list of texts such as [\".djvu\", \".djv\"]");
    }
    for (const toml::node& item : *list) {
      std::string suffix = item.value_exact<std::string>().value_or("");
      for (char& c : suffix) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
      if (suffix.size() < 2 || suffix[0] != '.' || suffix.find('/') != suffix.npos) {
        return Fault(item, "a suffix begins with a dot, such as \".djvu\"");
      }
      extractor_.suffixes.push_back(std::move(suffix));
    }
    return {};
  }

  Status Fault(const toml::node& node, const std::string& what) const {
    return Status::InvalidArgument(path_ + ":" + std::to_string(node.source().begin.line) +
                                       ": extractors." + extractor_.name + ": " + what,
                                   "docs/formats.md describes these tables");
  }

  const std::string& path_;
  UserExtractor extractor_;
};

// The table [passwords].
Status ReadPasswordTable(const toml::node& node, const std::string& path, PasswordSource* source) {
  const auto fault = [&](const toml::node& at, const std::string& what) {
    return Status::InvalidArgument(
        path + ":" + std::to_string(at.source().begin.line) + ": passwords: " + what,
        "docs/formats.md describes this table");
  };
  const toml::table* const table = node.as_table();
  if (table == nullptr) return fault(node, "it must be a table");
  for (const auto& [key, value] : *table) {
    if (key.str() == "command") {
      const std::string what = ReadCommand(value, &source->command);
      if (!what.empty()) return fault(value, what);
    } else if (key.str() == "file") {
      source->file = value.value_exact<std::string>().value_or("");
      // A relative path would be another file in each directory.
      if (!source->file.starts_with('/')) return fault(value, "file must be an absolute path");
    } else {
      return fault(value, "unknown key '" + std::string(key.str()) + "'; known: command, file");
    }
  }
  return {};
}

// One table [view.NAME].
class ViewTable final {
 public:
  ViewTable(std::string name, const std::string& path) : path_(path) {
    view_.name = std::move(name);
  }

  Result<View> Read(const toml::node& node) {
    view_.origin = path_ + ":" + std::to_string(node.source().begin.line);
    if (!IsProgramName(view_.name)) {
      return Fail(Fault(node,
                        "the name of a view consists of lower-case letters, digits, '-', '_' and "
                        "'.'"));
    }
    const toml::table* const table = node.as_table();
    if (table == nullptr) return Fail(Fault(node, "it must be a table"));
    for (const auto& [key, value] : *table) {
      std::optional<ConfigValue> given = ScalarOf(value);
      if (!given && IsViewList(key.str())) given = ListOf(value, ',');
      // A date or a table is of no key's type; the fault says which one the key needs.
      const ConfigValue unsuitable = int64_t{-1};
      const std::string fault = SetViewValue(key.str(), given.value_or(unsuitable), &view_);
      if (!fault.empty()) return Fail(Fault(value, fault));
    }
    const std::string fault = FaultOf(view_);
    return fault.empty() ? Result<View>(std::move(view_)) : Fail(Fault(node, fault));
  }

 private:
  Status Fault(const toml::node& node, const std::string& what) const {
    return Status::InvalidArgument(path_ + ":" + std::to_string(node.source().begin.line) +
                                       ": view." + view_.name + ": " + what,
                                   "docs/views.md describes these tables");
  }

  const std::string& path_;
  View view_;
};

// The table [secrets]: `policy`, which is the value of the key `secrets`, `allow`, and the tables
// [[secrets.rule]].
class SecretsTable final {
 public:
  // `trusted`: whether the file may say what is no secret.
  SecretsTable(const std::string& path, bool trusted, std::vector<std::string>* warnings)
      : path_(path), trusted_(trusted), warnings_(warnings) {}

  // Appends to *settings. Returns: the value of `policy`, if there is one.
  Result<std::optional<ConfigEntry>> Read(const toml::table& table, SecretSettings* settings) {
    std::optional<ConfigEntry> policy;
    for (const auto& [name, value] : table) {
      const std::string_view key = name.str();
      if (key == "policy") {
        const std::optional<ConfigValue> given = ScalarOf(value);
        if (!given) return Fail(internal::UnsuitableConfigValue("secrets", PlaceOf(value)));
        RECALL_ASSIGN(policy, internal::MakeConfigEntry("secrets", *given, PlaceOf(value)));
      } else if (key == "allow") {
        RECALL_TRY(TakeAllowed(value, &settings->allow));
      } else if (key == "rule") {
        RECALL_TRY(TakeRules(value, &settings->rules));
      } else {
        return Fail(Fault(value, "unknown key '" + std::string(key) +
                                     "'; known: policy, allow, and the tables rule"));
      }
    }
    return policy;
  }

 private:
  Status TakeAllowed(const toml::node& value, std::vector<std::string>* allow) {
    std::vector<std::string> texts;
    if (!ReadTexts(value, &texts)) return Fault(value, "allow must be a list of texts");
    if (!trusted_) {
      warnings_->push_back(PlaceOf(value) +
                           ": allow is ignored here; only your own recall.toml may say what is no "
                           "secret");
      return {};
    }
    allow->insert(allow->end(), texts.begin(), texts.end());
    return {};
  }

  Status TakeRules(const toml::node& value, std::vector<SecretRule>* rules) {
    const toml::array* const tables = value.as_array();
    if (tables == nullptr) return Fault(value, "write [[secrets.rule]]");
    for (const toml::node& table : *tables) {
      RECALL_ASSIGN(SecretRule rule, ReadRule(table));
      rules->push_back(std::move(rule));
    }
    return {};
  }

  Result<SecretRule> ReadRule(const toml::node& node) {
    const toml::table* const table = node.as_table();
    if (table == nullptr) return Fail(Fault(node, "write [[secrets.rule]]"));
    SecretRule rule;
    for (const auto& [name, value] : *table) {
      const std::string_view key = name.str();
      bool fits = true;
      if (key == "id" || key == "pattern") {
        const std::optional<std::string> text = value.value_exact<std::string>();
        fits = text && !text->empty();
        if (fits) (key == "id" ? rule.id : rule.pattern) = *text;
      } else if (key == "keywords") {
        fits = ReadTexts(value, &rule.keywords);
      } else if (key == "entropy") {
        const std::optional<double> entropy = value.value<double>();
        fits = entropy && *entropy >= 0 && *entropy <= 8;
        if (fits) rule.entropy = *entropy;
      } else {
        return Fail(Fault(value, "unknown key '" + std::string(key) +
                                     "'; known: id, pattern, keywords, entropy"));
      }
      if (!fits) {
        return Fail(Fault(value,
                          "id and pattern are texts, keywords is a list of texts, entropy "
                          "is a number from 0 to 8"));
      }
    }
    if (rule.id.empty() || rule.pattern.empty()) {
      return Fail(Fault(node, "a rule needs an id and a pattern"));
    }
    return rule;
  }

  static bool ReadTexts(const toml::node& value, std::vector<std::string>* texts) {
    const toml::array* const list = value.as_array();
    if (list == nullptr) return false;
    for (const toml::node& item : *list) {
      const std::optional<std::string> text = item.value_exact<std::string>();
      if (!text) return false;
      texts->push_back(*text);
    }
    return true;
  }

  std::string PlaceOf(const toml::node& node) const {
    return path_ + ":" + std::to_string(node.source().begin.line);
  }

  Status Fault(const toml::node& node, const std::string& what) const {
    return Status::InvalidArgument(PlaceOf(node) + ": secrets: " + what,
                                   "docs/secrets.md describes this table");
  }

  const std::string& path_;
  bool trusted_;
  std::vector<std::string>* warnings_;
};

// Reads the tables [KEY.NAME] with Table, and appends them to `configs`. `where`: the page that
// describes them.
template <typename Table, typename OneConfig>
Status ReadTables(std::string_view key, const toml::node& node, const std::string& path,
                  std::vector<OneConfig>* configs, const char* where = "docs/embedders.md") {
  const toml::table* const tables = node.as_table();
  if (tables == nullptr) {
    return Status::InvalidArgument(
        path + ":" + std::to_string(node.source().begin.line) + ": " + std::string(key) +
            " must be tables",
        "write [" + std::string(key) + ".NAME]; " + where + " describes them");
  }
  for (const auto& [name, table] : *tables) {
    RECALL_ASSIGN(OneConfig config, Table(std::string(name.str()), path).Read(table));
    configs->push_back(std::move(config));
  }
  return {};
}

// Reads the members at the top of a settings file.
class ConfigReader final {
 public:
  // As for ParseConfigText. `programs` is null where no programs may be named.
  ConfigReader(const std::string& path, UserPrograms* programs, std::vector<View>* views,
               std::vector<std::string>* warnings, SecretSettings* secrets)
      : path_(path), programs_(programs), views_(views), warnings_(warnings), secrets_(secrets) {}

  Status Read(const std::string& key, const toml::node& node, const std::string& origin) {
    const bool of_programs =
        key == "embedders" || key == "rankers" || key == "extractors" || key == "passwords";
    if (of_programs && programs_ == nullptr) {
      warnings_->push_back(
          origin + ": " + key +
          " are ignored here; only your own recall.toml may name programs and servers");
      return {};
    }
    if (key == "embedders") {
      return ReadTables<EmbedderTable>(key, node, path_, &programs_->embedders);
    }
    if (key == "rankers") return ReadTables<RankerTable>(key, node, path_, &programs_->rankers);
    if (key == "extractors") {
      return ReadTables<ExtractorTable>(key, node, path_, &programs_->extractors,
                                        "docs/formats.md");
    }
    if (key == "passwords") return ReadPasswordTable(node, path_, &programs_->passwords);
    if (key == "view") return ReadTables<ViewTable>(key, node, path_, views_, "docs/views.md");
    if (const toml::table* const table = node.as_table(); key == "secrets" && table != nullptr) {
      return ReadSecrets(*table);
    }
    if (!internal::IsConfigKey(key)) {
      warnings_->push_back(UnknownKeyWarning(origin, key));
      return {};
    }
    return ReadSetting(key, node, origin);
  }

  ConfigLayer TakeLayer() { return std::move(layer_); }

 private:
  Status ReadSecrets(const toml::table& table) {
    SecretSettings ignored;
    RECALL_ASSIGN(auto policy, SecretsTable(path_, programs_ != nullptr, warnings_)
                                   .Read(table, secrets_ == nullptr ? &ignored : secrets_));
    if (policy) layer_.push_back(*std::move(policy));
    return {};
  }

  Status ReadSetting(const std::string& key, const toml::node& node, const std::string& origin) {
    std::optional<ConfigValue> value = ScalarOf(node);
    if (!value) value = ListOf(node, internal::ListSeparator(key));
    // It is a date or a table.
    if (!value) return internal::UnsuitableConfigValue(key, origin);
    RECALL_ASSIGN(ConfigEntry entry, internal::MakeConfigEntry(key, *value, origin));
    if (key == "synonyms") RECALL_TRY(ReadSynonymFiles(path_, origin, entry.value));
    layer_.push_back(std::move(entry));
    return {};
  }

  const std::string& path_;
  UserPrograms* const programs_;
  std::vector<View>* const views_;
  std::vector<std::string>* const warnings_;
  SecretSettings* const secrets_;
  ConfigLayer layer_;
};

}  // namespace

Result<ConfigLayer> ReadConfigFile(const std::string& path, UserPrograms* programs,
                                   std::vector<View>* views, std::vector<std::string>* warnings,
                                   SecretSettings* secrets) {
  RECALL_ASSIGN(const std::string text, ReadConfigText(path));
  return internal::ParseConfigText(text, path, programs, views, warnings, secrets);
}

Result<ConfigLayer> internal::ParseConfigText(std::string_view text, const std::string& path,
                                              UserPrograms* programs, std::vector<View>* views,
                                              std::vector<std::string>* warnings,
                                              SecretSettings* secrets) {
  // toml++ limits nested brackets, but not the parts of a key, and frees nested tables recursively.
  if (const std::optional<size_t> line = LineOfDeepToml(text)) {
    return Fail(Status::InvalidArgument(path + ":" + std::to_string(*line) +
                                            ": keys or brackets are nested more than " +
                                            std::to_string(kMaxTomlNesting) + " deep",
                                        "docs/cli/settings.md lists the settings; none is nested "
                                        "deeper than a table of embedders"));
  }
  const toml::parse_result parsed = toml::parse(text, path);
  const auto at = [&](const toml::source_region& region) {
    return path + ":" + std::to_string(region.begin.line);
  };
  if (!parsed) {
    return Fail(Status::InvalidArgument(at(parsed.error().source()) + ": " +
                                        std::string(parsed.error().description())));
  }
  ConfigReader reader(path, programs, views, warnings, secrets);
  for (const auto& [name, node] : parsed.table()) {
    RECALL_TRY(reader.Read(std::string(name.str()), node, at(node.source())));
  }
  return reader.TakeLayer();
}

}  // namespace recall
