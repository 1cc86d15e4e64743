//! x
pub mod deep { #[path = "delayed.rs"]
 pub mod delayed; pub use delayed::Delayed; }
