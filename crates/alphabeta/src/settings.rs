//! Which techniques the search uses.

/// Every technique that can change the value of a search of fixed depth can be switched off, for
/// comparison and for tests. All are on by default.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Scores of the table end the search of a position. (Its moves always order the search.)
    pub table_cutoffs: bool,
    /// Iterations start with a narrow window around the last score.
    pub aspiration: bool,
    /// A side that may pass and still is better than beta is cut off.
    pub null_move: bool,
    /// Late quiet moves, and positions without a move in the table, are searched less deep.
    pub reductions: bool,
    /// Near the leaves, moves and positions far outside the window are left out.
    pub futility: bool,
    /// A side in check is searched one ply deeper.
    pub check_extension: bool,
    /// Leaves are resolved by captures; without it they are evaluated as they stand.
    pub quiescence: bool,
    /// Captures that lose material are left out of quiescence.
    pub exchange: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            table_cutoffs: true,
            aspiration: true,
            null_move: true,
            reductions: true,
            futility: true,
            check_extension: true,
            quiescence: true,
            exchange: true,
        }
    }
}

impl Settings {
    /// Principal variation search alone: its value is that of minimax with quiescence.
    pub fn plain() -> Settings {
        Settings {
            table_cutoffs: false,
            aspiration: false,
            null_move: false,
            reductions: false,
            futility: false,
            check_extension: false,
            quiescence: true,
            exchange: false,
        }
    }
}
