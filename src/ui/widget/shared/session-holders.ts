import { parts } from "./parts.js";
import { saidBy } from "./read-settings.js";

/** The elements of the page that may share a session: cells and agents. */
const holders = new Set<Element>();

/** The session that an element shares; null where it is alone. */
export function sessionOf(element: Element): string | null {
  return saidBy(element, "session");
}

/** Its session stays while the element is there. */
export function holdSession(element: Element): void {
  holders.add(element);
}

export function letGoOfSession(element: Element): void {
  holders.delete(element);
}

/** Where the last element of a session is gone, its interpreter may go. */
export function endSession(session: string | null): void {
  if (session === null || session === "" || [...holders].some((each) => sessionOf(each) === session)) return;
  parts.current
    .runtimeIfOpen()
    ?.close(session)
    .catch((error: unknown) => console.error(`The session ${session} of this page did not end.`, error));
}
