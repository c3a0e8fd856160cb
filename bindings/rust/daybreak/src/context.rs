//! A session with the plugin: devices, caches, threads.

use crate::callback::Outside;
use crate::log::{log, LogHook};
use crate::report::Subject;
use crate::table::Table;
use crate::{Compile, Device, Error, Graph, LogLevel, Options, Plugin, ProgressFn, Result, Stats, Status};
use daybreak_sys as sys;
use std::ffi::CString;
use std::ptr::{null, null_mut, NonNull};
use std::sync::Arc;

/// The plugin's object; destroyed before the log hook and the library go.
pub(crate) struct ContextHandle {
    raw: NonNull<sys::dbk_ctx>,
    _log: Option<Arc<LogHook>>,
    pub(crate) table: Arc<Table>,
}

// SAFETY: every function of a context but destroy is [any]; destroy happens once, when nobody refers to it any more.
unsafe impl Send for ContextHandle {}
// SAFETY: as above.
unsafe impl Sync for ContextHandle {}

impl ContextHandle {
    pub(crate) fn raw(&self) -> *mut sys::dbk_ctx {
        self.raw.as_ptr()
    }
}

impl Drop for ContextHandle {
    fn drop(&mut self) {
        // SAFETY: ours, and everything made from it is gone.
        unsafe { (self.table.api().ctx_destroy)(self.raw()) };
    }
}

/// A session. Cheap to clone; shared by threads as it is.
#[derive(Clone)]
pub struct Context {
    pub(crate) handle: Arc<Outside<ContextHandle>>,
}

impl Context {
    /// All devices, the CPU last.
    pub fn devices(&self) -> Result<Vec<Device>> {
        let mut count = 0;
        // SAFETY: a live context.
        self.handle.table.call(|api, error| unsafe { (api.device_count)(self.handle.raw(), &mut count, error) })?;
        (0..count).map(|index| self.device(index)).collect()
    }

    /// Device by index, which means the same device for the life of the context.
    pub fn device(&self, index: u32) -> Result<Device> {
        Device::new(self, index)
    }

    /// The CPU, which is always there.
    pub fn cpu(&self) -> Result<Device> {
        self.devices()?.pop().ok_or_else(|| Error::new(Status::Internal, "the plugin has no CPU device"))
    }

    /// Starts to compile a graph, or to check whether that would succeed.
    pub fn compile<'c>(&'c self, graph: &'c Graph<'c>) -> Compile<'c> {
        Compile::new(self, graph)
    }

    /// Counters of everything made from this context.
    pub fn stats(&self) -> Result<Stats> {
        self.subject().stats(&self.handle.table)
    }

    /// A JSON text: "device", "options", "ops", "stats"; an unknown kind fails with the list of known ones.
    pub fn report(&self, kind: &str) -> Result<String> {
        self.report_with(kind, None, None)
    }

    /// The same with options, watched.
    pub fn report_with(&self, kind: &str, options: Option<&Options>, progress: Option<ProgressFn<'_>>) -> Result<String> {
        self.subject().report(&self.handle.table, kind, options, progress)
    }

    fn subject(&self) -> Subject {
        Subject { ctx: self.handle.raw(), ..Subject::none() }
    }

    /// Are both the same session? Objects of different ones must not meet.
    pub(crate) fn check_same(ours: &Arc<Outside<ContextHandle>>, theirs: &Arc<Outside<ContextHandle>>, what: &str) -> Result<()> {
        if Arc::ptr_eq(ours, theirs) {
            return Ok(());
        }
        Err(Error::new(Status::InvalidArgument, format!("the {what} belongs to another context")))
    }
}

/// Describes a context.
pub struct ContextBuilder<'a> {
    plugin: &'a Plugin,
    options: Option<&'a Options>,
    host: (&'a str, &'a str),
    level: LogLevel,
    log: Option<Arc<LogHook>>,
}

impl<'a> ContextBuilder<'a> {
    pub(crate) fn new(plugin: &'a Plugin) -> Self {
        Self { plugin, options: None, host: ("", ""), level: LogLevel::Warning, log: None }
    }

    /// Options of the context.
    #[must_use]
    pub fn options(self, options: &'a Options) -> Self {
        Self { options: Some(options), ..self }
    }

    /// Name and version of the program, for the plugin's messages.
    #[must_use]
    pub fn host(self, name: &'a str, version: &'a str) -> Self {
        Self { host: (name, version), ..self }
    }

    /// Gets messages up to `level`, on any thread and on several at once, until the context is destroyed. A panic in there
    /// is swallowed.
    #[must_use]
    pub fn log(self, level: LogLevel, hook: impl Fn(LogLevel, &str) + Send + Sync + 'static) -> Self {
        Self { level, log: Some(Arc::new(LogHook(Box::new(hook)))), ..self }
    }

    /// Creates the context; finds devices, which takes some tens of milliseconds where a GPU driver is loaded.
    pub fn build(self) -> Result<Context> {
        let table = self.plugin.table.clone();
        let text = |text: &str| {
            let error = |_| Error::new(Status::InvalidArgument, format!("host name or version {text:?} contains NUL"));
            CString::new(text).map_err(error)
        };
        let (name, version) = (text(self.host.0)?, text(self.host.1)?);
        let host = sys::dbk_host {
            hdr: sys::dbk_hdr::of::<sys::dbk_host>(),
            abi: table.api().abi,
            log_level: self.level.raw(),
            name: if name.is_empty() { null() } else { name.as_ptr() },
            version: if version.is_empty() { null() } else { version.as_ptr() },
            user: self.log.as_ref().map_or(null_mut(), |hook| Arc::as_ptr(hook).cast_mut().cast()),
            log: self.log.as_ref().map(|_| log as sys::dbk_log_fn),
            get_extension: None,
        };
        // SAFETY: the texts are needed during the call only, the hook is kept by the handle.
        let raw = Options::lend(self.options, |options| {
            table.create(|api, out, error| unsafe { (api.ctx_create)(&host, options, out, error) })
        })?;
        Ok(Context { handle: Arc::new(Outside::new(ContextHandle { raw, _log: self.log, table })) })
    }
}
