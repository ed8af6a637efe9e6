import DefaultTheme from "vitepress/theme";

import "./vitrine.css";

export default {
  extends: DefaultTheme,
  enhanceApp() {
    // In the browser alone: the pages are written by Node, which has no elements.
    if (!import.meta.env.SSR) void import("vitrine/widget");
  },
};
