import { ledger } from "./ledger/project.js";
import { planner } from "./planner/project.js";
import type { Project } from "./project.js";
import { reckon } from "./reckon/project.js";
import { stencil } from "./stencil/project.js";
import { stockroom } from "./stockroom/project.js";

export type { Project } from "./project.js";

/** Small projects with a bug each, which a coding agent is to find. */
export const evalProjects: readonly Project[] = [ledger, planner, reckon, stencil, stockroom];
