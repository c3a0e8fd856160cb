// daybreak_run.hpp - one activation of an executable: bindings, submission, results.
// A run is for one thread at a time; several runs of one executable may be in flight. What a run borrows
// (DBK_UNTIL_EVENT, DBK_UNTIL_DESTROY) is the caller's to keep alive.
#ifndef DAYBREAK_RUN_HPP
#define DAYBREAK_RUN_HPP

#include <span>
#include <vector>

#include "daybreak_buffer.hpp"
#include "daybreak_exec.hpp"

namespace daybreak {

struct RunShape {
  Dims dims;
  bool exact = false;  // else `dims` are upper bounds or DBK_DIM_UNKNOWN
  bool ranked = true;  // else not even the rank is known yet, and `dims` is empty
};

struct Submit {
  uint32_t mode = 0;                   // DBK_RUN_*
  std::span<const Event* const> wait;  // of the same context; done before this run starts
};

class Run {
 public:
  Run() = default;
  explicit Run(const Executable& exec) : exec_(exec.handle()), handle_(exec_->library()) {
    const dbk_options* no_options = nullptr;
    detail::call(api(), api().run_create, exec_->get(), no_options, handle_.out());
  }
  Run(Run&&) = default;
  Run& operator=(Run&& other) noexcept {
    Run old(std::move(other));
    std::swap(exec_, old.exec_);  // swapped, so that the old run goes before its executable
    std::swap(handle_, old.handle_);
    return *this;
  }

  void set_dim(const Key& symbol, int64_t extent) {
    detail::call(api(), api().run_set_dim, get(), find(DBK_SYMBOL, symbol), extent);
  }

  void bind_input(const Key& input, const View& data, uint32_t ownership = DBK_COPY) {
    const dbk_tensor tensor = data.tensor(ownership);
    bind(DBK_INPUT, input, &tensor);
  }
  void bind_output(const Key& output, const MutableView& data, uint32_t ownership = DBK_UNTIL_DESTROY) {
    const dbk_tensor tensor = data.tensor(ownership);
    bind(DBK_OUTPUT, output, &tensor);
  }
  // Device memory, dense; role DBK_INPUT or DBK_OUTPUT.
  void bind_buffer(uint32_t role, const Key& key, const Buffer& buffer, uint32_t type, const Dims& dims,
                   uint64_t byte_off = 0) {
    if (byte_off > buffer.byte_len())
      throw Error(DBK_OUT_OF_RANGE, "byte offset " + std::to_string(byte_off) + " is outside the buffer");
    auto tensor = detail::sized<dbk_tensor>();
    tensor.dtype = type;
    tensor.rank = static_cast<uint32_t>(dims.size());
    tensor.dims = dims.data();
    tensor.buffer = buffer.get();
    tensor.byte_off = byte_off;
    tensor.byte_len = buffer.byte_len() - byte_off;
    tensor.ownership = DBK_UNTIL_DESTROY;
    bind(role, key, &tensor);
  }
  void unbind_input(const Key& input) { bind(DBK_INPUT, input, nullptr); }
  void unbind_output(const Key& output) { bind(DBK_OUTPUT, output, nullptr); }  // its last result is forgotten

  RunShape shape(uint32_t role, const Key& key) const {
    int64_t dims[DBK_MAX_RANK] = {};
    uint32_t rank = 0, exact = 0;
    detail::call(api(), api().run_shape, get(), role, find(role, key), dims, uint32_t{DBK_MAX_RANK}, &rank, &exact);
    if (rank > DBK_MAX_RANK) return {{}, false, false};  // DBK_NONE: unknown
    return {Dims(std::span<const int64_t>(dims, rank)), exact != 0, true};
  }

  // Waits until done.
  void run(const Submit& submit = {}) { start(submit, nullptr); }
  // Returns after submission.
  Event submit(const Submit& submit = {}) {
    Event done(detail::held(exec_).library());
    start(submit, done.out());
    return done;
  }
  void cancel() const { detail::call(api(), api().run_cancel, get()); }

  // The whole output of the last run, if that completed: was done without failure. bool elements are read as uint8_t.
  template <Element T>
  std::vector<T> read(const Key& output) {
    const uint32_t index = find(DBK_OUTPUT, output);
    const uint32_t type = detail::io(detail::held(exec_), DBK_OUTPUT, index).dtype;
    if (type != dtype<T> && !(type == DBK_BOOL && sizeof(T) == 1)) {
      throw Error(DBK_INVALID_ARGUMENT,
                  "output " + std::to_string(index) + " is " + dtype_name(type) + ", not " + dtype_name(dtype<T>));
    }
    const RunShape known = shape(DBK_OUTPUT, index);
    if (!known.exact)
      throw Error(DBK_FAILED_PRECONDITION, "the shape of output " + std::to_string(index) + " is not known: run first");
    std::vector<T> result(static_cast<std::size_t>(known.dims.product()));
    read_bytes(index, std::as_writable_bytes(std::span(result)));
    return result;
  }
  // Bytes [byte_off, byte_off + bytes.size()) of an output.
  void read_bytes(const Key& output, std::span<std::byte> bytes, uint64_t byte_off = 0) {
    start_read(output, bytes, byte_off, nullptr);
  }
  Event read_bytes_later(const Key& output, std::span<std::byte> bytes, uint64_t byte_off = 0) {
    Event done(detail::held(exec_).library());
    start_read(output, bytes, byte_off, done.out());
    return done;
  }

  std::string report(std::string_view kind) const {
    return detail::report(detail::held(exec_).library(), nullptr, nullptr, get(), kind);
  }
  dbk_stats stats() const { return detail::stats(api(), nullptr, nullptr, get()); }

  dbk_run* get() const noexcept { return handle_.get(); }

 private:
  const dbk_api& api() const { return detail::held(exec_).api(); }
  uint32_t find(uint32_t role, const Key& key) const { return detail::find(detail::held(exec_), role, key); }

  void bind(uint32_t role, const Key& key, const dbk_tensor* tensor) {
    detail::call(api(), api().run_bind, get(), role, find(role, key), tensor);
  }

  void start(const Submit& submit, dbk_event** done) {
    std::vector<dbk_event*> events;
    for (const Event* event : submit.wait) events.push_back(event->get());
    auto desc = detail::sized<dbk_submit>();
    desc.wait = events.data();
    desc.wait_count = static_cast<uint32_t>(events.size());
    desc.mode = submit.mode;
    const dbk_submit* given = &desc;
    detail::call(api(), api().run, get(), given, done);
  }

  void start_read(const Key& output, std::span<std::byte> bytes, uint64_t byte_off, dbk_event** done) {
    const dbk_copy copy{find(DBK_OUTPUT, output), 0, byte_off, bytes.size(), bytes.data()};
    detail::call(api(), api().read, get(), &copy, 1u, static_cast<uint32_t>(sizeof copy), done);
  }

  std::shared_ptr<detail::ExecHandle> exec_;  // declared first: destroyed after the run
  detail::Handle<dbk_run, &dbk_api::run_destroy> handle_;
};

}  // namespace daybreak

#endif
