// How strong the engine plays.

/// What the worker is told for each step of the slider.
export const STRENGTHS = [
  { name: "1", depth: 1, milliseconds: 500 },
  { name: "2", depth: 2, milliseconds: 500 },
  { name: "3", depth: 4, milliseconds: 500 },
  { name: "4", depth: 8, milliseconds: 1000 },
  { name: "Full", book: true, milliseconds: 1500 },
];
export const DEFAULT_STRENGTH = 2;
