#pragma once

// The functions of SQLite that Recall calls, and the member of sqlite3_api_routines that has each.
// A function that is missing here does not link (--no-undefined); one that the SQLite of the host
// lacks is found when the extension is loaded.
//
// F(type, function, member, (parameters), (arguments))

// clang-format off
#define RECALL_HOST_FUNCTIONS(F) \
  F(int, sqlite3_backup_finish, backup_finish, (sqlite3_backup* b), (b)) \
  F(sqlite3_backup*, sqlite3_backup_init, backup_init, \
    (sqlite3* to, const char* to_name, sqlite3* from, const char* from_name), \
    (to, to_name, from, from_name)) \
  F(int, sqlite3_backup_pagecount, backup_pagecount, (sqlite3_backup* b), (b)) \
  F(int, sqlite3_backup_remaining, backup_remaining, (sqlite3_backup* b), (b)) \
  F(int, sqlite3_backup_step, backup_step, (sqlite3_backup* b, int pages), (b, pages)) \
  F(int, sqlite3_bind_blob64, bind_blob64, \
    (sqlite3_stmt* s, int i, const void* data, sqlite3_uint64 size, void (*free)(void*)), \
    (s, i, data, size, free)) \
  F(int, sqlite3_bind_double, bind_double, (sqlite3_stmt* s, int i, double v), (s, i, v)) \
  F(int, sqlite3_bind_int64, bind_int64, (sqlite3_stmt* s, int i, sqlite3_int64 v), (s, i, v)) \
  F(int, sqlite3_bind_null, bind_null, (sqlite3_stmt* s, int i), (s, i)) \
  F(int, sqlite3_bind_pointer, bind_pointer, \
    (sqlite3_stmt* s, int i, void* v, const char* type, void (*free)(void*)), \
    (s, i, v, type, free)) \
  F(int, sqlite3_bind_text64, bind_text64, \
    (sqlite3_stmt* s, int i, const char* text, sqlite3_uint64 size, void (*free)(void*), \
     unsigned char encoding), \
    (s, i, text, size, free, encoding)) \
  F(int, sqlite3_bind_value, bind_value, (sqlite3_stmt* s, int i, const sqlite3_value* v), \
    (s, i, v)) \
  F(int, sqlite3_blob_bytes, blob_bytes, (sqlite3_blob* b), (b)) \
  F(int, sqlite3_blob_close, blob_close, (sqlite3_blob* b), (b)) \
  F(int, sqlite3_blob_open, blob_open, \
    (sqlite3* c, const char* schema, const char* table, const char* column, sqlite3_int64 row, \
     int flags, sqlite3_blob** b), \
    (c, schema, table, column, row, flags, b)) \
  F(int, sqlite3_blob_read, blob_read, (sqlite3_blob* b, void* to, int size, int at), \
    (b, to, size, at)) \
  F(int, sqlite3_blob_reopen, blob_reopen, (sqlite3_blob* b, sqlite3_int64 row), (b, row)) \
  F(int, sqlite3_blob_write, blob_write, (sqlite3_blob* b, const void* from, int size, int at), \
    (b, from, size, at)) \
  F(int, sqlite3_busy_handler, busy_handler, (sqlite3* c, int (*f)(void*, int), void* data), \
    (c, f, data)) \
  F(int, sqlite3_clear_bindings, clear_bindings, (sqlite3_stmt* s), (s)) \
  F(int, sqlite3_close, close, (sqlite3* c), (c)) \
  F(const void*, sqlite3_column_blob, column_blob, (sqlite3_stmt* s, int i), (s, i)) \
  F(int, sqlite3_column_bytes, column_bytes, (sqlite3_stmt* s, int i), (s, i)) \
  F(double, sqlite3_column_double, column_double, (sqlite3_stmt* s, int i), (s, i)) \
  F(int, sqlite3_column_int, column_int, (sqlite3_stmt* s, int i), (s, i)) \
  F(sqlite3_int64, sqlite3_column_int64, column_int64, (sqlite3_stmt* s, int i), (s, i)) \
  F(const unsigned char*, sqlite3_column_text, column_text, (sqlite3_stmt* s, int i), (s, i)) \
  F(int, sqlite3_column_type, column_type, (sqlite3_stmt* s, int i), (s, i)) \
  F(sqlite3*, sqlite3_context_db_handle, context_db_handle, (sqlite3_context* c), (c)) \
  F(sqlite3_value*, sqlite3_column_value, column_value, (sqlite3_stmt* s, int i), (s, i)) \
  F(int, sqlite3_create_function_v2, create_function_v2, \
    (sqlite3* c, const char* name, int arguments, int flags, void* data, \
     void (*call)(sqlite3_context*, int, sqlite3_value**), \
     void (*step)(sqlite3_context*, int, sqlite3_value**), void (*final)(sqlite3_context*), \
     void (*free)(void*)), \
    (c, name, arguments, flags, data, call, step, final, free)) \
  F(int, sqlite3_create_module_v2, create_module_v2, \
    (sqlite3* c, const char* name, const sqlite3_module* module, void* data, \
     void (*free)(void*)), \
    (c, name, module, data, free)) \
  F(const char*, sqlite3_db_filename, db_filename, (sqlite3* c, const char* schema), (c, schema)) \
  F(sqlite3*, sqlite3_db_handle, db_handle, (sqlite3_stmt* s), (s)) \
  F(int, sqlite3_db_readonly, db_readonly, (sqlite3* c, const char* schema), (c, schema)) \
  F(int, sqlite3_declare_vtab, declare_vtab, (sqlite3* c, const char* sql), (c, sql)) \
  F(int, sqlite3_drop_modules, drop_modules, (sqlite3* c, const char** keep), (c, keep)) \
  F(int, sqlite3_errcode, errcode, (sqlite3* c), (c)) \
  F(const char*, sqlite3_errmsg, errmsg, (sqlite3* c), (c)) \
  F(const char*, sqlite3_errstr, errstr, (int code), (code)) \
  F(int, sqlite3_exec, exec, \
    (sqlite3* c, const char* sql, int (*row)(void*, int, char**, char**), void* data, \
     char** error), \
    (c, sql, row, data, error)) \
  F(int, sqlite3_extended_errcode, extended_errcode, (sqlite3* c), (c)) \
  F(int, sqlite3_extended_result_codes, extended_result_codes, (sqlite3* c, int on), (c, on)) \
  F(int, sqlite3_file_control, file_control, \
    (sqlite3* c, const char* schema, int op, void* argument), (c, schema, op, argument)) \
  F(const char*, sqlite3_filename_journal, filename_journal, (const char* name), (name)) \
  F(const char*, sqlite3_filename_wal, filename_wal, (const char* name), (name)) \
  F(int, sqlite3_finalize, finalize, (sqlite3_stmt* s), (s)) \
  F(void, sqlite3_free, free, (void* memory), (memory)) \
  F(int, sqlite3_get_autocommit, get_autocommit, (sqlite3* c), (c)) \
  F(void, sqlite3_interrupt, interruptx, (sqlite3* c), (c)) \
  F(sqlite3_int64, sqlite3_last_insert_rowid, last_insert_rowid, (sqlite3* c), (c)) \
  F(int, sqlite3_libversion_number, libversion_number, (), ()) \
  F(void*, sqlite3_malloc64, malloc64, (sqlite3_uint64 size), (size)) \
  F(int, sqlite3_open_v2, open_v2, \
    (const char* name, sqlite3** c, int flags, const char* vfs), (name, c, flags, vfs)) \
  F(int, sqlite3_prepare_v2, prepare_v2, \
    (sqlite3* c, const char* sql, int size, sqlite3_stmt** s, const char** rest), \
    (c, sql, size, s, rest)) \
  F(int, sqlite3_prepare_v3, prepare_v3, \
    (sqlite3* c, const char* sql, int size, unsigned int flags, sqlite3_stmt** s, \
     const char** rest), \
    (c, sql, size, flags, s, rest)) \
  F(int, sqlite3_reset, reset, (sqlite3_stmt* s), (s)) \
  F(void, sqlite3_result_double, result_double, (sqlite3_context* c, double v), (c, v)) \
  F(void, sqlite3_result_error, result_error, \
    (sqlite3_context* c, const char* message, int size), (c, message, size)) \
  F(void, sqlite3_result_error_code, result_error_code, (sqlite3_context* c, int code), (c, code)) \
  F(void, sqlite3_result_error_nomem, result_error_nomem, (sqlite3_context* c), (c)) \
  F(void, sqlite3_result_int, result_int, (sqlite3_context* c, int v), (c, v)) \
  F(void, sqlite3_result_int64, result_int64, (sqlite3_context* c, sqlite3_int64 v), (c, v)) \
  F(void, sqlite3_result_null, result_null, (sqlite3_context* c), (c)) \
  F(void, sqlite3_result_text64, result_text64, \
    (sqlite3_context* c, const char* text, sqlite3_uint64 size, void (*free)(void*), \
     unsigned char encoding), \
    (c, text, size, free, encoding)) \
  F(void, sqlite3_result_value, result_value, (sqlite3_context* c, sqlite3_value* v), (c, v)) \
  F(void, sqlite3_set_last_insert_rowid, set_last_insert_rowid, \
    (sqlite3* c, sqlite3_int64 row), (c, row)) \
  F(int, sqlite3_step, step, (sqlite3_stmt* s), (s)) \
  F(int, sqlite3_stmt_readonly, stmt_readonly, (sqlite3_stmt* s), (s)) \
  F(int, sqlite3_stricmp, stricmp, (const char* a, const char* b), (a, b)) \
  F(int, sqlite3_system_errno, system_errno, (sqlite3* c), (c)) \
  F(sqlite3_int64, sqlite3_total_changes64, total_changes64, (sqlite3* c), (c)) \
  F(int, sqlite3_txn_state, txn_state, (sqlite3* c, const char* schema), (c, schema)) \
  F(void*, sqlite3_update_hook, update_hook, \
    (sqlite3* c, void (*told)(void*, int, const char*, const char*, sqlite3_int64), void* own), \
    (c, told, own)) \
  F(void*, sqlite3_user_data, user_data, (sqlite3_context* c), (c)) \
  F(int, sqlite3_value_bytes, value_bytes, (sqlite3_value* v), (v)) \
  F(sqlite3_value*, sqlite3_value_dup, value_dup, (const sqlite3_value* v), (v)) \
  F(void, sqlite3_value_free, value_free, (sqlite3_value* v), (v)) \
  F(sqlite3_int64, sqlite3_value_int64, value_int64, (sqlite3_value* v), (v)) \
  F(void*, sqlite3_value_pointer, value_pointer, (sqlite3_value* v, const char* type), (v, type)) \
  F(const unsigned char*, sqlite3_value_text, value_text, (sqlite3_value* v), (v)) \
  F(int, sqlite3_value_type, value_type, (sqlite3_value* v), (v)) \
  F(sqlite3_vfs*, sqlite3_vfs_find, vfs_find, (const char* name), (name)) \
  F(int, sqlite3_vfs_register, vfs_register, (sqlite3_vfs* vfs, int is_default), \
    (vfs, is_default)) \
  F(int, sqlite3_vtab_on_conflict, vtab_on_conflict, (sqlite3* c), (c)) \
  F(int, sqlite3_wal_checkpoint_v2, wal_checkpoint_v2, \
    (sqlite3* c, const char* schema, int mode, int* frames, int* copied), \
    (c, schema, mode, frames, copied))
// clang-format on
