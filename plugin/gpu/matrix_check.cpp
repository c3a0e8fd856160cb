#include "plugin/gpu/matrix_check.h"

#include <algorithm>

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

// Pipelines of all of them, made in parallel.
void make_pipelines(PipelineCache& pipelines, std::span<const MatrixProof> proofs, Stats& stats) {
  std::vector<Program> programs;
  for (const MatrixProof& proof : proofs) programs.push_back(proof.program);
  try {
    pipelines.get(programs, stats);
  } catch (const Error&) {  // which one it is shows when each is asked for
  }
}

// Empty, or what is wrong. Failures that tell nothing of matrices, want of memory perhaps, are thrown: another time may be better.
std::string refuse(const DawnDevice& device, PipelineCache& pipelines, const MatrixProof& proof, Stats& stats) {
  std::shared_ptr<const Pipeline> pipeline;
  try {
    pipeline = pipelines.get({&proof.program, 1}, stats)[0];
  } catch (const Error& e) {
    if (e.causes().front().code != DBK_INTERNAL) throw;
    return e.what();
  }
  return proof.refuse(computed(device, proof, *pipeline));
}

std::vector<MatrixProof> proofs_for(const Capabilities& caps) {
  std::vector<MatrixProof> proofs;
  for (const MatrixConfig& config : caps.matrices)
    if (std::optional<MatrixProof> proof = matrix_proof(config, caps)) proofs.push_back(*std::move(proof));
  return proofs;
}

}  // namespace

std::vector<MatrixConfig> proven_matrices(const DawnDevice& scout, const Log& log) {
  const AdapterTraits& traits = scout.traits();
  const std::vector<MatrixProof> proofs = proofs_for(traits.caps);
  std::vector<MatrixConfig> proven = traits.caps.matrices;
  PipelineCache pipelines(scout);  // nobody wants them again
  Stats discarded;
  try {
    make_pipelines(pipelines, proofs, discarded);
    for (const MatrixProof& proof : proofs) {
      const MatrixConfig& c = proof.config;
      const std::string why = refuse(scout, pipelines, proof, discarded);
      if (why.empty()) continue;
      log(DBK_LOG_WARNING, "{}: its {}x{}x{} matrices of {} with sums in {} are not used: {}", traits.info.name, c.m, c.n, c.k, c.component, c.result, why);
      std::erase(proven, c);
    }
  } catch (const Error& e) {
    if (!scout.lost()) throw;
    log(DBK_LOG_WARNING, "{}: its matrices of subgroups are not used, as a device was lost when they were tried: {}", traits.info.name, e.what());
    for (const MatrixProof& proof : proofs) std::erase(proven, proof.config);
  }
  const auto right = std::ranges::count_if(proofs, [&](const MatrixProof& p) { return std::ranges::find(proven, p.config) != proven.end(); });
  log(DBK_LOG_INFO, "{}: {} of {} kinds of matrices give right products", traits.info.name, right, proofs.size());
  return proven;
}

}  // namespace dbk::gpu
