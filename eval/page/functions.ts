import type { ModelTool } from "../../src/model/index.js";
import type { Session } from "../../src/session/index.js";
import { functionName } from "../made-calls.js";

/** The tools and skills of a session as a JSON agent would be told of them. */
export async function functionsOf(session: Session): Promise<ModelTool[]> {
  await session.tools.settled();
  const tools = session.tools.list().flatMap((tool) =>
    tool.callables.map((callable): ModelTool => {
      const name = callable.name === tool.name ? tool.name : `${tool.name}.${callable.name}`;
      return {
        name: functionName({ namespace: "tools", name }),
        description: callable.description,
        parameters: { ...(callable.inputSchema ?? { type: "object", properties: {} }) },
      };
    }),
  );
  const { skills } = await session.skills.list();
  return [...tools, ...skills.map(skillFunction)];
}

function skillFunction({
  name,
  description,
  parameters,
}: Awaited<ReturnType<Session["skills"]["list"]>>["skills"][number]): ModelTool {
  const properties = Object.fromEntries(
    parameters.map(({ name: key, type, description: about }) => [key, { type, description: about }]),
  );
  const required = parameters.filter((parameter) => parameter.required).map((parameter) => parameter.name);
  return { name, description, parameters: { type: "object", properties, required } };
}
