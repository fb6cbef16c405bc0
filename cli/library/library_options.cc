#include "cli/library/library_options.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "cli/options/settings/config.h"
#include "cli/server/mcp/json_rpc.h"
#include "query/database/database.h"

namespace recall {
namespace {

constexpr std::string_view kOptionNames =
    "create, settings, settings_from, settings_file, threads, program, scope, hide_private, stable";

Status WrongOption(const std::string& name, const std::string& what) {
  return Status::InvalidArgument("the option '" + name + "' must be " + what);
}

Status ReadBool(const std::string& name, const Json& value, bool* target) {
  if (!value.is_boolean()) return WrongOption(name, "true or false");
  *target = value.get<bool>();
  return Status::Ok();
}

Status ReadText(const std::string& name, const Json& value, std::string* target) {
  if (!value.is_string()) return WrongOption(name, "a text");
  *target = value.get<std::string>();
  return Status::Ok();
}

Status ReadSettings(const Json& value, std::vector<FlagSetting>* settings) {
  if (!value.is_object()) return WrongOption("settings", "an object");
  for (const auto& [key, setting] : value.items()) {
    if (!internal::IsConfigKey(key)) {
      return Status::InvalidArgument("the option 'settings' has an unknown key '" + key + "'",
                                     "docs/cli/settings.md lists all keys");
    }
    if (setting.is_null()) continue;
    if (!setting.is_string() && !setting.is_number() && !setting.is_boolean()) {
      return WrongOption("settings." + key, "a text, a number, true or false");
    }
    settings->push_back({key, "settings." + key,
                         setting.is_string() ? setting.get<std::string>() : PrintJson(setting)});
  }
  return Status::Ok();
}

Status ReadSettingsFrom(const Json& value, LocateRequest* locate) {
  std::string from;
  RECALL_TRY(ReadText("settings_from", value, &from));
  if (from != "store" && from != "user" && from != "none") {
    return WrongOption("settings_from", "store, user or none");
  }
  locate->environment = from == "user";
  locate->user_file = from == "user";
  locate->store_file = from != "none";
  return Status::Ok();
}

Status ReadThreads(const Json& value, bool* serialized) {
  std::string threads;
  RECALL_TRY(ReadText("threads", value, &threads));
  if (threads != "serialized" && threads != "single") {
    return WrongOption("threads", "serialized or single");
  }
  *serialized = threads == "serialized";
  return Status::Ok();
}

Status ReadScope(const Json& value, std::string* scope) {
  RECALL_TRY(ReadText("scope", value, scope));
  return scope->empty() ? Status::Ok() : CheckFilter(*scope);
}

Status ReadOption(const std::string& name, const Json& value, LibraryOptions* options) {
  CallSettings& call = options->call;
  if (value.is_null()) return Status::Ok();
  if (name == "create") return ReadBool(name, value, &options->create);
  if (name == "stable") return ReadBool(name, value, &options->stable);
  if (name == "hide_private") return ReadBool(name, value, &call.hide_private);
  if (name == "settings") return ReadSettings(value, &call.locate.settings);
  if (name == "settings_from") return ReadSettingsFrom(value, &call.locate);
  if (name == "settings_file") return ReadText(name, value, &call.locate.config_file);
  if (name == "threads") return ReadThreads(value, &options->serialized);
  if (name == "program") return ReadText(name, value, &*call.program);
  if (name == "scope") return ReadScope(value, &call.scope);
  return Status::InvalidArgument("unknown option '" + name + "'",
                                 "there are " + std::string(kOptionNames));
}

}  // namespace

Result<LibraryOptions> ReadLibraryOptions(const std::string& path, const std::string& text) {
  LibraryOptions options;
  options.call.quiet = true;
  options.call.program = "";
  options.call.locate.store = path;
  options.call.locate.environment = false;
  options.call.locate.user_file = false;
  if (text.empty()) return options;
  const std::optional<Json> given = ParseJson(text);
  if (!given || !given->is_object()) {
    return Fail(Status::InvalidArgument("the options must be a JSON object",
                                        "for example {\"create\": true}"));
  }
  for (const auto& [name, value] : given->items()) {
    RECALL_TRY(ReadOption(name, value, &options));
  }
  return options;
}

}  // namespace recall
