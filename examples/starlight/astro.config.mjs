import starlight from "@astrojs/starlight";
import { defineConfig } from "astro/config";
import { remarkVitrineCells } from "vitrine/remark";

export default defineConfig({
  // Fences that say `python vitrine` become cells.
  markdown: { remarkPlugins: [remarkVitrineCells] },
  integrations: [
    starlight({
      title: "Shop",
      // The folder `dist` of the package lies below public/ as vitrine/.
      head: [{ tag: "script", attrs: { type: "module", src: "/vitrine/widget.js" } }],
      customCss: ["./src/vitrine.css"],
    }),
  ],
});
