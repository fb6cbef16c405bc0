#pragma once

#include <gtest/gtest.h>

#include <string>

#include "storage/base/system_form.h"

// Instantiates tests for each form of a header that is compiled (storage/base/system_form.h).
// FORMS(form, name) makes the parameter from the namespace of a form: a struct that begins with the
// name.
#ifdef RECALL_LINUX_FORMS
#define RECALL_TEST_FORMS(suite, FORMS)                                                        \
  INSTANTIATE_TEST_SUITE_P(                                                                    \
      Forms, suite, ::testing::Values(FORMS(linux_form, "Linux"), FORMS(posix_form, "Posix")), \
      [](const auto& tested) { return std::string(tested.param.name); })
#else
#define RECALL_TEST_FORMS(suite, FORMS)                                                 \
  INSTANTIATE_TEST_SUITE_P(Forms, suite, ::testing::Values(FORMS(posix_form, "Posix")), \
                           [](const auto& tested) { return std::string(tested.param.name); })
#endif
