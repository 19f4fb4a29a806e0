// What the page remembers between visits. Storage may be forbidden; then it forgets.

const KEY = "ollehto";
const DEFAULTS = { rules: "reversed", size: 8, players: "black", strength: null, theme: "auto", values: false, lines: 3, visited: false };

export function loadSettings() {
  try {
    return { ...DEFAULTS, ...JSON.parse(localStorage.getItem(KEY) ?? "{}") };
  } catch {
    return { ...DEFAULTS };
  }
}

export function saveSettings(settings) {
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // Nothing is lost but the memory of the settings.
  }
}
