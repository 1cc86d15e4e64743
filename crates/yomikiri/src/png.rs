//! Pictures as PNG, drawn from SVG.
//!
//! Kanji need a font, and the fonts of the system are used: one that could be shipped is larger than
//! the program. A picture in which a letter would be missing is not made. All of it is behind the
//! feature `png`, for it takes as many crates as the solver.

#[cfg(not(feature = "png"))]
pub use absent::Painter;
#[cfg(feature = "png")]
pub use present::Painter;

#[cfg(feature = "png")]
mod present {
    use anyhow::{Context, Result, bail};

    use resvg::tiny_skia::{Pixmap, Transform};
    use resvg::usvg::{FontResolver, Group, Node, Options, Tree, fontdb};
    use yomikiri_question::lang::text;

    /// Pixels for a unit of the picture: sharp on a phone, and in print at the width of a hand.
    const SCALE: f32 = 2.0;

    /// Draws pictures with some fonts.
    pub struct Painter {
        options: Options<'static>,
    }

    impl Painter {
        /// With the fonts of the system.
        pub fn new() -> Result<Painter> {
            let mut fonts = fontdb::Database::new();
            fonts.load_system_fonts();
            Ok(Painter::with_fonts(fonts))
        }

        fn with_fonts(fonts: fontdb::Database) -> Painter {
            let mut options = Options::default();
            *options.fontdb_mut() = fonts;
            // Where no font of the picture's list is there, any will do to begin with: each letter
            // that it lacks is looked for in all others.
            let select = FontResolver::default_font_selector();
            options.font_resolver.select_font = Box::new(move |font, fonts| {
                select(font, fonts).or_else(|| fonts.faces().next().map(|face| face.id))
            });
            Painter { options }
        }

        /// The bytes of a PNG file.
        pub fn paint(&self, svg: &str) -> Result<Vec<u8>> {
            let tree = Tree::from_str(svg, &self.options)
                .with_context(|| text!("cannot read the picture", "図面を読めません"))?;
            if letters(tree.root()) != Some(svg.matches("<text").count()) {
                bail!(text!(
                    "PNG needs a font with Japanese letters, and there is none: install one (Debian: \
                     fonts-ipaexfont-mincho or fonts-noto-cjk), or write --to svg",
                    "PNG には日本語フォントが要りますが、ありません。フォントを入れるか（Debian では \
                     fonts-ipaexfont-mincho や fonts-noto-cjk）、--to svg を使ってください"
                ));
            }
            let size = tree
                .size()
                .to_int_size()
                .scale_by(SCALE)
                .with_context(|| text!("the picture is empty", "図面が空です"))?;
            let mut pixels = Pixmap::new(size.width(), size.height()).with_context(|| {
                text!("no memory for the picture", "図面のためのメモリがありません")
            })?;
            resvg::render(&tree, Transform::from_scale(SCALE, SCALE), &mut pixels.as_mut());
            pixels.encode_png().with_context(|| {
                text!("cannot write the picture as PNG", "図面を PNG にできません")
            })
        }
    }

    /// How many texts there are; none if a letter of one is in no font.
    fn letters(group: &Group) -> Option<usize> {
        group.children().iter().try_fold(0, |sum, node| {
            let found = match node {
                Node::Group(group) => letters(group)?,
                Node::Text(text) => {
                    let mut glyphs =
                        text.layouted().iter().flat_map(|span| &span.positioned_glyphs);
                    glyphs.all(|glyph| glyph.id.0 != 0).then_some(1)?
                }
                _ => 0,
            };
            Some(sum + found)
        })
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn without_a_font_there_is_no_picture() {
            let painter = Painter::with_fonts(fontdb::Database::new());
            let empty = r#"<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"/>"#;
            let bytes = painter.paint(empty).expect("there are no letters in it");
            assert!(bytes.starts_with(b"\x89PNG\r\n\x1a\n"));
            let king = r#"<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><text>玉</text></svg>"#;
            let error = painter.paint(king).expect_err("there is no font").to_string();
            assert!(error.contains("install one") && error.contains("--to svg"), "{error}");
        }
    }
}

#[cfg(not(feature = "png"))]
mod absent {
    use anyhow::{Result, bail};

    use yomikiri_question::lang::text;

    /// In a build without PNG there is none.
    pub enum Painter {}

    impl Painter {
        /// Says how to get it.
        pub fn new() -> Result<Painter> {
            bail!(text!(
                "PNG is not in this build of yomikiri: build it with `--features png`, as in \
                 `cargo install --path crates/yomikiri --features png`, or write --to svg",
                "この yomikiri は PNG を書けません。`cargo install --path crates/yomikiri --features png` \
                 で作り直すか、--to svg を使ってください"
            ))
        }

        /// There is no such painter.
        pub fn paint(&self, _: &str) -> Result<Vec<u8>> {
            match *self {}
        }
    }
}
