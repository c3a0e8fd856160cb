#include "plugin/gpu/matrix_check.h"

#include <algorithm>

#include "plugin/gpu/families/coop_operand.h"
#include "plugin/gpu/families/matrix_proof.h"

namespace dbk::gpu {

namespace {

constexpr auto kStorage = wgpu::BufferUsage::Storage | wgpu::BufferUsage::CopyDst | wgpu::BufferUsage::CopySrc;
constexpr const char* kLabel = "proof of matrices";

wgpu::Buffer filled(const DawnDevice& device, const std::vector<std::byte>& bytes, wgpu::BufferUsage usage) {
  wgpu::Buffer buffer = device.allocate(bytes.size(), usage, kLabel);
  device.write(buffer, 0, bytes.data(), bytes.size());
  return buffer;
}

std::vector<std::byte> computed(const DawnDevice& device, const MatrixProof& proof, const Pipeline& pipeline) {
  const wgpu::Buffer c = device.allocate(proof.c.size(), kStorage, kLabel);
  const wgpu::Buffer buffers[] = {filled(device, proof.a, kStorage), filled(device, proof.b, kStorage), c,
                                  filled(device, proof.params, wgpu::BufferUsage::Uniform | wgpu::BufferUsage::CopyDst)};
  std::array<wgpu::BindGroupEntry, std::size(buffers)> entries;
  for (uint32_t i = 0; i < entries.size(); ++i) entries[i].binding = i, entries[i].buffer = buffers[i];
  device.scoped("the proof of matrices", [&] {
    const wgpu::CommandEncoder encoder = device.device().CreateCommandEncoder();
    const wgpu::ComputePassEncoder pass = encoder.BeginComputePass();
    pass.SetPipeline(pipeline.pipeline);
    pass.SetBindGroup(0, pipeline.bind(device, entries));
    pass.DispatchWorkgroups(1);
    pass.End();
    device.submit(encoder);
  });
  std::vector<std::byte> got(proof.c.size());
  device.read_copy(c, 0, got.data(), got.size());
  return got;
}

struct Scout {
  explicit Scout(std::shared_ptr<DawnDevice> made) : device(std::move(made)), pipelines(*device) {}

  std::shared_ptr<DawnDevice> device;
  PipelineCache pipelines;  // nobody wants them again
};

// Pipelines of all of them, made in parallel.
void make_pipelines(Scout& scout, std::span<const MatrixProof> proofs) {
  std::vector<Program> programs;
  for (const MatrixProof& proof : proofs) programs.push_back(proof.program);
  Stats discarded;
  try {
    scout.pipelines.get(programs, discarded);
  } catch (const Error&) {  // which one it is shows when each is asked for
  }
}

enum class Outcome : uint8_t { Right, Wrong, Lost, Untried };
struct Answer {
  Outcome outcome;
  std::string why;
};

// What a driver does not compile or dispatch is wrong; want of memory tells nothing of matrices.
Answer ask(Scout& scout, const MatrixProof& proof) try {
  Stats discarded;
  const auto pipeline = scout.pipelines.get({&proof.program, 1}, discarded)[0];
  const std::string why = proof.refuse(computed(*scout.device, proof, *pipeline));
  return {why.empty() ? Outcome::Right : Outcome::Wrong, why};
} catch (const Error& e) {
  if (scout.device->lost()) return {Outcome::Lost, e.what()};
  return {e.causes().front().code == DBK_INTERNAL ? Outcome::Wrong : Outcome::Untried, e.what()};
}

// Asks for one kind after the other, as long as there are scouts.
class Trials {
 public:
  Trials(std::span<const MatrixProof> proofs, const MakeScout& make_scout) : make_scout_(make_scout) {
    if (have_scout()) make_pipelines(*scout_, proofs);
  }

  Answer answer(const MatrixProof& proof) {
    constexpr int kMostLosses = 2;
    Answer answer{Outcome::Untried, ""};
    for (int losses = 0; losses < kMostLosses; ++losses) {
      if (!have_scout()) return {Outcome::Untried, no_scout_};
      answer = ask(*scout_, proof);
      if (answer.outcome != Outcome::Lost) return answer;
      scout_.reset();
    }
    return {Outcome::Wrong, "twice a device was lost with them: " + answer.why};
  }

 private:
  bool have_scout() {
    if (scout_ || !no_scout_.empty()) return scout_.has_value();
    try {
      scout_.emplace(make_scout_());
    } catch (const Error& e) {
      no_scout_ = e.what();
    }
    return scout_.has_value();
  }

  const MakeScout& make_scout_;
  std::optional<Scout> scout_;
  std::string no_scout_;  // why there is none, nor will be
};

bool contains(const std::vector<MatrixConfig>& list, const MatrixConfig& config) { return std::ranges::find(list, config) != list.end(); }

bool is_used(const MatrixConfig& config) { return form_of(config) != OperandForm::None; }

}  // namespace

MatrixVerdicts try_matrices(const AdapterTraits& traits, const MatrixVerdicts& known, const MakeScout& make_scout, const Log& log) {
  std::vector<MatrixProof> proofs;
  for (const MatrixConfig& config : traits.caps.matrices)
    if (!contains(known.right, config) && !contains(known.wrong, config))
      if (std::optional<MatrixProof> proof = matrix_proof(config, traits.caps)) proofs.push_back(*std::move(proof));
  MatrixVerdicts verdicts = known;
  if (proofs.empty()) return verdicts;
  Trials trials(proofs, make_scout);
  for (const MatrixProof& proof : proofs) {
    const MatrixConfig& c = proof.config;
    const auto [outcome, why] = trials.answer(proof);
    if (outcome != Outcome::Untried) (outcome == Outcome::Right ? verdicts.right : verdicts.wrong).push_back(c);
    if (outcome != Outcome::Right)
      log(DBK_LOG_WARNING, "{}: its {}x{}x{} matrices of {} with sums in {} are not used{}: {}", traits.info.name, c.m, c.n, c.k, c.component, c.result,
          outcome == Outcome::Untried ? " this time" : "", why);
  }
  log(DBK_LOG_INFO, "{}: {} of {} kinds of matrices give right products", traits.info.name, verdicts.right.size() - known.right.size(), proofs.size());
  return verdicts;
}

std::vector<MatrixConfig> not_wrong(std::vector<MatrixConfig> claimed, const MatrixVerdicts& verdicts) {
  std::erase_if(claimed, [&](const MatrixConfig& c) { return contains(verdicts.wrong, c); });
  return claimed;
}

std::vector<MatrixConfig> proven(std::vector<MatrixConfig> claimed, const MatrixVerdicts& verdicts) {
  std::erase_if(claimed, [&](const MatrixConfig& c) { return is_used(c) && !contains(verdicts.right, c); });
  return claimed;
}

}  // namespace dbk::gpu
