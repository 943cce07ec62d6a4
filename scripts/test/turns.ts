/**
 * Long test files, of which `npm test` runs one share per commit, chosen by its hash, to end within a quarter of an hour; `npm
 * run soak` runs all. A file named on the command line always runs. Must not start anything. Called by test.ts,
 * vitest.config.ts, soak.ts and test/kit/soak.ts.
 */

/**
 * Approximate duration of each file beside others, in seconds. What a long file has in common with shorter ones, those test in
 * every run.
 */
const SECONDS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  e2e: {
    evaluate: 112,
    mail: 107,
    canary: 100,
    chaos: 95,
    init: 86,
    keys: 70,
    deploy: 69,
    'chaos-storm': 63,
    'state-v1': 60,
    'chaos-jobs': 60,
    restore: 55,
    disaster: 52,
    secrets: 50,
    'slack-private': 50,
    uninstall: 48,
    friends: 45,
    german: 33,
    files: 27,
    'mail-talk': 26,
    'jobs-own-words': 26,
    'nine-scenarios': 22,
    'chaos-hello': 18,
    'jobs-edge': 16,
    notion: 14,
    'calendar-series': 13,
    photo: 12,
    oura: 12,
    cloudflare: 11,
    new: 45,
    mailboxes: 43,
    watch: 40,
    'secrets-open-line': 40,
    'home-crash': 39,
    'backup-opens': 38,
    'jobs-tokens': 38,
    'slack-jobs': 37,
    'kernel-settings': 36,
    recover: 35,
    'reminder-away': 35,
    'mail-folders': 34,
    'edge-files': 31,
    'home-away': 30,
    pause: 30,
    'telegram-private': 30,
    newcomer: 30,
    doctor: 29,
    'told-on-failure': 29,
    'jobs-services': 28,
    usage: 28,
    jobs: 28,
    reminders: 28,
    'edge-grants': 28,
    activate: 28,
    'jobs-worded': 27,
    'health-folder': 26,
    restart: 25,
    'address-book': 24,
    'jobs-page': 23,
    'model-add': 22,
    image: 21,
    'reminder-after': 20,
    webservices: 20,
    caldav: 18,
    'homeassistant-certificate': 18,
    homeassistant: 17,
    'oura-digest': 17,
    'init-german': 16,
    'voice-note': 15,
    'activate-edge': 11,
    'slack-activate': 11,
    search: 7,
  },
  worker: {
    portable: 26,
    'tunnel-pieces': 12,
    recovery: 12,
    copies: 10,
    'kept-words': 10,
    'link-attacks': 5,
  },
  home: {
    'mail-watch': 17,
    'mail-account': 15,
    'tunnel-killed': 15,
    'tunnel-pieces': 15,
    'keys-crash': 14,
    'document-reader': 10,
    'keys-custody': 10,
    'secret-killed': 5,
    'full-disk': 2,
  },
  clock: {
    edge: 7,
    dates: 7,
  },
  jobs: {
    month: 13,
  },
  health: {
    'export-reader': 25,
  },
  scripts: {
    bundle: 20,
  },
}

export const TURNS = 12

/** Files by descending duration. */
const LONGEST_FIRST = Object.entries(SECONDS)
  .flatMap(([folder, files]) =>
    Object.entries(files).map(([name, seconds]) => ({ path: `test/${folder}/${name}.test.ts`, seconds })),
  )
  .toSorted((a, b) => b.seconds - a.seconds)

export const LONG: readonly string[] = LONGEST_FIRST.map(({ path }) => path)

/** Shares of about equal duration: each file goes to the share with the fewest seconds so far. */
const SHARES: readonly (readonly string[])[] = shares()

function shares(): readonly (readonly string[])[] {
  const turns = Array.from({ length: TURNS }, () => ({ paths: [] as string[], seconds: 0 }))
  for (const { path, seconds } of LONGEST_FIRST) {
    const [least] = turns.toSorted((a, b) => a.seconds - b.seconds)
    least?.paths.push(path)
    if (least !== undefined) least.seconds += seconds
  }
  return turns.map(({ paths }) => paths)
}

/** Files that do not run in this turn; none without a turn. `turn`: the hash of a commit. */
export function resting(turn: string | undefined): readonly string[] {
  if (turn === undefined || turn === '') return []
  const now = SHARES[turnOf(turn)] ?? []
  return LONG.filter((path) => !now.includes(path))
}

export function turnOf(hash: string, turns = TURNS): number {
  return Number.parseInt(hash.slice(0, 8), 16) % turns || 0
}
