// The pictures of README.md and docs/report.md, from reports of Franke's function and of the wing's weight:
//   node pictures.mjs franke.html wing.html ../../docs/figures/report
import { resolve, join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const [franke, wing, folder] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath: process.env.TA2S2_CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });

async function picture(name, report, section, width, height, colorScheme) {
  const page = await browser.newPage({ viewport: { width, height }, colorScheme });
  await page.goto(pathToFileURL(resolve(report)).href + section);
  await page.waitForSelector("html[data-ready]");
  // Figures that were drawn meanwhile have moved the section.
  await page.evaluate((id) => document.querySelector(id || "body").scrollIntoView(), section);
  await page.screenshot({ path: join(folder, `${name}.png`) });
  await page.close();
}

await picture("franke", franke, "", 1080, 1340, "light");
await picture("shape", franke, "#shape", 1080, 1480, "dark");
await picture("narrow", wing, "#inputs", 400, 900, "light");
await browser.close();
