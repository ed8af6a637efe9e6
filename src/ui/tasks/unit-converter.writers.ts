import { parseTranscript, type Transcript } from "../../model/index.js";
import arbiter from "./unit-converter.arbiter.yaml?raw";
import plain from "./unit-converter.plain.yaml?raw";
import thorough from "./unit-converter.thorough.yaml?raw";

/** What the writers of the task say: loaded when the tool is offered, so that the page does not wait for it. */
export const writers = {
  plain: transcriptsOf("unit-converter.plain.yaml", plain),
  thorough: transcriptsOf("unit-converter.thorough.yaml", thorough),
  arbiter: transcriptsOf("unit-converter.arbiter.yaml", arbiter),
};

/** The file holds one for each file that is written. */
function transcriptsOf(file: string, text: string): readonly Transcript[] {
  return text.split(/^---\n/m).map((part) => parseTranscript({ file, text: part }));
}
