// The way of a request through `recall serve` up to its command line. Boost, which parses heads, is
// not involved: the bytes are the method and the path, one header a line, and after an empty line a
// body.
//   - RefuseForeign lets a request over TCP pass only with a loopback name and the port as its
//   host,
//     without an origin or with ours, and with the token unless it is for /livez or the page.
//   - ServeTermsOf stores only what RefuseForeign accepts as lines of documents.
//   - ArgsFromBody refuses a body, or makes a command line whose flags are those of the command,
//   and
//     of which none names a file of the server; all texts stay behind "--" or "=".

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "cli/commands/commands.h"
#include "cli/server/serve/command_request.h"
#include "cli/server/serve/request_guard.h"
#include "cli/server/serve/request_terms.h"
#include "cli/server/web/page.h"
#include "fuzz/fuzz_target.h"

namespace recall {
namespace {

constexpr uint16_t kPort = 7700;
const std::string kToken = "0123456789abcdef";

std::string Lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
  });
  return text;
}

// "METHOD PATH\nname: value\n...\n\nBODY".
HttpRequest RequestOf(std::string_view input) {
  HttpRequest request;
  std::string_view first = TakeLine(input);
  const size_t space = std::min(first.find(' '), first.size());
  request.head.method = std::string(first.substr(0, space));
  first.remove_prefix(std::min(space + 1, first.size()));
  request.head.path = std::string(first);
  while (!input.empty()) {
    const std::string_view field = TakeLine(input);
    if (field.empty()) break;
    const size_t colon = field.find(": ");
    if (colon == std::string_view::npos) continue;
    request.head.headers.emplace_back(Lower(std::string(field.substr(0, colon))),
                                      field.substr(colon + 2));
  }
  request.body = std::string(input);
  return request;
}

void CheckPassed(const HttpHead& head) {
  const std::string type = Lower(std::string(head.Header("content-type")));
  if (head.method == "POST") {
    RECALL_CHECK(type.starts_with("application/json") ||
                 (head.path == "/v1/add" && type.starts_with("application/x-ndjson")));
  }
  const std::string_view origin = head.Header("origin");
  if (!head.over_tcp) {
    RECALL_CHECK(origin.empty());
    return;
  }
  const auto ours = [](std::string_view host) {
    return host == "localhost:7700" || host == "127.0.0.1:7700" || host == "[::1]:7700";
  };
  RECALL_CHECK(ours(head.Header("host")));
  RECALL_CHECK(origin.empty() || (origin.starts_with("http://") && ours(origin.substr(7))));
  const bool is_public = head.path == "/livez" || (head.method != "POST" && IsPagePath(head.path));
  RECALL_CHECK(is_public || head.Header("authorization") == "Bearer " + kToken);
}

void CheckArgs(const std::vector<FlagSet::Entry>& entries, const std::vector<std::string>& args) {
  const auto words = std::ranges::find(args, "--");
  RECALL_CHECK(words != args.end());
  for (auto arg = args.begin(); arg != words; ++arg) {
    const std::string flag = arg->substr(0, arg->find('='));
    RECALL_CHECK(std::ranges::any_of(
        entries, [&](const FlagSet::Entry& entry) { return HasSpelling(entry, flag); }));
    for (const char* const forbidden :
         {"--store", "--config", "--jsonl", "--files-from", "--root", "--html"}) {
      RECALL_CHECK(flag != forbidden);
    }
  }
  for (const std::string& arg : args) RECALL_CHECK(arg.find('\0') == std::string::npos);
}

std::map<std::string, std::vector<FlagSet::Entry>> EntriesOfCommands() {
  std::map<std::string, std::vector<FlagSet::Entry>> entries;
  for (const char* const name : {"search", "add", "query", "get"}) {
    entries[name] = EntriesOf(*FindCommand(name));
  }
  return entries;
}

}  // namespace

void FuzzOne(ByteSpan input) {
  HttpRequest request = RequestOf(AsText(input));
  for (const bool over_tcp : {false, true}) {
    request.head.over_tcp = over_tcp;
    request.head.port = over_tcp ? kPort : 0;
    const auto refusal = RefuseForeign(request.head, {.token = kToken});
    if (refusal) RECALL_CHECK(refusal->status >= 400 && refusal->status < 500);
    if (!refusal) CheckPassed(request.head);
    RECALL_CHECK(!ServeTermsOf(request.head, true).store_body || IsStreamedAdd(request.head));
    RECALL_CHECK(!ServeTermsOf(request.head, false).store_body);
  }
  static const auto commands = EntriesOfCommands();
  for (const auto& [name, entries] : commands) {
    const auto args = ArgsFromBody(entries, request.body);
    if (args) CheckArgs(entries, *args);
    if (!args) RECALL_CHECK(args.error().code() == StatusCode::kInvalidArgument);
  }
}

}  // namespace recall
