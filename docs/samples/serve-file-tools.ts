import { serveMcp, type McpService, type Session } from "vitrine";

export function serveCodingClient(session: Session, port: MessagePort): Promise<McpService> {
  return serveMcp(session, port, {
    fileTools: "only", // true: beside `run_code` and the others
    scope: { without: ["shell", "shell_command"] },
  });
}
