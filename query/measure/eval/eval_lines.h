#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "query/add/records/json_record.h"
#include "storage/base/result.h"
#include "storage/file_io/input_lines.h"

namespace recall {

// Opens the lines of `path`, or, if that file does not exist, of `path`.zst. `cancel` must outlive
// the result. Errors: NotFound with both names; those of InputFile.
Result<std::unique_ptr<InputLines>> OpenEvalLines(const std::string& path,
                                                  const std::atomic<bool>& cancel);

using JsonLineFn = std::function<Status(const nlohmann::json& object, const LineRef& line)>;
// Calls `take` with every line that is not blank, in order, parsed as a JSON object. Errors: those
// of OpenEvalLines; InvalidArgument, with the line, if it is not an object; those of `take`.
Status ReadJsonLines(const std::string& path, const std::atomic<bool>& cancel,
                     const JsonLineFn& take);

// Returns: the text of a field, or `fallback` if it is missing or null. Errors: InvalidArgument if
// it is missing without a fallback, or not a text.
Result<std::string> TextField(const nlohmann::json& object, const LineRef& line, const char* name,
                              std::optional<std::string_view> fallback = {});
// Returns: the field `_id`, a non-empty text or an integer. Errors: InvalidArgument.
Result<std::string> IdField(const nlohmann::json& object, const LineRef& line);

}  // namespace recall
