// Everything that is wrong with a model, each with its place. Import goes on after a fault, so that all of them are
// told at once.
#pragma once

#include <string>
#include <vector>

#include "daybreak_error.hpp"

namespace host {

class Faults {
 public:
  explicit Faults(std::string file) : file_(std::move(file)) {}

  void add(const std::string& place, dbk_status status, const std::string& what);
  void add(const std::string& place, const daybreak::Error& error);

  // Runs `step`; what it throws is a fault at `place`.
  template <class Step>
  void collect(const std::string& place, Step&& step) {
    try {
      step();
    } catch (const daybreak::Error& error) {
      add(place, error);
    }
  }

  bool empty() const { return causes_.empty(); }
  void throw_if_any()
      const;  // INVALID_ARGUMENT where anything is wrong, UNIMPLEMENTED where all of it is only unsupported

 private:
  std::string file_;
  std::vector<daybreak::Cause> causes_;
  std::size_t left_out_ = 0;  // a hostile file may be wrong in millions of places
};

}  // namespace host
