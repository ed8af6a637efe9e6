import { remarkVitrineCells } from "vitrine/remark";

// Of a site's configuration: Astro has it there, Docusaurus in the options of its preset's pages.
export default { markdown: { remarkPlugins: [remarkVitrineCells] } };
