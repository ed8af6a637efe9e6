export { INNER_SCRIPT_HASH, OUTER_SCRIPT_HASH } from "./frame-hashes.js";
export { NONCE, policyInWords, sitePolicy, type ScriptTrust, type SitePolicy } from "./site-policy.js";
