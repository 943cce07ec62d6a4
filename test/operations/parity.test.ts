/**
 * Chat parity (DESIGN §9): whatever the command line can do with a running home, a private chat of the owner's can, in the same words behind a
 * slash, but for what is listed here with its reason.
 */
import { describe, expect, it } from 'vitest'
import { isOnlyAtLine, operationInMessage } from '../../kernel/operations/commands.ts'
import { OPERATIONS } from '../../kernel/operations/index.ts'
import { createWorld } from '../pipeline/world.ts'

/** Operations that no chat calls by their words, and why. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'approvals.list': 'the chat shows its cards itself: /approvals',
  'approvals.show': 'the same: /approvals n',
  'approvals.approve': 'a yes is the chat’s own, bound to what it has shown: /approve n, or yes',
  'approvals.deny': 'the same: /deny n, or no',
  'approvals.edit': 'the same: edit: …',
  'approvals.leave': 'the same: all but 2, not Tom',
  'approvals.why': 'the chat hears it in words: why?',
  'usage.show': 'the chat answers /usage itself, and adds what the other place told',
}

describe.each(OPERATIONS.map((operation) => [operation.name, operation] as const))(
  '%s',
  (name, operation) => {
    const reason = EXCEPTIONS[name]
    it.each([operation.command, ...operation.aliases].map((words) => [words.join(' ')]))(
      reason === undefined ? '/%s is said in a private chat' : `/%s is not said: ${reason}`,
      (words) => {
        const said = operationInMessage(`/${words} one two`)
        expect(said?.operation.name ?? null).toBe(reason === undefined ? name : null)
        if (said !== null) expect(said.rest).toBe('one two')
        if (reason === undefined) expect(isOnlyAtLine(operation, 'home')).toBe(true)
      },
    )
  },
)

it('lists no exception that is none', () => {
  expect(OPERATIONS.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(EXCEPTIONS)))
})

it.each([
  ['/brain', 'brain.list', ''],
  ['/brain show SOUL', 'brain.show', 'SOUL'],
  ['/BRAIN  Show   SOUL', 'brain.show', 'SOUL'],
  ['/memory show 3', 'memory.show', '3'],
  ['/memory', 'memory.list', ''],
  ['/models acknowledge mail', 'models.acknowledge', 'mail'],
  ['/whoami', 'models.names', ''],
  ['/forget 1', 'memory.forget', '1'],
  ['/grants nothing', 'grants.list', 'nothing'],
  ['What may you do without asking?', 'grants.list', ''],
  ['  what HAVE you stored about   me', 'memory.list', ''],
  ['what have you stored about me and Tom', null, ''],
  ['/usage', null, ''],
  ['brain show SOUL', null, ''],
  ['/toString', null, ''],
])('%s', (text, name, rest) => {
  const said = operationInMessage(text)
  expect([said?.operation.name ?? null, said?.rest ?? '']).toEqual([name, rest])
})

it('shows the whole of an entry by the words of the command line, in a chat', async () => {
  const world = createWorld()
  await world.say('remember that the gate code is fig')
  await world.say('/memory')
  await world.say('/memory show 1')
  expect(world.heard()).toContain('the gate code is fig')
  await world.say('/memory show 9')
  expect(world.audited.findLast(({ kind }) => kind === 'denial')?.facts).toMatchObject({
    operation: 'memory.show',
  })
})

it('gives no phrase to two operations, and none that a person would say of something else', () => {
  const all = OPERATIONS.flatMap(({ name, phrases }) =>
    phrases.map((phrase) => ({
      phrase: phrase.toLowerCase(),
      thing: name.split('.')[0]?.replace(/s$/, '') ?? '',
    })),
  )
  expect(new Set(all.map(({ phrase }) => phrase)).size).toBe(all.length)
  // A word or two may be about anything; three are not where they name the thing, and an argument says what it is about.
  for (const { phrase, thing } of all.filter((one) => !one.phrase.includes('{')))
    expect(phrase.split(' ').length, phrase).toBeGreaterThan(phrase.includes(thing) ? 2 : 3)
})

it.each([
  [
    "save Maria's mail, maria@example.net, as a contact",
    'contacts.add',
    { name: 'Maria', email: 'maria@example.net' },
  ],
  ['put bob@example.net in my address book', 'contacts.add', { email: 'bob@example.net' }],
  ['please hide my health data!', 'health.withdraw', {}],
  ['never show me health data here', 'health.withdraw', {}],
  ['share my health data in this chat', 'health.allow', {}],
  ['health data here', null, null],
])('words to choose from and words left out are one phrase: %s', (text, name, args) => {
  const found = operationInMessage(text)
  expect(found?.operation.name ?? null).toBe(name)
  expect(found === null ? null : (found.args ?? {})).toEqual(args)
})

it('answers a phrase as the command, without a model', async () => {
  const world = createWorld()
  await world.say('remember that the gate code is fig')
  const before = world.prompts.length
  await world.say('What have you stored about me?')
  expect(world.heard()).toContain('the gate code is fig')
  expect(world.prompts).toHaveLength(before)
})
