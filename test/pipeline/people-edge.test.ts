/**
 * Pairing over both places (B-04, F-13): the edge hands a code to home and learns what home made of it; a paired person's question to
 * home is answered for what home's own rows say, whatever the edge believes.
 */
import { expect, it, test } from 'vitest'
import { serveHomeCall } from '../../kernel/features/models/serve.ts'
import { takeAgreements } from '../../kernel/features/people/agreement-change.ts'
import { syncedPeople } from '../../kernel/tunnel/synced.ts'
import { auditedAs, OWNER } from './approvals-owner.ts'
import { ASK, asks, BOB, type Both, bothPlaces, grant, heard, lastCall, tellEdge } from './edge-grants.ts'
import { opened, statesOf } from './people.ts'

function tellPeople({ home, edge }: Both): void {
  const agreements = home.disk.store.agreements().map(({ agreement }) => agreement)
  takeAgreements(edge.powers, syncedPeople(agreements, { now: home.clock.now, off: [] }))
}

/** Pairs a person in a chat of the edge and grants what that person may ask. */
async function paired(): Promise<Both & { readonly agreement: string }> {
  const both = bothPlaces()
  await grant(both.home, { template: 'paired_scheduling' })
  const { say, agreement } = await opened(both.home)
  await asks(both, say, 'e0')
  const [said] = both.edge.codes
  if (said === undefined) throw new Error('the edge told nothing')
  await both.home.shell.people.heardAtEdge(said)
  tellEdge(both)
  tellPeople(both)
  return { ...both, agreement }
}

test('a code that is said at the edge pairs there, and home tells its owner', async () => {
  const both = await paired()
  expect(both.edge.codes).toMatchObject([{ principal: BOB, sink: 'sink:telegram:bob', as: 'person' }])
  expect(await statesOf(both.home)).toEqual(['live'])
  expect(both.home.sent.at(-1)?.text).toContain('was taken up by telegram:peer:bob')
  // The chat is the edge's: home says nothing in it.
  expect(heard(both.home)).toBe('')
  await asks(both, ASK, 'e1')
  expect(lastCall(both.edge)).toMatchObject({ template: 'paired_scheduling', principal: BOB })
  expect(
    await serveHomeCall(both.home.powers, { ...lastCall(both.edge), deadline: both.home.clock.now + 1 }),
  ).toMatchObject({ ok: true })
})

it.each([
  ['for one whose agreement was taken back', {}, 'agreement_ended'],
  ['in another chat of his', { sink: 'sink:telegram:bob2' }, 'agreement_ended'],
  ['for somebody else', { principal: 'principal:telegram:peer:eve' }, 'principal_not_allowed'],
  ['under a template for strangers', { template: 'scheduling' }, 'principal_not_allowed'],
])('home answers nothing %s', async (_, over, code) => {
  const { home, edge, agreement } = await paired()
  await asks({ home, edge }, ASK, 'e1')
  const call = { ...lastCall(edge), ...over, deadline: home.clock.now + 1 }
  if (code === 'agreement_ended' && !('sink' in over)) {
    // What was asked for before is refused as well.
    const { powers } = home
    await home.shell.people.revoke(agreement, OWNER)
    const stale = { ...powers, directory: () => ({ ...powers.directory(), paired: [BOB] }) }
    expect(await serveHomeCall(stale, call)).toMatchObject({ ok: false, reason: code })
    expect(await serveHomeCall(powers, call)).toMatchObject({ ok: false, reason: 'principal_not_allowed' })
  } else expect(await serveHomeCall(home.powers, call)).toMatchObject({ ok: false, reason: code })
})

test('the edge speaks for no chat of home’s', async () => {
  const both = bothPlaces()
  const { say } = await opened(both.home)
  const code = say.slice(5)
  await both.home.shell.people.heardAtEdge({
    ...{ event: 'e1', principal: BOB, sink: 'sink:terminal:owner', code, as: 'person' },
  })
  expect(await statesOf(both.home)).toEqual(['open'])
  expect(auditedAs(both.home, 'denial').at(-1)).toMatchObject({ why: 'not_its_chat' })
})

test('the edge is told of what is live in its own chats alone, and of nobody’s name or code', async () => {
  const { home } = await paired()
  const agreements = home.disk.store.agreements().map(({ agreement }) => agreement)
  expect(syncedPeople(agreements, { now: home.clock.now, off: [] })).toEqual([
    {
      ...{ id: expect.any(String), principal: BOB, sink: 'sink:telegram:bob' },
      ...{ templates: ['paired_scheduling'], expiresAt: expect.any(Number) },
    },
  ])
  const [live] = agreements
  if (live === undefined) throw new Error('none')
  const { at: _at, ...homes } = live
  for (const other of [homes, { ...live, state: 'revoked' as const }])
    expect(syncedPeople([other], { now: home.clock.now, off: [] })).toEqual([])
  expect(syncedPeople(agreements, { now: live.expiresAt, off: [] })).toEqual([])
})
