export * from "./public.js";
export { checkArgument, optionCheck, type OptionCheck, type OptionKinds } from "./check-options.js";
export { closestName } from "./closest-name.js";
