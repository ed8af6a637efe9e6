import { pyrightTypeChecker, type Finding, type PyrightTypeCheckerOptions, type Session } from "vitrine";

export async function findTypeErrors(
  session: Session,
  options: PyrightTypeCheckerOptions = { worker: "/pyright.worker.js" },
): Promise<Finding[]> {
  const types = pyrightTypeChecker(options);
  try {
    return await session.check(`def label():\n    return "a"\n1 + label()`, { types });
    // [{ severity: "warning", code: "TYPE", line: 3, column: 1, endLine: 3, endColumn: 12, pythonType: "TypeError",
    //    message: 'Operator "+" not supported for types "Literal[1]" and "Literal[\'a\']"',
    //    suggestion: "Convert one of them first: str(…), int(…) or float(…)." }]
  } finally {
    types.close();
  }
}
