#include "cli/show/comparison/json_access.h"

#include "index/base/json/ordered_json.h"
#include "storage/file_io/input_file.h"

namespace recall {
namespace {

// The largest answer that is read. One with a hundred thousand queries has about ten megabytes.
constexpr uint64_t kMostBytes = 256'000'000;

Status NotSuchAnAnswer(const std::string& path, std::string_view command) {
  const std::string call = "recall " + std::string(command) + " --json";
  return Status::InvalidArgument(path + " is not an answer of `" + call + "`",
                                 "record a run with: " + call + " > FILE");
}

}  // namespace

const RunJson& MemberOf(const RunJson& json, std::string_view name) {
  static const RunJson kNone;
  if (!json.is_object()) return kNone;
  const auto found = json.find(name);
  return found == json.end() ? kNone : *found;
}

std::string TextOf(const RunJson& json, std::string_view name) {
  const RunJson& member = MemberOf(json, name);
  return member.is_string() ? member.get<std::string>() : "";
}

std::optional<double> NumberOf(const RunJson& json, std::string_view name) {
  const RunJson& member = MemberOf(json, name);
  return member.is_number() ? std::optional(member.get<double>()) : std::nullopt;
}

std::vector<double> NumbersOf(const RunJson& json, std::string_view name) {
  std::vector<double> numbers;
  const RunJson& member = MemberOf(json, name);
  if (!member.is_array()) return {};
  for (const RunJson& element : member) {
    if (!element.is_number()) return {};
    numbers.push_back(element.get<double>());
  }
  return numbers;
}

std::vector<std::string> TextsOf(const RunJson& json, std::string_view name) {
  std::vector<std::string> texts;
  const RunJson& member = MemberOf(json, name);
  if (!member.is_array()) return {};
  for (const RunJson& element : member) {
    if (!element.is_string()) return {};
    texts.push_back(element.get<std::string>());
  }
  return texts;
}

void FindSettingChanges(const RunJson& before, const RunJson& after,
                        std::vector<SettingChange>* changes) {
  const auto add = [&](const std::string& name) {
    const RunJson& old = MemberOf(before, name);
    const RunJson& now = MemberOf(after, name);
    if (old.is_structured() || now.is_structured() || old == now) return;
    const auto spelling = [](const RunJson& value) {
      return value.is_null() ? "" : value.dump(-1, ' ', false, RunJson::error_handler_t::replace);
    };
    changes->push_back({name, spelling(old), spelling(now)});
  };
  if (after.is_object()) {
    for (const auto& member : after.items()) add(member.key());
  }
  if (!before.is_object()) return;
  for (const auto& member : before.items()) {
    if (MemberOf(after, member.key()).is_null()) add(member.key());
  }
}

Result<RecordedRun> RecordedRun::Read(const std::string& path, std::string_view command,
                                      const std::atomic<bool>& cancel) {
  RECALL_ASSIGN(const auto file, InputFile::Open(path, &cancel));
  RECALL_ASSIGN(const std::string text, ReadAll(*file, kMostBytes));
  const auto answer = ParseOrderedJson(text);
  if (!answer) return Fail(NotSuchAnAnswer(path, command));
  const RunJson& run = MemberOf(*answer, command);
  const bool measured = command == "bench" ? MemberOf(run, "latencies").is_array()
                                           : MemberOf(run, "collections").is_array() ||
                                                 MemberOf(run, "spans").is_array();
  if (!measured) return Fail(NotSuchAnAnswer(path, command));
  return RecordedRun(std::make_shared<const RunDocument>(RunDocument{run}));
}

RecordedRun RecordedRun::Of(std::string_view json) {
  return RecordedRun(std::make_shared<const RunDocument>(RunDocument{RunJson::parse(json)}));
}

RecordedRun RecordedRun::OfFields(const std::function<void(JsonWriter&)>& write) {
  std::string text;
  JsonWriter json(&text);
  json.BeginObject();
  write(json);
  json.EndObject();
  return Of(text);
}

}  // namespace recall
