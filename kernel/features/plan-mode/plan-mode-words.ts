/** Words for the owner about plan mode (P-19). Words only; they quote nobody. Called by plan-mode.ts. */

/** `on`: null when this chat may not learn it. */
export function planModeText(on: boolean | null): string {
  if (on === null)
    return 'Plan mode was set in a more private chat of yours. Say /plan on or /plan off to set it here.'
  return on
    ? 'Plan mode is on: I show you each plan of several steps, and each that changes something, before any of it runs. Your yes to a plan is no yes to a change in it: that still asks. /plan off ends it.'
    : 'Plan mode is off: plans run at once, and what needs your yes asks by itself. Say /plan on to see each plan before it runs.'
}
