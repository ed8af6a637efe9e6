export type { CellReport, PageReport } from "./cell-report.js";
export { checkSite, type SiteCheckOptions, type SiteReport } from "./check-site.js";
export { BROWSERS, type BrowserName } from "./launch-browser.js";
export { isSiteFine, pageInWords, siteAsJson, siteInWords } from "./report-in-words.js";
