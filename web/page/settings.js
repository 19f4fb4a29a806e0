// What the page remembers between visits. Storage may be forbidden; then it forgets.

const KEY = "ollehto";

/// What can be chosen. Another program at the same address, or an older page, may have stored something else.
export const CHOICES = {
  rules: ["reversed", "standard"],
  size: [8, 6, 4],
  players: ["black", "white", "both", "none"],
  theme: ["auto", "light", "dark"],
  lines: ["1", "3", "5", "all"],
  values: [false, true],
  visited: [false, true],
};
const DEFAULTS = { rules: "reversed", size: 8, players: "black", theme: "auto", lines: "3", values: false, visited: false };

function stored() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? {};
  } catch {
    return {};
  }
}

/// The strength is a step of a list that only the engine knows: see `Strengths.has`.
export function loadSettings() {
  const found = stored();
  const settings = { ...DEFAULTS, strength: found.strength };
  for (const [name, choices] of Object.entries(CHOICES)) {
    if (choices.includes(found[name])) settings[name] = found[name];
  }
  return settings;
}

export function saveSettings(settings) {
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // Nothing is lost but the memory of the settings.
  }
}
