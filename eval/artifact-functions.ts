import type { ModelTool } from "../src/model/index.js";

const name = { type: "string" };

/** The artifacts of a session as functions: what code has as `artifacts`. */
export const ARTIFACT_FUNCTIONS: readonly ModelTool[] = [
  {
    name: "save_artifact",
    description: "Saves something for the user under a name.",
    parameters: {
      type: "object",
      properties: { name, data: { description: "Text, or JSON." }, description: { type: "string" } },
      required: ["name", "data"],
    },
  },
  {
    name: "load_artifact",
    description: "What was saved under a name.",
    parameters: { type: "object", properties: { name }, required: ["name"] },
  },
  { name: "list_artifacts", description: "All that is saved.", parameters: { type: "object", properties: {} } },
];
