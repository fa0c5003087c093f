// The marks that the page uses. What is not named here is not bundled.
export { areaY, barX, dot, line, link, plot, rect, rectY, ruleX, ruleY, text, tickX } from "@observablehq/plot";
