import { functionTool, indexedDBStorage, Session } from "vitrine";

const weather = functionTool({
  name: "weather",
  description: "Current weather of a city.",
  input: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  run: ({ city }) => ({ city, celsius: 7 }),
});

const session = await Session.open({ storage: indexedDBStorage("readme"), tools: [weather] });
const result = await session.run(`tools.weather(city="Oslo")["celsius"] * 9 / 5 + 32`);
console.log(result.value, result.calls.length); // 44.6 1
