/** What two places make of `/pause` and `/resume`, together and apart: one table a law. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Place } from '../../kernel/flow/place.ts'
import {
  applyOwn,
  applySynced,
  NEVER_PAUSED,
  type PauseCommand,
  type PauseEffect,
  type PauseState,
  pauseIn,
  pauseSyncSchema,
  RESUME_LATE,
  syncOf,
} from '../../kernel/task/pause.ts'

type Said = readonly [Place, PauseCommand['do']]
const other = (place: Place): Place => (place === 'home' ? 'edge' : 'home')
const word = (what: PauseCommand['do'], at: number) => ({ do: what, at, sink: `sink:${what}`, sent: at })

/** Said one after the other, each at its own place; the link is cut until the end. */
function apart(said: readonly Said[]): Readonly<Record<Place, PauseState>> {
  const states = { home: NEVER_PAUSED, edge: NEVER_PAUSED }
  said.forEach(([place, what], n) => {
    states[place] = applyOwn(states[place], place, word(what, 1_000 * (n + 1))).state
  })
  const now = 1_000_000
  const heardBy = (place: Place): PauseState =>
    applySynced(states[place], {
      from: other(place),
      synced: syncOf(states[other(place)], other(place), now),
      now,
    })
  return { home: heardBy('home'), edge: heardBy('edge') }
}

const P = 'pause'
const R = 'resume'

describe('said at two places that cannot hear each other', () => {
  it.each<readonly [string, readonly Said[], Place | null]>([
    ['at home alone', [['home', P]], 'home'],
    ['at the edge alone', [['edge', P]], 'edge'],
    [
      'at the edge, ended there',
      [
        ['edge', P],
        ['edge', R],
      ],
      null,
    ],
    [
      'at home, ended there',
      [
        ['home', P],
        ['home', R],
      ],
      null,
    ],
    [
      'at the edge, ended at home later',
      [
        ['edge', P],
        ['home', R],
      ],
      null,
    ],
    [
      'ended at home before it was said at the edge',
      [
        ['home', R],
        ['edge', P],
      ],
      'edge',
    ],
    [
      'at home, and an end at the edge',
      [
        ['home', P],
        ['edge', R],
      ],
      'home',
    ],
    [
      'at both, ended at the edge',
      [
        ['edge', P],
        ['home', P],
        ['edge', R],
      ],
      'home',
    ],
    [
      'at both, ended at home',
      [
        ['edge', P],
        ['home', P],
        ['home', R],
      ],
      null,
    ],
    [
      'at the edge again after home ended it',
      [
        ['edge', P],
        ['home', R],
        ['edge', R],
        ['edge', P],
      ],
      'edge',
    ],
  ])('%s', (_what, said, by) => {
    const { home, edge } = apart(said)
    expect([pauseIn(home)?.by ?? null, pauseIn(edge)?.by ?? null]).toEqual([by, by])
  })

  it('both agree, whatever was said', () => {
    const said = fc.array(fc.tuple(fc.constantFrom<Place>('home', 'edge'), fc.constantFrom(P, R)), {
      maxLength: 12,
    })
    fc.assert(
      fc.property(said, (all) => {
        const { home, edge } = apart(all)
        expect(pauseIn(home)?.by).toBe(pauseIn(edge)?.by)
      }),
    )
  })
})

describe('what a word comes to', () => {
  const paused = (place: Place): PauseState => applyOwn(NEVER_PAUSED, place, word(P, 10_000)).state
  it.each<readonly [string, PauseState, Place, PauseCommand['do'], PauseEffect]>([
    ['the first', NEVER_PAUSED, 'home', P, 'paused'],
    ['a second', paused('home'), 'home', P, 'already'],
    ['a second at the other place', paused('home'), 'edge', P, 'already'],
    ['an end', paused('edge'), 'edge', R, 'resumed'],
    ['an end of the edge’s at home', paused('edge'), 'home', R, 'resumed'],
    ['an end of home’s at the edge', paused('home'), 'edge', R, 'held'],
    ['an end of nothing', NEVER_PAUSED, 'edge', R, 'not_paused'],
  ])('%s', (_what, before, place, what, did) =>
    expect(applyOwn(before, place, word(what, 20_000)).did).toBe(did),
  )

  it('keeps since when it is paused', () => {
    const twice = applyOwn(paused('home'), 'home', word(P, 99_000)).state
    expect(pauseIn(twice)).toEqual({ since: 10_000, sink: 'sink:pause', by: 'home' })
  })

  it('names the pause that is over', () =>
    expect(applyOwn(paused('edge'), 'home', word(R, 20_000)).state.over).toEqual({
      since: 10_000,
      until: 20_000,
    }))

  it.each([
    [10_000 + RESUME_LATE, 10_000, 'resumed'],
    [10_001 + RESUME_LATE, 10_000, 'late'],
  ] as const)('an end that lay in a queue ends no later pause (%i)', (at, sent, did) => {
    const state = applyOwn(NEVER_PAUSED, 'home', word(P, at)).state
    expect(applyOwn(state, 'home', { ...word(R, at + 1), sent }).did).toBe(did)
  })
})

describe('what the other place says', () => {
  const told = (at: number, now: number) => ({ now, word: { do: P, at, sink: 's' } }) as const
  it.each([
    ['by its own clock, an hour ahead', told(3_601_000, 3_602_000), 9_000],
    ['by its own clock, an hour behind', told(1, 1_001), 9_000],
    ['of a time to come, which counts as now', told(5_000_000, 10_000), 10_000],
  ])('%s', (_what, said, since) =>
    expect(pauseIn(applySynced(NEVER_PAUSED, { from: 'edge', synced: said, now: 10_000 }))?.since).toBe(
      since,
    ),
  )

  it('a pause to come is ended by the next word here', () => {
    const heard = applySynced(NEVER_PAUSED, { from: 'edge', synced: told(9e15, 0), now: 10_000 })
    expect(pauseIn(applyOwn(heard, 'home', word(R, 10_000)).state)).toBeNull()
  })

  it('nothing takes nothing back, and the same once more changes nothing', () => {
    const once = applySynced(NEVER_PAUSED, { from: 'home', synced: told(1_000, 2_000), now: 10_000 })
    expect(applySynced(once, { from: 'home', synced: { now: 3_000, word: null }, now: 11_000 })).toBe(once)
    expect(applySynced(once, { from: 'home', synced: told(1_000, 9_000), now: 99_000 })).toBe(once)
  })

  it('a place says its own word and no other’s', () => {
    const both = applyOwn(applyOwn(NEVER_PAUSED, 'edge', word(P, 1)).state, 'home', word(P, 2)).state
    const said = syncOf(both, 'home', 5)
    expect(said).toEqual({ now: 5, word: { do: P, at: 2, sink: 'sink:pause' } })
    expect(pauseSyncSchema.safeParse({ ...said, edge: null }).success).toBe(false)
  })
})
