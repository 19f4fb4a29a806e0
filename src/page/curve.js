// Values over the moves of a game, for every page.

/** The axes of a curve in discs for Black. What a page draws on it comes between `axes` and `cursor`. */
class Curve {
  constructor(size, plies, values, area, label) {
    [this.width, this.height] = size;
    this.plies = plies;
    const largest = Math.max(4, ...values.map(Math.abs));
    this.bound = Math.min(area, Math.ceil(largest / 4) * 4);
    this.area = { x: 34, y: 8, width: this.width - 42, height: this.height - 28 };
    this.svg = make("svg", { viewBox: `0 0 ${this.width} ${this.height}`, role: "img", "aria-label": label, class: "chart curve" });
  }

  x(ply) {
    return this.area.x + ply / Math.max(1, this.plies) * this.area.width;
  }

  y(value) {
    const within = Math.max(-this.bound, Math.min(this.bound, value));
    return this.area.y + (1 - within / this.bound) / 2 * this.area.height;
  }

  add(name, attributes, ...children) {
    this.svg.append(make(name, attributes, ...children));
  }

  /** The background between two plies. */
  field(from, to, name) {
    this.add("rect", { ...this.area, x: this.x(from), width: Math.max(1, this.x(to) - this.x(from)), class: name });
  }

  points(points) {
    return points.map(([ply, value]) => `${this.x(ply)},${this.y(value)}`).join(" ");
  }

  axes() {
    const { x, width } = this.area;
    for (const value of [-this.bound, 0, this.bound]) {
      const y = this.y(value);
      this.add("line", { x1: x, x2: x + width, y1: y, y2: y, class: value ? "gridline" : "axis" });
      this.add("text", { x: x - 5, y: y + 4, class: "end" }, signed(value, 0));
    }
    for (let ply = 0; ply <= this.plies; ply += 10) {
      this.add("text", { x: this.x(ply), y: this.height - 5, class: "middle" }, String(ply));
    }
  }

  /** A line at the present ply; a click chooses another one. */
  cursor(current, choose) {
    const { x, y, width, height } = this.area;
    this.add("line", { x1: this.x(current), x2: this.x(current), y1: y, y2: y + height, class: "cursor" });
    this.svg.addEventListener("click", (event) => {
      const box = this.svg.getBoundingClientRect();
      const at = (event.clientX - box.left) / box.width * this.width;
      choose(Math.round((at - x) / width * this.plies));
    });
  }
}
