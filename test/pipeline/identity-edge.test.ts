/**
 * Links of which an end is a chat of the edge (F-15, F-16): home compares the codes that the edge hands on, believes the edge
 * about no chat of its own, and tells it of links that are live and nothing else.
 */
import { expect, it, test } from 'vitest'
import { MAX_CODES_AN_HOUR } from '../../kernel/features/identities/identity-links.ts'
import type { Started } from '../../kernel/features/identities/port.ts'
import { createShell } from '../../kernel/runtime/shell.ts'
import { syncedLinks } from '../../kernel/tunnel/synced.ts'
import { answer, auditedAs } from './approvals-owner.ts'
import { BOB, CHATS, codeFor, EVE, linkWorld, says, started, states, U1 } from './linked.ts'
import type { World } from './world.ts'

const told = ({ disk }: World) => syncedLinks(disk.store.identityLinks().map(({ link }) => link))

/** As the edge hands it on; `over` as an edge that was taken over may. */
async function heard(world: World, begun: Started, principal: string, over: object = {}): Promise<void> {
  const code = codeFor(begun, principal).slice('link '.length)
  const said = { event: `e-${principal}`, principal, sink: CHATS[principal] ?? '', code, ...over }
  await world.shell.identities.heardAtEdge(said)
}

const yes = (world: World, { link }: Started) => answer(world, `${link}l`, { message: 'm2' })

test('two chats of the edge: the owner is asked, and the edge is told of both ends until it is over', async () => {
  const world = linkWorld()
  const begun = await started(world)
  await heard(world, begun, BOB)
  await heard(world, begun, U1)
  expect([states(world), told(world)]).toEqual([['proven'], []])
  expect(await yes(world, begun)).toBe('ok')
  const ends = [
    { principal: BOB, sink: CHATS[BOB] },
    { principal: U1, sink: CHATS[U1] },
  ]
  expect(told(world)).toEqual([{ id: begun.link, ends }])
  await world.shell.identities.remove(begun.link, 'principal:owner')
  expect(told(world)).toEqual([])
})

test('one chat at each place: the edge learns whose class is lowered, and no chat of home’s', async () => {
  const world = linkWorld()
  const begun = await started(world)
  await heard(world, begun, BOB)
  await says(world, U1, codeFor(begun, U1))
  expect(await yes(world, begun)).toBe('ok')
  const ends = [
    { principal: BOB, sink: CHATS[BOB] },
    { principal: U1, sink: null },
  ]
  expect(told(world)).toEqual([{ id: begun.link, ends }])
})

test('two chats of home: the edge is told nothing', async () => {
  const world = linkWorld()
  const begun = await started(world)
  for (const end of [BOB, U1]) await says(world, end, codeFor(begun, end))
  expect(await yes(world, begun)).toBe('ok')
  expect([states(world), told(world)]).toEqual([['live'], []])
})

it.each([
  ['a chat of home’s own', { sink: 'sink:terminal:owner' }],
  ['another person', { principal: EVE }],
  ['another code', { code: 'AAAA-AAAA-AAAA' }],
  ['what cannot be a code', { code: 'x' }],
])('proves nothing when the edge hands on %s', async (_name, over) => {
  const world = linkWorld()
  const begun = await started(world)
  await heard(world, begun, BOB, over)
  await heard(world, begun, U1)
  expect(states(world)).toEqual(['asked'])
  const denied = auditedAs(world, 'denial').length + auditedAs(world, 'identity_changed').length
  expect(denied).toBe(3)
})

test('the same message twice counts once, and a flood of them ends', async () => {
  const world = linkWorld()
  const begun = await started(world)
  for (let n = 0; n < 3; n += 1) await heard(world, begun, EVE, { code: 'AAAA-AAAA-AAAA' })
  expect(auditedAs(world, 'denial')).toHaveLength(1)
  for (let n = 0; n < 20; n += 1) await heard(world, begun, EVE, { code: 'AAAA-AAAA-AAAA', event: `e${n}` })
  // Those that were delivered again count to the bound, too.
  expect(auditedAs(world, 'denial')).toHaveLength(MAX_CODES_AN_HOUR - 2)
})

test('home hears of each change, so that it can tell the edge at once', async () => {
  const world = linkWorld()
  const seen: number[] = []
  const powers = { ...world.powers, linksChanged: () => seen.push(told(world).length) }
  const { identities } = createShell(powers)
  const begun = await started({ ...world, shell: createShell(powers) })
  await heard({ ...world, shell: createShell(powers) }, begun, BOB)
  await heard({ ...world, shell: createShell(powers) }, begun, U1)
  expect(await yes({ ...world, shell: createShell(powers) }, begun)).toBe('ok')
  await identities.remove(begun.link, 'principal:owner')
  expect(seen).toEqual([0, 0, 0, 1, 0])
})
