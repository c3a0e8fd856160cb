//! Counters.

use daybreak_sys as sys;

macro_rules! stats {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// Counters since the object was made; a context's add up its executables, an executable's its runs.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        #[non_exhaustive]
        pub struct Stats {
            $($(#[$doc])* pub $name: u64,)*
        }

        impl Stats {
            pub(crate) fn from_raw(raw: &sys::dbk_stats) -> Self {
                Self { $($name: raw.$name,)* }
            }

            pub(crate) fn empty_raw() -> sys::dbk_stats {
                sys::dbk_stats { hdr: sys::dbk_hdr::of::<sys::dbk_stats>(), $($name: 0,)* }
            }
        }
    };
}

stats! {
    /// Live bytes of weights.
    weight_bytes,
    /// Live bytes of activations.
    activation_bytes,
    /// Live bytes of staging memory.
    staging_bytes,
    /// Pipelines built.
    pipelines_built,
    /// Pipelines found in the cache.
    pipeline_cache_hits,
    /// Buffers created.
    buffers_created,
    /// All objects of the GPU interface; 0 where not counted.
    device_objects,
    /// Runs.
    runs,
    /// Dispatches.
    dispatches,
    /// Submitted command buffers or host parts.
    segments,
    /// Parts that ran on the host for a device.
    host_islands,
    /// Bytes moved for them.
    island_bytes,
    /// Uploads.
    uploads,
    /// Bytes of them.
    upload_bytes,
    /// Uploads saved because the data was unchanged.
    uploads_skipped,
    /// Bytes read back.
    readback_bytes,
    /// Memory plans made after compile.
    replans,
    /// Allocations by the plugin's own code in the whole process, where its build counts them; else 0.
    host_allocations,
    /// Live children of the object.
    objects,
}
