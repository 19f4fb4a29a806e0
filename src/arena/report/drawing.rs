//! What drawings are made of. Their looks are those of a style sheet, by class.
//!
//! The style sheets of drawings that are files of their own name every colour where it is used: many programs that show
//! SVG know no CSS variables.

use super::markup::Escaped;

/// From values to places.
pub(crate) struct Scale {
    /// Two values.
    pub values: [f64; 2],
    /// Where they are.
    pub places: [f64; 2],
}

impl Scale {
    /// The place of a value.
    pub fn at(&self, value: f64) -> f64 {
        let share = (value - self.values[0]) / (self.values[1] - self.values[0]);
        self.places[0] + share * (self.places[1] - self.places[0])
    }

    /// Round values within the scale, about so many.
    pub fn ticks(&self, about: f64) -> Vec<f64> {
        let raw = (self.values[1] - self.values[0]).abs() / about;
        let magnitude = 10_f64.powf(raw.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].map(|n| n * magnitude).into_iter().find(|&step| step >= raw);
        let step = step.unwrap_or(raw);
        let [low, high] = [self.values[0], self.values[1]].map(|end| end / step);
        (low.ceil() as i64..=high.floor() as i64).map(|n| n as f64 * step).collect()
    }
}

/// A line between two points.
pub(crate) fn line(class: &str, x: [f64; 2], y: [f64; 2]) -> String {
    let ([x1, x2], [y1, y2]) = (x, y);
    format!("<line class=\"{class}\" x1=\"{x1:.1}\" x2=\"{x2:.1}\" y1=\"{y1:.1}\" y2=\"{y2:.1}\"/>")
}

/// A text at a point; the class says which of its ends is there.
pub(crate) fn text(class: &str, x: f64, y: f64, content: &str) -> String {
    format!("<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\">{}</text>", Escaped(content))
}

/// About how wide a text is in a font of this size; rather more, since fonts differ.
pub(crate) fn text_width(text: &str, size: f64) -> f64 {
    0.62 * size * text.chars().count() as f64
}

/// Where a legend goes and how it looks.
pub(crate) struct Legend {
    /// Its room from left to right.
    pub room: [f64; 2],
    /// The baseline of its first row.
    pub top: f64,
    /// The class of its texts.
    pub class: &'static str,
    /// The size of their font.
    pub size: f64,
}

impl Legend {
    /// What lies between the baselines of two rows, in sizes of the font.
    const ROW: f64 = 1.6;
    /// How long the sample of a line is, and how far behind it the text begins.
    const SAMPLE: f64 = 18.0;
    const TEXT: f64 = Self::SAMPLE + 5.0;
    /// What lies between a text and the next sample.
    const GAP: f64 = 16.0;

    /// Lines by class with their names, side by side in as many rows as they need: the drawing, and the room that it
    /// takes below the first row.
    pub fn draw(&self, lines: &[(String, &str)]) -> (String, f64) {
        let mut content = String::new();
        for ((class, name), [x, y]) in lines.iter().zip(self.places(lines)) {
            let middle = y - 0.3 * self.size;
            content += &line(&format!("line {class}"), [x, x + Self::SAMPLE], [middle; 2]);
            content += &text(self.class, x + Self::TEXT, y, name);
        }
        let last = self.places(lines).last().map_or(self.top, |&[_, y]| y);
        (content, last - self.top)
    }

    /// Where each of the lines goes.
    fn places(&self, lines: &[(String, &str)]) -> Vec<[f64; 2]> {
        let [left, right] = self.room;
        let [mut x, mut y] = [left, self.top];
        let mut places = Vec::with_capacity(lines.len());
        for (_, name) in lines {
            let width = Self::TEXT + text_width(name, self.size);
            if x > left && x + width > right {
                [x, y] = [left, y + Self::ROW * self.size];
            }
            places.push([x, y]);
            x += width + Self::GAP;
        }
        places
    }
}

/// A whole drawing as a file of its own: so wide and high, read out by its title, with its style sheet.
pub(crate) fn whole(width: f64, height: f64, title: &str, style: &str, content: &str) -> String {
    let title = Escaped(title);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" role=\"img\" aria-label=\"{title}\"><title>{title}</title><style>{style}</style>\
         <rect class=\"ground\" width=\"{width}\" height=\"{height}\"/>{content}</svg>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_entries_of_a_legend_do_not_overlap() {
        let legend = Legend { room: [62.0, 624.0], top: 300.0, class: "small", size: 10.0 };
        for count in 0..20 {
            let names: Vec<String> = (0..count).map(|n| "some name ".repeat(n % 4 + 1)).collect();
            let lines: Vec<_> = names.iter().map(|name| ("c0".to_owned(), name.as_str())).collect();
            let places = legend.places(&lines);
            let ends: Vec<f64> = names
                .iter()
                .zip(&places)
                .map(|(name, [x, _])| x + Legend::TEXT + text_width(name, legend.size))
                .collect();
            assert!(ends.iter().all(|&end| end <= legend.room[1]), "{count} entries end at {ends:?}");
            for (at, pair) in places.windows(2).enumerate() {
                let ([_, above], [x, y]) = (pair[0], pair[1]);
                let apart = if y == above { x > ends[at] } else { y >= above + legend.size };
                assert!(apart, "{count} entries at {places:?}");
            }
            let below = places.last().map_or(0.0, |[_, y]| y - legend.top);
            assert_eq!(legend.draw(&lines).1, below);
        }
    }
}
