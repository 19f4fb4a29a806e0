//! What drawings are made of. Their looks are those of a style sheet, by class.

use super::markup::Text;

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
    format!("<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\">{}</text>", Text(content))
}

/// A whole drawing as a file of its own: so wide and high, read out by its title, with its style sheet.
pub(crate) fn whole(width: f64, height: f64, title: &str, style: &str, content: &str) -> String {
    let title = Text(title);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" role=\"img\" aria-label=\"{title}\"><title>{title}</title><style>{style}</style>\
         <rect class=\"ground\" width=\"{width}\" height=\"{height}\"/>{content}</svg>\n"
    )
}
