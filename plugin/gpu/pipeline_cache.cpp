#include "plugin/gpu/pipeline_cache.h"

#include <algorithm>

namespace dbk::gpu {

namespace {

// A pipeline on its way.
struct Pending {
  std::shared_ptr<Pipeline> pipeline = std::make_shared<Pipeline>();
  wgpu::Future future;
  std::string failure;
};

}  // namespace

wgpu::BindGroup Pipeline::bind(const DawnDevice& device, std::span<const wgpu::BindGroupEntry> entries) const {
  wgpu::BindGroupDescriptor descriptor;
  descriptor.layout = layout;
  descriptor.entryCount = entries.size();
  descriptor.entries = entries.data();
  return device.device().CreateBindGroup(&descriptor);
}

wgpu::BindGroupLayout PipelineCache::layout(uint32_t reads, uint32_t writes) {
  wgpu::BindGroupLayout& layout = layouts_[uint64_t{reads} << 32 | writes];
  if (layout) return layout;
  std::vector<wgpu::BindGroupLayoutEntry> entries(reads + writes + 1);
  for (uint32_t i = 0; i < entries.size(); ++i) {
    entries[i].binding = i;
    entries[i].visibility = wgpu::ShaderStage::Compute;
    entries[i].buffer.type = i < reads            ? wgpu::BufferBindingType::ReadOnlyStorage
                             : i < reads + writes ? wgpu::BufferBindingType::Storage
                                                  : wgpu::BufferBindingType::Uniform;
  }
  wgpu::BindGroupLayoutDescriptor descriptor;
  descriptor.entryCount = entries.size();
  descriptor.entries = entries.data();
  layout = device_.device().CreateBindGroupLayout(&descriptor);
  return layout;
}

// The key is the whole text, not a hash of it: a collision would be a wrong result. Entry point, toggles and overrides are the same for all.
std::vector<std::shared_ptr<const Pipeline>> PipelineCache::get(std::span<const Program> programs, Stats& stats) {
  std::vector<Missing> missing;
  std::vector<std::string> keys;
  for (const Program& p : programs) {
    std::string text = p.source.text();
    const std::string& key = keys.emplace_back(std::format("{}:{}:", p.reads, p.writes) + text);
    if (!pipelines_.contains(key) && std::ranges::find(missing, key, &Missing::key) == missing.end()) missing.push_back({&p, std::move(text), key});
  }
  stats.add(&Stats::texts_written, programs.size());
  stats.add(&Stats::pipeline_cache_hits, programs.size() - missing.size());
  if (!missing.empty()) build(missing, stats);
  std::vector<std::shared_ptr<const Pipeline>> out;
  for (const std::string& key : keys) out.push_back(pipelines_.at(key));
  return out;
}

void PipelineCache::build(const std::vector<Missing>& missing, Stats& stats) {
  const uint64_t hits = device_.blobs().hits(), misses = device_.blobs().misses();
  const Stopwatch watch;
  std::vector<std::shared_ptr<Pending>> pending;  // shared with callbacks: a lost device ends this function before they come
  for (size_t i = 0; i < missing.size(); ++i) pending.push_back(std::make_shared<Pending>());
  device_.scoped("building pipelines", [&] {
    for (size_t i = 0; i < missing.size(); ++i) {
      const Program& program = *missing[i].program;
      Pending& p = *pending[i];
      p.pipeline->label = program.label;
      p.pipeline->layout = layout(program.reads, program.writes);
      wgpu::PipelineLayoutDescriptor layout_descriptor;
      layout_descriptor.bindGroupLayoutCount = 1;
      layout_descriptor.bindGroupLayouts = &p.pipeline->layout;
      wgpu::ShaderSourceWGSL source;
      source.code = missing[i].text.c_str();
      wgpu::ShaderModuleDescriptor module_descriptor;
      module_descriptor.nextInChain = &source;
      module_descriptor.label = program.label.c_str();
      wgpu::ComputePipelineDescriptor descriptor;
      descriptor.label = program.label.c_str();
      descriptor.layout = device_.device().CreatePipelineLayout(&layout_descriptor);
      descriptor.compute.module = device_.device().CreateShaderModule(&module_descriptor);
      descriptor.compute.entryPoint = "main";
      p.future = device_.device().CreateComputePipelineAsync(
          &descriptor, wgpu::CallbackMode::WaitAnyOnly,
          [shared = pending[i]](wgpu::CreatePipelineAsyncStatus status, wgpu::ComputePipeline made, wgpu::StringView message) noexcept {
            if (status == wgpu::CreatePipelineAsyncStatus::Success) shared->pipeline->pipeline = std::move(made);
            else shared->failure = to_text(message);
          });
    }
  });
  const uint64_t texts_read = watch.nanoseconds();
  for (const auto& p : pending) device_.wait(p->future);
  stats.add(&Stats::shader_nanoseconds, texts_read);
  stats.add(&Stats::pipeline_nanoseconds, watch.nanoseconds() - texts_read);
  stats.add(&Stats::blob_cache_hits, device_.blobs().hits() - hits);
  stats.add(&Stats::blob_cache_misses, device_.blobs().misses() - misses);
  for (size_t i = 0; i < pending.size(); ++i) {
    if (!pending[i]->pipeline->pipeline) fail(DBK_INTERNAL, "kernel {}: {}", missing[i].program->label, pending[i]->failure);
    pipelines_[missing[i].key] = pending[i]->pipeline;
  }
  stats.add(&Stats::pipelines_built, missing.size());
  stats.add(&Stats::device_objects, 3 * missing.size());  // module, layout, pipeline
}

}  // namespace dbk::gpu
