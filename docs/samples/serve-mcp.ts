import { serveMcp, type McpService, type Session } from "vitrine";

export async function serveFrame(session: Session, frame: Window, origin: string): Promise<McpService> {
  const { port1, port2 } = new MessageChannel();
  const service = await serveMcp(session, port1, { scope: { tags: ["public"] } });
  frame.postMessage("connect", origin, [port2]); // the client's end
  return service;
}
