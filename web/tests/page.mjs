// Plays with the page in Chromium: from the file itself and from a static server.
//
//     node web/tests/page.mjs PAGE.html [--screenshots FOLDER]
import { access } from "./access.mjs";
import { openBrowser } from "./browser.mjs";
import { check, finish } from "./check.mjs";
import { loading } from "./loading.mjs";
import { coldStart, playing } from "./playing.mjs";
import { screenshots } from "./screenshots.mjs";
import { studying } from "./studying.mjs";

const [file, option, folder] = process.argv.slice(2);
if (!file || (option && (option !== "--screenshots" || !folder))) {
  console.error("usage: node web/tests/page.mjs PAGE.html [--screenshots FOLDER]");
  process.exit(2);
}
const browser = await openBrowser(file);
try {
  if (folder) {
    await screenshots(browser, folder);
  } else {
    // Alone, since it is timed.
    await coldStart(browser);
    // Each mostly waits.
    await Promise.all([playing, loading, studying, access].map(async (scenario) => {
      const began = performance.now();
      await scenario(browser);
      console.log(`${scenario.name}: ${Math.round((performance.now() - began) / 1000)} s`);
    }));
  }
} finally {
  await browser.close();
}
check("nothing on the console", browser.complaints.length === 0, browser.complaints.join("; "));
finish();
