import { remarkVitrineCells } from "vitrine/remark";

export default {
  title: "Shop",
  url: "https://shop.example",
  baseUrl: "/",
  // The folder `dist` of the package lies below static/ as vitrine/.
  scripts: [{ src: "/vitrine/widget.js", type: "module" }],
  presets: [
    [
      "classic",
      {
        // Fences that say `python vitrine` become cells. Before the theme's own plugins, which read what fences say of themselves.
        docs: { routeBasePath: "/", beforeDefaultRemarkPlugins: [remarkVitrineCells] },
        blog: false,
        theme: { customCss: ["./vitrine.css"] },
      },
    ],
  ],
};
