import { type Session } from "vitrine";

export async function addLibrary(session: Session, document: string): Promise<string> {
  const { tool, problems } = await session.tools.addOpenApi(document, {
    name: "library",
    include: { tags: ["books"] },
  });
  for (const { message } of problems) console.warn(message);
  return tool.name;
}
