import type { SparePolicy } from "../boot/spare-slot.js";

/** Gigabytes of memory from which on a spare is no burden. */
const ENOUGH_MEMORY = 4;

/**
 * What suits the place: no spare on phones, on little memory and inside other
 * pages; one elsewhere. A spare costs about 80 MB.
 */
export function sparePolicyHere(): SparePolicy {
  const { deviceMemory, userAgentData } = navigator as Navigator & {
    /** Gigabytes, at most 8; Chromium only. */
    readonly deviceMemory?: number;
    readonly userAgentData?: { readonly mobile: boolean };
  };
  const isPhone = userAgentData?.mobile ?? /Mobi|Android|iPhone|iPad/.test(navigator.userAgent);
  const isEmbedded = window.parent !== window;
  const hasLittleMemory = deviceMemory !== undefined && deviceMemory < ENOUGH_MEMORY;
  return isPhone || isEmbedded || hasLittleMemory ? "none" : "one";
}
