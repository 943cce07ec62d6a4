/** As many jobs as there may be: one more is refused with the reason, whichever kind it is, and room is made by removing one (G-07). */
import { describe, expect, it } from 'vitest'
import { MOST_JOBS } from '../../kernel/features/jobs/port.ts'
import { wordsFor } from '../../kernel/wording/words.ts'
import { first, set, world } from './job-world.ts'
import { mailTools } from './mailbox.ts'
import type { World } from './world.ts'

async function full(): Promise<World> {
  const of = world({ tools: mailTools() })
  await set(of, 'start the morning briefing')
  const { number: _, ...job } = first(of)
  for (let nth = 1; nth < MOST_JOBS; nth += 1)
    of.disk.store.addJob({ ...job, id: `${job.id}${nth}`, due: null })
  expect(of.disk.store.jobs()).toHaveLength(MOST_JOBS)
  of.sent.length = 0
  return of
}

describe('with as many jobs as there may be', () => {
  it.each([
    ['a shipped one', 'start the evening review'],
    ['one in the owner’s words', 'every day at 9 show me my unread mail'],
    ['one that waits for a mail', 'remind me if sarah@example.com has not answered by Friday'],
    ['one that looks at the list', 'remind me tomorrow at 9 if milk is still on my list'],
  ])('%s is refused, and puts no card', async (_, said) => {
    const of = await full()
    await of.say(said)
    await of.shell.tick()
    expect(of.heard()).toContain(wordsFor('jobs_full'))
    expect(of.sent.filter(({ kind }) => kind === 'card')).toEqual([])
    expect(of.disk.store.jobs()).toHaveLength(MOST_JOBS)
  })

  it('one that is removed makes room for another', async () => {
    const of = await full()
    await of.say('/removejob 2')
    await of.say('start the evening review')
    await of.shell.tick()
    expect(of.sent.filter(({ kind }) => kind === 'card')).toHaveLength(1)
  })
})
