/**
 * `/pause` and `/resume`: what the owner said last at each place, and whether nothing runs by that. Each place has a word of its own,
 * which no other place can say, so that two that were apart agree as soon as they have told each other: the later word counts,
 * but a pause of home's, said on a private line, is ended by home's word alone. Pure. Called by runtime/pause.ts and both places.
 */
import * as z from 'zod/mini'
import type { Place } from '../flow/place.ts'

export interface PauseWord {
  readonly do: 'pause' | 'resume'
  /** Epoch milliseconds, by the clock of the place that keeps it. */
  readonly at: number
  /** The chat that it was said in. */
  readonly sink: string
  /** By the clock of the other place, where it was said there. */
  readonly said?: number
}

export interface PauseState {
  readonly home: PauseWord | null
  readonly edge: PauseWord | null
  /** The last pause that is over, epoch milliseconds: what ran out of time in it is offered again. */
  readonly over: { readonly since: number; readonly until: number } | null
}

export const NEVER_PAUSED: PauseState = Object.freeze({ home: null, edge: null, over: null })

/** A pause that holds now. */
export interface Pause {
  readonly since: number
  readonly sink: string
  /** Whose word ends it; home's ends either. */
  readonly by: Place
}

/** Null while work goes on. */
export function pauseIn({ home, edge }: PauseState): Pause | null {
  const holds = edge?.do === 'pause' && (home === null || home.do === 'pause' || home.at < edge.at)
  const since = holds ? edge.at : Infinity
  if (home?.do === 'pause') return { since: Math.min(home.at, since), sink: home.sink, by: 'home' }
  return holds ? { since, sink: edge.sink, by: 'edge' } : null
}

/** What a word came to. `held`: it goes on to be paused, by a word of home's. `late`: it was said before the pause, and came after it. */
export type PauseDid = 'paused' | 'already' | 'resumed' | 'not_paused' | 'held' | 'late'

/** What the task that is such a word answers. `waited`: messages, since the pause began. */
export interface PauseSaid {
  readonly did: PauseDid
  readonly waited: number
}

/** Milliseconds that a resume may be older than the pause it ends, as two clocks tell: one that lay in a queue ends no later pause. */
export const RESUME_LATE = 60_000

/** The owner says it at this place. `sent`: when, by the clock of the chat that brought it. */
export function say(
  state: PauseState,
  place: Place,
  { sent, ...word }: PauseWord & { readonly sent: number },
): { readonly state: PauseState; readonly did: PauseDid } {
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

/** What one place tells the other of its own word. `now`: its clock as it leaves, so that two clocks need not agree (T-14). */
export interface PauseTold {
  readonly now: number
  readonly word: Pick<PauseWord, 'do' | 'at' | 'sink'> | null
}

const time = z.int().check(z.nonnegative())
/** UTF-16 units of a sink's name. */
const MOST_SINK = 200

export const pauseToldSchema = z.strictObject({
  now: time,
  word: z.nullable(
    z.strictObject({
      do: z.enum(['pause', 'resume']),
      at: time,
      sink: z.string().check(z.minLength(1), z.maxLength(MOST_SINK)),
    }),
  ),
})

export function toldBy(state: PauseState, place: Place, now: number): PauseTold {
  const word = state[place]
  return { now, word: word === null ? null : { do: word.do, at: word.at, sink: word.sink } }
}

/**
 * The other place's own word, and no other of it. The same word again changes nothing; none at all takes nothing back, as a place
 * that has lost its state says none. Never later than now, or a later word here could not answer it.
 */
export function hear(
  state: PauseState,
  { from, told, now }: { readonly from: Place; readonly told: PauseTold; readonly now: number },
): PauseState {
  const { word } = told
  const known = state[from]
  if (word === null || (known?.do === word.do && known.said === word.at)) return state
  const at = Math.min(now, Math.max(0, now - (told.now - word.at)))
  return ended(state, { ...state, [from]: { ...word, at, said: word.at } }, now)
}

/** What was said, by whom; when which pause was over each keeps for itself. */
export type PauseWords = Pick<PauseState, 'home' | 'edge'>

export function wordsOf({ home, edge }: PauseState): PauseWords {
  return { home, edge }
}

/** Words that somebody else at this very place has kept, by the same clock. */
export function adopt(state: PauseState, words: Partial<PauseWords>, now: number): PauseState {
  return ended(state, { ...state, ...words }, now)
}

function ended(before: PauseState, after: PauseState, until: number): PauseState {
  const was = pauseIn(before)
  return was === null || pauseIn(after) !== null ? after : { ...after, over: { since: was.since, until } }
}
