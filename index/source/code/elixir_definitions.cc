// In the grammar of Elixir everything is a call or an operator:
//
//    defmodule Db.Store do ... end         a module
//    defimpl Db.Shape, for: Db.Store do    adds members to Db.Store
//    def commit(store) when x do ... end   a function; each clause is a call of its own
//    @type t :: integer                    a type
//    @callback flush(t) :: :ok             a function that others define
//    @limit 3                              a constant
//    @doc "..." @spec ...                  belong to what is below them

#include <algorithm>

#include "index/source/code/language_definitions.h"

namespace recall {
namespace {

bool IsAmong(std::span<const std::string_view> words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

constexpr std::string_view kFunctionWords[] = {"def", "defp", "defdelegate", "defn", "defnp"};
constexpr std::string_view kMacroWords[] = {"defmacro", "defmacrop", "defguard", "defguardp"};
constexpr std::string_view kTypeAttributes[] = {"type", "typep", "opaque"};
constexpr std::string_view kCallbackAttributes[] = {"callback", "macrocallback"};
// Of the definition below.
constexpr std::string_view kDescribingAttributes[] = {
    "doc", "spec", "impl", "typedoc", "deprecated", "since", "tag", "describetag", "decorate"};
// Of the module.
constexpr std::string_view kModuleAttributes[] = {
    "moduledoc",          "behaviour",    "before_compile",
    "after_compile",      "after_verify", "on_load",
    "on_definition",      "compile",      "dialyzer",
    "external_resource",  "derive",       "enforce_keys",
    "optional_callbacks", "vsn",          "moduletag",
    "fallback_to_any",    "nifs",         "shortdoc",
    "requirements"};

// The first argument of a call.
TSNode FirstArgument(const NodeAccess& nodes, TSNode call) {
  return nodes.NamedChild(nodes.ChildOfType(call, "arguments"), 0);
}

// "commit" of `commit(store)`, `commit(store) when ...`, `commit`; "+" of `a + b`.
std::string_view HeadName(const NodeAccess& nodes, TSNode head) {
  if (nodes.Type(head) == "binary_operator" &&
      nodes.Text(nodes.Field(head, "operator")) == "when") {
    head = nodes.Field(head, "left");
  }
  const std::string_view type = nodes.Type(head);
  if (type == "call") head = nodes.Field(head, "target");
  if (type == "binary_operator") return nodes.Text(nodes.Field(head, "operator"));
  return nodes.Type(head) == "identifier" ? nodes.Text(head) : std::string_view();
}

// The name of the type for which a protocol is implemented, else that of the protocol.
std::string_view ImplementationName(const NodeAccess& nodes, TSNode call) {
  const TSNode arguments = nodes.ChildOfType(call, "arguments");
  const TSNode keywords = nodes.ChildOfType(arguments, "keywords");
  const TSNode pair = nodes.NamedChild(keywords, 0);
  const TSNode value = nodes.Field(pair, "value");
  if (nodes.Text(nodes.Field(pair, "key")).starts_with("for:") && nodes.Type(value) == "alias") {
    return nodes.Text(value);
  }
  return nodes.Text(nodes.NamedChild(arguments, 0));
}

std::optional<NodeDefinition> CallDefinition(const NodeAccess& nodes, TSNode call,
                                             std::optional<SymbolKind> enclosing) {
  const TSNode target = nodes.Field(call, "target");
  const std::string_view word = nodes.Text(target);
  if (!word.starts_with("def") || nodes.Type(target) != "identifier") return std::nullopt;
  if (IsAmong(kFunctionWords, word) || IsAmong(kMacroWords, word)) {
    const std::string_view name = HeadName(nodes, FirstArgument(nodes, call));
    if (name.empty()) return std::nullopt;
    const SymbolKind kind = IsAmong(kMacroWords, word) ? SymbolKind::kMacro
                            : HoldsMembers(enclosing)  ? SymbolKind::kMethod
                                                       : SymbolKind::kFunction;
    return NodeDefinition{kind, std::string(name), true, true};
  }
  if (word == "defimpl") {
    return NodeDefinition{.kind = SymbolKind::kClass,
                          .name = std::string(ImplementationName(nodes, call)),
                          .extends = true};
  }
  if (word != "defmodule" && word != "defprotocol") return std::nullopt;
  const TSNode name = FirstArgument(nodes, call);
  if (nodes.Type(name) != "alias") return std::nullopt;
  const SymbolKind kind = word == "defmodule" ? SymbolKind::kNamespace : SymbolKind::kInterface;
  return NodeDefinition{kind, std::string(nodes.Text(name)), false};
}

std::optional<NodeDefinition> AttributeDefinition(const NodeAccess& nodes, TSNode operation) {
  const TSNode call = nodes.Field(operation, "operand");
  if (!nodes.Text(operation).starts_with('@') || nodes.Type(call) != "call") return std::nullopt;
  const std::string_view attribute = nodes.Text(nodes.Field(call, "target"));
  const bool is_type = IsAmong(kTypeAttributes, attribute);
  if (!is_type && !IsAmong(kCallbackAttributes, attribute)) {
    if (IsAmong(kModuleAttributes, attribute)) return std::nullopt;
    return NodeDefinition{SymbolKind::kConstant, std::string(attribute), true};
  }
  // name :: type
  const TSNode head = nodes.Field(FirstArgument(nodes, call), "left");
  const std::string_view name = HeadName(nodes, head);
  if (name.empty()) return std::nullopt;
  return NodeDefinition{is_type ? SymbolKind::kType : SymbolKind::kFunction, std::string(name),
                        true};
}

}  // namespace

bool DescribesNextOfElixir(const NodeAccess& nodes, TSNode node) {
  const TSNode call = nodes.Field(node, "operand");
  return nodes.Text(node).starts_with('@') && nodes.Type(call) == "call" &&
         IsAmong(kDescribingAttributes, nodes.Text(nodes.Field(call, "target")));
}

std::optional<NodeDefinition> ElixirDefinition(const NodeAccess& nodes, const NodeRule&,
                                               TSNode node, std::optional<SymbolKind> enclosing) {
  return nodes.Type(node) == "call" ? CallDefinition(nodes, node, enclosing)
                                    : AttributeDefinition(nodes, node);
}

}  // namespace recall
