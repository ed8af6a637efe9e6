export * from "./public.js";
export { checkArgument, optionCheck, type OptionKinds } from "./check-options.js";
export { closestName } from "./closest-name.js";
