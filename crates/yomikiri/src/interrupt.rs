//! Ctrl-C.

use andor::Stop;
use anyhow::{Context, Result};
use yomikiri_question::lang::text;

use crate::progress;

/// A flag that the first Ctrl-C raises; the second one ends the program.
pub fn stop_on_interrupt() -> Result<Stop> {
    let stop = Stop::new();
    let raised = stop.clone();
    ctrlc::set_handler(move || {
        if raised.is_raised() {
            progress::clear();
            std::process::exit(130);
        }
        raised.raise();
    })
    .with_context(|| text!("cannot listen for Ctrl-C", "Ctrl-C を受け取れません"))?;
    Ok(stop)
}
