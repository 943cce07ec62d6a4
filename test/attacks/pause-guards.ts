/**
 * The guards of a pause and of a link's end, as rows of link-guards.ts: nothing runs, nothing is lost, and
 * home's word is home's. Must not hold what only makes work cheaper. Called by link-guards.ts.
 */
import type { LinkGuard } from './link-guards.ts'

const PAUSE = 'pipeline/pause'
const PAUSE_LAW = 'task/pause'
const PAUSE_AT_EDGE = 'worker/pause'
const PAUSE_TS = 'kernel/features/pause/pause.ts'
const PAUSE_LAW_TS = 'kernel/task/pause.ts'

/** Whose word it is, and what it holds up. */
export const PAUSE_GUARDS: readonly LinkGuard[] = [
  [
    'pause: no row is begun',
    PAUSE_TS,
    'return task.pause !== undefined || pausedNow(powers) === null',
    'return true',
    PAUSE,
    PAUSE_AT_EDGE,
  ],
  [
    'pause: no question is put, and no bundle of them',
    'kernel/runtime/tick.ts',
    'if (pausedNow(powers) !== null) return tickPaused(powers, run)\n',
    '',
    'pipeline/bundle',
  ],
  [
    'pause: no stranger is told of',
    'durable-objects/registry/kernel.ts',
    '!this.#pause.holds() && (await tell(notice))',
    'await tell(notice)',
    'worker/strangers',
  ],
  [
    'pause: what was to run next has not begun',
    'kernel/runtime/lane.ts',
    "(mine.delete(row.id) ? { ...row, status: 'pending' as const } : row)",
    'row',
    PAUSE,
  ],
  [
    'pause: words of the owner only',
    PAUSE_TS,
    "if (principal.class !== 'owner' || event.kind !== 'message') return null\n  const said = receive(event.text, words)\n  if (said.taint.level !== 'clean' || ",
    'const said = receive(event.text, words)\n  if (',
    PAUSE,
  ],
  [
    'pause: a chat that the edge holds says no word of home’s',
    PAUSE_TS,
    "if (!isOwn && what === 'resume')",
    "if (!isOwn && what !== 'resume' && what !== 'pause')",
    PAUSE,
  ],
  [
    'pause: home’s word is ended by home’s',
    PAUSE_LAW_TS,
    "if (home?.do === 'pause')",
    "if (home?.do === 'pause' && edge?.do !== 'resume')",
    PAUSE_LAW,
    PAUSE_AT_EDGE,
  ],
  [
    'pause: none of a time to come',
    PAUSE_LAW_TS,
    'Math.min(now, Math.max(0, now - (synced.now - word.at)))',
    'Math.max(0, now - (synced.now - word.at))',
    PAUSE_LAW,
  ],
  [
    'pause: home’s is heard before anything else of home’s',
    'durable-objects/tunnel/tunnel.ts',
    'if (frame.pause !== undefined) await this.env.KERNEL.getByName(KERNEL_NAME).setHomePause(frame.pause)',
    '',
    PAUSE_AT_EDGE,
  ],
  [
    'pause: where the owner says it, also in a chat that home answers',
    'kernel/features/places/both-lines.ts',
    '    isPauseText(text) ||\n',
    '',
    'pipeline/both-lines',
  ],
  [
    'unlink: of the edge’s links alone',
    'kernel/features/identities/identity-links.ts',
    " && ends.some(({ at }) => at === 'edge'))\n      remove(",
    ')\n      remove(',
    'pipeline/unlink',
  ],
  [
    'unlink: what ended here counts no more, whatever home names',
    'durable-objects/registry/links.ts',
    'const links = withoutEnded(synced)',
    'const links = synced',
    'worker/identities',
  ],
]
