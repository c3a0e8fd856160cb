//! Host memory that an executable may look at.

use crate::executable::ExecutableHandle;
use crate::listing::list;
use crate::shared::Keep;
use crate::{Executable, Graph, Result, Role};
use std::collections::BTreeMap;

/// Owners of the memory that the plugin may look at on behalf of an executable. An owner is counted: an executable that
/// shares a parameter holds it too, and so keeps the memory when the first one replaces the value or is gone.
#[derive(Default)]
pub(crate) struct Borrowed {
    /// Of blobs that came with the graph: in use until the end.
    _graph: Vec<Keep>,
    /// Of the present values of parameters, by index; nothing where the plugin has a copy or no value.
    params: BTreeMap<u32, Keep>,
    /// Of values replaced since: in use until the executable is ready again.
    replaced: Vec<Keep>,
}

impl Borrowed {
    /// What a new executable has borrowed from its graph, and from the one it shares parameters with. Nobody has changed
    /// that one since: whoever compiles has a reference to it.
    pub(crate) fn by(executable: &ExecutableHandle, graph: &Graph<'_>, share: Option<&Executable>) -> Result<Self> {
        let theirs = share.map_or_else(|| Ok(BTreeMap::new()), by_name)?;
        let mut params = BTreeMap::new();
        for (index, param) in (0..).zip(list(executable, Role::Param)?) {
            let keep = match graph.has_data(param.value) {
                true => graph.lent(param.value),
                // Type and dims must be equal too for a value to be shared. To ignore that is to hold too much at worst.
                false => theirs.get(&param.name).cloned(),
            };
            params.extend(keep.map(|keep| (index, keep)));
        }
        Ok(Self { _graph: graph.all_lent(), params, replaced: Vec::new() })
    }

    /// A parameter has a new value, in memory of `keep` or in none of ours.
    pub(crate) fn replace(&mut self, index: u32, keep: Option<Keep>) {
        let old = match keep {
            Some(keep) => self.params.insert(index, keep),
            None => self.params.remove(&index),
        };
        self.replaced.extend(old);
    }

    /// The executable is ready: what is returned is not in use any more.
    pub(crate) fn ready(&mut self) -> Vec<Keep> {
        std::mem::take(&mut self.replaced)
    }
}

/// Owners of the present values of an executable's parameters.
fn by_name(executable: &Executable) -> Result<BTreeMap<String, Keep>> {
    let params = list(&executable.handle, Role::Param)?;
    let borrowed = executable.handle.borrowed();
    let keep = |(index, name)| borrowed.params.get(&index).map(|keep| (name, keep.clone()));
    Ok((0..).zip(params.into_iter().map(|param| param.name)).filter_map(keep).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[test]
    fn replaced_memory_is_held_until_ready() {
        let (old, new) = (Arc::new(1u8), Arc::new(2u8));
        let mut borrowed = Borrowed::default();
        borrowed.replace(0, Some(old.clone()));
        assert!(borrowed.ready().is_empty());
        borrowed.replace(0, Some(new.clone()));
        borrowed.replace(0, None);
        assert_eq!((Arc::strong_count(&old), Arc::strong_count(&new)), (2, 2));
        assert_eq!(borrowed.ready().len(), 2);
        assert_eq!((Arc::strong_count(&old), Arc::strong_count(&new)), (1, 1));
    }
}
