//! From a graph to an executable.

use crate::progress::watched;
use crate::{Context, Device, Executable, Graph, Options, ProgressFn, Result};
use daybreak_sys as sys;
use std::ptr::null_mut;

/// A compilation being described; [`Self::build`] does it.
#[must_use = "nothing is compiled before build"]
pub struct Compile<'c> {
    context: &'c Context,
    graph: &'c Graph<'c>,
    device: Option<&'c Device>,
    options: Option<&'c Options>,
    progress: Option<ProgressFn<'c>>,
    share: Option<&'c Executable>,
    mode: u32,
}

impl<'c> Compile<'c> {
    pub(crate) fn new(context: &'c Context, graph: &'c Graph<'c>) -> Self {
        let mode = sys::DBK_COMPILE_FULL;
        Self { context, graph, device: None, options: None, progress: None, share: None, mode }
    }

    /// For this device instead of the default one.
    pub fn device(self, device: &'c Device) -> Self {
        Self { device: Some(device), ..self }
    }

    /// With these options.
    pub fn options(self, options: &'c Options) -> Self {
        Self { options: Some(options), ..self }
    }

    /// Watched, and cancelled where the closure says so.
    pub fn progress(self, progress: ProgressFn<'c>) -> Self {
        Self { progress: Some(progress), ..self }
    }

    /// Parameters without data take those of this executable, by name.
    pub fn share(self, executable: &'c Executable) -> Self {
        Self { share: Some(executable), ..self }
    }

    /// Reports and statistics only; nothing is allocated on the device, and the result cannot run.
    pub fn plan_only(self) -> Self {
        Self { mode: sys::DBK_COMPILE_PLAN_ONLY, ..self }
    }

    /// Checks, infers, places, plans. Fails with every culprit found.
    pub fn build(self) -> Result<Executable> {
        let device = Device::index_in(self.device, self.context)?;
        if let Some(share) = self.share {
            Context::check_same(&self.context.handle, &share.handle.context, "executable to share with")?;
        }
        let (context, share) = (&self.context.handle, self.share);
        let graph = self.graph.raw();
        Options::lend(self.options, |options| {
            watched(self.progress, |watch| {
                let desc = sys::dbk_compile_desc {
                    hdr: sys::dbk_hdr::of::<sys::dbk_compile_desc>(),
                    graph: &graph,
                    options,
                    watch,
                    share: share.map_or(null_mut(), |s| s.handle.raw()),
                    device,
                    mode: self.mode,
                };
                // SAFETY: a live context; the graph's tables and blobs outlive the call, borrowed blobs the executable.
                let raw = context.table.create(|api, out, error| unsafe { (api.compile)(context.raw(), &desc, out, error) })?;
                Executable::new(raw, context.clone(), self.graph.borrowed(), share)
            })
        })
    }
}
