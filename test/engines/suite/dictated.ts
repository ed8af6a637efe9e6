import { openaiModel, type Model } from "../../../src/index.js";
import { dictatedScenario, type DictatedReply } from "../../servers/dictated-replies.js";
import { RUN } from "../../timeouts.mjs";
import { addressOf } from "./server-address.js";

/** A model behind the server of models, which answers by a scenario. */
export function behind(scenario: string, timeout = RUN): Model {
  return openaiModel({
    baseURL: `${addressOf("models")}/${scenario}/v1`,
    apiKey: "sk-test-0123456789",
    model: "test-model",
    timeout,
  });
}

/** A model behind that server which says these things, whatever it is told. */
export function dictated(...replies: readonly DictatedReply[]): Model {
  return behind(dictatedScenario(replies));
}
