/**
 * Changes of how the assistant is set up (L-20, L-21), over the whole list of operations, so that the next one is covered: its audit row says who, by
 * which door, and what was so before and after, and `undo` takes it back. What does neither is listed here, with the reason.
 */
import { describe, expect, it } from 'vitest'
import { OPERATIONS, operationNamed } from '../../kernel/operations/index.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import { set, world } from '../pipeline/job-world.ts'
import { createWorld, type World } from '../pipeline/world.ts'

/** They set nothing up: what they change has a history, a row or an undo of its own kind. */
const CONTENT: Readonly<Record<string, string>> = {
  approvals: 'an answer to a card: what the card changes has a row of its own',
  changes: 'it calls another operation, whose row is the one',
  memory: 'facts: forgetting has its own time in which it is taken back, and a correction is a new fact',
  reminders: 'each says in its row which one, and what takes it back',
  scheduled: 'one message that waits',
}

/** By operation: why the audit has no state of it. */
const STATELESS: Readonly<Record<string, string>> = {
  'edge.lock': 'its name is what is asked for; whether it is locked only the edge knows',
  'edge.unlock': 'its name is what is asked for; whether it is locked only the edge knows',
  'bot.withdraw': 'the row of the grant says that it was taken back',
  'templates.withdraw': 'the row of the grant says that it was taken back',
  'health.forget': 'there is none afterwards',
  'copies.make': 'it changes nothing here',
  'persona.set': 'the names stand in files of the owner, whose edits have rows of their own',
  'prompts.reload': 'files that the owner changed are read again',
}

/** By operation: why `undo` says that it stays. */
const STAYS: Readonly<Record<string, string>> = {
  'grants.revoke': 'a permission is given again by what asked for it, on a card',
  'templates.withdraw': 'a permission is given again by what asked for it, on a card',
  'jobs.drop_page': 'a page is named again, on a card',
  'identities.unlink': 'a link is proved in both chats, with new codes',
  'health.forget': 'it asks before; the export has it still',
  'copies.make': 'it changes nothing here',
  'persona.set': 'the former name is said again',
  'prompts.reload': 'files that the owner changed are read again',
  'jobs.run_now': 'what was told was told; its times stay as they were',
  'jobs.unskip': 'the day that is left out is said again',
}

const admin = OPERATIONS.filter(
  ({ name, effect }) => effect !== 'read' && !Object.hasOwn(CONTENT, name.split('.')[0] ?? ''),
)
const changing = admin.filter(({ effect }) => effect === 'write')

describe('each operation that changes how it is set up', () => {
  it.each(changing.map((operation) => [operation.name, operation] as const))(
    '%s has before and after in the audit, and is taken back',
    (name, { states, takesBack }) => {
      expect({ states, takesBack }).toEqual({
        states: !Object.hasOwn(STATELESS, name),
        takesBack: !Object.hasOwn(STAYS, name),
      })
    },
  )

  it('names exceptions that there are', () => {
    const names = [...Object.keys(STATELESS), ...Object.keys(STAYS)]
    expect(names.filter((name) => operationNamed(name) === null)).toEqual([])
  })
})

/** The row that a change left, and what `undo` did then. */
async function rowAndBack(of: World): Promise<Record<string, unknown>> {
  const row = of.disk.store
    .auditSince(0, 10_000)
    .find(
      ({ kind, facts }) =>
        kind === 'operation_called' && !String(facts['operation']).startsWith('approvals.'),
    )
  await of.say('/undo')
  return { ...row?.facts }
}

describe('what a card changed', () => {
  it('is a job that was set: taken back, it runs no more', async () => {
    const of = world({ tools: {} })
    await set(of, 'start the morning briefing')
    expect(await rowAndBack(of)).toMatchObject({
      ...{ operation: 'jobs.enable', by: OWNER_PRINCIPAL, before_state: 'asked', after_state: 'on' },
      undo: 'jobs.remove',
    })
    await of.say('what runs when?')
    expect(of.heard()).not.toContain('08:00')
  })

  it('is nothing while it was refused', async () => {
    const of = world({ tools: {} })
    await of.say('start the morning briefing')
    await of.shell.tick()
    await of.say('no')
    await of.say('/undo')
    expect(of.heard()).toContain('nothing of late')
  })
})

it.each<[string, string, Record<string, unknown>]>([
  ['my mail name is Ada Lovelace', 'sender.name', { before_name: false, after_name: true }],
])('%s: no content of it stands in the row', async (said, operation, facts) => {
  let name: string | null = null
  const view = () => ({ account: null, addresses: [], standard: null, signature: null, name })
  const of = createWorld({
    sender: {
      read: async () => view(),
      change: async (change) => {
        name = change.name ?? null
        return view()
      },
      restore: async () => view(),
    },
  })
  await of.say(said)
  const row = of.audited.findLast(({ facts: noted }) => noted['operation'] === operation)
  expect(row?.facts).toMatchObject({ operation, by: OWNER_PRINCIPAL, ...facts })
  expect(JSON.stringify(row)).not.toContain('Ada')
})
