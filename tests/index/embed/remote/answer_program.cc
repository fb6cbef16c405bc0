// An embedding command whose arguments determine its behaviour: answer_program MODE [NUMBER]. Each
// vector is {size of the line, 1, 0, 0}, unless the mode says otherwise.
// answer_program letters [FILE]: vectors of 32 components that count the letters a..z of the line.
// FILE, if given, contains the number of lines after which the program exits.

#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>

namespace {

int CountLetters(const char* file) {
  int limit = -1;
  if (file != nullptr) std::ifstream(file) >> limit;
  for (std::string line; std::getline(std::cin, line);) {
    if (limit-- == 0) return 3;
    int counts[26] = {};
    for (const char c : line) {
      if (c >= 'a' && c <= 'z') ++counts[c - 'a'];
    }
    std::cout << "[";
    for (const int count : counts) std::cout << count << ",";
    std::cout << "0,0,0,0,0,0]" << std::endl;
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string mode = argc > 1 ? argv[1] : "answer";
  const int number = argc > 2 ? std::atoi(argv[2]) : 0;
  if (mode == "exit") {
    std::cerr << "first words\nno model here\n";
    return number;
  }
  if (mode == "letters") return CountLetters(argc > 2 ? argv[2] : nullptr);
  if (mode == "crash") ::raise(SIGKILL);
  if (mode == "silent") {
    std::cerr << "loading\n";
    for (std::string line; std::getline(std::cin, line);) continue;
    return 0;
  }
  if (mode == "stay") {
    // Neither reads nor exits.
    for (;;) ::pause();
  }
  if (mode == "deaf") {
    // Closes its input and writes nothing.
    ::close(STDIN_FILENO);
    for (;;) ::pause();
  }
  if (mode == "late") {
    // Reads all input before it writes the first answer.
    std::string line;
    std::string answers;
    for (int i = 0; i < number && std::getline(std::cin, line); ++i) answers += "[1,2,3,4]\n";
    std::cout << answers << std::flush;
    for (; std::getline(std::cin, line);) continue;
    return 0;
  }
  if (mode == "greet") std::cout << "[9,9,9,9]" << std::endl;
  if (mode == "farewell" || mode == "greet") {
    // Answers so late that a surplus line is not in the pipe yet when the last text was answered.
    for (std::string line; std::getline(std::cin, line);) {
      ::usleep(20'000);
      std::cout << "[" << line.size() << ",1,0,0]" << std::endl;
    }
    if (mode == "farewell") std::cout << "[9,9,9,9]" << std::endl;
    return 0;
  }
  int count = 0;
  for (std::string line; std::getline(std::cin, line);) {
    const std::string size = std::to_string(line.size());
    if (mode == "answer") std::cout << "[" << size << ",1,0,0]" << std::endl;
    if (mode == "object") std::cout << R"({"embedding":[0,)" << size << ",0,0]}" << std::endl;
    if (mode == "echo") std::cerr << line << "\n";
    if (mode == "echo") return 1;
    if (mode == "print") std::cout << (argc > 2 ? argv[2] : "") << std::endl;
    if (mode == "twice") std::cout << "[1,0,0,0]\n[1,0,0,0]" << std::endl;
    if (mode == "wide") std::cout << "[1,0,0,0" << std::string(8000, ' ') << "]" << std::endl;
    if (mode == "noisy") {
      std::cerr << std::string(8000, 'x') << "\n";
      std::cout << "[1,0,0,0]" << std::endl;
    }
    if (mode == "endless") std::cout << std::string(100'000, ' ') << std::flush;
    if (mode == "pid") std::cout << "[" << ::getpid() << ",1,0,0]" << std::endl;
    if (mode == "quit" && ++count == number) return 3;
    if (mode == "quit") std::cout << "[1,0,0,0]" << std::endl;
  }
  return 0;
}
