// The text of a program before it is written: the function that writes it, and all that it writes it from. Equal sources give equal texts,
// so a program that was made before is found without its text.
#pragma once

#include <memory>
#include <string>
#include <tuple>
#include <type_traits>

namespace dbk::gpu {

class ProgramSource {
 public:
  std::string text() const { return writer_->text(); }
  friend bool operator==(const ProgramSource& a, const ProgramSource& b) { return a.writer_ == b.writer_ || a.writer_->equals(*b.writer_); }

  template <auto write, class... Args>
  friend ProgramSource written_by(Args... args);

 private:
  struct Writer {
    virtual ~Writer() = default;
    virtual std::string text() const = 0;
    virtual bool equals(const Writer& other) const = 0;
  };

  template <auto write, class... Args>
  struct Call final : Writer {
    explicit Call(Args... given) : args(std::move(given)...) {}
    std::string text() const override { return std::apply(write, args); }
    bool equals(const Writer& other) const override {
      const auto* same = dynamic_cast<const Call*>(&other);
      return same && same->args == args;
    }
    std::tuple<Args...> args;
  };

  explicit ProgramSource(std::shared_ptr<const Writer> writer) : writer_(std::move(writer)) {}

  std::shared_ptr<const Writer> writer_;
};

// `write(args...)` when the text is wanted: a function whose result depends on nothing else. What arguments point to has to be there then,
// and is told apart by its address.
template <auto write, class... Args>
ProgramSource written_by(Args... args) {
  static_assert((std::is_same_v<Args, std::decay_t<Args>> && ...));
  static_assert(std::is_invocable_r_v<std::string, decltype(write), const Args&...>);
  return ProgramSource(std::make_shared<const ProgramSource::Call<write, Args...>>(std::move(args)...));
}

}  // namespace dbk::gpu
