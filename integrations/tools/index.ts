/**
 * The tools, by their folders (DESIGN §9): a new one is its folder and one line here. The tables of declarations, words and runners are
 * made from it by `npm run tables`. Data alone. Called by scripts/tables.ts.
 */
export const TOOLS = [
  'email', //
  'calendar',
  'web',
  'weather',
] as const
