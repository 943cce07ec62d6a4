/** One message with several addresses: each page is read, each person is written to, and none is left out silently; by the planner without a model. */
import { describe, expect, it } from 'vitest'
import { createMessageExtractor } from '../../integrations/extractors/message/message.ts'
import { TYPED_MAX } from '../../kernel/powers/message-fields.ts'
import { calendarTools, mailTools } from './mailbox.ts'
import { createWorld, type ScriptedTool } from './world.ts'

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
