/**
 * Files that take turns in `npm test`, so that a run ends within a quarter of an hour: a commit runs one of each `TURNS` of them, by its
 * hash, and `npm run soak` all. A file that is named runs always. Must not start anything. Called by test.ts, vitest.config.ts and soak.ts.
 */

/** Longest first, so that turns take about as long. What they share with shorter files, those prove at every run. */
export const LONG: readonly string[] = [
  ...[
    ...['canary', 'chaos', 'init', 'deploy', 'state-v1', 'restore', 'disaster', 'secrets', 'uninstall'],
    ...[
      'friends',
      'keys',
      'slack-private',
      'new',
      'watch',
      'chaos-storm',
      'chaos-jobs',
      'secrets-open-line',
      'backup-opens',
    ],
    ...[
      'evaluate',
      'recover',
      'doctor',
      'home-away',
      'pause',
      'usage',
      'jobs',
      'reminders',
      'caldav',
      'image',
    ],
    ...[
      'telegram-private',
      'told-on-failure',
      'edge-files',
      'edge-grants',
      'home-crash',
      'restart',
      'search',
    ],
  ].map((name) => `test/e2e/${name}.test.ts`),
  ...['portable', 'tunnel-pieces', 'recovery', 'link-attacks', 'copies', 'kept-words'].map(
    (name) => `test/worker/${name}.test.ts`,
  ),
  ...[
    'keys-crash',
    'full-disk',
    'keys-custody',
    'document-reader',
    'tunnel-killed',
    'tunnel-pieces',
    'secret-killed',
  ].map((name) => `test/home/${name}.test.ts`),
  ...['test/clock/edge.test.ts', 'test/scripts/bundle.test.ts'],
]

export const TURNS = 8

/** Files that leave this turn out; none of them without a turn. `turn`: any text of a commit's hash. */
export function resting(turn: string | undefined): readonly string[] {
  if (turn === undefined || turn === '') return []
  const now = turnOf(turn)
  return LONG.filter((_, at) => at % TURNS !== now)
}

export function turnOf(hash: string, turns = TURNS): number {
  return Number.parseInt(hash.slice(0, 8), 16) % turns || 0
}
