/**
 * Remembers what a Content Security Policy refused while the worker starts, so
 * that the failure can name the directive. The page reads it from the message.
 */
let firstViolation: { directive: string; blocked: string } | undefined;

export function watchCspViolations(): void {
  self.addEventListener("securitypolicyviolation", (event) => {
    // TypeScript's library for workers leaves the event out.
    const { effectiveDirective, blockedURI } = event as Event & { effectiveDirective: string; blockedURI: string };
    firstViolation ??= { directive: effectiveDirective, blocked: blockedURI };
  });
}

/** An error that begins with `CSP_BLOCKED`, if a policy refused something so far. */
export function describeCspViolation(): Error | undefined {
  if (firstViolation === undefined) return undefined;
  return new Error(`CSP_BLOCKED ${firstViolation.directive} ${firstViolation.blocked}`);
}
