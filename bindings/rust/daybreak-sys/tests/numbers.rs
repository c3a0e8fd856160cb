//! Every `#define` with a value in the header, evaluated and compared with the constant of the same name.

use daybreak_sys::{DBK_ABI, DBK_DTYPE, NUMBERS};
use std::collections::BTreeMap;
use std::path::PathBuf;

fn header() -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../abi/daybreak.h");
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn literal(text: &str) -> Option<i128> {
    let digits = text.trim().trim_end_matches(['u', 'l']);
    match digits.strip_prefix("0x") {
        Some(hex) => i128::from_str_radix(hex, 16).ok(),
        None => digits.parse().ok(),
    }
}

/// The few forms of value that the header uses; None for anything that is no number.
fn evaluate(text: &str) -> Option<i128> {
    if text == "INT64_MIN" {
        return Some(i64::MIN.into());
    }
    if let Some((_, value)) = NUMBERS.iter().find(|(name, _)| *name == text) {
        return Some(*value);
    }
    if let Some((name, arguments)) = text.trim_end_matches(')').split_once('(').filter(|(name, _)| !name.is_empty()) {
        let (a, b) = arguments.split_once(',')?;
        let (a, b) = (literal(a)? as u32, literal(b)? as u32);
        return match name {
            "DBK_ABI" => Some(DBK_ABI(a, b).into()),
            "DBK_DTYPE" => Some(DBK_DTYPE(a, b).into()),
            _ => None,
        };
    }
    match text.trim_matches(['(', ')']).split_once("<<") {
        Some((value, shift)) => Some(literal(value)? << literal(shift)?),
        None => literal(text),
    }
}

#[test]
fn numbers_equal_the_header() {
    let mut ours: BTreeMap<&str, i128> = NUMBERS.iter().copied().collect();
    assert_eq!(ours.len(), NUMBERS.len(), "a name occurs twice");
    for line in header().lines() {
        let Some((name, rest)) = line.strip_prefix("#define ").and_then(|l| l.split_once(' ')) else { continue };
        let value = rest.split("/*").next().unwrap().trim();
        // Macros with parameters are functions in Rust; their use in values is what tests them.
        let Some(value) = evaluate(value).filter(|_| !name.contains('(')) else { continue };
        assert_eq!(ours.remove(name), Some(value), "{name}");
    }
    assert!(ours.is_empty(), "not in the header: {ours:?}");
}
