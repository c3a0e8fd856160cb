//! The loaded library.

use crate::negotiate::negotiate;
use crate::table::Table;
use crate::{ContextBuilder, Error, Result, Status};
use daybreak_sys as sys;
use std::ffi::{c_char, CStr};
use std::path::Path;
use std::sync::Arc;

/// What a plugin says about itself.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PluginInfo {
    /// "daybreak".
    pub id: String,
    /// Semantic version.
    pub version: String,
    /// Commit, compiler and versions of parts.
    pub build: String,
    /// Oldest ABI spoken, as (major, minor).
    pub abi_min: (u32, u32),
    /// Newest ABI spoken, as (major, minor).
    pub abi_max: (u32, u32),
    /// Name of the sanitizer it was built with.
    pub sanitizer: Option<&'static str>,
}

/// A loaded plugin. Cheap to clone; the library stays loaded as long as anything made from it lives.
#[derive(Clone)]
pub struct Plugin {
    pub(crate) table: Arc<Table>,
    info: Arc<PluginInfo>,
}

impl Plugin {
    /// Loads the library and agrees on ABI 1.0. Fails with [`Status::NotFound`] when the file or its entry symbol is
    /// missing and with [`Status::Unimplemented`] when the plugin refuses the version.
    pub fn load(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let failed = |e: libloading::Error| {
            let reason = std::error::Error::source(&e).map_or_else(|| e.to_string(), |source| source.to_string());
            Error::new(Status::NotFound, format!("cannot load plugin {}: {reason}", path.display()))
        };
        // SAFETY: initialisers of an honest plugin do nothing (crate documentation, "Trust").
        let library = unsafe { open(path) }.map_err(failed)?;
        // SAFETY: the symbol of that name has this type in every version of the ABI.
        let entry = unsafe { library.get::<sys::dbk_entry_fn>(sys::DBK_ENTRY.to_bytes_with_nul()) }.map_err(failed)?;
        // SAFETY: as above.
        let api = unsafe { negotiate(*entry) }?;
        // SAFETY: verified just now.
        let table = Arc::new(unsafe { Table::new(api, library) });
        // SAFETY: verified by negotiate; static while the library is loaded.
        let info = Arc::new(unsafe { describe(&*table.api().info) });
        Ok(Self { table, info })
    }

    /// What the plugin says about itself.
    pub fn info(&self) -> &PluginInfo {
        &self.info
    }

    /// Starts to describe a context.
    pub fn context(&self) -> ContextBuilder<'_> {
        ContextBuilder::new(self)
    }
}

#[cfg(unix)]
unsafe fn open(path: &Path) -> std::result::Result<libloading::Library, libloading::Error> {
    use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};
    // Unresolved symbols shall fail here, where they can be reported, not in the middle of a run.
    // SAFETY: the caller's promise.
    unsafe { Library::open(Some(path), RTLD_NOW | RTLD_LOCAL) }.map(Into::into)
}

#[cfg(not(unix))]
unsafe fn open(path: &Path) -> std::result::Result<libloading::Library, libloading::Error> {
    // SAFETY: the caller's promise.
    unsafe { libloading::Library::new(path) }
}

/// # Safety
/// The texts of `info` are NULL or NUL-terminated.
unsafe fn describe(info: &sys::dbk_info) -> PluginInfo {
    let copy = |ptr: *const c_char| match ptr.is_null() {
        true => String::new(),
        // SAFETY: the caller's promise.
        false => unsafe { CStr::from_ptr(ptr) }.to_string_lossy().into_owned(),
    };
    let version = |abi| (sys::DBK_ABI_MAJOR(abi), sys::DBK_ABI_MINOR(abi));
    PluginInfo {
        id: copy(info.id),
        version: copy(info.version),
        build: copy(info.build),
        abi_min: version(info.abi_min),
        abi_max: version(info.abi_max),
        sanitizer: match info.sanitizer {
            sys::DBK_SANITIZER_NONE => None,
            sys::DBK_SANITIZER_ADDRESS => Some("address"),
            sys::DBK_SANITIZER_THREAD => Some("thread"),
            _ => Some("unknown"),
        },
    }
}
