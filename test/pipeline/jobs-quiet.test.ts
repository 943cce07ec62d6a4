/** Whether a job says something when there is nothing is changed by a card, in both languages, and is part of what was approved (G-09). */
import { describe, expect, it } from 'vitest'
import { jobDigest } from '../../kernel/features/jobs/frozen.ts'
import { first, next, outcomes, set, told, world } from './job-world.ts'
import type { World } from './world.ts'

const tools = { 'email.list': () => ({ ok: true, output: { emails: [], more: false } }) } as never

async function given(said = 'every day at 7 tell me my unread mail'): Promise<World> {
  const of = world({ tools })
  await set(of, said)
  return of
}
const heard = ({ sent }: World) => sent.map(({ text }) => text).join('\n')

describe('even when there is nothing', () => {
  it.each([
    'tell me my unread mail even if there is nothing',
    "send me the unread mail even when there's nothing new",
    'tell me even if there is nothing',
    'let me know too when there is nothing to report',
    'my unread mail should come even if there is nothing',
    'sag mir auch, wenn nichts da ist',
    'melde dich bitte auch wenn es nichts gibt',
    '/jobalways 1',
  ])('%s: a card, and then each time tells', async (said) => {
    const of = await given()
    await next(of)
    expect([outcomes(of), told(of)]).toEqual([['quiet'], []])
    await set(of, said)
    expect(heard(of)).toContain('Have this come even when there is nothing to tell?')
    const job = first(of)
    expect([job.quiet, job.digest]).toEqual([false, jobDigest(job)])
    await next(of)
    expect([outcomes(of), told(of).length]).toEqual([['quiet', 'told'], 1])
  })

  it('changes nothing before the yes, nor after a no', async () => {
    const of = await given()
    await of.say('tell me even if there is nothing')
    await of.shell.tick()
    expect(first(of).quiet).toBe(true)
    of.clock.now += 1_000
    await of.say('no')
    expect(first(of).quiet).toBe(true)
  })

  it('gives it as many messages a day as it has times', async () => {
    const of = await given('check my mail every 15 minutes')
    await set(of, 'tell me even if there is nothing')
    expect(first(of)).toMatchObject({ quiet: false, budget: { messages: 96 } })
    expect(heard(of)).toContain('at most 96 messages a day')
  })

  it('is no change of a row by itself', async () => {
    const of = await given()
    of.disk.store.saveJob({ ...first(of), quiet: false })
    await next(of)
    expect([outcomes(of), told(of)]).toEqual([['failed'], []])
  })
})

describe('only when there is something', () => {
  it.each([
    'tell me my unread mail only when there is something',
    'only tell me if there is something new',
    'sag mir nur Bescheid wenn es was gibt',
    'melde dich nur, wenn es etwas Neues gibt',
    '/jobquiet 1',
  ])('%s', async (said) => {
    const of = await given()
    await set(of, 'tell me even if there is nothing')
    await set(of, said)
    expect(first(of).quiet).toBe(true)
    await next(of)
    expect(told(of)).toEqual([])
  })

  it('is said where it is so already', async () => {
    const of = await given()
    await of.say('only tell me if there is something new')
    expect(heard(of)).toContain('It is so already.')
  })

  it('is taken back by a card', async () => {
    const of = await given()
    await set(of, 'tell me even if there is nothing')
    await set(of, '/undo')
    expect(first(of).quiet).toBe(true)
  })
})

it('of no job that is there, it is said so', async () => {
  const of = await given()
  await of.say('tell me my football even if there is nothing')
  expect(first(of).quiet).toBe(true)
  expect(heard(of)).toMatch(/no such job/i)
})
