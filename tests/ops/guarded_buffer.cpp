#include "tests/ops/guarded_buffer.h"

#include <algorithm>
#include <format>

#include "tests/ops/guarded_tensor.h"

namespace ops {

namespace {

constexpr uint64_t kTail = 512;

uint64_t round_up(uint64_t bytes, uint64_t multiple) { return (bytes + multiple - 1) / multiple * multiple; }

}  // namespace

GuardedBuffer::GuardedBuffer(const daybreak::Context& context, uint32_t device, const dbk::TensorType& type,
                             uint64_t offset)
    : type_(type),
      offset_(offset),
      original_(offset + round_up(static_cast<uint64_t>(type.bytes()), 16) + kTail, kSentinel),
      buffer_(context.buffer(original_.size(), device)) {
  buffer_.write(std::span<const std::byte>(original_));
}

GuardedBuffer::GuardedBuffer(const daybreak::Context& context, uint32_t device, const dbk::HostTensor& content,
                             uint64_t offset)
    : GuardedBuffer(context, device, content.type, offset) {
  std::ranges::copy(content.bytes, original_.begin() + static_cast<ptrdiff_t>(offset));
  buffer_.write(std::span<const std::byte>(original_));
}

void GuardedBuffer::bind(daybreak::Run& run, uint32_t role, uint32_t index) const {
  run.bind_buffer(role, index, buffer_, type_.dtype, daybreak::Dims(std::span<const int64_t>(type_.shape)), offset_);
}

std::vector<std::byte> GuardedBuffer::read_all() {
  const daybreak::Mapping mapping = buffer_.map(DBK_MAP_READ);
  return {mapping.bytes().begin(), mapping.bytes().end()};
}

dbk::HostTensor GuardedBuffer::content() {
  const std::vector<std::byte> now = read_all();
  const auto begin = now.begin() + static_cast<ptrdiff_t>(offset_);
  return {type_, {begin, begin + type_.bytes()}};
}

std::string GuardedBuffer::damage_when_read() {
  const std::vector<std::byte> now = read_all();
  const auto [at, other] = std::ranges::mismatch(now, original_);
  return at == now.end()
             ? ""
             : std::format("byte {} of an input's buffer changed", at - now.begin() - static_cast<ptrdiff_t>(offset_));
}

std::string GuardedBuffer::damage_when_written() {
  const std::vector<std::byte> now = read_all();
  const uint64_t end = offset_ + round_up(static_cast<uint64_t>(type_.bytes()), 16);
  for (uint64_t i = 0; i < now.size(); ++i) {
    if ((i >= offset_ && i < end) || now[i] == kSentinel) continue;
    return std::format("byte {} beside an output in a buffer changed", static_cast<int64_t>(i - offset_));
  }
  return "";
}

}  // namespace ops
