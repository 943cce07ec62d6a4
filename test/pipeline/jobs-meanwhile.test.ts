/** What the owner changes while the task of a due job is made: it stays, and the job does not run (DESIGN §9). */
import { describe, expect, it } from 'vitest'
import { at, first, set, told, world } from './job-world.ts'
import type { World } from './world.ts'

const MINUTE = 60_000
const empty = {
  'calendar.list_events': () => ({ ok: true as const, output: { events: [], more: false } }),
  'email.list': () => ({ ok: true as const, output: { emails: [], more: false } }),
}
const down = {
  'email.list': () => ({ ok: false, reason: { code: 'remote_unavailable', facts: {} } }) as const,
}

/** The job's sealed words are opened only after the owner said this. */
function saidWhileMade(of: World, words: string): void {
  const { disk, powers } = of
  const { sealer } = powers
  const open = sealer.open.bind(sealer)
  const { words: ref } = first(of)
  let waits = true
  Object.assign(sealer, {
    open: async (...args: Parameters<typeof open>) => {
      if (waits && JSON.stringify(args).includes(ref.id)) {
        waits = false
        await of.say(words)
        expect(disk.store.jobs().some(({ state }) => state === 'on')).toBe(false)
      }
      return open(...args)
    },
  })
}
const row = ({ disk: { store } }: World, id: string) => store.findJob(id)

describe.each([
  ['/removejob 1', 'removed'],
  ['/stopjob 1', 'paused'],
])('a job to which the owner says %s', (said, state) => {
  it('while its time comes is not run, and not turned on again', async () => {
    const of = world({ tools: empty })
    await set(of, 'start the morning briefing')
    const { id, due } = first(of)
    saidWhileMade(of, said)
    await at(of, Number(due))
    expect(row(of, id)).toMatchObject({ state, due: null })
    expect(of.disk.store.runsOf(id, 5)).toEqual([])
    expect(told(of)).toEqual([])
    await at(of, Number(due) + 24 * 60 * MINUTE)
    expect(told(of)).toEqual([])
  })

  it('while it is tried again is not run', async () => {
    const of = world({ tools: down })
    await set(of, 'check my mail every 15 minutes')
    const { id, due } = first(of)
    await at(of, Number(due))
    const again = of.disk.store.runsOf(id, 1)[0]?.again ?? null
    expect(again).not.toBeNull()
    saidWhileMade(of, said)
    const calls = of.calls.length
    await at(of, Number(again))
    expect(row(of, id)).toMatchObject({ state, due: null })
    expect(of.calls.slice(calls)).toEqual([])
    expect(of.disk.store.runsOf(id, 5)).toMatchObject([{ outcome: 'failed', again: null, attempt: 1 }])
  })
})
