/**
 * The list of tools, by folder (DESIGN §9): a new one needs its folder and one line here. `npm run tables` generates the tables
 * of declarations, words and runners from it. Data only. Called by scripts/tables.ts.
 */
export const TOOLS = [
  'email', //
  'calendar',
  'addressbook',
  'web',
  'unsubscribe',
  'weather',
  'github',
  'bluesky',
  'twitter',
  'moltbook',
  'search',
  'feed',
  'notion',
  'fireflies',
  'files',
  'health',
  'homeassistant',
  'oura',
  'slack',
  'cloudflare',
  'http',
] as const
