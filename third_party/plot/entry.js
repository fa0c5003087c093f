// The marks that the page uses. What is not named here is not bundled.
export { areaY, barX, cell, dot, line, link, plot, rectY, ruleX, ruleY, text, tickX } from "@observablehq/plot";
