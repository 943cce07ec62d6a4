/**
 * `/pause` and `/resume`: the owner's last command at each place, and whether work is paused as a result. Each place records only
 * its own command, and both agree after they synced: the later one wins, but a pause given at home, on a private line, ends only
 * by a command at home. Pure. Called by features/pause and both places.
 */
import * as z from 'zod/mini'
import type { DeepReadonly } from '../flow/json.ts'
import type { Place } from '../flow/place.ts'

export interface PauseCommand {
  readonly do: 'pause' | 'resume'
  /** Epoch milliseconds, by the clock of the place that stores it. */
  readonly at: number
  /** The chat of the command. */
  readonly sink: string
  /** Time by the other place's clock, if the command was given there. */
  readonly said?: number
}

export interface PauseState {
  readonly home: PauseCommand | null
  readonly edge: PauseCommand | null
  /** The last pause that ended, epoch milliseconds. Questions that expired during it are asked again. */
  readonly over: { readonly since: number; readonly until: number } | null
}

export const NEVER_PAUSED: PauseState = Object.freeze({ home: null, edge: null, over: null })

/** The current pause. */
export interface Pause {
  readonly since: number
  readonly sink: string
  /** The place whose `/resume` ends it. One at home ends either. */
  readonly by: Place
}

/** The pause in effect; null while work goes on. */
export function pauseIn({ home, edge }: PauseState): Pause | null {
  const holds = edge?.do === 'pause' && (home === null || home.do === 'pause' || home.at < edge.at)
  const since = holds ? edge.at : Infinity
  if (home?.do === 'pause') return { since: Math.min(home.at, since), sink: home.sink, by: 'home' }
  return holds ? { since, sink: edge.sink, by: 'edge' } : null
}

/**
 * Effect of a command. `held`: still paused, by home. `late`: a resume given before the pause that arrived
 * after it.
 */
export type PauseEffect = 'paused' | 'already' | 'resumed' | 'not_paused' | 'held' | 'late'

/** What the command's own task answers. `waited`: messages queued since the pause began. */
export interface PauseAnswer {
  readonly did: PauseEffect
  readonly waited: number
}

/**
 * Milliseconds by which a resume may be older than the pause it ends, given two clocks. Stops a queued resume
 * from ending a later pause.
 */
export const RESUME_LATE = 60_000

/**
 * Applies a command of the owner's at this place. `sent`: its time by the clock of the chat that delivered
 * it.
 */
export function applyOwn(
  state: PauseState,
  place: Place,
  { sent, ...word }: PauseCommand & { readonly sent: number },
): { readonly state: PauseState; readonly did: PauseEffect } {
  const before = pauseIn(state)
  if (word.do === 'pause' && before !== null && (before.by === place || before.by === 'home'))
    return { state, did: 'already' }
  if (word.do === 'resume' && before !== null && sent + RESUME_LATE < before.since)
    return { state, did: 'late' }
  const next = ended(state, { ...state, [place]: word }, word.at)
  if (word.do === 'pause') return { state: next, did: before === null ? 'paused' : 'already' }
  if (pauseIn(next) !== null) return { state: next, did: 'held' }
  return { state: next, did: before === null ? 'not_paused' : 'resumed' }
}

const time = z.int().check(z.nonnegative())
/** Maximum UTF-16 units of a sink's name. */
const MOST_SINK = 200

/**
 * One place's own command as synced to the other. `now`: the sender's clock at sending, so that the two
 * clocks need not agree (T-14).
 */
export const pauseSyncSchema = z.strictObject({
  now: time,
  word: z.nullable(
    z.strictObject({
      do: z.enum(['pause', 'resume']),
      at: time,
      sink: z.string().check(z.minLength(1), z.maxLength(MOST_SINK)),
    }),
  ),
})
export type PauseSync = DeepReadonly<z.output<typeof pauseSyncSchema>>

export function syncOf(state: PauseState, place: Place, now: number): PauseSync {
  const word = state[place]
  return { now, word: word === null ? null : { do: word.do, at: word.at, sink: word.sink } }
}

/**
 * Applies the other place's own command. The same command again changes nothing. A missing one clears
 * nothing, because a place that lost its state sends none. Its time is capped at now; otherwise a later
 * command here could not override it.
 */
export function applySynced(
  state: PauseState,
  { from, synced, now }: { readonly from: Place; readonly synced: PauseSync; readonly now: number },
): PauseState {
  const { word } = synced
  const known = state[from]
  if (word === null || (known?.do === word.do && known.said === word.at)) return state
  const at = Math.min(now, Math.max(0, now - (synced.now - word.at)))
  return ended(state, { ...state, [from]: { ...word, at, said: word.at } }, now)
}

/** Both places' commands. The end of the last pause is not synced: each place tracks it alone. */
export type PauseCommands = Pick<PauseState, 'home' | 'edge'>

export function wordsOf({ home, edge }: PauseState): PauseCommands {
  return { home, edge }
}

/** Applies commands that another store of this place recorded, by the same clock. */
export function adopt(state: PauseState, words: Partial<PauseCommands>, now: number): PauseState {
  return ended(state, { ...state, ...words }, now)
}

function ended(before: PauseState, after: PauseState, until: number): PauseState {
  const was = pauseIn(before)
  return was === null || pauseIn(after) !== null ? after : { ...after, over: { since: was.since, until } }
}
