#pragma once

// The functions of settings_edit.h for files of text: a whole file that is ours, or lines of ours
// in a Markdown file of somebody else. The entry is {"text": ...}.

#include <optional>
#include <string>
#include <string_view>

#include "cli/setup/install/server_entry.h"
#include "storage/base/result.h"

namespace recall {

// `markdown`: lines of ours between marker lines; else the whole file.
Result<std::optional<std::string>> FindTextEntry(bool markdown, std::string_view text);
Result<SettingsEdit> AddTextEntry(bool markdown, std::string_view text, const ServerEntry& entry);
Result<SettingsEdit> ReplaceTextEntry(bool markdown, std::string_view text,
                                      const ServerEntry& entry);
Result<std::string> TakeTextEntry(bool markdown, std::string_view text, const AddedText* added);

}  // namespace recall
