/** A tool that waits says so here, by an event of its name: a step can stop a run while a call is under way. */
export const waitingCalls = new EventTarget();
