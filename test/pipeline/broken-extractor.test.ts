/** A reader of messages that throws, or says nothing that is declared, leaves a message without fields (J-12): it is answered, nothing runs by its words, and nothing of the fault is told. */
import { describe, expect, it } from 'vitest'
import { fingerprint } from '../../kernel/flow/labeled.ts'
import { pick } from '../../kernel/flow/record.ts'
import type { Powers } from '../../kernel/powers/all-powers.ts'
import type { MessageExtractor } from '../../kernel/powers/ports.ts'
import { readMessage } from '../../kernel/powers/read-message.ts'
import { createShell } from '../../kernel/runtime/shell.ts'
import { calendarTools, mailTools } from './mailbox.ts'
import { createWorld, message, scriptedModel } from './world.ts'

const SECRET = 'text-of-the-fault'
const BROKEN: readonly (readonly [string, MessageExtractor['extract']])[] = [
  [
    'throws',
    () => {
      throw new Error(SECRET)
    },
  ],
  ['gives nothing', () => undefined],
  ['gives a list', () => [SECRET]],
  ['gives fields of its own', () => ({ intent: SECRET, label: 'public' })],
]

async function asked(extract: MessageExtractor['extract']) {
  const model = scriptedModel('a-model', ({ parts }) =>
    parts.purpose === 'plan' ? JSON.stringify({ steps: [] }) : 'I did not understand that.',
  )
  const world = createWorld({ models: [model], tools: { ...mailTools(), ...calendarTools() } })
  const powers: Powers = { ...world.powers, extractor: { ...world.powers.extractor, extract } }
  const shell = createShell(powers)
  const received = await shell.receive(message('check my email and archive the newsletter', { id: 'x1' }))
  if (!received.ok) throw new Error(received.reason.code)
  await shell.run(received.value.principal)
  return { world, powers, task: received.value.task, report: await shell.report(received.value.task) }
}

describe.each(BROKEN)('an extractor that %s', (_, extract) => {
  it('leaves a task that goes on, without a call, and with a sentence', async () => {
    const { world, report } = await asked(extract)
    expect(report?.task.state).toBe('completed')
    expect(world.calls).toEqual([])
    expect(world.heard()).toBe('I did not understand that.')
    expect(JSON.stringify([world.sent, world.audited, world.prompts.map(({ user }) => user)])).not.toContain(
      SECRET,
    )
  })

  it('gives the fields of a message that says nothing, with the label of its words', async () => {
    const { powers, task } = await asked(extract)
    const stored = powers.store.findTask(task)
    if (stored === null) throw new Error('no task')
    const read = await readMessage(powers, stored.task)
    if (!read.ok) throw new Error(read.reason.code)
    const { said } = read.value
    const given = ['intent', 'language', 'quoted', 'attachments', 'person', 'email', 'url', 'from', 'query']
    const values = given.flatMap((name) => {
      const field = pick(said, [name])
      return field.ok ? [[name, fingerprint(field.value, (value) => JSON.stringify(value))]] : []
    })
    expect(Object.fromEntries(values)).toMatchObject({ intent: '"other"', language: '"unknown"' })
    expect(values.filter(([, value]) => value !== 'null').map(([name]) => name)).toEqual(given.slice(0, 4))
    expect(stored.task.words.label.atoms).not.toEqual([])
  })
})
