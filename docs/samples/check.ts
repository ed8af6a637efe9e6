import { type Finding, type Session } from "vitrine";

export function findMistakes(session: Session): Promise<Finding[]> {
  return session.check(`tools.mail(to="ada@example.org")\ntools.wether(city="Oslo")`);
  // [{ severity: "error", code: "UNKNOWN_TOOL", line: 2, column: 1, endLine: 2, endColumn: 13, pythonType: "AttributeError",
  //    message: "Unknown tool: wether. Available: mail, weather", suggestion: "Write tools.weather." }]
}
