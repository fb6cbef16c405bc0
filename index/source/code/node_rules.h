#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "index/source/chunk/code_outline.h"

namespace recall {

// The role of a node of a syntax tree in an outline. The roles up to kOwn are definitions.
enum class NodeRole : uint8_t {
  kNone,            // walked through
  kNamed,           // a definition whose name is its field "name"
  kBodied,          // the same, if it has a field "body": `struct point p;` defines no struct
  kDeclarator,      // a function of C or C++, named at the end of its declarators
  kDeclaration,     // a declaration of C or C++: of a member function, a constant, a variable
  kTypedef,         // of C and C++
  kMacro,           // an object-like macro: a definition if it has several lines
  kReceiver,        // a method of Go, named with the type of its receiver
  kGoType,          // type_spec: a struct, an interface or another type
  kValue,           // NAME = VALUE of JavaScript: what it defines depends on the value
  kAssignment,      // a statement that assigns, in Python, JavaScript and Ruby
  kFinalField,      // of Java and C#: a constant, if its modifiers say so
  kOperator,        // of C#
  kFirstName,       // named by the first named child
  kEnumItem,        // a name that stands alone in an enum
  kImplementation,  // `impl` of Rust, named by its type
  kOwn,             // what it defines is read by a function of the language
  kWrapper,         // `template <...>`, `export`: a definition in it begins here
  kSingleWrapper,   // the same, if it has one named child: `const (...)` of Go
  kItemWrapper,     // the same, if one of its named children has a rule: `case one` of Swift
  kDecorated,       // a wrapper whose definition begins later: decorators
  kAnonymous,       // a function without a name: definitions in it are left out
  kModule,          // an anonymous function of JavaScript, which may be the whole of a module
  kHidden,          // definitions in it are left out, and lines in it are no places to cut
  kAttribute,       // belongs to the next definition, as a comment does
  kDirective,       // `@name value` of Elixir: an attribute, or as kOwn
  kList,            // its children are members, also those with a field
};

struct NodeRule {
  std::string_view type;  // of the node
  NodeRole role = NodeRole::kNone;
  SymbolKind kind = SymbolKind::kFunction;  // of a definition
};

// The rules of a language ("python"); none for a language that is not known.
std::span<const NodeRule> NodeRulesOf(std::string_view language);

// Whether nodes of this type are comments; whether they are texts, in which nothing is cut or
// defined; whether they continue what is before them (bodies, lists of parameters), so that they
// are no good place to cut.
bool IsCommentNode(std::string_view type);
bool IsTextNode(std::string_view type);
bool IsContinuationNode(std::string_view type);

}  // namespace recall
