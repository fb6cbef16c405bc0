// ParseRpcMessages, ContextOf, Dispatch: any line is refused with an error that has a code and a
// message, or is answered so that the answer is one line of JSON with the id of the request. The
// first byte chooses the revision that was agreed on. DecodeCursor and ParseResourceUri: refused,
// or unchanged by writing and reading.

#include <algorithm>

#include "cli/server/mcp/dispatcher.h"
#include "cli/server/tools/cursor.h"
#include "cli/server/tools/resource_uri.h"
#include "fuzz/fuzz_target.h"

namespace recall {
namespace {

// Answers with what it is asked.
class EchoService final : public McpService {
 public:
  const McpServerInfo& info() const override { return info_; }
  Json Capabilities() const override { return Json::object(); }
  RpcAnswer ListTools() override { return Json::object(); }
  RpcAnswer CallTool(const std::string& name, const Json& params, McpExchange&) override {
    return Json{{"name", name}, {"params", params}};
  }
  RpcAnswer ListResources(const std::optional<std::string>& cursor) override {
    return Json{{"cursor", cursor.value_or("")}};
  }
  RpcAnswer ListResourceTemplates() override { return Json::object(); }
  RpcAnswer ReadResource(const std::string& uri, McpExchange&) override {
    return RpcFailure(RpcCode::kResourceNotFound, "no such resource", {{"uri", uri}});
  }
  RpcAnswer ListPrompts() override { return Json::object(); }
  RpcAnswer GetPrompt(const std::string& name, const Json& params, McpExchange&) override {
    return Json{{"name", name}, {"params", params}};
  }
  RpcAnswer Complete(const Json& params, McpExchange&) override { return Json{{"params", params}}; }

 private:
  McpServerInfo info_ = {"fuzz", "Fuzz", "1", "instructions"};
};

class SilentExchange final : public McpExchange {
 public:
  explicit SilentExchange(const McpContext& context) : context_(context) {}
  const McpContext& context() const override { return context_; }
  void Notify(std::string_view, Json) override {}
  bool cancelled() const override { return false; }

 private:
  const McpContext& context_;
};

void CheckResponse(const Json& id, const RpcAnswer& answer) {
  if (!answer) RECALL_CHECK(static_cast<int>(answer.error().code) < 0);
  if (!answer) RECALL_CHECK(!answer.error().message.empty());
  const std::string line = PrintJson(RpcResponse(id, answer));
  RECALL_CHECK(line.find('\n') == std::string::npos);
  const Json read = Json::parse(line, nullptr, false);
  RECALL_CHECK(read.is_object() && read["id"] == id);
  RECALL_CHECK(read.contains("result") != read.contains("error"));
}

void CheckLine(std::string_view line, const std::string& agreed) {
  EchoService service;
  const RpcMessages parsed = ParseRpcMessages(line);
  RECALL_CHECK(!parsed.messages.empty());
  RECALL_CHECK(parsed.batch || parsed.messages.size() == 1);
  for (const ParsedRpcMessage& message : parsed.messages) {
    if (!message) {
      CheckResponse(message.error().id, tl::unexpected(message.error().error));
      continue;
    }
    RECALL_CHECK((message->kind == RpcMessage::Kind::kNotification) == message->id.is_null());
    if (message->kind != RpcMessage::Kind::kRequest) continue;
    const auto context = ContextOf(*message, agreed);
    if (!context) {
      CheckResponse(message->id, tl::unexpected(context.error()));
      continue;
    }
    SilentExchange exchange(*context);
    const RpcAnswer answer = Dispatch(service, *message, exchange);
    CheckResponse(message->id, answer);
    const bool modern = context->era == McpEra::kModern;
    RECALL_CHECK(!answer || answer->contains("resultType") == modern);
    RECALL_CHECK(answer || !modern || answer.error().code != RpcCode::kResourceNotFound);
  }
}

void CheckCursor(std::string_view text) {
  if (const auto cursor = DecodeCursor(text)) RECALL_CHECK(EncodeCursor(*cursor) == text);
  // A cursor of any bytes is read as it was written.
  Cursor made;
  made.fingerprint = static_cast<uint32_t>(text.size());
  made.offset = text.size();
  std::string clean(text);
  std::erase(clean, '\0');
  made.snapshot = clean.substr(0, clean.size() / 2);
  made.targets = {clean, ""};
  RECALL_CHECK(DecodeCursor(EncodeCursor(made)) == made);
}

void CheckUri(std::string_view text) {
  if (const auto uri = ParseResourceUri(text)) {
    RECALL_CHECK(uri->path.find('\0') == std::string::npos);
    if (!uri->path.empty()) {
      RECALL_CHECK(ParseResourceUri(DocumentUri(uri->path)) ==
                   (ResourceUri{"doc", uri->path, "", ""}));
    }
  }
  std::string path(text);
  std::erase(path, '\0');
  if (path.empty()) return;
  RECALL_CHECK(ParseResourceUri(DocumentUri(path)) == (ResourceUri{"doc", path, "", ""}));
}

}  // namespace

void FuzzOne(ByteSpan input) {
  std::string_view text = AsText(input);
  CheckCursor(text);
  CheckUri(text);
  std::string agreed;
  if (!text.empty()) {
    const auto revisions = LegacyRevisions();
    const size_t choice = static_cast<uint8_t>(text.front()) % (revisions.size() + 1);
    if (choice < revisions.size()) agreed = revisions[choice];
    text.remove_prefix(1);
  }
  CheckLine(text, agreed);
}

}  // namespace recall
