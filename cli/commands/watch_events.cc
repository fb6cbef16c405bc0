#include "cli/commands/watch_events.h"

#include <ctime>
#include <utility>

#include "storage/base/clock.h"

namespace recall {
namespace {

// "12:03:41 ", by the local clock.
std::string ClockPrefix() {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  char text[16];
  if (::localtime_r(&now, &local) == nullptr) return "";
  return std::string(text, std::strftime(text, sizeof(text), "%H:%M:%S ", &local));
}

}  // namespace

void PrintWatchLine(CommandContext& context, const std::string& text) {
  if (context.flags.quiet) return;
  context.out->Write((context.flags.stable ? "" : ClockPrefix()) + text + "\n");
}

void SendWatchEvent(CommandContext& context, std::string_view event,
                    std::vector<std::string> warnings, const JsonFields& fields) {
  JsonResponse response;
  response.warnings = std::move(warnings);
  response.own_key = "watch";
  response.own = [&](JsonWriter& json) {
    json.Field("event", event);
    json.Field("time", FormatRfc3339(WallClockNanos()));
    if (fields) fields(json);
  };
  context.Send(std::move(response));
  context.warnings.clear();  // each is printed once
}

void ShowWatchReady(CommandContext& context, int64_t directories, int64_t polled) {
  if (context.json()) {
    SendWatchEvent(context, "ready", {}, [&](JsonWriter& json) {
      json.Field("directories", directories);
      json.Field("polled", polled);
    });
    return;
  }
  std::string text = "watching " + std::to_string(directories) +
                     (directories == 1 ? " directory" : " directories");
  if (polled > 0) text += ", " + std::to_string(polled) + " of them by listing";
  PrintWatchLine(context, text);
}

void ShowWatchProblem(CommandContext& context, const std::string& problem) {
  if (context.json()) {
    SendWatchEvent(context, "problem", {problem}, {});
    return;
  }
  context.PrintWarnings({problem});
  context.warnings.clear();
}

}  // namespace recall
