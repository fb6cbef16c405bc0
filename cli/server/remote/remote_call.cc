#include "cli/server/remote/remote_call.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "cli/server/mcp/json_rpc.h"
#include "query/maintenance/build_info.h"
#include "storage/base/base64.h"
#include "storage/base/bytes.h"
#include "storage/base/file_times.h"
#include "storage/base/own_process.h"

namespace recall {
namespace {

constexpr std::array<std::string_view, 8> kCommands = {"search", "similar", "context", "query",
                                                       "get",    "ls",      "stats",   "hook"};
constexpr std::string_view kData = "data: ";
constexpr std::array<std::pair<OutputStep::Kind, std::string_view>, 3> kSteps = {
    {{OutputStep::Kind::kOut, "out "},
     {OutputStep::Kind::kError, "error "},
     {OutputStep::Kind::kFlush, "flush"}}};

// What tells a program from all others that were ever installed in its place.
std::optional<std::string> StampOfProgram() {
  struct stat info {};
  if (!StatOfProgram(&info)) return std::nullopt;
  std::string stamp;
  for (const auto part : {static_cast<int64_t>(info.st_dev), static_cast<int64_t>(info.st_ino),
                          static_cast<int64_t>(info.st_size), ModifiedNanos(info)}) {
    stamp += ":" + std::to_string(part);
  }
  return stamp;
}

// ---- Writing ----------------------------------------------------------------------------------

Json Encoded(const TextStyle& style) {
  return {{"color", style.color},     {"escape", style.escape},
          {"columns", style.columns}, {"terminal", style.terminal},
          {"utf8", style.utf8},       {"hyperlinks", style.hyperlinks},
          {"host", style.host},       {"store_directory", style.store_directory},
          {"from", style.from}};
}

Json Encoded(const ConfigLayer& layer) {
  Json entries = Json::array();
  for (const ConfigEntry& entry : layer) {
    Json value;
    std::visit([&](const auto& known) { value = known; }, entry.value);
    entries.push_back({{"key", entry.key}, {"value", value}, {"origin", entry.origin}});
  }
  return entries;
}

Json Encoded(const std::vector<View>& views) {
  Json list = Json::array();
  for (const View& view : views) {
    Json values = Json::object();
    for (const auto& [key, value] : ValuesOf(view)) {
      std::visit([&, &name = key](const auto& known) { values[std::string(name)] = known; }, value);
    }
    list.push_back({{"name", view.name}, {"origin", view.origin}, {"values", values}});
  }
  return list;
}

// ---- Reading ----------------------------------------------------------------------------------

// Reads the members of an object; one that is missing or of another type makes the whole invalid.
class Members final {
 public:
  explicit Members(const Json& json) : json_(json) { ok_ = json.is_object(); }

  void Read(std::string_view name, std::string* target) {
    const Json& member = Member(name);
    if (Expect(member.is_string())) *target = member.get<std::string>();
  }
  void Read(std::string_view name, bool* target) {
    const Json& member = Member(name);
    if (Expect(member.is_boolean())) *target = member.get<bool>();
  }
  void Read(std::string_view name, uint64_t* target) {
    const Json& member = Member(name);
    if (Expect(member.is_number_unsigned())) *target = member.get<uint64_t>();
  }
  void Read(std::string_view name, std::vector<std::string>* target) {
    const Json& member = Member(name);
    if (!Expect(member.is_array())) return;
    for (const Json& item : member) {
      if (Expect(item.is_string())) target->push_back(item.get<std::string>());
    }
  }
  void Read(std::string_view name, TextStyle* target) {
    Members style(Member(name));
    style.Read("color", &target->color);
    style.Read("escape", &target->escape);
    uint64_t columns = 0;
    style.Read("columns", &columns);
    target->columns = columns;
    style.Read("terminal", &target->terminal);
    style.Read("utf8", &target->utf8);
    style.Read("hyperlinks", &target->hyperlinks);
    style.Read("host", &target->host);
    style.Read("store_directory", &target->store_directory);
    style.Read("from", &target->from);
    Expect(style.ok());
  }
  void Read(std::string_view name, ConfigLayer* target) {
    const Json& member = Member(name);
    if (!Expect(member.is_array())) return;
    for (const Json& item : member) {
      Members entry(item);
      std::string key;
      std::string origin;
      entry.Read("key", &key);
      entry.Read("origin", &origin);
      if (!Expect(entry.ok() && internal::IsConfigKey(key))) return;
      // Checks type and range again, so that no value can be wrong for its key.
      auto checked = internal::MakeConfigEntry(key, ValueOf(entry.Member("value")), origin);
      if (Expect(checked.has_value())) target->push_back(*std::move(checked));
    }
  }

  void Read(std::string_view name, std::vector<View>* target) {
    const Json& member = Member(name);
    if (!Expect(member.is_array())) return;
    for (const Json& item : member) {
      Members table(item);
      View view;
      table.Read("name", &view.name);
      table.Read("origin", &view.origin);
      const Json& values = table.Member("values");
      if (!Expect(table.ok() && values.is_object())) return;
      for (const auto& [key, value] : values.items()) {
        Expect(SetViewValue(key, ValueOf(value), &view).empty());
      }
      target->push_back(std::move(view));
    }
  }

  const Json& Member(std::string_view name) const { return JsonMember(json_, name); }
  bool Expect(bool true_now) {
    ok_ &= true_now;
    return true_now;
  }
  bool ok() const { return ok_; }

 private:
  static ConfigValue ValueOf(const Json& value) {
    if (value.is_string()) return value.get<std::string>();
    if (value.is_number_integer()) return value.get<int64_t>();
    return value.is_number() ? value.get<double>() : 0.0;
  }

  const Json& json_;
  bool ok_;
};

}  // namespace

std::span<const std::string_view> RemoteCommands() { return kCommands; }

std::optional<Standpoint> OwnStandpoint() {
  const auto program = StampOfProgram();
  const auto names = NamespaceOfFiles();
  const auto root = IdentityOfFile("/");
  if (!program || !names || !root) return std::nullopt;
  std::string files;
  for (const uint64_t part : {(*names)[0], (*names)[1], root->device, root->inode}) {
    files += ":" + std::to_string(part);
  }
  return Standpoint{BuildInformation().version + *program, files};
}

std::optional<std::string> EncodeCall(const RemoteCall& remote) {
  const ProcessCall& call = remote.call;
  const ConfigLayers& layers = call.store.layers;
  const Json json = {{"program", remote.standpoint.program},
                     {"files", remote.standpoint.files},
                     {"key", remote.store},
                     {"command", remote.command},
                     {"args", call.call.args},
                     {"error_mode", static_cast<uint64_t>(call.error_mode)},
                     {"lean", call.lean_from_environment},
                     {"stable", call.stable},
                     {"pretty_json", call.pretty_json},
                     {"store", call.store.path},
                     {"user", Encoded(layers.user)},
                     {"beside_store", Encoded(layers.store)},
                     {"environment", Encoded(layers.environment)},
                     {"flags", Encoded(layers.flags)},
                     {"views", Encoded(layers.views)},
                     {"warnings", call.warnings},
                     {"directory", call.directory},
                     {"out", Encoded(call.out_style)},
                     {"error", Encoded(call.error_style)}};
  try {
    return json.dump();
  } catch (const Json::exception&) {
    return std::nullopt;  // a text is not UTF-8
  }
}

std::optional<RemoteCall> DecodeCall(std::string_view text) {
  const std::optional<Json> json = ParseJson(text);
  if (!json) return std::nullopt;
  Members members(*json);
  RemoteCall remote;
  ProcessCall& call = remote.call;
  ConfigLayers& layers = call.store.layers;
  members.Read("program", &remote.standpoint.program);
  members.Read("files", &remote.standpoint.files);
  members.Read("key", &remote.store);
  members.Read("command", &remote.command);
  members.Read("args", &call.call.args);
  uint64_t mode = 0;
  members.Read("error_mode", &mode);
  members.Expect(mode <= static_cast<uint64_t>(OutputMode::kLean));
  members.Read("lean", &call.lean_from_environment);
  members.Read("stable", &call.stable);
  members.Read("pretty_json", &call.pretty_json);
  members.Read("store", &call.store.path);
  members.Read("user", &layers.user);
  members.Read("beside_store", &layers.store);
  members.Read("environment", &layers.environment);
  members.Read("flags", &layers.flags);
  members.Read("views", &layers.views);
  members.Read("warnings", &call.warnings);
  members.Read("directory", &call.directory);
  members.Read("out", &call.out_style);
  members.Read("error", &call.error_style);
  if (!members.ok()) return std::nullopt;
  call.error_mode = static_cast<OutputMode>(mode);
  return remote;
}

std::vector<std::string> EncodeAnswer(const ProcessAnswer& answer) {
  std::vector<std::string> lines;
  for (const OutputStep& step : answer.output.steps()) {
    std::string& line = lines.emplace_back(kData);
    line += std::ranges::find(kSteps, step.kind, &decltype(kSteps)::value_type::first)->second;
    AppendBase64(AsBytes(step.text), &line);
  }
  lines.push_back(std::string(kData) + "exit " + std::to_string(static_cast<int>(answer.exit)));
  return lines;
}

std::optional<ProcessAnswer> DecodeAnswer(std::string_view events) {
  constexpr std::string_view kExit = "exit ";
  ProcessAnswer answer;
  while (!events.empty()) {
    const size_t end = events.find('\n');
    if (end == events.npos || !events.starts_with(kData)) return std::nullopt;
    std::string_view line = events.substr(kData.size(), end - kData.size());
    events.remove_prefix(end + 1);
    if (line.starts_with(kExit)) {
      line.remove_prefix(kExit.size());
      int code = -1;
      const auto [last, error] = std::from_chars(line.data(), line.data() + line.size(), code);
      const auto known = AllExitCodes();
      const bool valid =
          error == std::errc() && last == line.data() + line.size() &&
          std::ranges::count(known, static_cast<ExitCode>(code), &ExitCodeInfo::code) > 0;
      if (!valid || events != "\n") return std::nullopt;
      answer.exit = static_cast<ExitCode>(code);
      return answer;
    }
    const auto step = std::ranges::find_if(
        kSteps, [&](const auto& known) { return line.starts_with(known.second); });
    if (step == kSteps.end()) return std::nullopt;
    const auto bytes = DecodeBase64(line.substr(step->second.size()));
    if (!bytes) return std::nullopt;
    answer.output.Add(step->first, *bytes);
  }
  return std::nullopt;
}

}  // namespace recall
