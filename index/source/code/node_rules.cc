// The syntax trees of tree-sitter have other types of nodes for each language. These tables say
// which of them are definitions, how their names are found, and which nodes belong to a definition:
// its decorators, its attributes, `template <...>`. Types that no table names are walked through,
// so a node of a later version of a grammar only lacks its definition.
//
// The types are those of src/node-types.json in the package of the grammar, of the version in
// cmake/grammars.lock.

#include "index/source/code/node_rules.h"

namespace recall {
namespace {

using Kind = SymbolKind;
using Role = NodeRole;

constexpr NodeRule kCRules[] = {{"function_definition", Role::kDeclarator, Kind::kFunction},
                                {"declaration", Role::kDeclaration, Kind::kVariable},
                                {"struct_specifier", Role::kBodied, Kind::kStruct},
                                {"union_specifier", Role::kBodied, Kind::kUnion},
                                {"enum_specifier", Role::kBodied, Kind::kEnum},
                                {"enumerator", Role::kNamed, Kind::kConstant},
                                {"type_definition", Role::kTypedef, Kind::kType},
                                {"preproc_function_def", Role::kNamed, Kind::kMacro},
                                {"preproc_def", Role::kMacro, Kind::kMacro}};

constexpr NodeRule kCppRules[] = {{"function_definition", Role::kDeclarator, Kind::kFunction},
                                  {"declaration", Role::kDeclaration, Kind::kVariable},
                                  {"field_declaration", Role::kDeclaration, Kind::kVariable},
                                  {"namespace_definition", Role::kBodied, Kind::kNamespace},
                                  {"class_specifier", Role::kBodied, Kind::kClass},
                                  {"struct_specifier", Role::kBodied, Kind::kStruct},
                                  {"union_specifier", Role::kBodied, Kind::kUnion},
                                  {"enum_specifier", Role::kBodied, Kind::kEnum},
                                  {"enumerator", Role::kNamed, Kind::kConstant},
                                  {"type_definition", Role::kTypedef, Kind::kType},
                                  {"alias_declaration", Role::kNamed, Kind::kType},
                                  {"concept_definition", Role::kNamed, Kind::kType},
                                  {"template_declaration", Role::kWrapper},
                                  {"lambda_expression", Role::kAnonymous},
                                  {"friend_declaration", Role::kHidden},
                                  {"template_parameter_list", Role::kHidden},
                                  {"preproc_function_def", Role::kNamed, Kind::kMacro},
                                  {"preproc_def", Role::kMacro, Kind::kMacro}};

constexpr NodeRule kPythonRules[] = {{"function_definition", Role::kNamed, Kind::kFunction},
                                     {"class_definition", Role::kNamed, Kind::kClass},
                                     {"decorated_definition", Role::kDecorated},
                                     {"expression_statement", Role::kAssignment, Kind::kConstant},
                                     {"type_alias_statement", Role::kFirstName, Kind::kType}};

constexpr NodeRule kJavaScriptRules[] = {
    {"function_declaration", Role::kNamed, Kind::kFunction},
    {"generator_function_declaration", Role::kNamed, Kind::kFunction},
    {"class_declaration", Role::kNamed, Kind::kClass},
    {"method_definition", Role::kNamed, Kind::kMethod},
    {"field_definition", Role::kValue, Kind::kMethod},
    {"pair", Role::kValue, Kind::kMethod},
    {"lexical_declaration", Role::kSingleWrapper},
    {"variable_declaration", Role::kSingleWrapper},
    {"variable_declarator", Role::kValue, Kind::kVariable},
    {"expression_statement", Role::kAssignment, Kind::kVariable},
    {"export_statement", Role::kWrapper},
    {"function_expression", Role::kModule},
    {"arrow_function", Role::kModule},
    {"generator_function", Role::kModule}};

constexpr NodeRule kTypeScriptRules[] = {
    {"function_declaration", Role::kNamed, Kind::kFunction},
    {"generator_function_declaration", Role::kNamed, Kind::kFunction},
    {"function_signature", Role::kNamed, Kind::kFunction},
    {"class_declaration", Role::kNamed, Kind::kClass},
    {"abstract_class_declaration", Role::kNamed, Kind::kClass},
    {"interface_declaration", Role::kNamed, Kind::kInterface},
    {"type_alias_declaration", Role::kNamed, Kind::kType},
    {"enum_declaration", Role::kNamed, Kind::kEnum},
    {"enum_assignment", Role::kNamed, Kind::kConstant},
    {"property_identifier", Role::kEnumItem, Kind::kConstant},
    {"internal_module", Role::kNamed, Kind::kNamespace},
    {"module", Role::kNamed, Kind::kNamespace},
    {"method_definition", Role::kNamed, Kind::kMethod},
    {"method_signature", Role::kNamed, Kind::kMethod},
    {"abstract_method_signature", Role::kNamed, Kind::kMethod},
    {"public_field_definition", Role::kValue, Kind::kMethod},
    {"pair", Role::kValue, Kind::kMethod},
    {"lexical_declaration", Role::kSingleWrapper},
    {"variable_declaration", Role::kSingleWrapper},
    {"variable_declarator", Role::kValue, Kind::kVariable},
    {"expression_statement", Role::kAssignment, Kind::kVariable},
    {"object_type", Role::kHidden},
    {"export_statement", Role::kWrapper},
    {"ambient_declaration", Role::kWrapper},
    {"function_expression", Role::kModule},
    {"arrow_function", Role::kModule},
    {"generator_function", Role::kModule}};

constexpr NodeRule kGoRules[] = {{"function_declaration", Role::kNamed, Kind::kFunction},
                                 {"method_declaration", Role::kReceiver, Kind::kMethod},
                                 {"method_elem", Role::kNamed, Kind::kMethod},
                                 {"method_spec", Role::kNamed, Kind::kMethod},
                                 {"type_declaration", Role::kSingleWrapper},
                                 {"type_spec", Role::kGoType, Kind::kType},
                                 {"type_alias", Role::kNamed, Kind::kType},
                                 {"const_declaration", Role::kSingleWrapper},
                                 {"const_spec", Role::kNamed, Kind::kConstant},
                                 {"var_declaration", Role::kSingleWrapper},
                                 {"var_spec", Role::kNamed, Kind::kVariable},
                                 {"func_literal", Role::kAnonymous}};

constexpr NodeRule kRustRules[] = {{"function_item", Role::kNamed, Kind::kFunction},
                                   {"function_signature_item", Role::kNamed, Kind::kFunction},
                                   {"struct_item", Role::kNamed, Kind::kStruct},
                                   {"union_item", Role::kNamed, Kind::kUnion},
                                   {"enum_item", Role::kNamed, Kind::kEnum},
                                   {"enum_variant", Role::kNamed, Kind::kConstant},
                                   {"trait_item", Role::kNamed, Kind::kTrait},
                                   {"impl_item", Role::kImplementation, Kind::kClass},
                                   {"mod_item", Role::kBodied, Kind::kNamespace},
                                   {"type_item", Role::kNamed, Kind::kType},
                                   {"associated_type", Role::kNamed, Kind::kType},
                                   {"const_item", Role::kNamed, Kind::kConstant},
                                   {"static_item", Role::kNamed, Kind::kVariable},
                                   {"macro_definition", Role::kNamed, Kind::kMacro},
                                   {"attribute_item", Role::kAttribute},
                                   {"closure_expression", Role::kAnonymous},
                                   {"block", Role::kAnonymous}};

constexpr NodeRule kJavaRules[] = {
    {"class_declaration", Role::kNamed, Kind::kClass},
    {"record_declaration", Role::kNamed, Kind::kClass},
    {"interface_declaration", Role::kNamed, Kind::kInterface},
    {"annotation_type_declaration", Role::kNamed, Kind::kInterface},
    {"enum_declaration", Role::kNamed, Kind::kEnum},
    {"enum_constant", Role::kNamed, Kind::kConstant},
    {"method_declaration", Role::kNamed, Kind::kMethod},
    {"constructor_declaration", Role::kNamed, Kind::kMethod},
    {"compact_constructor_declaration", Role::kNamed, Kind::kMethod},
    {"annotation_type_element_declaration", Role::kNamed, Kind::kMethod},
    {"field_declaration", Role::kFinalField, Kind::kConstant},
    {"constant_declaration", Role::kFinalField, Kind::kConstant},
    {"module_declaration", Role::kNamed, Kind::kNamespace},
    {"object_creation_expression", Role::kAnonymous},
    {"lambda_expression", Role::kAnonymous},
    {"static_initializer", Role::kAnonymous}};

constexpr NodeRule kCSharpRules[] = {
    {"namespace_declaration", Role::kNamed, Kind::kNamespace},
    {"class_declaration", Role::kNamed, Kind::kClass},
    {"record_declaration", Role::kNamed, Kind::kClass},
    {"struct_declaration", Role::kNamed, Kind::kStruct},
    {"interface_declaration", Role::kNamed, Kind::kInterface},
    {"enum_declaration", Role::kNamed, Kind::kEnum},
    {"enum_member_declaration", Role::kNamed, Kind::kConstant},
    {"delegate_declaration", Role::kNamed, Kind::kType},
    {"method_declaration", Role::kNamed, Kind::kMethod},
    {"constructor_declaration", Role::kNamed, Kind::kMethod},
    {"destructor_declaration", Role::kOperator, Kind::kMethod},
    {"operator_declaration", Role::kOperator, Kind::kMethod},
    {"conversion_operator_declaration", Role::kOperator, Kind::kMethod},
    {"indexer_declaration", Role::kOperator, Kind::kMethod},
    {"property_declaration", Role::kNamed, Kind::kVariable},
    {"event_declaration", Role::kNamed, Kind::kVariable},
    {"field_declaration", Role::kFinalField, Kind::kConstant},
    {"local_function_statement", Role::kNamed, Kind::kFunction},
    {"lambda_expression", Role::kAnonymous},
    {"anonymous_method_expression", Role::kAnonymous}};

constexpr NodeRule kRubyRules[] = {{"module", Role::kNamed, Kind::kNamespace},
                                   {"class", Role::kNamed, Kind::kClass},
                                   {"method", Role::kNamed, Kind::kFunction},
                                   {"singleton_method", Role::kNamed, Kind::kMethod},
                                   {"assignment", Role::kAssignment, Kind::kConstant},
                                   {"lambda", Role::kAnonymous}};

constexpr NodeRule kPhpRules[] = {{"namespace_definition", Role::kBodied, Kind::kNamespace},
                                  {"class_declaration", Role::kNamed, Kind::kClass},
                                  {"interface_declaration", Role::kNamed, Kind::kInterface},
                                  {"trait_declaration", Role::kNamed, Kind::kTrait},
                                  {"enum_declaration", Role::kNamed, Kind::kEnum},
                                  {"enum_case", Role::kNamed, Kind::kConstant},
                                  {"function_definition", Role::kNamed, Kind::kFunction},
                                  {"method_declaration", Role::kNamed, Kind::kMethod},
                                  {"const_declaration", Role::kSingleWrapper},
                                  {"const_element", Role::kFirstName, Kind::kConstant},
                                  {"anonymous_function", Role::kAnonymous},
                                  {"anonymous_function_creation_expression", Role::kAnonymous},
                                  {"arrow_function", Role::kAnonymous},
                                  {"object_creation_expression", Role::kAnonymous}};

constexpr NodeRule kBashRules[] = {{"function_definition", Role::kNamed, Kind::kFunction}};

constexpr NodeRule kElixirRules[] = {{"call", Role::kOwn, Kind::kFunction},
                                     {"unary_operator", Role::kDirective, Kind::kConstant},
                                     {"anonymous_function", Role::kAnonymous}};

constexpr NodeRule kHaskellRules[] = {{"signature", Role::kOwn, Kind::kFunction},
                                      {"function", Role::kOwn, Kind::kFunction},
                                      {"bind", Role::kOwn, Kind::kFunction},
                                      {"foreign_import", Role::kWrapper},
                                      {"data_type", Role::kNamed, Kind::kType},
                                      {"newtype", Role::kNamed, Kind::kType},
                                      {"type_synomym", Role::kNamed, Kind::kType},
                                      {"type_family", Role::kNamed, Kind::kType},
                                      {"data_family", Role::kNamed, Kind::kType},
                                      {"data_constructor", Role::kOwn, Kind::kConstant},
                                      {"newtype_constructor", Role::kNamed, Kind::kConstant},
                                      {"gadt_constructor", Role::kNamed, Kind::kConstant},
                                      {"field", Role::kNamed, Kind::kVariable},
                                      {"class", Role::kNamed, Kind::kClass},
                                      {"instance", Role::kOwn, Kind::kClass},
                                      {"header", Role::kHidden},
                                      {"imports", Role::kList},
                                      {"class_declarations", Role::kList},
                                      {"instance_declarations", Role::kList},
                                      {"data_constructors", Role::kList},
                                      {"gadt_constructors", Role::kList},
                                      {"alternatives", Role::kList},
                                      {"local_binds", Role::kList},
                                      {"do", Role::kList}};

constexpr NodeRule kKotlinRules[] = {{"class_declaration", Role::kOwn, Kind::kClass},
                                     {"object_declaration", Role::kOwn, Kind::kClass},
                                     {"function_declaration", Role::kOwn, Kind::kFunction},
                                     {"secondary_constructor", Role::kOwn, Kind::kMethod},
                                     {"property_declaration", Role::kOwn, Kind::kVariable},
                                     {"enum_entry", Role::kOwn, Kind::kConstant},
                                     {"type_alias", Role::kOwn, Kind::kType},
                                     {"anonymous_initializer", Role::kAnonymous},
                                     {"object_literal", Role::kAnonymous},
                                     {"anonymous_function", Role::kAnonymous},
                                     {"lambda_literal", Role::kAnonymous}};

constexpr NodeRule kLuaRules[] = {{"function_declaration", Role::kOwn, Kind::kFunction},
                                  {"assignment_statement", Role::kOwn, Kind::kFunction},
                                  {"field", Role::kOwn, Kind::kMethod},
                                  {"variable_declaration", Role::kWrapper},
                                  {"function_definition", Role::kModule},
                                  {"chunk", Role::kList},
                                  {"block", Role::kList}};

constexpr NodeRule kScalaRules[] = {{"package_clause", Role::kBodied, Kind::kNamespace},
                                    {"package_object", Role::kNamed, Kind::kNamespace},
                                    {"class_definition", Role::kNamed, Kind::kClass},
                                    {"object_definition", Role::kNamed, Kind::kClass},
                                    {"trait_definition", Role::kNamed, Kind::kTrait},
                                    {"enum_definition", Role::kNamed, Kind::kEnum},
                                    {"enum_case_definitions", Role::kItemWrapper},
                                    {"simple_enum_case", Role::kNamed, Kind::kConstant},
                                    {"full_enum_case", Role::kNamed, Kind::kConstant},
                                    {"function_definition", Role::kNamed, Kind::kFunction},
                                    {"function_declaration", Role::kNamed, Kind::kFunction},
                                    {"type_definition", Role::kNamed, Kind::kType},
                                    {"val_definition", Role::kOwn, Kind::kConstant},
                                    {"given_definition", Role::kOwn, Kind::kClass},
                                    {"extension_definition", Role::kOwn, Kind::kClass},
                                    {"instance_expression", Role::kAnonymous},
                                    {"lambda_expression", Role::kAnonymous},
                                    {"block", Role::kAnonymous},
                                    {"indented_block", Role::kAnonymous}};

constexpr NodeRule kSwiftRules[] = {{"class_declaration", Role::kOwn, Kind::kClass},
                                    {"protocol_declaration", Role::kNamed, Kind::kInterface},
                                    {"function_declaration", Role::kNamed, Kind::kFunction},
                                    {"protocol_function_declaration", Role::kNamed, Kind::kMethod},
                                    {"init_declaration", Role::kOwn, Kind::kMethod},
                                    {"deinit_declaration", Role::kOwn, Kind::kMethod},
                                    {"subscript_declaration", Role::kOwn, Kind::kMethod},
                                    {"property_declaration", Role::kOwn, Kind::kVariable},
                                    {"protocol_property_declaration", Role::kOwn, Kind::kVariable},
                                    {"enum_entry", Role::kItemWrapper},
                                    {"simple_identifier", Role::kEnumItem, Kind::kConstant},
                                    {"typealias_declaration", Role::kNamed, Kind::kType},
                                    {"associatedtype_declaration", Role::kNamed, Kind::kType},
                                    {"lambda_literal", Role::kAnonymous}};

constexpr NodeRule kZigRules[] = {{"function_declaration", Role::kOwn, Kind::kFunction},
                                  {"variable_declaration", Role::kOwn, Kind::kConstant},
                                  {"container_field", Role::kOwn, Kind::kConstant},
                                  {"identifier", Role::kEnumItem, Kind::kConstant},
                                  {"test_declaration", Role::kOwn, Kind::kFunction},
                                  {"comptime_declaration", Role::kHidden}};

struct LanguageRules {
  std::string_view language;
  std::span<const NodeRule> rules;
};
constexpr LanguageRules kLanguageRules[] = {{"c", kCRules},
                                            {"cpp", kCppRules},
                                            {"python", kPythonRules},
                                            {"javascript", kJavaScriptRules},
                                            {"typescript", kTypeScriptRules},
                                            {"tsx", kTypeScriptRules},
                                            {"go", kGoRules},
                                            {"rust", kRustRules},
                                            {"java", kJavaRules},
                                            {"c-sharp", kCSharpRules},
                                            {"ruby", kRubyRules},
                                            {"php", kPhpRules},
                                            {"bash", kBashRules},
                                            {"elixir", kElixirRules},
                                            {"haskell", kHaskellRules},
                                            {"kotlin", kKotlinRules},
                                            {"lua", kLuaRules},
                                            {"scala", kScalaRules},
                                            {"swift", kSwiftRules},
                                            {"zig", kZigRules}};

bool Contains(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

}  // namespace

std::span<const NodeRule> NodeRulesOf(std::string_view language) {
  for (const LanguageRules& known : kLanguageRules) {
    if (known.language == language) return known.rules;
  }
  return {};
}

bool IsCommentNode(std::string_view type) {
  return type == "comment" || type.ends_with("_comment") || type == "haddock" || type == "pragma";
}

bool IsTextNode(std::string_view type) {
  return Contains(type, "string") || Contains(type, "heredoc") || type == "text" ||
         type == "token_tree" || type == "preproc_arg";
}

bool IsContinuationNode(std::string_view type) {
  return type.ends_with("_list") || type.ends_with("block") || type.ends_with("body") ||
         type.ends_with("_clause") || type == "compound_statement" || type == "decorator" ||
         type == "attribute_list" || type.find("modifier") != type.npos ||
         type == "formal_parameters" || type == "arguments" || type == "parameters" ||
         type == "type_parameters" || type == "superclass" || type == "method_parameters" ||
         type == "annotation" || type == "marker_annotation";
}

}  // namespace recall
