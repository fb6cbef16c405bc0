#include "index/source/code/tree_sitter_library.h"

#include "storage/base/dynamic_library.h"

namespace recall {
namespace {

const TreeSitterLibrary* LoadTreeSitterLibrary() {
  void* const library = OpenLibrary("libtree-sitter.so.0");
  if (library == nullptr) return nullptr;
  static TreeSitterLibrary ts;
  const auto load = [library](const char* name, auto* symbol) {
    return LoadSymbol(library, name, symbol);
  };
  const bool all =
      load("ts_parser_new", &ts.parser_new) && load("ts_parser_delete", &ts.parser_delete) &&
      load("ts_parser_set_language", &ts.parser_set_language) &&
      load("ts_parser_set_timeout_micros", &ts.parser_set_timeout_micros) &&
      load("ts_parser_parse_string", &ts.parser_parse_string) &&
      load("ts_tree_delete", &ts.tree_delete) && load("ts_tree_root_node", &ts.tree_root_node) &&
      load("ts_tree_cursor_new", &ts.tree_cursor_new) &&
      load("ts_tree_cursor_delete", &ts.tree_cursor_delete) &&
      load("ts_tree_cursor_current_node", &ts.tree_cursor_current_node) &&
      load("ts_tree_cursor_current_field_id", &ts.tree_cursor_current_field_id) &&
      load("ts_tree_cursor_goto_first_child", &ts.tree_cursor_goto_first_child) &&
      load("ts_tree_cursor_goto_next_sibling", &ts.tree_cursor_goto_next_sibling) &&
      load("ts_tree_cursor_goto_parent", &ts.tree_cursor_goto_parent) &&
      load("ts_node_symbol", &ts.node_symbol) && load("ts_node_start_byte", &ts.node_start_byte) &&
      load("ts_node_end_byte", &ts.node_end_byte) && load("ts_node_is_null", &ts.node_is_null) &&
      load("ts_node_is_named", &ts.node_is_named) &&
      load("ts_node_is_missing", &ts.node_is_missing) && load("ts_node_child", &ts.node_child) &&
      load("ts_node_child_count", &ts.node_child_count) &&
      load("ts_node_named_child", &ts.node_named_child) &&
      load("ts_node_named_child_count", &ts.node_named_child_count) &&
      load("ts_node_child_by_field_name", &ts.node_child_by_field_name) &&
      load("ts_language_version", &ts.language_version) &&
      load("ts_language_symbol_count", &ts.language_symbol_count) &&
      load("ts_language_symbol_name", &ts.language_symbol_name) &&
      load("ts_language_symbol_type", &ts.language_symbol_type);
  return all ? &ts : nullptr;
}

}  // namespace

const TreeSitterLibrary* TreeSitterLibrary::Get() {
  static const TreeSitterLibrary* const ts = LoadTreeSitterLibrary();
  return ts;
}

}  // namespace recall
