import { define } from "../../components/base/view-element.js";
import { VitrineOutput } from "./vitrine-output.js";

export { VitrineOutput };

define("vitrine-output", VitrineOutput);

declare global {
  interface HTMLElementTagNameMap {
    "vitrine-output": VitrineOutput;
  }
}
