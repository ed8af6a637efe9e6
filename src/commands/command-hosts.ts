import type { CommandCall, CommandHost, CommandResult } from "./command-host.js";
import { CommandNotFoundError } from "./errors.js";

/** Several hosts as one. They are asked in turn, so that what the first has does not wait for the next to start. */
export function commandHosts(...hosts: readonly CommandHost[]): CommandHost {
  return { run: (call) => runInFirst(hosts, call) };
}

async function runInFirst(hosts: readonly CommandHost[], call: CommandCall): Promise<CommandResult> {
  const available = new Set<string>();
  for (const host of hosts) {
    try {
      return await host.run(call);
    } catch (error) {
      if (!(error instanceof CommandNotFoundError)) throw error;
      for (const name of error.available) available.add(name);
    }
  }
  throw new CommandNotFoundError(call.command, [...available]);
}
