//! No modules import each other in a ring, in any crate: a reader who follows the imports comes to
//! an end.
//!
//! A module is a file. It imports another where a path in it, in a `use` or elsewhere, leads there;
//! parents and children count like all others, and so does a name that a parent hands on from one
//! of its children: what is shared lies in a file of its own, and is taken from there. Unit tests
//! are left out.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// A module's path below the root of its crate, which has none.
type Module = Vec<String>;

/// The modules that each module imports.
type Imports = BTreeMap<Module, BTreeSet<Module>>;

/// All modules of a crate, with their text.
fn modules(folder: &Path, above: &[String], found: &mut BTreeMap<Module, String>) {
    for entry in fs::read_dir(folder).expect("a folder of sources").map(Result::unwrap) {
        let path = entry.path();
        let name = path.file_stem().and_then(|name| name.to_str()).expect("a name").to_owned();
        if path.is_dir() {
            modules(&path, &[above, &[name]].concat(), found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let own =
                if ["lib", "main", "mod"].contains(&name.as_str()) { vec![] } else { vec![name] };
            let text = fs::read_to_string(&path).expect("a source");
            found.insert([above, &own].concat(), text);
        }
    }
}

/// The paths in the text of a module: those of `use`, those that begin with `crate`, `self` or
/// `super`, and those that begin with a name, which may be that of a child.
fn paths(stream: TokenStream, found: &mut Vec<Module>) {
    let tokens: Vec<TokenTree> = stream.into_iter().collect();
    let word = |at: usize| match tokens.get(at) {
        Some(TokenTree::Ident(name)) => Some(name.to_string()),
        _ => None,
    };
    let is_sign = |at: usize, sign: char| matches!(tokens.get(at), Some(TokenTree::Punct(punct)) if punct.as_char() == sign);
    let is_joint = |at: usize| is_sign(at, ':') && is_sign(at + 1, ':');
    let mut at = 0;
    while at < tokens.len() {
        if is_sign(at, '#') && tokens.get(at + 1).is_some_and(is_cfg_test) {
            // The item it belongs to ends with braces or a semicolon.
            while at < tokens.len() && !is_sign(at, ';') && !is_braces(&tokens[at]) {
                at += 1;
            }
        } else if word(at).as_deref() == Some("use") {
            let end = (at..tokens.len()).find(|&end| is_sign(end, ';')).unwrap_or(tokens.len());
            tree(&[], &tokens[at + 1..end], found);
            at = end;
        } else if let Some(first) = word(at)
            && is_joint(at + 1)
            // `$crate` in a macro is for who uses it.
            && !(at > 0 && is_sign(at - 1, '$'))
        {
            let mut path = vec![first];
            while is_joint(at + 1)
                && let Some(next) = word(at + 3)
            {
                path.push(next);
                at += 3;
            }
            found.push(path);
        } else if let TokenTree::Group(group) = &tokens[at] {
            let first = found.len();
            paths(group.stream(), found);
            if is_braces(&tokens[at]) && at > 1 && word(at - 2).as_deref() == Some("mod") {
                // A module within the file: the one above it is the file's.
                let inner = found[first..].iter_mut().filter_map(|path| path.first_mut());
                inner.filter(|name| *name == "super").for_each(|name| *name = "self".into());
            }
        }
        at += 1;
    }
}

fn is_braces(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace)
}

fn is_cfg_test(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Group(group) if group.stream().to_string().replace(' ', "") == "cfg(test)")
}

/// The paths of a `use`, below `prefix`.
fn tree(prefix: &[String], tokens: &[TokenTree], found: &mut Vec<Module>) {
    let mut path = prefix.to_vec();
    for token in tokens {
        match token {
            TokenTree::Ident(name) if name == "as" => break,
            TokenTree::Ident(name) => path.push(name.to_string()),
            TokenTree::Group(group) => {
                let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                let is_comma = |token: &TokenTree| matches!(token, TokenTree::Punct(sign) if sign.as_char() == ',');
                inner.split(is_comma).for_each(|part| tree(&path, part, found));
                return;
            }
            _ => {}
        }
    }
    found.push(path);
}

/// Where a path in a module leads, if it is a module of this crate.
fn target(module: &Module, path: &[String], all: &BTreeMap<Module, String>) -> Option<Module> {
    let mut rest = path;
    let mut place = match path.first()?.as_str() {
        "crate" => vec![],
        _ => module.clone(),
    };
    let is_absolute = ["crate", "self", "super"].contains(&path[0].as_str());
    while let Some((first, others)) = rest.split_first()
        && ["crate", "self", "super"].contains(&first.as_str())
    {
        if first == "super" {
            place.pop();
        }
        rest = others;
    }
    let mut entered = false;
    for name in rest {
        let below = [&place[..], std::slice::from_ref(name)].concat();
        if !all.contains_key(&below) {
            break;
        }
        place = below;
        entered = true;
    }
    (is_absolute || entered).then_some(place).filter(|place| all.contains_key(place))
}

fn imports(all: &BTreeMap<Module, String>) -> Imports {
    let of = |(module, text): (&Module, &String)| {
        let mut found = Vec::new();
        paths(text.parse().expect("tokens of Rust"), &mut found);
        let targets = found.iter().filter_map(|path| target(module, path, all));
        (module.clone(), targets.filter(|target| target != module).collect())
    };
    all.iter().map(of).collect()
}

/// Modules that can be reached from themselves, with what they import of the same ring.
fn rings(imports: &Imports) -> Vec<(Module, Vec<Module>)> {
    let reached = |from: &Module| {
        let mut seen = BTreeSet::new();
        let mut open: Vec<&Module> = imports[from].iter().collect();
        while let Some(next) = open.pop() {
            if seen.insert(next) {
                open.extend(&imports[next]);
            }
        }
        seen
    };
    let all: BTreeMap<&Module, BTreeSet<&Module>> =
        imports.keys().map(|module| (module, reached(module))).collect();
    let in_ring = imports.keys().filter(|module| all[module].contains(module));
    let links = |module: &Module| {
        let back = imports[module].iter().filter(|next| all[next].contains(module));
        back.cloned().collect()
    };
    in_ring.map(|module| (module.clone(), links(module))).collect()
}

/// The folders of all crates of the workspace, as its manifest names them.
fn members(manifest: &str) -> Vec<&str> {
    let list = manifest.lines().find_map(|line| line.strip_prefix("members = ["));
    let list = list.and_then(|list| list.strip_suffix(']')).expect("all members on one line");
    list.split(',').map(|member| member.trim().trim_matches('"')).collect()
}

#[test]
fn no_modules_import_each_other_in_a_ring() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let manifest = fs::read_to_string(root.join("Cargo.toml")).expect("the workspace");
    let members = members(&manifest);
    for needed in ["crates/andor", "crates/games/shogi", "crates/web/session", "crates/yomikiri"] {
        assert!(members.contains(&needed), "{needed} is not among {members:?}");
    }
    let (mut count, mut wrong) = (0, Vec::new());
    for member in &members {
        let mut all = BTreeMap::new();
        modules(&root.join(member).join("src"), &[], &mut all);
        assert!(!all.is_empty(), "{member} has no modules");
        count += all.len();
        for (module, links) in rings(&imports(&all)) {
            let show = |module: &Module| format!("{member}::{}", module.join("::"));
            let links: Vec<String> = links.iter().map(show).collect();
            wrong.push(format!("{} imports {}", show(&module), links.join(", ")));
        }
    }
    assert!(count >= 200, "{count} modules");
    assert!(
        wrong.is_empty(),
        "{} of {count} modules are in rings:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn rings_are_seen() {
    let crate_of = |files: &[(&str, &str)]| {
        let module = |path: &str| -> Module {
            path.split("::").filter(|name| !name.is_empty()).map(String::from).collect()
        };
        let all = files.iter().map(|(path, text)| (module(path), text.to_string()));
        let rings = rings(&imports(&all.collect()));
        rings.iter().map(|(module, _)| module.join("::")).collect::<Vec<_>>()
    };
    let none: [&str; 0] = [];
    assert_eq!(
        crate_of(&[("", "mod a; mod b; use a::A;"), ("a", "use crate::b;"), ("b", "")]),
        none
    );
    assert_eq!(
        crate_of(&[("", ""), ("a", "use crate::b;"), ("b", "fn f() { super::a::f() }")]),
        ["a", "b"]
    );
    // A parent and its child; a name handed on; a path inside of a macro; a tree of names.
    assert_eq!(crate_of(&[("", ""), ("a", "use b::f;"), ("a::b", "use super::T;")]), ["a", "a::b"]);
    let text = "use {std::fs, crate::{c::{self, D}, b as e}};";
    assert_eq!(
        crate_of(&[("", ""), ("a", text), ("b", "x!(y(crate::a::Z))"), ("c", "")]),
        ["a", "b"]
    );
    let text = "mod c { use super::D; } fn f() {}";
    assert_eq!(crate_of(&[("", "use a::b;"), ("a", "use b::f;"), ("a::b", text)]), none);
    // Not one: tests, remarks, texts.
    let text =
        "// crate::a\nconst A: &str = \"crate::a\"; #[cfg(test)] mod tests { use crate::a; }";
    assert_eq!(crate_of(&[("", ""), ("a", "use crate::b::A;"), ("b", text)]), none);
}
