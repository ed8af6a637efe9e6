import { z } from "zod";

import { functionTool, type ToolAdapter } from "vitrine";

export function weatherTool(fetchWeather: (city: string, signal: AbortSignal) => Promise<number>): ToolAdapter {
  return functionTool({
    name: "weather",
    description: "Weather of a city",
    input: z.object({ city: z.string() }),
    run: async ({ city }, { signal }) => ({ celsius: await fetchWeather(city, signal) }),
  });
}
