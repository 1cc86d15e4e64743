//! Tests of the engine inside a browser.

mod module;
