#pragma once

#include <tree_sitter/api.h>

namespace recall {

// The functions of libtree-sitter that are used. It is loaded when the first source file is parsed,
// so that other commands start without it.
struct TreeSitterLibrary {
  decltype(&ts_parser_new) parser_new;
  decltype(&ts_parser_delete) parser_delete;
  decltype(&ts_parser_set_language) parser_set_language;
  decltype(&ts_parser_set_timeout_micros) parser_set_timeout_micros;
  decltype(&ts_parser_parse_string) parser_parse_string;
  decltype(&ts_tree_delete) tree_delete;
  decltype(&ts_tree_root_node) tree_root_node;
  decltype(&ts_tree_cursor_new) tree_cursor_new;
  decltype(&ts_tree_cursor_delete) tree_cursor_delete;
  decltype(&ts_tree_cursor_current_node) tree_cursor_current_node;
  decltype(&ts_tree_cursor_current_field_id) tree_cursor_current_field_id;
  decltype(&ts_tree_cursor_goto_first_child) tree_cursor_goto_first_child;
  decltype(&ts_tree_cursor_goto_next_sibling) tree_cursor_goto_next_sibling;
  decltype(&ts_tree_cursor_goto_parent) tree_cursor_goto_parent;
  decltype(&ts_node_symbol) node_symbol;
  decltype(&ts_node_start_byte) node_start_byte;
  decltype(&ts_node_end_byte) node_end_byte;
  decltype(&ts_node_is_null) node_is_null;
  decltype(&ts_node_is_named) node_is_named;
  decltype(&ts_node_is_missing) node_is_missing;
  decltype(&ts_node_child) node_child;
  decltype(&ts_node_child_count) node_child_count;
  decltype(&ts_node_named_child) node_named_child;
  decltype(&ts_node_named_child_count) node_named_child_count;
  decltype(&ts_node_child_by_field_name) node_child_by_field_name;
  decltype(&ts_language_version) language_version;
  decltype(&ts_language_symbol_count) language_symbol_count;
  decltype(&ts_language_symbol_name) language_symbol_name;
  decltype(&ts_language_symbol_type) language_symbol_type;

  // Returns: the library, which is never unloaded; null if it is not installed. Thread-safe.
  static const TreeSitterLibrary* Get();
};

}  // namespace recall
