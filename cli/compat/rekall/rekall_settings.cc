#include "cli/compat/rekall/rekall_settings.h"

#include <sys/stat.h>

#include <atomic>
#include <cmath>

#include "cli/options/settings/toml_library.h"
#include "cli/options/settings/toml_nesting.h"
#include "cli/options/settings/view.h"
#include "storage/base/json_writer.h"
#include "storage/file_io/input_file.h"

namespace recall {
namespace {

constexpr uint64_t kMostConfigBytes = 1 << 20;
constexpr double kLeastEasiness = 1.3;
constexpr double kMostEasiness = 10;

std::string PrintNumber(double number) {
  std::string text;
  JsonWriter(&text).Double(number);
  return text;
}

// Quotes a text as JSON, which is also a valid basic string of TOML.
std::string PrintValue(const ConfigValue& value) {
  if (const auto* integer = std::get_if<int64_t>(&value)) return std::to_string(*integer);
  if (const auto* number = std::get_if<double>(&value)) return PrintNumber(*number);
  std::string text;
  JsonWriter(&text).String(std::get<std::string>(value));
  return text;
}

class SettingsTranslator final {
 public:
  void Take(const std::string& table, std::string_view key, const toml::node& value) {
    const std::string name = table + "." + std::string(key);
    const auto number = value.value<double>();
    const bool is_number = number && std::isfinite(*number) && *number >= 0;
    const auto text = value.value_exact<std::string>();
    if (name == "search.fts_weight" && is_number) {
      words_ = *number;
    } else if (name == "search.semantic_weight" && is_number) {
      meaning_ = *number;
    } else if (name == "search.keyword_weight" && is_number) {
      triggers_ = *number;
    } else if (name == "review.algorithm" && text && (*text == "sm2" || *text == "rekall")) {
      lines_.push_back("review_algorithm = \"" + *text + "\"");
    } else if (name == "review.default_easiness" && is_number && *number >= kLeastEasiness &&
               *number <= kMostEasiness) {
      lines_.push_back("review_easiness = " + PrintNumber(*number));
    } else {
      lines_.push_back("# no counterpart: " + Printable(name));
    }
  }

  std::vector<std::string> Lines() && {
    std::vector<std::string> lines = std::move(lines_);
    if (!words_ && !meaning_ && !triggers_) return lines;
    // A table of a view replaces the built-in view as a whole, so all its settings are repeated.
    for (View& view : BuiltInViews()) {
      if (view.name != "entries") continue;
      view.fusion = "parts:words=" + PrintNumber(words_.value_or(0.5)) +
                    ":meaning=" + PrintNumber(meaning_.value_or(0.3)) +
                    ":triggers=" + PrintNumber(triggers_.value_or(0.2));
      lines.emplace_back("[view.entries]");
      for (const auto& [key, value] : ValuesOf(view)) {
        lines.push_back(std::string(key) + " = " + PrintValue(value));
      }
    }
    return lines;
  }

 private:
  // Escapes a key: in TOML it may contain any character, also a line feed.
  static std::string Printable(const std::string& name) {
    std::string printable;
    JsonWriter(&printable).String(name);
    return printable.substr(1, printable.size() - 2);
  }

  std::vector<std::string> lines_;
  std::optional<double> words_;
  std::optional<double> meaning_;
  std::optional<double> triggers_;
};

}  // namespace

std::string RekallConfigPath(const std::string& memory_path) {
  constexpr const char* kName = "config.toml";
  struct stat info {};
  const bool is_directory = ::stat(memory_path.c_str(), &info) == 0 && S_ISDIR(info.st_mode);
  if (is_directory) return memory_path + (memory_path.ends_with('/') ? "" : "/") + kName;
  return memory_path.substr(0, memory_path.rfind('/') + 1) + kName;
}

Result<std::vector<std::string>> RekallSettings(const std::string& config_path) {
  struct stat info {};
  if (::stat(config_path.c_str(), &info) != 0) return std::vector<std::string>();
  const std::atomic<bool> never = false;
  RECALL_ASSIGN(const auto file, InputFile::Open(config_path, &never));
  RECALL_ASSIGN(const std::string text, ReadAll(*file, kMostConfigBytes));
  const auto fault = [&](std::string_view what, int64_t line) {
    return Fail(Status::InvalidArgument(config_path + ": " + std::string(what))
                    .WithPosition({line, 0, {}}));
  };
  if (const auto line = LineOfDeepToml(text)) {
    return fault("nested too deep", static_cast<int64_t>(*line));
  }
  const toml::parse_result parsed = toml::parse(text, config_path);
  if (!parsed) {
    return fault(parsed.error().description(),
                 static_cast<int64_t>(parsed.error().source().begin.line));
  }
  SettingsTranslator translator;
  for (const auto& [table, node] : parsed.table()) {
    const std::string name(table.str());
    const toml::table* const keys = node.as_table();
    if (keys == nullptr) continue;
    for (const auto& [key, value] : *keys) translator.Take(name, key.str(), value);
  }
  return std::move(translator).Lines();
}

}  // namespace recall
