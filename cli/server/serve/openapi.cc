#include "cli/server/serve/openapi.h"

#include <set>
#include <utility>

#include "cli/server/mcp/json_rpc.h"
#include "cli/server/serve/command_request.h"
#include "cli/server/serve/schema_texts.h"

namespace recall {
namespace {

constexpr std::string_view kSchemaSuffix = ".schema.json";

std::string RefTo(std::string_view schema) { return "#/components/schemas/" + std::string(schema); }

// The schemas that an answer needs, each with the references of files made those of one document:
// "common.schema.json#/$defs/doc" becomes "#/components/schemas/common/$defs/doc".
class SchemaCollection final {
 public:
  SchemaCollection() : all_(Json::parse(kSchemaTexts)) {}

  // Adds a schema, and those that it refers to. Returns: the reference to it.
  Json Add(const std::string& name) {
    if (added_.insert(name).second) {
      Json schema = all_.at(name);
      schema.erase("$id");
      schema.erase("$schema");
      MoveReferences(name, schema);
      schemas_[name] = std::move(schema);
    }
    return {{"$ref", RefTo(name)}};
  }
  Json Take() { return std::move(schemas_); }

 private:
  void MoveReferences(const std::string& name, Json& json) {
    if (!json.is_structured()) return;
    for (Json& part : json) MoveReferences(name, part);
    if (!json.is_object() || !json.contains("$ref")) return;
    const std::string ref = json["$ref"];
    const size_t hash = std::min(ref.find('#'), ref.size());
    std::string schema = ref.substr(0, hash);
    if (schema.ends_with(kSchemaSuffix)) schema.resize(schema.size() - kSchemaSuffix.size());
    if (schema.empty()) schema = name;
    Add(schema);
    json["$ref"] = RefTo(schema) + (hash < ref.size() ? ref.substr(hash + 1) : "");
    if (json.size() > 1) MoveIntoAllOf(json);
  }

  // Many programs ignore what stands beside a reference, although JSON Schema does not.
  static void MoveIntoAllOf(Json& json) {
    Json all = Json::array({{{"$ref", json["$ref"]}}});
    json.erase("$ref");
    if (json.contains("allOf")) all.insert(all.end(), json["allOf"].begin(), json["allOf"].end());
    json["allOf"] = std::move(all);
  }

  const Json all_;
  std::set<std::string> added_;
  Json schemas_ = Json::object();
};

Json TypeOf(const RequestMember& member) {
  const FlagSet::Entry& entry = *member.entry;
  if (member.is_switch) return {{"type", "boolean"}};
  if (member.name == "embedding") {
    return {{"type", "array"}, {"items", {{"type", "number"}}}};
  }
  Json one = {{"type", Json::array({"string", "number"})}};
  if (entry.value == "N") one = {{"type", Json::array({"integer", "string"})}};
  if (!entry.choices.empty()) one = {{"type", "string"}, {"enum", entry.choices}};
  if (!entry.repeatable) return one;
  Json many = {{"type", "array"}, {"items", one}};
  return {{"anyOf", Json::array({std::move(one), std::move(many)})}};
}

Json RequestSchema(const ServedCommand& command) {
  Json properties = Json::object();
  for (const RequestMember& member : MembersOf(command.entries)) {
    Json property = TypeOf(member);
    property["description"] = member.entry->help;
    properties[member.name] = std::move(property);
  }
  return {
      {"type", "object"}, {"properties", std::move(properties)}, {"additionalProperties", false}};
}

Json Content(const char* type, Json schema) { return {{type, {{"schema", std::move(schema)}}}}; }

Json Response(const char* description, const char* type, Json schema) {
  return {{"description", description}, {"content", Content(type, std::move(schema))}};
}

Json ErrorResponses(SchemaCollection& schemas) {
  return Response("An error.", "application/json", schemas.Add("error"));
}

Json StoreParameter() {
  return {{"name", "X-Recall-Store"},
          {"in", "header"},
          {"description", "The name of a store; the default is the first one."},
          {"schema", {{"type", "string"}}}};
}

Json CommandPath(const ServedCommand& command, SchemaCollection& schemas) {
  const std::string name(command.name);
  Json bodies = Content("application/json", RequestSchema(command));
  if (name == "add") {
    bodies["application/x-ndjson"] = {
        {"schema",
         {{"type", "string"}, {"description", "Documents, a JSON object a line, of any length."}}}};
  }
  Json operation = {{"operationId", name},
                    {"summary", command.summary},
                    {"parameters", Json::array({StoreParameter()})},
                    {"requestBody", {{"content", std::move(bodies)}}},
                    {"responses",
                     {{"200", Response("What the command prints with --json.", "application/json",
                                       schemas.Add(name))},
                      {"default", ErrorResponses(schemas)}}}};
  return {{"post", std::move(operation)}};
}

Json GetPath(const char* id, const char* summary, Json response, SchemaCollection& schemas) {
  return {{"get",
           {{"operationId", id},
            {"summary", summary},
            {"responses", {{"200", std::move(response)}, {"default", ErrorResponses(schemas)}}}}}};
}

Json StoresSchema() {
  const Json text = {{"type", "string"}};
  const Json store = {
      {"type", "object"},
      {"required", {"name", "views"}},
      {"properties", {{"name", text}, {"views", {{"type", "array"}, {"items", text}}}}}};
  return {{"type", "object"},
          {"required", {"ok", "schema_version", "allow_write", "stores"}},
          {"properties",
           {{"ok", {{"const", true}}},
            {"schema_version", {{"const", "2"}}},
            {"allow_write", {{"type", "boolean"}}},
            {"stores", {{"type", "array"}, {"items", store}}}}}};
}

}  // namespace

std::string OpenApiDocument(const std::vector<ServedCommand>& commands, std::string_view version) {
  SchemaCollection schemas;
  Json paths = Json::object();
  for (const ServedCommand& command : commands) {
    paths["/v1/" + std::string(command.name)] = CommandPath(command, schemas);
  }
  const Json text = {{"type", "string"}};
  paths["/v1/stores"] =
      GetPath("stores", "list the stores of this server",
              Response("The names of the stores.", "application/json", StoresSchema()), schemas);
  paths["/v1/events"] =
      GetPath("events", "a stream of commits, stages of searches and changes of watched files",
              Response("Server-sent events.", "text/event-stream", text), schemas);
  paths["/metrics"] = GetPath("metrics", "counters and times of this server",
                              Response("Text of Prometheus.", "text/plain", text), schemas);
  paths["/version"] = GetPath(
      "version", "the version of this server",
      Response("What `recall version --json` prints.", "application/json", schemas.Add("version")),
      schemas);
  paths["/livez"] = GetPath("livez", "whether the server runs",
                            Response("It does.", "text/plain", text), schemas);
  paths["/livez"]["get"]["security"] = Json::array();
  paths["/readyz"] = GetPath("readyz", "whether the store can be read",
                             Response("It can.", "text/plain", text), schemas);
  const Json document = {
      {"openapi", "3.1.0"},
      {"info",
       {{"title", "Recall"},
        {"version", version},
        {"summary", "Searches the documents of a local store."},
        {"license", {{"name", "Apache-2.0"}, {"identifier", "Apache-2.0"}}}}},
      {"servers", Json::array({{{"url", "/"}}})},
      {"security", Json::array({{{"token", Json::array()}}, Json::object()})},
      {"paths", std::move(paths)},
      {"components",
       {{"securitySchemes", {{"token", {{"type", "http"}, {"scheme", "bearer"}}}}},
        {"schemas", schemas.Take()}}}};
  return PrintJson(document) + "\n";
}

}  // namespace recall
