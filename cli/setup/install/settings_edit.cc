#include "cli/setup/install/settings_edit.h"

#include <algorithm>

#include "cli/setup/install/json_edit.h"
#include "cli/setup/install/text_edit.h"
#include "cli/setup/install/toml_edit.h"

namespace recall {
namespace {

bool IsText(SettingsFormat format) {
  return format == SettingsFormat::kText || format == SettingsFormat::kMarkdown;
}

}  // namespace

Result<std::optional<std::string>> FindEntry(SettingsFormat format, std::string_view text,
                                             const EntryPath& path) {
  if (IsText(format)) return FindTextEntry(format == SettingsFormat::kMarkdown, text);
  return format == SettingsFormat::kJson ? FindJsonEntry(text, path) : FindTomlEntry(text, path);
}

Result<SettingsEdit> AddEntry(SettingsFormat format, std::string_view text, const EntryPath& path,
                              const ServerEntry& entry) {
  if (IsText(format)) return AddTextEntry(format == SettingsFormat::kMarkdown, text, entry);
  return format == SettingsFormat::kJson ? AddJsonEntry(text, path, entry)
                                         : AddTomlEntry(text, path, entry);
}

Result<SettingsEdit> ReplaceEntry(SettingsFormat format, std::string_view text,
                                  const EntryPath& path, const ServerEntry& entry) {
  if (IsText(format)) return ReplaceTextEntry(format == SettingsFormat::kMarkdown, text, entry);
  return format == SettingsFormat::kJson ? ReplaceJsonEntry(text, path, entry)
                                         : ReplaceTomlEntry(text, path, entry);
}

Result<std::string> TakeEntry(SettingsFormat format, std::string_view text, const EntryPath& path,
                              const AddedText* added) {
  if (IsText(format)) return TakeTextEntry(format == SettingsFormat::kMarkdown, text, added);
  return format == SettingsFormat::kJson ? TakeJsonEntry(text, path, added)
                                         : TakeTomlEntry(text, path, added);
}

bool HoldsNothing(SettingsFormat format, std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  std::string bytes(text);
  std::erase_if(bytes, [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; });
  return bytes.empty() || (format == SettingsFormat::kJson && bytes == "{}");
}

}  // namespace recall
