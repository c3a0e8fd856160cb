//! From a graph to an executable.

use crate::progress::watched;
use crate::{Context, Device, Executable, Graph, Options, ProgressFn, Result};
use daybreak_sys as sys;
use std::ptr::null_mut;

/// A compilation being described; [`Self::build`] does it, [`Self::check`] asks what it would come to.
///
/// ```
/// # use daybreak::{DType, GraphBuilder, Options, Plugin, Type};
/// # fn main() -> daybreak::Result<()> {
/// # let library = std::env::var("DAYBREAK_PLUGIN").unwrap_or("../../../build/dev/libdaybreak.so".into());
/// # let context = Plugin::load(library)?.context().build()?;
/// let mut graph = GraphBuilder::new(20);
/// let x = graph.input("x", Type::tensor(DType::F32, [4]));
/// let y = graph.node("Relu").input(x).output();
/// graph.output("y", y);
/// let graph = graph.finish()?;
///
/// let (cpu, options) = (context.cpu()?, Options::new().set("policy", "cpu_only"));
/// let verdicts = context.compile(&graph).device(&cpu).options(&options).check()?;
/// assert!(verdicts.contains("daybreak.check/1"));
/// let executable = context.compile(&graph).device(&cpu).options(&options).build()?;
/// assert_eq!(executable.info()?.device, cpu.index());
/// # Ok(())
/// # }
/// ```
#[must_use = "nothing happens before build or check"]
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

    /// Parameters without data take what this executable has by then, where name, type and dims are equal. Later changes
    /// of one do not reach the other. [`crate::Shared`] memory given to it is then held by both.
    pub fn share(self, executable: &'c Executable) -> Self {
        Self { share: Some(executable), ..self }
    }

    /// Reports and statistics only; nothing is allocated on the device, and the result cannot run.
    pub fn plan_only(self) -> Self {
        Self { mode: sys::DBK_COMPILE_PLAN_ONLY, ..self }
    }

    /// Checks, infers, places, plans. Fails with every culprit found.
    pub fn build(self) -> Result<Executable> {
        let (context, graph, share) = (&self.context.handle, self.graph, self.share);
        self.lend(|desc| {
            // SAFETY: a live context and a description that is good during the call.
            let raw = context.table.create(|api, out, error| unsafe { (api.compile)(context.raw(), desc, out, error) })?;
            Executable::new(raw, context.clone(), graph, share)
        })
    }

    /// Would [`Self::build`] succeed, and what would run where? A JSON text of schema "daybreak.check/1" with a verdict for
    /// each node. A valid graph with nodes that nothing can run is no error. [`Self::share`] and [`Self::plan_only`] make
    /// no difference.
    pub fn check(self) -> Result<String> {
        let context = &self.context.handle;
        // SAFETY: a live context and a description that is good during the call.
        self.lend(|desc| context.table.text(|api, text, error| unsafe { (api.check)(context.raw(), desc, text, error) }))
    }

    /// Hands the ABI's form to `call`. Tables, blobs, options and watch are good during it.
    fn lend<R>(self, call: impl FnOnce(&sys::dbk_compile_desc) -> Result<R>) -> Result<R> {
        let device = Device::index_in(self.device, self.context)?;
        if let Some(share) = self.share {
            Context::check_same(&self.context.handle, &share.handle.context, "executable to share with")?;
        }
        let graph = self.graph.raw();
        Options::lend(self.options, |options| {
            watched(self.progress, |watch| {
                call(&sys::dbk_compile_desc {
                    hdr: sys::dbk_hdr::of::<sys::dbk_compile_desc>(),
                    graph: &graph,
                    options,
                    watch,
                    share: self.share.map_or(null_mut(), |s| s.handle.raw()),
                    device,
                    mode: self.mode,
                })
            })
        })
    }
}
