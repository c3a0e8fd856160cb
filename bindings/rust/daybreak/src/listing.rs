//! The lists of an executable, asked by index and by name.

use crate::executable::ExecutableHandle;
use crate::{Executable, IoInfo, Result, Role, SymbolInfo};
use daybreak_sys as sys;
use std::ptr::null;

impl Executable {
    /// Length of a list.
    pub fn count(&self, role: Role) -> Result<u32> {
        count(&self.handle, role.raw())
    }

    /// A member of a list.
    pub fn io(&self, role: Role, index: u32) -> Result<IoInfo> {
        io(&self.handle, role, index)
    }

    /// Index by name; [`crate::Status::NotFound`] names the nearest.
    pub fn find(&self, role: Role, name: &str) -> Result<u32> {
        find(&self.handle, role.raw(), name)
    }

    /// Number of symbols.
    pub fn symbol_count(&self) -> Result<u32> {
        count(&self.handle, sys::DBK_SYMBOL)
    }

    /// A symbol; its index is also that of [`crate::Symbol::index`].
    pub fn symbol(&self, index: u32) -> Result<SymbolInfo> {
        let raw = raw_io(&self.handle, sys::DBK_SYMBOL, index)?;
        // SAFETY: the name is borrowed from an executable that is alive.
        Ok(unsafe { SymbolInfo::from_raw(&raw) })
    }

    /// Index of a symbol by name; [`crate::Status::NotFound`] names the nearest.
    pub fn find_symbol(&self, name: &str) -> Result<u32> {
        find(&self.handle, sys::DBK_SYMBOL, name)
    }
}

/// All members of a list.
pub(crate) fn list(handle: &ExecutableHandle, role: Role) -> Result<Vec<IoInfo>> {
    (0..count(handle, role.raw())?).map(|index| io(handle, role, index)).collect()
}

fn count(handle: &ExecutableHandle, role: u32) -> Result<u32> {
    let mut count = 0;
    // SAFETY: a live executable.
    handle.call(|api, exec, error| unsafe { (api.exec_count)(exec, role, &mut count, error) })?;
    Ok(count)
}

fn find(handle: &ExecutableHandle, role: u32, name: &str) -> Result<u32> {
    let (name, mut index) = (sys::dbk_str::borrow(name), 0);
    // SAFETY: a live executable, and a text that outlives the call.
    handle.call(|api, exec, error| unsafe { (api.exec_find)(exec, role, &name, &mut index, error) })?;
    Ok(index)
}

fn io(handle: &ExecutableHandle, role: Role, index: u32) -> Result<IoInfo> {
    let raw = raw_io(handle, role.raw(), index)?;
    // SAFETY: the name is borrowed from an executable that is alive.
    unsafe { IoInfo::from_raw(&raw) }
}

fn raw_io(handle: &ExecutableHandle, role: u32, index: u32) -> Result<sys::dbk_io_info> {
    let mut raw = empty_raw();
    // SAFETY: a live executable and an out-struct with its size.
    handle.call(|api, exec, error| unsafe { (api.exec_io)(exec, role, index, &mut raw, error) })?;
    Ok(raw)
}

pub(crate) fn empty_raw() -> sys::dbk_io_info {
    sys::dbk_io_info {
        hdr: sys::dbk_hdr::of::<sys::dbk_io_info>(),
        dtype: sys::DBK_DTYPE_NONE,
        rank: 0,
        dims: [0; sys::DBK_MAX_RANK as usize],
        value: 0,
        flags: 0,
        kind: 0,
        reserved: 0,
        name: null(),
        name_len: 0,
    }
}
