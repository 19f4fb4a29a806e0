//! SVG elements for the report page, the experiments and the drawings of weights. Looks come from a style sheet, by
//! class.
//!
//! Style sheets of files name every colour where it is used: many viewers know no CSS variables.

use std::fmt::{self, Display, Write};

use crate::terminal::plain::is_active;

/// Text in the content or in a quoted attribute of an element.
pub(crate) struct Escaped<T>(pub T);

impl<T: Display> Display for Escaped<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in self.0.to_string().chars() {
            match c {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&#39;")?,
                // Not allowed, not even as references, or able to turn around what follows.
                '\u{fffe}' | '\u{ffff}' => f.write_char('\u{fffd}')?,
                c if is_active(c) => f.write_char('\u{fffd}')?,
                _ => f.write_char(c)?,
            }
        }
        Ok(())
    }
}

/// A number with its sign, with a true minus; zero has no sign.
pub(crate) fn signed(value: f64, decimals: usize) -> String {
    let text = format!("{value:+.decimals$}");
    if text.trim_start_matches(['+', '-']).bytes().all(|b| b == b'0' || b == b'.') {
        format!("{:.decimals$}", 0.0)
    } else {
        text.replace('-', "\u{2212}")
    }
}

/// Maps values to coordinates.
pub(crate) struct LinearScale {
    pub domain: [f64; 2],
    pub range: [f64; 2],
}

impl LinearScale {
    pub fn at(&self, value: f64) -> f64 {
        let share = (value - self.domain[0]) / (self.domain[1] - self.domain[0]);
        self.range[0] + share * (self.range[1] - self.range[0])
    }

    /// About so many round values within the domain.
    pub fn ticks(&self, about: f64) -> Vec<f64> {
        let raw = (self.domain[1] - self.domain[0]).abs() / about;
        let magnitude = 10_f64.powf(raw.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].map(|n| n * magnitude).into_iter().find(|&step| step >= raw);
        let step = step.unwrap_or(raw);
        let [low, high] = self.domain.map(|end| end / step);
        (low.ceil() as i64..=high.floor() as i64).map(|n| n as f64 * step).collect()
    }
}

/// The smallest interval that has `start` and all values.
pub(crate) fn extent(start: [f64; 2], values: impl IntoIterator<Item = f64>) -> [f64; 2] {
    values.into_iter().fold(start, |[low, high], value| [low.min(value), high.max(value)])
}

pub(crate) fn line(class: &str, x: [f64; 2], y: [f64; 2]) -> String {
    let ([x1, x2], [y1, y2]) = (x, y);
    format!("<line class=\"{class}\" x1=\"{x1:.1}\" x2=\"{x2:.1}\" y1=\"{y1:.1}\" y2=\"{y2:.1}\"/>")
}

/// The class says which end of the text is at `x`.
pub(crate) fn text(class: &str, x: f64, y: f64, content: &str) -> String {
    format!("<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\">{}</text>", Escaped(content))
}

/// A text with its middle at `x`, moved inwards where the edge of a drawing of this width would cut it off.
pub(crate) fn centred_text(class: &str, x: f64, y: f64, width: f64, size: f64, content: &str) -> String {
    let half = text_width(content, size) / 2.0;
    text(&format!("{class} middle"), x.min(width - half), y, content)
}

/// A circle, with a tooltip unless that is empty.
pub(crate) fn circle(class: &str, x: f64, y: f64, radius: f64, tooltip: &str) -> String {
    let title =
        if tooltip.is_empty() { String::new() } else { format!("<title>{}</title>", Escaped(tooltip)) };
    format!("<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\">{title}</circle>")
}

pub(crate) fn polyline(class: &str, points: impl IntoIterator<Item = [f64; 2]>) -> String {
    format!("<polyline class=\"{class}\" points=\"{}\"/>", point_list(points))
}

pub(crate) fn polygon(class: &str, points: impl IntoIterator<Item = [f64; 2]>) -> String {
    format!("<polygon class=\"{class}\" points=\"{}\"/>", point_list(points))
}

fn point_list(points: impl IntoIterator<Item = [f64; 2]>) -> String {
    points.into_iter().map(|[x, y]| format!("{x:.1},{y:.1}")).collect::<Vec<_>>().join(" ")
}

/// Horizontal grid lines with labels at the left; the one at `baseline` is drawn as the axis.
pub(crate) fn horizontal_grid(
    y: &LinearScale,
    ticks: &[f64],
    baseline: f64,
    [left, right]: [f64; 2],
    label: impl Fn(f64) -> String,
) -> String {
    let one = |&tick: &f64| {
        let class = if tick == baseline { "axis" } else { "gridline" };
        line(class, [left, right], [y.at(tick); 2])
            + &text("small end", left - 6.0, y.at(tick) + 3.5, &label(tick))
    };
    ticks.iter().map(one).collect()
}

/// Vertical grid lines; the one at zero is drawn as the axis.
pub(crate) fn vertical_grid(x: &LinearScale, ticks: &[f64], y: [f64; 2]) -> String {
    let class = |tick| if tick == 0.0 { "axis" } else { "gridline" };
    ticks.iter().map(|&tick| line(class(tick), [x.at(tick); 2], y)).collect()
}

/// An estimate of the width of a text, on the large side, since fonts differ.
pub(crate) fn text_width(text: &str, size: f64) -> f64 {
    0.62 * size * text.chars().count() as f64
}

/// The words of a text in lines of at most this width, where words allow it.
pub(crate) fn wrapped(text: &str, width: f64, size: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line)
                if text_width(line, size) + text_width(" ", size) + text_width(word, size) <= width =>
            {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// A horizontal strip of a drawing.
pub(crate) struct Panel {
    pub content: String,
    pub height: f64,
}

/// Panels one below the other, the first one at `top`: the drawing, and where it ends.
pub(crate) fn stack<'a>(panels: impl IntoIterator<Item = &'a Panel>, top: f64) -> (String, f64) {
    panels.into_iter().fold((String::new(), top), |(content, top), panel| {
        let group = format!("<g transform=\"translate(0 {top:.1})\">{}</g>", panel.content);
        (content + &group, top + panel.height)
    })
}

pub(crate) struct Legend {
    /// Left and right edge.
    pub room: [f64; 2],
    /// The baseline of its first row.
    pub top: f64,
    pub class: &'static str,
    pub font_size: f64,
}

impl Legend {
    /// Between the baselines of two rows, in font sizes.
    const ROW: f64 = 1.6;
    /// The length of the sample of a line.
    const SAMPLE: f64 = 18.0;
    /// From the start of the sample to the text.
    const TEXT: f64 = Self::SAMPLE + 5.0;
    /// Between a text and the next sample.
    const GAP: f64 = 16.0;

    /// Lines by class with their names, in as many rows as they need: the drawing, and its height below the first row.
    pub fn draw(&self, lines: &[(String, &str)]) -> (String, f64) {
        let mut content = String::new();
        for ((class, name), [x, y]) in lines.iter().zip(self.places(lines)) {
            let middle = y - 0.3 * self.font_size;
            content += &line(&format!("line {class}"), [x, x + Self::SAMPLE], [middle; 2]);
            content += &text(self.class, x + Self::TEXT, y, name);
        }
        let last = self.places(lines).last().map_or(self.top, |&[_, y]| y);
        (content, last - self.top)
    }

    fn places(&self, lines: &[(String, &str)]) -> Vec<[f64; 2]> {
        let [left, right] = self.room;
        let [mut x, mut y] = [left, self.top];
        let mut places = Vec::with_capacity(lines.len());
        for (_, name) in lines {
            let width = Self::TEXT + text_width(name, self.font_size);
            if x > left && x + width > right {
                [x, y] = [left, y + Self::ROW * self.font_size];
            }
            places.push([x, y]);
            x += width + Self::GAP;
        }
        places
    }
}

/// A drawing as a file, for light and dark screens. `style` is added to the common style sheet.
pub(crate) fn document(width: f64, height: f64, title: &str, style: &str, content: &str) -> String {
    let (title, common) = (Escaped(title), include_str!("svg.css"));
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" role=\"img\" aria-label=\"{title}\"><title>{title}</title><style>{common}{style}</style>\
         <rect class=\"ground\" width=\"{width}\" height=\"{height}\"/>{content}</svg>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped() {
        assert_eq!(
            Escaped("<a b=\"c\" d='e'>&\u{1}").to_string(),
            "&lt;a b=&quot;c&quot; d=&#39;e&#39;&gt;&amp;\u{fffd}"
        );
    }

    #[test]
    fn zero_has_no_sign() {
        assert_eq!(signed(-12.34, 1), "\u{2212}12.3");
        assert_eq!(signed(-0.04, 1), "0.0");
        assert_eq!(signed(7.0, 0), "+7");
    }

    #[test]
    fn wrapped_lines_fit_and_keep_all_words() {
        let text = "some words and averyveryverylongone of a text";
        let lines = wrapped(text, 80.0, 10.0);
        assert_eq!(lines, ["some words", "and", "averyveryverylongone", "of a text"]);
        assert!(wrapped("", 80.0, 10.0).is_empty());
    }

    #[test]
    fn labels_stay_inside_the_drawing() {
        assert!(centred_text("small", 95.0, 0.0, 100.0, 10.0, "+1000").contains("x=\"84.5\""));
        assert!(centred_text("small", 50.0, 0.0, 100.0, 10.0, "+1000").contains("x=\"50.0\""));
    }

    #[test]
    fn legend_entries_do_not_overlap() {
        let legend = Legend { room: [62.0, 624.0], top: 300.0, class: "small", font_size: 10.0 };
        for count in 0..20 {
            let names: Vec<String> = (0..count).map(|n| "some name ".repeat(n % 4 + 1)).collect();
            let lines: Vec<_> = names.iter().map(|name| ("c0".to_owned(), name.as_str())).collect();
            let places = legend.places(&lines);
            let ends: Vec<f64> = names
                .iter()
                .zip(&places)
                .map(|(name, [x, _])| x + Legend::TEXT + text_width(name, legend.font_size))
                .collect();
            assert!(ends.iter().all(|&end| end <= legend.room[1]), "{count} entries end at {ends:?}");
            for (at, pair) in places.windows(2).enumerate() {
                let ([_, above], [x, y]) = (pair[0], pair[1]);
                let apart = if y == above { x > ends[at] } else { y >= above + legend.font_size };
                assert!(apart, "{count} entries at {places:?}");
            }
            let below = places.last().map_or(0.0, |[_, y]| y - legend.top);
            assert_eq!(legend.draw(&lines).1, below);
        }
    }
}
