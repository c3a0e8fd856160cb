#include "plugin/gpu/matrix_check.h"

#include "plugin/gpu/families/matrix_proof.h"

namespace dbk::gpu {

namespace {

constexpr auto kStorage = wgpu::BufferUsage::Storage | wgpu::BufferUsage::CopyDst | wgpu::BufferUsage::CopySrc;

wgpu::Buffer filled(const DawnDevice& device, const std::vector<std::byte>& bytes, wgpu::BufferUsage usage) {
  wgpu::Buffer buffer = device.allocate(bytes.size(), usage, "proof of matrices");
  device.write(buffer, 0, bytes.data(), bytes.size());
  return buffer;
}

wgpu::BindGroup bound(const DawnDevice& device, const Pipeline& pipeline, std::span<const wgpu::Buffer> buffers) {
  std::vector<wgpu::BindGroupEntry> entries(buffers.size());
  for (uint32_t i = 0; i < entries.size(); ++i) entries[i].binding = i, entries[i].buffer = buffers[i];
  wgpu::BindGroupDescriptor descriptor;
  descriptor.layout = pipeline.layout;
  descriptor.entryCount = entries.size();
  descriptor.entries = entries.data();
  return device.device().CreateBindGroup(&descriptor);
}

std::vector<std::byte> computed(const DawnDevice& device, const MatrixProof& proof, const Pipeline& pipeline) {
  const std::vector<std::byte> zeros(proof.c.size());
  const wgpu::Buffer c = filled(device, zeros, kStorage);
  const wgpu::Buffer buffers[] = {filled(device, proof.a, kStorage), filled(device, proof.b, kStorage), c,
                                  filled(device, proof.params, wgpu::BufferUsage::Uniform | wgpu::BufferUsage::CopyDst)};
  device.scoped("the proof of matrices", [&] {
    const wgpu::CommandEncoder encoder = device.device().CreateCommandEncoder();
    const wgpu::ComputePassEncoder pass = encoder.BeginComputePass();
    pass.SetPipeline(pipeline.pipeline);
    pass.SetBindGroup(0, bound(device, pipeline, buffers));
    pass.DispatchWorkgroups(1);
    pass.End();
    const wgpu::CommandBuffer commands = encoder.Finish();
    device.queue().Submit(1, &commands);
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

std::string refuse(const DawnDevice& device, PipelineCache& pipelines, const MatrixProof& proof, Stats& stats) try {
  return proof.refuse(computed(device, proof, *pipelines.get({&proof.program, 1}, stats)[0]));
} catch (const Error& e) {
  if (device.lost()) throw;
  return e.what();
}

}  // namespace

std::vector<MatrixConfig> proven_matrices(const DawnDevice& device, const Log& log) {
  const Capabilities& caps = device.traits().caps;
  std::vector<MatrixProof> proofs;
  for (const MatrixConfig& config : caps.matrices)
    if (std::optional<MatrixProof> proof = matrix_proof(config, caps)) proofs.push_back(*std::move(proof));
  PipelineCache pipelines(device);  // nobody wants them again
  Stats discarded;
  make_pipelines(pipelines, proofs, discarded);
  std::vector<MatrixConfig> proven = caps.matrices;
  size_t right = proofs.size();
  for (const MatrixProof& proof : proofs) {
    const MatrixConfig& c = proof.config;
    const std::string why = refuse(device, pipelines, proof, discarded);
    if (why.empty()) continue;
    log(DBK_LOG_WARNING, "{}: its {}x{}x{} matrices of {} with sums in {} are not used: {}", device.traits().info.name, c.m, c.n, c.k, c.component, c.result, why);
    std::erase(proven, c);
    --right;
  }
  log(DBK_LOG_INFO, "{}: {} of {} kinds of matrices give right products", device.traits().info.name, right, proofs.size());
  return proven;
}

}  // namespace dbk::gpu
