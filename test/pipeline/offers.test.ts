/**
 * "It proposes" (I-39): a request that no tool did is answered with what could be connected, or with a request that the owner could save. The owner alone hears
 * it, on a line where they can connect something; with and without a model.
 */
import { describe, expect, it } from 'vitest'
import { speak } from '../../integrations/languages/speak-home.ts'
import { TOOL_MANIFESTS } from '../../integrations/tools/registered.ts'
import { BOB, linkWorld, says } from './linked.ts'
import { mailTools } from './mailbox.ts'
import { createWorld, scriptedModel, type World, type WorldOptions } from './world.ts'

const CONNECT = /say 'connect notion'/
const SAVE = /`pfar http save`/
const ANY = /connect|pfar|nearest/i

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

describe('with a model that says that no tool fits, the owner hears', () => {
  /** Says so of everything, also after it was told of the tools that may fit. */
  const refusing = () =>
    scriptedModel('refusing', ({ parts }) =>
      parts.purpose === 'plan' ? '{"steps":[],"left_out":"No tool can do that."}' : 'I cannot do that.',
    )
  const NEAREST = /PFAR: The nearest thing that I can do: /
  const done = () => ({ ok: true as const, output: {} })
  const HERE = Object.fromEntries(
    TOOL_MANIFESTS.flatMap(({ actions }) => actions.map(({ id }) => [id, done] as const)),
  )
  const heard = (words: string, ...lacking: readonly string[]): Promise<string> =>
    told(words, { models: [refusing()], tools: HERE, credentials: credentials(...lacking) })

  it.each([
    [
      'shuffle the appointments of my calendar at random',
      /The nearest thing that I can do: .*(?:calendar|diary|event|appointment)/,
    ],
    ['knit me a reminder to call mum', /The nearest thing that I can do: remind you/],
    ['translate the newest mail from Tom into Klingon', /The nearest thing that I can do: .*mail/],
  ])('the nearest thing that PFAR has: %s', async (words, says) => {
    const answer = await heard(words)
    expect(answer).toMatch(/^I cannot do that\./)
    expect(answer).toMatch(says)
    expect(answer.match(NEAREST)).toHaveLength(1)
  })

  it('which service could do it, by the words of its declaration, if that is nearer', async () => {
    const words = 'juggle the pull requests that wait for my review'
    expect(await heard(words, 'github')).toMatch(
      /GitHub can be asked, but is not connected yet: say 'connect github'/,
    )
    expect(await heard(words)).not.toMatch(/connect/)
    expect(await heard(words)).toMatch(NEAREST)
  })

  it('once of a service that the request names', async () => {
    const answer = await heard('plot the pages of my Notion against each other', 'notion')
    expect(answer.match(/connect notion/g)).toHaveLength(1)
  })

  it.each([['rearrange the furniture'], ['qwzzk vxqj'], ['knit a jumper out of spaghetti']])(
    'nothing of it where nothing is near: %s',
    async (words) => expect(await heard(words, 'notion', 'github', 'slack')).not.toMatch(/PFAR:/),
  )

  it('nothing of it where the model only talks', async () => {
    expect(
      await told('you are a strange old calendar', {
        models: [none()],
        tools: HERE,
        credentials: credentials(),
      }),
    ).not.toMatch(NEAREST)
  })

  it('nothing of it on a line that others read', async () => {
    const words = 'shuffle the appointments of my calendar at random'
    const options = { models: [refusing()], tools: HERE, credentials: credentials(), adminSinks: [] }
    expect(await told(words, options)).not.toMatch(NEAREST)
  })

  it('it in the language that they speak', async () => {
    await speak('de')
    try {
      const answer = await heard('würfel die Termine in meinem Kalender durcheinander')
      expect(answer).toMatch(/Am nächsten kommt dem, was ich kann: .*„/)
    } finally {
      await speak('en')
    }
  })

  it.each([
    [
      'please juggle the wine thing, and forget at 13:05 what I said of it',
      /a sentence of its own: say 'forget .*…'/,
    ],
    [
      'that briefing of the mornings, as one would like it',
      /a sentence of its own: say '\/job morning briefing at 7:30'/,
    ],
  ])('the sentence of theirs that does it, where no plan may: %s', async (words, sentence) => {
    const answer = await heard(words)
    expect(answer).toMatch(sentence)
    expect(answer).not.toMatch(NEAREST)
    await speak('de')
    try {
      expect(await heard(words)).toMatch(/einen eigenen Satz: Sag „(?:vergiss|\/job) .*“/)
    } finally {
      await speak('en')
    }
  })

  it('no word of a mail, whatever it says', async () => {
    const steps = [{ id: 's1', do: 'tool', tool: 'email.read', args: { id: 'm2' } }]
    const model = scriptedModel('reads', ({ parts }) =>
      parts.purpose === 'plan' ? JSON.stringify({ steps, left_out: 'No tool can juggle.' }) : 'Read.',
    )
    const world = createWorld({ models: [model], credentials: credentials('notion'), tools: mailTools() })
    await world.say('read that mail and juggle its calendar')
    expect(world.heard()).not.toMatch(NEAREST)
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

  const REFUSING = () =>
    scriptedModel('refusing', ({ parts }) =>
      parts.purpose === 'plan' ? '{"steps":[],"left_out":"No tool can do that."}' : 'That is not possible.',
    )
  it.each<[string, WorldOptions]>([
    ['a stranger, where a model says that no tool fits', { ...WITH, models: [REFUSING()] }],
    ['a paired person, where a model says so', { ...WITH, models: [REFUSING()], paired: [BOB] }],
    ['a stranger', WITH],
    ['a stranger, without a model', { models: [], tools: HTTP, credentials: credentials('notion') }],
    ['a paired person', { ...WITH, paired: [BOB] }],
    ['a paired person, without a model', { models: [], credentials: credentials('notion'), paired: [BOB] }],
    ['a stranger whose chat is one of the owner’s', { ...WITH, adminSinks: ['sink:telegram:bob'] }],
  ])('%s', async (_, options) => {
    for (const answer of await heardBy(linkWorld(options))) expect(answer).not.toMatch(ANY)
  })
})
