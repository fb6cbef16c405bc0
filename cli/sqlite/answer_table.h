#pragma once

// A table-valued function whose rows are parts of the JSON answer of a command.

#include <memory>
#include <span>
#include <string_view>

#include "cli/sqlite/host_stores.h"
#include "storage/base/status.h"

namespace recall {

// A column and where its value is, as names of members with dots between them: "doc.path", in the
// object of the row. "/context.text" is in the answer, and "" is the object itself, as the program
// prints it.
struct AnswerColumn {
  std::string_view name;
  std::string_view type;
  std::string_view place;
};

// An argument, which is a hidden column behind the others.
struct AnswerArgument {
  std::string_view name;
  std::string_view member;  // of the request
};

struct AnswerTable {
  const char* name;
  std::string_view command;
  std::string_view rows;  // the array of the answer: "results"
  std::span<const AnswerColumn> columns;
  std::span<const AnswerColumn> hidden_columns;  // left out by SELECT *
  std::span<const AnswerArgument> arguments;     // the first is required; LIMIT may give `k`
};

// Registers the function with the connection of `stores`. `table` has static storage. The first
// column of the function is `rank`, from 1; behind the arguments of `table` it has `store`
// (HostStores::Call) and `options`, a JSON object with more members of the request.
Status RegisterAnswerTable(const std::shared_ptr<HostStores>& stores, const AnswerTable& table);

}  // namespace recall
