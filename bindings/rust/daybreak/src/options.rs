//! Typed options of contexts, compilations, runs and reports.

use daybreak_sys as sys;

/// Value of an option.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum OptionValue {
    /// An integer.
    Int(i64),
    /// A number.
    Float(f64),
    /// A text.
    Text(String),
    /// Yes or no.
    Bool(bool),
}

macro_rules! from {
    ($($source:ty => $variant:ident),* $(,)?) => {$(
        impl From<$source> for OptionValue {
            fn from(value: $source) -> Self {
                Self::$variant(value.into())
            }
        }
    )*};
}

from!(i64 => Int, i32 => Int, u32 => Int, f64 => Float, f32 => Float, &str => Text, String => Text, bool => Bool);

#[derive(Clone, Debug)]
struct Item {
    key: String,
    value: OptionValue,
    flags: u32,
}

/// A list of options. The keys that a plugin knows are listed by [`crate::Context::report`] of "options".
#[derive(Clone, Debug, Default)]
pub struct Options {
    items: Vec<Item>,
}

impl Options {
    /// No options.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an option; where the key is unknown the call that gets it fails and names it.
    #[must_use]
    pub fn set(self, key: impl Into<String>, value: impl Into<OptionValue>) -> Self {
        self.with(key.into(), value.into(), 0)
    }

    /// Adds an option that is ignored where the plugin does not know the key, or this type or value of it.
    #[must_use]
    pub fn set_optional(self, key: impl Into<String>, value: impl Into<OptionValue>) -> Self {
        self.with(key.into(), value.into(), sys::DBK_OPTION_OPTIONAL)
    }

    fn with(mut self, key: String, value: OptionValue, flags: u32) -> Self {
        self.items.push(Item { key, value, flags });
        self
    }

    /// Hands the ABI's form of the list to `call`; NULL when there is no list.
    pub(crate) fn lend<R>(options: Option<&Self>, call: impl FnOnce(*const sys::dbk_options) -> R) -> R {
        let Some(options) = options else { return call(std::ptr::null()) };
        let items: Vec<sys::dbk_kv> = options.items.iter().map(Item::raw).collect();
        call(&sys::dbk_options {
            hdr: sys::dbk_hdr::of::<sys::dbk_options>(),
            items: items.as_ptr(),
            count: items.len() as u32,
            stride: size_of::<sys::dbk_kv>() as u32,
        })
    }
}

impl Item {
    fn raw(&self) -> sys::dbk_kv {
        // The widest member first, so that no byte of the union is left undefined.
        let mut v = sys::dbk_kv_value { s: sys::dbk_str::borrow("") };
        let r#type = match &self.value {
            OptionValue::Int(i) => {
                v.i = *i;
                sys::DBK_OPTION_INT
            }
            OptionValue::Float(f) => {
                v.f = *f;
                sys::DBK_OPTION_FLOAT
            }
            OptionValue::Text(s) => {
                v.s = sys::dbk_str::borrow(s);
                sys::DBK_OPTION_STRING
            }
            OptionValue::Bool(b) => {
                v.i = i64::from(*b);
                sys::DBK_OPTION_BOOL
            }
        };
        sys::dbk_kv { key: sys::dbk_str::borrow(&self.key), r#type, flags: self.flags, v }
    }
}
