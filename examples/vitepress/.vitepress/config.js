import { defineConfig } from "vitepress";
import { vitrineCells } from "vitrine/markdown-it";

export default defineConfig({
  title: "Shop",
  description: "A documentation site whose examples run in the page.",
  markdown: {
    // Fences that say `python vitrine` become cells.
    config: (markdown) => {
      markdown.use(vitrineCells);
    },
  },
  vue: {
    template: {
      compilerOptions: {
        // Vue leaves these elements to the browser.
        isCustomElement: (tag) => tag.startsWith("vitrine-"),
      },
    },
  },
});
