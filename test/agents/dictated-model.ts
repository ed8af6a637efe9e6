import { inject } from "vitest";

import { openaiModel, type Model } from "../../src/model/index.js";
import { dictatedScenario, type DictatedReply } from "../servers/dictated-replies.js";

/** A model behind the real server that answers by a scenario. */
export function behind(scenario: string, name = "dictated"): Model {
  return openaiModel({ baseURL: `${inject("modelServer")}/${scenario}/v1`, apiKey: "sk-test-0123456789", model: name });
}

/** A model behind the real server that says these things, whatever it is told. */
export function dictated(...replies: readonly DictatedReply[]): Model {
  return behind(dictatedScenario(replies));
}
