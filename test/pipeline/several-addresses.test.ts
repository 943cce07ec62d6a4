/** One message with several addresses: each page is read, each person is written to, and none is left out silently; by the planner without a model. */
import { describe, expect, it } from 'vitest'
import { createMessageExtractor } from '../../integrations/extractors/message/message.ts'
import { HOME_RULES } from '../../integrations/models/rules/home.ts'
import { createRulesModel } from '../../integrations/models/rules/model.ts'
import { TYPED_MAX } from '../../kernel/powers/message-fields.ts'
import { isLinear } from '../kit/processor-time.ts'
import { calendarTools, mailTools } from './mailbox.ts'
import { createWorld, type ScriptedTool, scriptedModel } from './world.ts'

const A = 'https://a.example/x'
const B = 'https://b.example/y?z=1'
const C = 'https://c.example'

const web: ScriptedTool = ({ url }) => ({
  ok: true,
  output: { title: `Page of ${String(url)}`, text: 'A text.', links: [], language: 'en' },
})

async function readBy(text: string, own: ScriptedTool = web) {
  const world = createWorld({ tools: { ...mailTools(), ...calendarTools(), 'web.read': own } })
  await world.say(text)
  const read = world.calls.filter(({ tool }) => tool === 'web.read').map(({ args }) => args['url'])
  return { read, told: world.heard() }
}

describe('pages', () => {
  it.each([
    [`read ${A} and ${B}`, [A, B]],
    [`read these two pages: ${A} and ${B}`, [A, B]],
    [`summarise ${A}, ${B} and ${C}.`, [A, B, C]],
    [`${A} ${B}`, [A, B]],
    [`lies ${A} und ${B}`, [A, B]],
    [`lies diese beiden Seiten: ${A} und ${B}`, [A, B]],
    [`read ${A} and ${A}`, [A]],
    [`read ${A}`, [A]],
  ])('%s', async (text, pages) => {
    expect((await readBy(text)).read).toEqual(pages)
  })

  it('one that cannot be read keeps no other back, and it is said', async () => {
    const { read, told } = await readBy(`read ${A} and ${B}`, (args) =>
      args['url'] === A ? { ok: false, reason: { code: 'remote_not_found', facts: {} } } : web(args),
    )
    expect(read).toEqual([A, B])
    expect(told).toContain(`Page of ${B}`)
    expect(told).toMatch(/not|could/i)
  })
})

it('a mail goes to each address that was typed, on one card', async () => {
  for (const [text, to] of [
    ['mail sarah@x.example and tom@y.example: lunch at noon?', ['sarah@x.example', 'tom@y.example']],
    [
      'write to sarah@x.example, tom@y.example and kim@z.example that I will be late',
      ['sarah@x.example', 'tom@y.example', 'kim@z.example'],
    ],
  ] as const) {
    const world = createWorld({ tools: { ...mailTools(), 'email.send': () => ({ ok: true, output: {} }) } })
    await world.say(text)
    for (const one of to) expect(world.heard()).toContain(one)
  }
})

describe('the fields of a message', () => {
  const fields = (text: string) =>
    createMessageExtractor().extract(text, { now: 0, timezone: 'UTC', own: true }) as Record<string, unknown>

  it('have lists where there are several, each once, and none where there is one', () => {
    expect(fields(`read ${A}, ${B} and ${A}`)).toMatchObject({ url: A, urls: [A, B] })
    expect(fields('invite a@x.example; b@y.example, (c@z.example)')).toMatchObject({
      email: 'a@x.example',
      emails: ['a@x.example', 'b@y.example', 'c@z.example'],
    })
    expect(fields(`read ${A}`)).not.toHaveProperty('urls')
    expect(fields('mail tom@y.example: hi')).not.toHaveProperty('emails')
  })

  it('are bounded, and read in linear time', () => {
    const many = Array.from({ length: 50 }, (_, at) => `https://a.example/${at} m${at}@x.example`).join(' ')
    const read = fields(`read ${many}`)
    expect([read['urls'], read['emails']].map((list) => (list as unknown[]).length)).toEqual([
      TYPED_MAX,
      TYPED_MAX,
    ])
  })
})

describe('people in a row', () => {
  const people = (text: string) =>
    (
      createMessageExtractor().extract(text, { now: 0, timezone: 'UTC', own: true }) as Record<
        string,
        unknown
      >
    )['people']

  it.each([
    ['lunch with Sarah, Tom and Lena on Friday at 1pm', ['Sarah', 'Tom', 'Lena']],
    ['book dinner with Dr. Blake and Tom Miller tomorrow at 19:00', ['Dr. Blake', 'Tom Miller']],
    ['anything from my sister or tom today?', ['sister', 'tom']],
    ['anything from tom or sarah today?', ['tom', 'sarah']],
    ['did Sarah and Tom write?', ['Sarah', 'Tom']],
    ['Mittagessen mit Anna, Ben und Frau Krüger am Freitag um 13 Uhr', ['Anna', 'Ben', 'Frau Krüger']],
    ['mails von tom und sarah', ['tom', 'sarah']],
    ['read the mail from Sarah and Sarah', undefined],
    ['lunch with Sarah and book a table', undefined],
    ['mails from tom and archive', undefined],
    ['what is on from Monday to Tuesday and Wednesday', undefined],
    ['meetings from April and May', undefined],
    ['write to a@x.example and b@y.example', undefined],
    ['hi', undefined],
  ])('%s', (text, names) => expect(people(text)).toEqual(names))

  it('are bounded, and found in linear time', () => {
    const row = Array.from({ length: 40 }, (_, at) => `Ab${'x'.repeat(at)}`).join(', ')
    expect(((people(`with ${row} and Tom`) ?? []) as unknown[]).length).toBeLessThanOrEqual(TYPED_MAX)
    for (const piece of ['with A, ', 'with Ab ', 'with Ab and ', 'from a, ', 'mit Frau '])
      expect(isLinear((size) => people(piece.repeat(size / piece.length)), 10_000)).toBe(true)
  })

  const PEOPLE = ['Sarah Lee', 'Tom Baker'].map((name, at) => ({ name, email: `p${at}@x.example` }))
  const RULES = createRulesModel({ place: 'home', home: HOME_RULES })
  const listed = async (text: string) => {
    const world = createWorld({
      contacts: PEOPLE,
      models: [RULES],
      tools: { ...mailTools(), ...calendarTools() },
    })
    await world.say(text)
    return world.calls.filter(({ tool }) => tool === 'email.list').map(({ args }) => args['from'])
  }

  it.each([
    ['any mail from Sarah and Tom?', ['Sarah', 'Tom']],
    ['mails from Sarah, Tom and Lena please', ['Sarah', 'Tom', 'Lena']],
    ['mails von Sarah und Tom', ['Sarah', 'Tom']],
  ])('are each looked for: %s', async (text, names) => expect(await listed(text)).toEqual(names))
})

describe('what a model’s plan is shown and may refer to', () => {
  const asked = async (text: string, tool: string, args: readonly object[]) => {
    const steps = args.map((one, at) => ({ id: `s${at + 1}`, do: 'tool', tool, args: one }))
    const model = scriptedModel('a-model', ({ parts }) =>
      parts.purpose === 'plan' ? JSON.stringify({ steps }) : 'done',
    )
    const tools = { ...mailTools(), ...calendarTools(), 'web.read': web }
    const world = createWorld({ tools, models: [model] })
    await world.say(text)
    const plan = world.prompts.find(({ parts, model: by }) => parts.purpose === 'plan' && by === 'a-model')
    const said = plan?.parts.metadata.find(({ root }) => root === 'said')?.fields
    return { said, calls: world.calls.filter(({ tool: called }) => called === tool).map((one) => one.args) }
  }

  it('each page, as a typed address', async () => {
    const words = `juggle, then weigh ${A} against ${B} for me`
    const pages = [0, 1].map((at) => ({ url: { $ref: `said.urls[${at}]` } }))
    const { said, calls } = await asked(words, 'web.read', pages)
    expect(said).toMatchObject({ urls: { items: [{ kind: 'url' }, { kind: 'url' }] } })
    expect(calls).toEqual([{ url: A }, { url: B }])
  })

  it('each of the people, as typed', async () => {
    const each = [0, 1].map((at) => ({ from: { $ref: `said.people[${at}]` } }))
    const { said, calls } = await asked(
      'juggle, then weigh up letters from Sarah and Tom',
      'email.list',
      each,
    )
    expect(said).toMatchObject({ people: { items: [{ says: 'Sarah' }, { says: 'Tom' }] } })
    expect(calls).toEqual([{ from: 'Sarah' }, { from: 'Tom' }])
  })
})
