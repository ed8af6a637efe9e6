import { ModelSettingsError } from "./errors.js";

/** @throws {ModelSettingsError} */
export function checkBaseURL(baseURL: string): string {
  if (!URL.canParse(baseURL.trim())) {
    throw new ModelSettingsError("baseURL", "it is not a complete address such as https://api.openai.com/v1");
  }
  const url = new URL(baseURL.trim());
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    throw new ModelSettingsError("baseURL", `it starts with ${url.protocol} and not with https: or http:`);
  }
  if (url.username !== "" || url.password !== "") {
    throw new ModelSettingsError(
      "baseURL",
      "it contains a user name or password, which browsers do not send; use the API key",
    );
  }
  return url.href;
}

/** @throws {ModelSettingsError} */
export function checkApiKey(apiKey: string): string {
  const key = apiKey.trim();
  if (/[^\x21-\x7e]/.test(key)) {
    throw new ModelSettingsError("apiKey", "it contains a space or a character that no header can carry");
  }
  return key;
}
