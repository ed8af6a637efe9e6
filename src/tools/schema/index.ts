export { checkSchema, pathText } from "./check-schema.js";
export { type SchemaMismatch } from "./explain.js";
export { holdsBytes } from "./instance.js";
export { objectShape, parametersOfSchema, takesMore, takesNull, withoutRef, type ObjectShape } from "./parameters.js";
export { mismatch } from "./mismatch.js";
export { isSchemaObject, mapSchemas, resolvePointer } from "./subschemas.js";
export { unknownType, type UnknownType } from "./unknown-types.js";
export { listed, schemaInWords, typeInWords, valueInWords } from "./words.js";
export {
  isStandardSchema,
  issuePath,
  jsonSchemaOf,
  type StandardIssue,
  type StandardResult,
  type StandardSchema,
} from "./standard-schema.js";
