//! Explicit AND/OR graphs, read from a text, as an [`andor::Problem`].
//!
//! The smallest game there is: the rules are the text. Cycles and shared nodes are welcome, a
//! repeated position may favour either side, and the attacker may own *tokens*, a monotone resource
//! such as the attacker's hand in shogi. So every power of the search library can be tried here on
//! graphs small enough to be solved by [`fixpoint`] iteration, and made by the thousand by
//! [`random`].
//!
//! # The text
//!
//! One thing a line; `#` begins a comment; words are separated by blanks.
//!
//! ```text
//! graph                  # the first word: makes the text recognisable
//! repetition defender    # the side that a repeated position favours: defender (default) or attacker
//! stock 3                # the attacker's tokens at the root, 0 (default) to 15; of both kinds: `3 2b`
//! root a                 # default: the first node
//! a or b c+1 d-2         # an OR node and its successors
//! b and a e?1            # an AND node and its successors
//! c win                  # a proven leaf
//! d lose                 # a disproven leaf
//! e or
//! ```
//!
//! * A name is made of letters, digits and `_`. The words `graph`, `repetition`, `stock` and `root`
//!   cannot be names. Each of them begins at most one line, and lines after the first may come in
//!   any order.
//! * `c+1` at an OR node: the attacker goes to `c` and gains 1 token. He never holds more than 15.
//! * `d-2` at an OR node: he goes to `d` and pays 2 tokens; only with at least 2.
//! * `e?1` at an AND node: the defender goes to `e`; only while the attacker holds at most 1 token.
//! * There is a second kind of tokens, of which he never holds more than 3: `c+1b`, `d-2b`, `e?1b`.
//!   An edge may cost one kind and gain the other: `d-2+1b`.
//! * A node may have several edges to one successor, and edges to itself.
//! * A side to move without an available edge has lost: an OR node is then disproven, an AND node
//!   proven.
//!
//! Gains and prices at OR nodes only, limits at AND nodes only: so more tokens never hurt the
//! attacker. With one more token of either kind, each of his edges stays available and leaves at least as many
//! tokens; the defender gets no new edge, and his edges keep the tokens as they are. Hence each
//! step of a fixpoint iteration keeps the set of proven positions closed under "more tokens", and
//! both the least and the greatest fixpoint are closed, too.
//!
//! ```
//! use andor::{Rules, Value};
//! use yomikiri_graph::{Graph, Tokens, fixpoint::Fixpoint};
//!
//! // Going round by `b` gains a token each time; `c` costs two.
//! let graph: Graph = "graph\n a or b+1 c-2\n b and a\n c win".parse()?;
//! let solved = Fixpoint::of(&graph);
//! let start = graph.start();
//! assert_eq!(solved.value(start.identity(), start.stock()), Value::Proven);
//! assert_eq!(solved.plies(graph.root(), Tokens::NONE), Some(5));
//! assert_eq!(graph.to_string().parse::<Graph>()?, graph);
//!
//! let error = "graph\na or b\n".parse::<Graph>().unwrap_err();
//! assert_eq!(error.to_string(), "line 2, column 6: successor `b` is not defined");
//! # Ok::<(), yomikiri_graph::GraphError>(())
//! ```

pub mod fixpoint;
mod graph;
mod position;
pub mod random;
mod text;
mod tokens;

pub use graph::{Edge, Graph, Node, Role};
pub use position::{GraphPosition, Habits};
pub use text::{GraphError, Reason};
pub use tokens::Tokens;

andor::solvable!(GraphPosition);
