#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "query/records/json_record.h"
#include "storage/base/result.h"
#include "storage/file_io/input_lines.h"

namespace recall {

// The lines of `path`, or, when there is no such file, of `path`.zst. `cancel` must outlive them.
// Errors: NotFound that names both; those of InputFile.
Result<std::unique_ptr<InputLines>> OpenEvalLines(const std::string& path,
                                                  const std::atomic<bool>& cancel);

using JsonLineFn = std::function<Status(const nlohmann::json& object, const LineRef& line)>;
// Hands over every line that is not blank, in order, as the JSON object it is.
// Errors: as above; InvalidArgument, with the line, for what is none; those of `take`.
Status ReadJsonLines(const std::string& path, const std::atomic<bool>& cancel,
                     const JsonLineFn& take);

// The text of a field; what `fallback` says when it is absent or null, an error without one.
Result<std::string> TextField(const nlohmann::json& object, const LineRef& line, const char* name,
                              std::optional<std::string_view> fallback = {});
// The field `_id`: text that is not empty, or an integer.
Result<std::string> IdField(const nlohmann::json& object, const LineRef& line);

}  // namespace recall
