import "./vitrine/dist/output.js";

window.violations = [];
document.addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) => {
  window.violations.push(`${effectiveDirective} ${blockedURI}`);
});

const chart = {
  data: {
    values: [
      { month: "May", rain: 53 },
      { month: "June", rain: 65 },
    ],
  },
  width: 200,
  height: 120,
  mark: { type: "bar", color: "#d000ff" },
  encoding: { x: { field: "month", type: "nominal" }, y: { field: "rain", type: "quantitative" } },
};
const rows = Array.from({ length: 40 }, (_, row) => `<tr><td>Row ${row}</td></tr>`).join("");
// A PNG of one pixel.
const picture = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

show("chart", { "application/vnd.vegalite.v5+json": JSON.stringify(chart) });
show("rows", { "text/html": `<table bgcolor="#00c853" width="100%">${rows}</table>` });
show("picture", { "image/png": picture });

function show(id, data) {
  document.getElementById(id).add({ kind: "display", source: "display", data });
}
