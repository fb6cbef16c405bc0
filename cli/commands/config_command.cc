#include <algorithm>

#include "cli/commands/commands.h"
#include "cli/commands/static_text.h"
#include "cli/options/settings/recorded_settings.h"
#include "cli/show/output/ask_json.h"
#include "cli/show/output/response.h"

namespace recall {
namespace {

// The data to print: the store, if one exists, and the effective settings.
struct Findings {
  std::string store_path;
  bool store_exists = false;
  std::vector<EffectiveSetting> settings;
  std::vector<View> views;
  SecretSettings secrets;
  std::vector<ConfigFile> files;

  bool has_secret_settings() const { return !secrets.rules.empty() || !secrets.allow.empty(); }
};

std::string_view StateOf(const ConfigFile& file) {
  if (!file.exists) return "absent";
  return file.in_force ? "read" : "unused";
}

// A line of recall.toml for each key, with its source as a comment. The output is a valid settings
// file.
std::string SettingsText(const Findings& findings) {
  std::vector<std::string> lines;
  size_t name_width = 0;
  size_t width = 0;
  for (const EffectiveSetting& setting : findings.settings) {
    name_width = std::max(name_width, setting.key.size());
  }
  for (const EffectiveSetting& setting : findings.settings) {
    lines.push_back(std::string(setting.key) + std::string(name_width - setting.key.size(), ' ') +
                    " = " + EscapeJson(PrintConfigValue(setting.value)));  // TOML has \u, too
    width = std::max(width, lines.back().size());
  }
  std::string text = "# store: " + EscapeLine(findings.store_path) +
                     (findings.store_exists ? "" : " (does not exist yet)") + "\n";
  for (size_t i = 0; i < lines.size(); ++i) {
    // The key and the table of the same name exclude each other.
    if (findings.has_secret_settings() && findings.settings[i].key == "secrets") continue;
    text += lines[i] + std::string(width - lines[i].size(), ' ') + "  # " +
            EscapeLine(findings.settings[i].origin) + "\n";
  }
  if (findings.has_secret_settings()) {
    const auto policy = std::ranges::find(findings.settings, "secrets", &EffectiveSetting::key);
    text += "\n" +
            EscapeJson(PrintSecretSettings(findings.secrets, std::get<std::string>(policy->value)));
  }
  return text;
}

std::string PathsText(const Findings& findings) {
  std::string text;
  for (const ConfigFile& file : findings.files) {
    const std::string state(StateOf(file));
    text += state + std::string(10 - state.size(), ' ') + EscapeLine(file.path) + "\n";
  }
  return text + (findings.store_exists ? "store     " : "no store  ") +
         EscapeLine(findings.store_path) + "\n";
}

// The tables of all views, with their origins as comments. The output is a valid settings file.
std::string ViewsText(const std::vector<View>& views) {
  std::string text;
  for (const View& view : views) {
    text += (text.empty() ? "# " : "\n# ") + EscapeLine(view.origin) + "\n";
    text += EscapeJson(PrintView(view));  // TOML has \u, too
  }
  return text;
}

void WriteFields(const EffectiveSetting& setting, JsonWriter& json) {
  json.Field("key", setting.key);
  std::visit([&](const auto& value) { json.Field("value", value); }, setting.value);
  json.Field("source", SettingSourceName(setting.source));
  json.Field("origin", setting.origin);
}

void WriteViews(const std::vector<View>& views, JsonWriter& json) {
  json.Objects("views", views, [&](const View& view) { WriteFields(view, json); });
}

void WriteFields(const Findings& findings, const std::string& only_key, JsonWriter& json) {
  json.Object("store", [&] {
    json.Field("path", findings.store_path);
    json.Field("exists", findings.store_exists);
  });
  std::vector<EffectiveSetting> settings = findings.settings;
  if (!only_key.empty()) {
    std::erase_if(settings, [&](const auto& setting) { return setting.key != only_key; });
  }
  json.Objects("settings", settings, [&](const auto& setting) { WriteFields(setting, json); });
  if (findings.has_secret_settings()) {
    json.Objects("secret_rules", findings.secrets.rules, [&](const SecretRule& rule) {
      json.Field("id", rule.id);
      json.Field("pattern", rule.pattern);
      json.Field("keywords", rule.keywords);
      json.Field("entropy", rule.entropy);
    });
    json.Field("secret_allow", findings.secrets.allow);
  }
  json.Objects("files", findings.files, [&](const ConfigFile& file) {
    json.Field("path", file.path);
    json.Field("state", StateOf(file));
  });
}

class ConfigCommand final : public Command {
 public:
  // The command locates the store itself, because it also works without one.
  StoreAccess access() const override { return StoreAccess::kNone; }

  void Declare(FlagSet& flags, GlobalFlags&) override {
    flags.Words("KEY", &key_, 0, 1, "print the value of this key and nothing else",
                internal::ConfigKeyNames());
    flags.Switch("--path", &path_, "print the settings files that were looked up");
    flags.Switch("--views", &views_, "print the views, as recall.toml writes them");
    flags.Setting("--threads", "threads", "N",
                  "as in other commands, to check which value is used");
  }

  Status Check(const GlobalFlags&) override {
    if (!key_.empty() + path_ + views_ <= 1) return {};
    return Status::InvalidArgument("KEY, --path and --views cannot be combined");
  }

  Result<ExitCode> Run(CommandContext& context) override {
    RECALL_ASSIGN(const Findings findings, Find(context));
    if (context.json()) {
      const std::string only_key = key_.empty() ? "" : key_[0];
      JsonResponse response;
      response.own_key = "config";
      response.own = [&](JsonWriter& json) {
        views_ ? WriteViews(findings.views, json) : WriteFields(findings, only_key, json);
      };
      context.Send(std::move(response));
      return ExitCode::kDone;
    }
    return AnswerWithText(context, "config", {}, Text(findings, context.out_style.escape));
  }

 private:
  static Result<Findings> Find(CommandContext& context) {
    Findings findings;
    std::vector<std::string> warnings;
    Result<StoreLocation> location = LocateStore(context.locate, &warnings);
    findings.store_exists = location.has_value();
    if (location) {
      context.warnings = std::move(warnings);
    } else {
      if (location.error().code() != StatusCode::kStoreNotFound) return Fail(location.error());
      // Show the settings that `recall init` would use.
      const std::string& store = context.locate.store;
      location = PlanStore(context.locate, store.empty() ? "." : store, &context.warnings);
      if (!location) return Fail(location.error());
    }
    findings.store_path = location->path;
    findings.files = location->layers.files;
    const ConfigLayers& layers = location->layers;
    const Config config = ResolveConfig(layers);
    findings.views = config.views;
    findings.secrets = config.secret_settings;
    Warn(CheckConfig(config), &context);
    if (!findings.store_exists) {
      findings.settings = EffectiveSettings(layers, nullptr);
      return findings;
    }
    const auto opened = Database::Open(location->path, {.read_only = true});
    if (!opened && IsServerAddress(location->path)) {
      // The server may be missing, or have no such store yet.
      if (opened.error().code() != StatusCode::kStoreNotFound) Warn(opened.error(), &context);
      findings.store_exists = false;
      findings.settings = EffectiveSettings(layers, nullptr);
      return findings;
    }
    if (!opened) return Fail(opened.error());
    RECALL_ASSIGN(const StatsReport stats, (*opened)->Stats());
    Warn(CheckAgainstStore(layers, stats), &context);
    findings.settings = EffectiveSettings(layers, &stats);
    return findings;
  }

  // Errors of settings that stop other commands are only warnings here, because this command is
  // used to examine them.
  static void Warn(const Status& status, CommandContext* context) {
    if (!status.ok()) context->warnings.push_back(std::string(status.message()));
  }

  std::string Text(const Findings& findings, bool escape) const {
    if (path_) return PathsText(findings);
    if (views_) return ViewsText(findings.views);
    if (key_.empty()) return SettingsText(findings);
    const auto setting = std::ranges::find(findings.settings, key_[0], &EffectiveSetting::key);
    const auto* text = std::get_if<std::string>(&setting->value);
    const std::string value = text ? *text : PrintConfigValue(setting->value);
    return (escape ? EscapeControls(value) : value) + "\n";
  }

  std::vector<std::string> key_;
  bool path_ = false;
  bool views_ = false;
};

}  // namespace

const CommandInfo kConfigCommand = {
    "config",
    "[OPTIONS] [KEY]",
    "show the effective settings and the source of each",
    "  recall config                   every setting, as recall.toml writes it\n"
    "  recall config max_limit         one value\n"
    "  recall config --path            the files that were looked up\n"
    "  recall config --views           what each --view NAME stands for\n"
    "  recall config > recall.toml     start a settings file\n",
    "Highest priority first: the settings recorded in the store, a flag, an environment variable\n"
    "(RECALL_THREADS for threads), recall.toml beside the store, the user's own recall.toml, the\n"
    "default. Without a store, the settings are those of a store that `recall init` would "
    "create.\n",
    [] { return std::unique_ptr<Command>(new ConfigCommand); }};

}  // namespace recall
