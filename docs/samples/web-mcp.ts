import { provideWebMcp, type Session } from "vitrine";

export async function offer(session: Session): Promise<void> {
  const offered = await provideWebMcp(session, Reflect.get(document, "modelContext"), { prefix: "vitrine_" });
  addEventListener("pagehide", () => {
    offered.close(); // takes the tools back
  });
}
