#include "cli/commands/static_text.h"

namespace recall {

ExitCode AnswerWithText(CommandContext& context, std::string_view name, const JsonFields& fields,
                        std::string_view text) {
  if (context.json()) {
    JsonResponse response;
    response.own_key = name;
    response.own = [&](JsonWriter& json) {
      if (fields) fields(json);
      json.Field("text", text);
    };
    context.Send(std::move(response));
  } else {
    context.PrintWarnings();
    context.out->Write(text);
  }
  return ExitCode::kDone;
}

}  // namespace recall
