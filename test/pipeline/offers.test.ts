/**
 * "It proposes" (I-39): a request that no tool did is answered with what could be connected, or with a request that the owner could save. The owner alone hears
 * it, on a line where they can connect something; with and without a model.
 */
import { describe, expect, it } from 'vitest'
import { BOB, linkWorld, says } from './linked.ts'
import { createWorld, scriptedModel, type World, type WorldOptions } from './world.ts'

const CONNECT = /say 'connect notion'/
const SAVE = /`pfar http save`/
const ANY = /connect|pfar/i

/** A model that plans nothing for this, and says so. */
const none = () =>
  scriptedModel('none', ({ parts }) =>
    parts.purpose === 'plan' ? '{"steps":[],"explanation":""}' : 'That is not set up.',
  )

function credentials(...lacking: readonly string[]): NonNullable<WorldOptions['credentials']> {
  return {
    lacking: new Set(lacking),
    refusal: () => null,
    give: async () => ({ ok: true, value: 'stored' }),
  }
}

async function told(words: string, options: WorldOptions): Promise<string> {
  const world = createWorld(options)
  await world.say(words)
  return world.heard()
}

const HTTP = { 'http.saved': () => ({ ok: true as const, output: { name: 'x', values: [] } }) }
const WITH = { models: [none()], credentials: credentials('notion', 'github') }

describe('with a model that plans nothing, the owner hears', () => {
  it('which service could have been asked, once for each that was named', async () => {
    const answer = await told('plot my Notion roadmap against GitHub somehow', WITH)
    expect(answer).toBe(
      [
        'That is not set up.',
        "PFAR: GitHub can be asked, but is not connected yet: say 'connect github', and then ask me again.",
        "PFAR: Notion can be asked, but is not connected yet: say 'connect notion', and then ask me again.",
      ].join('\n\n'),
    )
  })

  it('that a request to an interface can be saved, if no service of its own was named', async () => {
    expect(await told('could you use the API of my heating?', WITH)).toMatch(SAVE)
  })

  it.each([
    ['names nothing', 'rearrange the furniture', WITH],
    ['has the name in another word', 'this is all about notional things', WITH],
    ['names what is connected', 'plot my Notion roadmap', { ...WITH, credentials: credentials('github') }],
    ['comes where nothing is connected', 'plot my Notion roadmap', { models: [none()] }],
    ['comes at the edge', 'plot my Notion roadmap', { ...WITH, place: 'edge' as const }],
    ['comes where others may read', 'plot my Notion roadmap', { ...WITH, adminSinks: [] }],
  ])('nothing of it where the request %s', async (_, words, options) => {
    expect(await told(words, options)).not.toMatch(/PFAR:/)
  })

  it('nothing of it after a step that ran', async () => {
    const steps = [{ id: 's1', do: 'tool', tool: 'memory.search', args: {} }]
    const plans = scriptedModel('plans', ({ parts }) =>
      parts.purpose === 'plan' ? JSON.stringify({ steps, explanation: '' }) : 'done',
    )
    expect(await told('what do you know of Notion', { ...WITH, models: [plans] })).not.toMatch(/PFAR:/)
  })
})

describe('without a model', () => {
  it('the nearest thing is named, and what it needs', async () => {
    const answer = await told('juggle the notion pages upside down', { credentials: credentials('notion') })
    expect(answer).toMatch(/The nearest thing that I can do/)
    expect(answer).toMatch(CONNECT)
  })

  it('of what no tool can do, that a request to a web service can be saved', async () => {
    const answer = await told('turn on the lamp in the hall', { credentials: credentials(), tools: HTTP })
    expect(answer).toMatch(/^I cannot /)
    expect(answer).toMatch(SAVE)
    expect(await told('book a flight to Rome', { credentials: credentials(), tools: HTTP })).not.toMatch(SAVE)
  })
})

describe('nobody else hears of it', () => {
  const WORDS = ['plot my Notion roadmap', 'could you use the API of my heating?', 'book a flight to Rome']

  async function heardBy(world: World): Promise<readonly string[]> {
    const heard: string[] = []
    for (const words of WORDS) heard.push(await says(world, BOB, words))
    expect(heard.join('')).not.toBe('')
    return heard
  }

  it.each<[string, WorldOptions]>([
    ['a stranger', WITH],
    ['a stranger, without a model', { models: [], tools: HTTP, credentials: credentials('notion') }],
    ['a paired person', { ...WITH, paired: [BOB] }],
    ['a paired person, without a model', { models: [], credentials: credentials('notion'), paired: [BOB] }],
    ['a stranger whose chat is one of the owner’s', { ...WITH, adminSinks: ['sink:telegram:bob'] }],
  ])('%s', async (_, options) => {
    for (const answer of await heardBy(linkWorld(options))) expect(answer).not.toMatch(ANY)
  })
})
