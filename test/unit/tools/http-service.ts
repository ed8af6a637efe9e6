import { expect } from "vitest";

import type { Value } from "../../../src/protocol/index.js";
import { memorySecrets } from "../../../src/secrets/index.js";
import { loadToolFiles } from "../../../src/tools/index.js";
import { callRecipe, type RecipeCall } from "../../lone-calls/recipe-call.js";
import { json, type ScriptedServer } from "../../servers/scripted-server.js";
import { testedService, type TestedService } from "./tested-service.js";

export interface HttpService extends TestedService {
  /** Calls the one recipe of a tool of this service. */
  call(recipe: string, args?: Record<string, Value>, options?: Partial<RecipeCall>): Promise<Value>;
  /** The service answers with the headers that came, and with its address as `url`. */
  echoHeaders(): void;
}

export function httpService(): HttpService {
  const service = testedService();
  return {
    get server(): ScriptedServer {
      return service.server;
    },
    call: (recipe, args = {}, options = {}) =>
      callRecipe(recipe, args, { base: `${service.server.origin}/v1`, ...options }),
    echoHeaders: () => {
      service.server.answerWith(({ headers, url }, response) => json(response, { ...headers, url: url.href }));
    },
  };
}

/** The one problem of a tool file. */
export function problemOf(yaml: string): { message: string; line?: number; field?: string } {
  const { problems } = loadToolFiles([{ file: "tools/x.yaml", text: yaml }]);
  expect(problems).toHaveLength(1);
  return problems[0]!;
}

export const secrets = memorySecrets({ TOKEN: "t0ken-of-the-library", USER: "reader", PASSWORD: "pass word+1" });
