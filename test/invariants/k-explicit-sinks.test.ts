/**
 * Invariant K: an answer's sink is named by the template and decided when the event arrives; there is
 * no "last channel" to fall back to. The loader, the shipped files, the source, and interleaved chats.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'smol-toml'
import { describe, expect, test } from 'vitest'
import { REPLY_TO_SENDER } from '../../kernel/template/template.ts'
import { readTree } from '../../scripts/source-check.ts'
import { calendarTools, mailTools } from '../pipeline/mailbox.ts'
import { createWorld, message } from '../pipeline/world.ts'
import { templateRefusal } from './probe.ts'

const FOLDER = join(import.meta.dirname, '../../templates/tasks')
const SHIPPED = readdirSync(FOLDER).map(
  (name) => [name, parse(readFileSync(join(FOLDER, name), 'utf8'))] as const,
)

describe.each(SHIPPED)('%s', (_name, template) => {
  test('names every sink', () => {
    const sinks = template['output_sinks']
    expect(sinks).toBeInstanceOf(Array)
    expect((sinks as readonly string[]).length).toBeGreaterThan(0)
    for (const sink of sinks as readonly string[])
      expect(sink).toMatch(new RegExp(`^(?:sink:[a-z]+:[a-z_]+|${REPLY_TO_SENDER})$`))
  })
})

describe('a template is refused', () => {
  test.each<[string, unknown]>([
    ['without sinks', undefined],
    ['with an empty list', []],
    ['with text for a list', 'sink:terminal:owner'],
    ['with every sink', ['*']],
    ['with every sink of a kind', ['sink:telegram:*']],
    ['with the last channel', ['last']],
    ['with the last channel, as others spell it', ['last_channel']],
    ['with a sink of no name', ['sink:terminal:']],
    ['with one good sink and one of these', ['sink:terminal:owner', 'last']],
  ])('%s', (_name, output_sinks) => {
    const refusal = templateRefusal([], { allowed_tools: [], output_sinks })
    expect(refusal).toMatchObject({ code: 'template_malformed' })
    expect(String(refusal?.facts['field'])).toMatch(/^output_sinks/)
  })

  test('and taken with a named one, so the rows above are about the sink', () => {
    expect(templateRefusal([], { allowed_tools: [], output_sinks: ['sink:terminal:owner'] })).toBeNull()
  })
})

test('the source knows no last channel', () => {
  const said = /last[\s_-]?(?:used|active|seen)?[\s_-]?(?:channel|chat|sink)/i
  const found = [...readTree()].filter(
    ([path, text]) =>
      /^(?:kernel|integrations|durable-objects|worker|sidecar|templates)\//.test(path) && said.test(text),
  )
  expect(found.map(([path]) => path)).toEqual([])
  for (const name of ['lastChannel', 'last_active_chat', 'LAST_SINK', 'last used channel'])
    expect(name).toMatch(said)
})

test('an answer goes where its question came from, whoever wrote in between', async () => {
  const world = createWorld({ tools: { ...mailTools(), ...calendarTools() } })
  const task = await world.say('book lunch with Sarah on Friday at 13:00')
  const approval = (await world.ports.approvals.list('principal:owner'))[0]?.id ?? ''
  for (const user of ['one', 'two']) {
    const source = { adapter: 'telegram', user, chat: user, group: false }
    const received = await world.shell.receive({ ...message('hello', { id: user }), source })
    if (!received.ok) throw new Error(received.reason.code)
    await world.shell.run(received.value.principal)
  }
  expect(world.sent.slice(-2).map(({ sink }) => sink)).toEqual(['sink:telegram:one', 'sink:telegram:two'])
  await world.shell.decide({ approval, decision: 'approve', principal: 'principal:owner', place: 'home' })
  await world.shell.run('principal:owner')
  const own = world.sent.filter((delivery) => delivery.task === task)
  expect(own.map(({ kind, sink }) => [kind, sink])).toEqual([
    ['card', 'sink:terminal:owner'],
    ['answer', 'sink:terminal:owner'],
  ])
})
