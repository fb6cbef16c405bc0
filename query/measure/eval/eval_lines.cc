#include "query/measure/eval/eval_lines.h"

#include <filesystem>

namespace recall {
namespace {

// The maximum size of a line. No known collection has a longer document.
constexpr uint64_t kMaxEvalLineBytes = uint64_t{256} << 20;

std::string InQuotes(std::string_view name) { return "\"" + std::string(name) + "\""; }

}  // namespace

Result<std::unique_ptr<InputLines>> OpenEvalLines(const std::string& path,
                                                  const std::atomic<bool>& cancel) {
  std::error_code ignored;
  const bool plain = std::filesystem::exists(path, ignored);
  const std::string packed = path + ".zst";
  if (!plain && !std::filesystem::exists(packed, ignored)) {
    return Fail(Status::NotFound("neither " + path + " nor " + packed + " exists",
                                 "`recall eval --help` lists the files of a collection"));
  }
  RECALL_ASSIGN(auto file, InputFile::Open(plain ? path : packed, &cancel));
  return std::make_unique<InputLines>(std::move(file), kMaxEvalLineBytes);
}

Status ReadJsonLines(const std::string& path, const std::atomic<bool>& cancel,
                     const JsonLineFn& take) {
  RECALL_ASSIGN(const auto lines, OpenEvalLines(path, cancel));
  std::string text;
  for (;;) {
    RECALL_ASSIGN(const bool more, lines->Next(&text));
    if (!more) return Status::Ok();
    if (cancel.load(std::memory_order_relaxed)) return Status::Cancelled("interrupted");
    if (IsBlankLine(text)) continue;
    const LineRef line{lines->file().name(), lines->line_number(), text};
    const auto object = nlohmann::json::parse(text, nullptr, false);
    if (!object.is_object()) {
      return LineFault(line, object.is_discarded() ? "invalid JSON" : "not a JSON object",
                       "each line must be one JSON object");
    }
    RECALL_TRY(take(object, line));
  }
}

Result<std::string> TextField(const nlohmann::json& object, const LineRef& line, const char* name,
                              std::optional<std::string_view> fallback) {
  const auto field = object.find(name);
  if (field != object.end() && field->is_string()) return field->get<std::string>();
  const bool absent = field == object.end() || field->is_null();
  if (absent && fallback) return std::string(*fallback);
  return Fail(LineFault(line, InQuotes(name) + (absent ? " is missing" : " is not a string")));
}

Result<std::string> IdField(const nlohmann::json& object, const LineRef& line) {
  const auto field = object.find("_id");
  if (field != object.end() && field->is_number_integer()) return field->dump();
  RECALL_ASSIGN(std::string id, TextField(object, line, "_id"));
  if (id.empty()) return Fail(LineFault(line, "\"_id\" is empty"));
  return id;
}

}  // namespace recall
