#include "cli/app.h"

int main(int argc, char** argv) {
  return recall::RunApp({argv + (argc > 0), argv + argc}, argc > 0 ? argv[0] : "recall");
}
