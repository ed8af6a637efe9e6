/**
 * Whether this browser lays out and paints a sealed frame in a process of its own, so that no drawing holds up the page.
 * Chromium does on a computer. No interface tells, so the browser's own name for its engine does.
 */
export function framesHaveOwnProcess(): boolean {
  const { userAgentData } = navigator as Navigator & {
    readonly userAgentData?: { readonly mobile: boolean; readonly brands: readonly { readonly brand: string }[] };
  };
  return userAgentData?.mobile === false && userAgentData.brands.some(({ brand }) => brand === "Chromium");
}
