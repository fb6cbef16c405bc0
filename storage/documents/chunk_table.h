#pragma once

#include "storage/btree/column_scan.h"

namespace recall {

// The table `chunk`, as every store since the first version has it (storage/schema).
inline constexpr RowTableDefinition kChunkTable = {"chunk",
                                                   "CREATE TABLE chunk(\n"
                                                   "  id INTEGER PRIMARY KEY,\n"
                                                   "  key INTEGER NOT NULL,\n"
                                                   "  doc INTEGER NOT NULL,\n"
                                                   "  start_byte INTEGER NOT NULL,\n"
                                                   "  end_byte INTEGER NOT NULL,\n"
                                                   "  start_line INTEGER NOT NULL,\n"
                                                   "  end_line INTEGER NOT NULL,\n"
                                                   "  offset INTEGER NOT NULL,\n"
                                                   "  byte_in_token INTEGER NOT NULL,\n"
                                                   "  tokens INTEGER NOT NULL,\n"
                                                   "  lexical_tokens INTEGER NOT NULL,\n"
                                                   "  heading TEXT NOT NULL)"};

}  // namespace recall
