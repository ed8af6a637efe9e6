import type { Value } from "../../protocol/index.js";
import type { PythonToolCall } from "../calls/python-tools.js";

/** What services have the interpreter do, which starts for it if need be. */
export interface ServiceWork {
  inspectSkill(name: string, source: string): Promise<string>;
  /** Calls a tool that session code defined. */
  callTool(call: PythonToolCall): Promise<Value>;
}

/**
 * The one knot of a session: its services have skills read and tools of session code called by the interpreter, whose
 * requests those services answer. So the services are made with this, the interpreter with the services, and then the two
 * are connected.
 */
export class InterpreterWork implements ServiceWork {
  #work: ServiceWork | undefined;

  connect(work: ServiceWork): void {
    this.#work = work;
  }

  inspectSkill(name: string, source: string): Promise<string> {
    return this.#connected().inspectSkill(name, source);
  }

  callTool(call: PythonToolCall): Promise<Value> {
    return this.#connected().callTool(call);
  }

  #connected(): ServiceWork {
    if (this.#work === undefined) throw new TypeError("A session was used before it was put together.");
    return this.#work;
  }
}
