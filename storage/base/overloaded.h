#pragma once

namespace recall {

// A visitor of variants made of one function for each type: std::visit(Overloaded{...}, variant)
// does not compile if a type has none.
template <typename... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};
template <typename... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

}  // namespace recall
