//! A graph in the form the plugin reads: index-linked tables.

use super::data::Blob;
use super::Data;
use crate::shared::Keep;
use crate::{Cause, Status};
use daybreak_sys as sys;
use std::marker::PhantomData;

/// A finished graph, to be checked or compiled any number of times. `'a` is the life of the data it borrows.
pub struct Graph<'a> {
    pub(super) tables: Tables,
    pub(super) nodes: Vec<sys::dbk_node>,
    pub(super) blocks: Vec<sys::dbk_block>,
    pub(super) lifetime: PhantomData<&'a [u8]>,
}

impl Graph<'_> {
    /// The ABI's form; good while self is borrowed.
    pub(crate) fn raw(&self) -> sys::dbk_graph {
        let tables = &self.tables;
        sys::dbk_graph {
            hdr: sys::dbk_hdr::of::<sys::dbk_graph>(),
            values: pool(&tables.values),
            nodes: pool(&self.nodes),
            attrs: pool(&tables.attrs),
            symbols: pool(&tables.symbols),
            blocks: pool(&self.blocks),
            blobs: pool(&tables.blobs),
            ints: pool(&tables.ints),
            floats: pool(&tables.floats),
            refs: pool(&tables.refs),
            slices: pool(&tables.slices),
            text: pool(&tables.text),
        }
    }

    /// Does a parameter or constant come with data?
    pub(crate) fn has_data(&self, value: u32) -> bool {
        self.blob_of(value).is_some()
    }

    /// Owner of a value's data, where the plugin uses that in place.
    pub(crate) fn lent(&self, value: u32) -> Option<Keep> {
        self.lent_blob(self.blob_of(value)?)
    }

    /// All owners of data that the plugin uses in place.
    pub(crate) fn all_lent(&self) -> Vec<Keep> {
        (0..self.tables.blobs.len()).filter_map(|blob| self.lent_blob(blob)).collect()
    }

    fn blob_of(&self, value: u32) -> Option<usize> {
        self.tables.values.get(value as usize).map(|value| value.blob as usize).filter(|&blob| blob < self.tables.blobs.len())
    }

    fn lent_blob(&self, blob: usize) -> Option<Keep> {
        self.tables.owners[blob].clone().filter(|_| self.tables.blobs[blob].0.ownership != sys::DBK_COPY)
    }
}

fn pool<T>(elements: &[T]) -> sys::dbk_pool {
    sys::dbk_pool { ptr: elements.as_ptr().cast(), count: elements.len() as u32, stride: size_of::<T>() as u32 }
}

/// The tables that grow while a graph is described. Mistakes are collected and reported when it is finished.
#[derive(Default)]
pub(super) struct Tables {
    pub values: Vec<sys::dbk_value>,
    pub attrs: Vec<sys::dbk_attr>,
    pub symbols: Vec<sys::dbk_symbol>,
    pub blobs: Vec<Blob>,
    pub ints: Vec<i64>,
    pub floats: Vec<f64>,
    pub refs: Vec<u32>,
    pub slices: Vec<sys::dbk_slice>,
    pub text: Vec<u8>,
    /// Owner of each blob's memory; None where that is borrowed for the life of the graph.
    pub owners: Vec<Option<Keep>>,
    pub problems: Vec<Cause>,
}

impl Tables {
    pub fn problem(&mut self, value: Option<u32>, message: String) {
        self.problems.push(Cause { status: Status::InvalidArgument, node: None, value, message });
    }

    /// A length or index as the ABI counts.
    pub fn index(&mut self, len: usize) -> u32 {
        u32::try_from(len).unwrap_or_else(|_| {
            self.problem(None, "the graph has a table of more than 2^32 elements".into());
            sys::DBK_NONE
        })
    }

    pub fn range(&mut self, off: usize, len: usize) -> sys::dbk_slice {
        self.index(off + len);
        sys::dbk_slice { off: off as u32, len: len as u32 }
    }

    pub fn text(&mut self, text: impl AsRef<[u8]>) -> sys::dbk_slice {
        let (off, text) = (self.text.len(), text.as_ref());
        self.text.extend_from_slice(text);
        self.range(off, text.len())
    }

    pub fn text_at(&self, slice: sys::dbk_slice) -> &str {
        let text = self.text.get(slice.off as usize..).and_then(|t| t.get(..slice.len as usize));
        text.and_then(|t| std::str::from_utf8(t).ok()).unwrap_or("")
    }

    pub fn ints(&mut self, ints: &[i64]) -> sys::dbk_slice {
        let off = self.ints.len();
        self.ints.extend_from_slice(ints);
        self.range(off, ints.len())
    }

    pub fn floats(&mut self, floats: &[f64]) -> sys::dbk_slice {
        let off = self.floats.len();
        self.floats.extend_from_slice(floats);
        self.range(off, floats.len())
    }

    pub fn refs(&mut self, refs: impl IntoIterator<Item = u32>) -> sys::dbk_slice {
        let off = self.refs.len();
        self.refs.extend(refs);
        self.range(off, self.refs.len() - off)
    }

    pub fn texts(&mut self, texts: &[Vec<u8>]) -> sys::dbk_slice {
        let off = self.slices.len();
        for text in texts {
            let slice = self.text(text);
            self.slices.push(slice);
        }
        self.range(off, texts.len())
    }

    pub fn blob(&mut self, data: Data<'_>) -> u32 {
        self.owners.push(data.keep);
        self.blobs.push(data.blob);
        self.index(self.blobs.len() - 1)
    }
}
