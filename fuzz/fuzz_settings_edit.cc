// Settings files of other programs, in which `recall install` inserts an entry: any bytes are
// refused with a place, or the entry is found after it was added, and taking it away restores every
// byte. The first byte chooses an entry in JSON, a hook in JSON, or TOML; the rest is the file.

#include "cli/setup/install/jsonc.h"
#include "cli/setup/install/settings_edit.h"
#include "fuzz/fuzz_target.h"

namespace recall {
namespace {

const ServerEntry kFuzzEntry = {
    {"command", "recall"},
    {"args", std::vector<std::string>{"mcp", "--scope", "path ~ \"x\\\" // {"}},
    {"enabled", true},
};

const ServerEntry kFuzzHook = {
    {"matcher", "Bash"},
    {"hooks", std::vector<ServerEntry>{{{"command", "recall hook"}, {"timeout", int64_t{10}}}}},
};

std::optional<std::string> Found(SettingsFormat format, std::string_view text,
                                 const EntryPath& path) {
  const auto entry = FindEntry(format, text, path);
  RECALL_CHECK(entry);
  return *entry;
}

// Undoes an edit. What was there before must be there again, to the byte.
void CheckUndone(SettingsFormat format, const EntryPath& path, const ServerEntry& wanted,
                 const SettingsEdit& edit, std::string_view before) {
  RECALL_CHECK(Found(format, edit.text, path) == CanonicalEntry(wanted));
  const Result<std::string> after = TakeEntry(format, edit.text, path, &edit.added);
  RECALL_CHECK(after && *after == before);
}

}  // namespace

void FuzzOne(ByteSpan input) {
  if (input.empty()) return;
  const bool json = input[0] % 2 == 0;
  const SettingsFormat format = json ? SettingsFormat::kJson : SettingsFormat::kToml;
  const bool hook = input[0] % 4 == 2;
  const ServerEntry& wanted = hook ? kFuzzHook : kFuzzEntry;
  const EntryPath path = hook ? EntryPath{"hooks", "PostToolUse", std::string(kHookStep)}
                              : EntryPath{json ? "mcpServers" : "mcp_servers", "recall"};
  const std::string_view text = AsText(input.subspan(1));
  HoldsNothing(format, text);
  const auto entry = FindEntry(format, text, path);
  if (!entry) {
    // A hook may call other programs as well.
    RECALL_CHECK(entry.error().code() == StatusCode::kInvalidArgument ||
                 (hook && entry.error().code() == StatusCode::kUnsupported));
    RECALL_CHECK(entry.error().position() != nullptr);
    return;
  }
  const Result<SettingsEdit> edit =
      *entry ? ReplaceEntry(format, text, path, wanted) : AddEntry(format, text, path, wanted);
  if (edit) {
    CheckUndone(format, path, wanted, *edit, text);
  } else {
    // Every JSON file can be edited.
    RECALL_CHECK(!json && edit.error().code() == StatusCode::kUnsupported);
  }
  if (!*entry) return;
  const Result<std::string> without = TakeEntry(format, text, path, nullptr);
  if (without) RECALL_CHECK(!Found(format, *without, path));
  RECALL_CHECK(without || !json);
}

}  // namespace recall
