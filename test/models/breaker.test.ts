/** When a breaker opens, and when its model is tried again (D-14, D-15): state in, state out. */

import { describe, expect, it } from 'vitest'
import { MODEL_BREAKERS, MODEL_NEWS } from '../../kernel/inference/attempt.ts'
import {
  admissionOf,
  createBreakers,
  DEFAULT_BREAKER,
  type Meaning,
  PROBE_LIFE,
} from '../../kernel/powers/breaker.ts'

const S = 1_000

/** A model with a clock; notices to the owner are recorded. */
function model(bounds = DEFAULT_BREAKER) {
  const clock = { now: 1_000_000 }
  const told: string[] = []
  const breakers = createBreakers({
    ...MODEL_BREAKERS,
    bounds,
    now: () => clock.now,
    news: (name, code) => told.push(`${name} ${MODEL_NEWS[code]}`),
  })
  const at = (seconds: number): void => {
    clock.now = 1_000_000 + seconds * S
  }
  const call = (meaning: Meaning): string => {
    const entered = breakers.enter('cloud')
    if (!entered.ok) return entered.reason.code
    breakers.leave('cloud', meaning)
    return 'asked'
  }
  return { clock, told, at, call, breakers }
}

describe('three failures within a minute', () => {
  it.each<readonly [string, readonly (readonly [number, Meaning])[], boolean]>([
    [
      'at once',
      [
        [0, 'fails'],
        [0, 'fails'],
        [0, 'fails'],
      ],
      true,
    ],
    [
      'within 59 s',
      [
        [0, 'fails'],
        [30, 'fails'],
        [59, 'fails'],
      ],
      true,
    ],
    [
      'over 60 s',
      [
        [0, 'fails'],
        [30, 'fails'],
        [60, 'fails'],
      ],
      false,
    ],
    [
      'two',
      [
        [0, 'fails'],
        [1, 'fails'],
      ],
      false,
    ],
    [
      'with an answer between',
      [
        [0, 'fails'],
        [1, 'fails'],
        [2, 'works'],
        [3, 'fails'],
      ],
      false,
    ],
    [
      'that are wrong settings',
      [
        [0, 'refused'],
        [0, 'refused'],
        [0, 'refused'],
        [0, 'refused'],
      ],
      false,
    ],
    [
      'that its callers stopped',
      [
        [0, 'neither'],
        [0, 'neither'],
        [0, 'neither'],
        [0, 'neither'],
      ],
      false,
    ],
    [
      'around wrong settings',
      [
        [0, 'fails'],
        [1, 'refused'],
        [2, 'fails'],
        [3, 'fails'],
      ],
      true,
    ],
  ])('failures open the breaker or not: %s, pause %#', (_what, calls, rests) => {
    const { at, call, told } = model()
    for (const [seconds, meaning] of calls) {
      at(seconds)
      call(meaning)
    }
    expect(call('works')).toBe(rests ? 'model_resting' : 'asked')
    expect(told.filter((news) => news.endsWith('model_degraded'))).toHaveLength(rests ? 1 : 0)
  })
})

describe('a model whose breaker is open', () => {
  const resting = () => {
    const made = model()
    for (let n = 0; n < 3; n += 1) made.call('fails')
    return made
  }

  it.each([
    [299, 'model_resting'],
    [300, 'asked'],
  ])('after %i s: %s', (seconds, said) => {
    const { at, call } = resting()
    at(seconds)
    expect(call('works')).toBe(said)
  })

  it('one trial call decides whether the breaker closes', () => {
    const { at, breakers } = resting()
    at(300)
    const enters = () => breakers.enter('cloud').ok
    expect([enters(), enters(), enters()]).toEqual([true, false, false])
    breakers.leave('cloud', 'works')
    expect([enters(), enters()]).toEqual([true, true])
  })

  it('a failed trial call restarts the same pause, without another notice', () => {
    const { at, call, told } = resting()
    at(300)
    call('fails')
    at(599)
    expect(call('works')).toBe('model_resting')
    at(600)
    expect(call('works')).toBe('asked')
    expect(told).toEqual(['cloud model_degraded'])
  })

  it('another trial is allowed when the first one never returned', () => {
    const { at, breakers } = resting()
    at(300)
    breakers.enter('cloud')
    at(300 + PROBE_LIFE / S - 1)
    expect(breakers.enter('cloud').ok).toBe(false)
    at(300 + PROBE_LIFE / S)
    expect(breakers.enter('cloud').ok).toBe(true)
  })

  it('failures of calls that began before do not extend the pause', () => {
    const { at, breakers, call } = resting()
    at(200)
    breakers.leave('cloud', 'fails')
    at(300)
    expect(call('works')).toBe('asked')
  })

  it('the breaker of one provider does not affect another', () => {
    const { breakers } = resting()
    expect(breakers.enter('local').ok).toBe(true)
  })
})

it('a wrong setting is reported once, and again after the model has worked', () => {
  const { call, told } = model()
  for (const meaning of ['refused', 'refused', 'works', 'refused'] as const) call(meaning)
  expect(told).toEqual(['cloud model_misconfigured', 'cloud model_misconfigured'])
})

it.each([
  ['failures', { ...DEFAULT_BREAKER, failures: 1 }, ['resting', 'probe']],
  ['rest', { failures: 1, window: 60 * S, rest: 10 * S }, ['probe', 'probe']],
  ['window', { failures: 2, window: 1, rest: 300 * S }, ['free', 'free']],
] as const)('the owner’s own bound is used: %s', (_what, bounds, seen) => {
  const { at, call, breakers, clock } = model(bounds)
  call('fails')
  at(1)
  call('fails')
  const looks = [11, 301].map((seconds) => {
    at(seconds)
    return admissionOf(breakers.state('cloud'), clock.now, bounds)
  })
  expect(looks).toEqual(seen)
})
