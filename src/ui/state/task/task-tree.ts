import type { AttemptView, ProgramView } from "./program-view.js";
import type { CallList, StepView } from "./step-view.js";
import type { TaskView } from "./task-view.js";

/** Where something stands in a task: in one of its steps, there perhaps in the attempt of a program. */
export interface CoursePlace {
  readonly view: TaskView;
  readonly step: StepView;
  readonly program: { readonly view: ProgramView; readonly attempt: AttemptView } | null;
}

/** What a task that a person gave is drawn of: its own view, and those of the agents in its course. */
export class TaskTree {
  readonly #views = new Map<string, TaskView>();
  readonly #programs = new Map<string, ProgramView>();
  /** By the ids of calls, and of what makes calls. */
  readonly #places = new Map<string, CoursePlace>();

  viewOf(taskId: string): TaskView | undefined {
    return this.#views.get(taskId);
  }

  addView(taskId: string, view: TaskView): void {
    this.#views.set(taskId, view);
  }

  programOf(runId: string): ProgramView | undefined {
    return this.#programs.get(runId);
  }

  addProgram(program: ProgramView): void {
    this.#programs.set(program.runId, program);
  }

  placeOf(id: string | null): CoursePlace | undefined {
    return id === null ? undefined : this.#places.get(id);
  }

  /** What belongs below `id` has its place there. */
  remember(id: string, place: CoursePlace): void {
    this.#places.set(id, place);
  }
}

/** The calls among which a place is. */
export function callsAt({ step, program }: CoursePlace): CallList {
  return program === null ? step.calls : program.attempt.calls;
}

/** What is drawn around a place is drawn anew. */
export function touch(place: CoursePlace | null): void {
  for (let above = place; above !== null; above = above.view.place) {
    if (above.program !== null) above.program.view.version += 1;
    above.step.version += 1;
    above.view.version += 1;
  }
}
