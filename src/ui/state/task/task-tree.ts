import type { CallList } from "./call-list.js";
import type { AttemptView, ProgramView } from "./program-view.js";
import type { StepView } from "./step-view.js";

/** Where something stands in a task: in one of its steps, there perhaps in the attempt of a program. */
export interface CoursePlace<Task> {
  readonly view: Task;
  readonly step: StepView<Task>;
  readonly program: { readonly view: ProgramView<Task>; readonly attempt: AttemptView<Task> } | null;
  /** Those of the step, or of the attempt. */
  readonly calls: CallList<Task, ProgramView<Task>>;
}

/** What a task that a person gave is drawn of: its own view, and those of the agents in its course. */
export class TaskTree<Task> {
  readonly views = new Map<string, Task>();
  /** By the ids of their runs. */
  readonly programs = new Map<string, ProgramView<Task>>();
  /** By the ids of calls, and of what makes calls: what belongs below one has its place there. */
  readonly places = new Map<string | null, CoursePlace<Task>>();
}
