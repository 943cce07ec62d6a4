/**
 * What a pronoun alone means after mail was shown: the one that was shown alone, or all of a list while nothing of it was shown since. Without a model; a
 * change of more than what was seen last would be done to mails that nobody meant.
 */
import { describe, expect, it } from 'vitest'
import { decideFirst } from './asked-world.ts'
import { createWorld, type ScriptedTool, type World } from './world.ts'

const MAILS = ['m1', 'm2', 'm3'].map((id, at) => ({
  ...{ id, from: `person${at}@friends.example`, fromName: `Person ${at}`, subject: `Subject ${at}` },
  ...{ date: '2026-11-19T08:00:00Z', unread: false, snippet: 'As agreed.', hasAttachments: false },
}))
const moved: ScriptedTool = ({ ids }) => ({
  ok: true,
  output: { emails: (ids as string[]).map((id) => ({ id })), changed: (ids as string[]).length, gone: 0 },
})
const tools: Record<string, ScriptedTool> = {
  'email.list': () => ({ ok: true, output: { emails: MAILS, more: false } }),
  'email.read': ({ id }) => {
    const found = MAILS.find((one) => one.id === id)
    if (found === undefined) return { ok: false, reason: { code: 'remote_not_found', facts: {} } }
    const { unread: _unread, snippet, ...head } = found
    const more = { to: ['owner@home.example'], body: snippet, truncated: false, links: [], dates: [] }
    return { ok: true, output: { ...head, ...more, requests: [], others: [] } as never }
  },
  ...{ 'email.archive': moved, 'email.delete': moved, 'email.mark': moved },
}

async function changed(said: readonly string[]): Promise<{ world: World; ids: unknown }> {
  const world = createWorld({ tools })
  for (const one of said) await world.say(one)
  if ((await world.ports.approvals.list('principal:owner')).length > 0) await decideFirst(world, 'approve')
  const done = world.calls.filter(({ tool }) => /\.(?:archive|delete|mark)$/.test(tool))
  return { world, ids: done.flatMap(({ args }) => args['ids']) }
}

const [LIST, ONE] = ['check my email', 'read the second one']

describe('after one mail was shown alone', () => {
  it.each([
    'lösch die',
    'lösche diese',
    'lösch das',
    'lösch den da',
    'archivier die',
    'archiviere sie',
    'die archivieren',
    'markier die als gelesen',
    'delete it',
    'archive that',
    'mark this as read',
  ])('%s: that one', async (said) => expect((await changed([LIST, ONE, said])).ids).toEqual(['m2']))

  it.each(['delete them', 'archive those', 'mark these as read'])(
    '%s: none, and which is asked',
    async (said) => {
      const { world, ids } = await changed([LIST, ONE, said])
      expect(ids).toEqual([])
      expect(world.heard()).toMatch(/^Which mail do you mean/)
    },
  )

  it.each([
    'lösch die alle',
    'archiviere sie alle',
    'archive them all',
    'archive all of those',
    'mark them all as read',
  ])('%s: says all of them', async (said) =>
    expect((await changed([LIST, ONE, said])).ids).toEqual(['m1', 'm2', 'm3']),
  )
})

describe('while the list is what was shown last', () => {
  it.each([
    'lösch die',
    'lösch sie',
    'archiviere diese',
    'delete them',
    'archive those',
    'mark these as read',
  ])('%s: all of it', async (said) => expect((await changed([LIST, said])).ids).toEqual(['m1', 'm2', 'm3']))

  it.each(['delete it', 'archive that', 'lösch das'])('%s: none of it', async (said) =>
    expect((await changed([LIST, said])).ids).toEqual([]),
  )
})
