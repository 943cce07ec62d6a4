/** `/unlink` in a chat (F-16): it ends a link at once and asks which where there are several; nobody else's words do. */
import { describe, expect, it } from 'vitest'
import { endedAtEdge } from '../../kernel/features/identities/identity-links.ts'
import { answer } from './approvals-owner.ts'
import { BOB, codeFor, EVE, linked, linkWorld, says, started, states, U1 } from './linked.ts'

describe('/unlink', () => {
  it('ends the one there is, and says what that means', async () => {
    const world = linkWorld()
    await linked(world)
    await world.say('/unlink')
    expect([states(world), world.heard()]).toEqual([
      ['removed'],
      expect.stringMatching(/^Unlinked: telegram:bob and slack:W1:D1:U1\. From now on neither sees/),
    ])
    await world.say('/unlink')
    expect(world.heard()).toBe('No two accounts are linked here.')
  })

  it('asks which of several, and takes an account for an answer', async () => {
    const world = linkWorld()
    await linked(world)
    await linked(world, BOB, EVE)
    await world.say('/unlink')
    expect(world.heard()).toMatch(/^Which of these\?.*(?:\n.* and .*){2}$/)
    await world.say('/unlink telegram:bob')
    expect(world.heard()).toMatch(/^Which of these\?/)
    await world.say('/unlink nobody')
    expect(world.heard()).toMatch(/^No account of that name/)
    expect(states(world)).toEqual(['live', 'live'])
    await world.say('/unlink telegram:eve slack:w1:d1:u1')
    expect(states(world)).toEqual(['live', 'live'])
    await world.say('/unlink slack:w1:d1:u1 telegram:bob')
    expect(states(world).toSorted()).toEqual(['live', 'removed'])
  })

  it('of somebody else ends nothing', async () => {
    const world = linkWorld()
    await linked(world)
    await says(world, BOB, '/unlink')
    await says(world, U1, '/unlink')
    expect(states(world)).toEqual(['live'])
  })
})

it('what the edge says has ended is believed of what has an end there, and of nothing else', async () => {
  const world = linkWorld()
  const atHome = await linked(world)
  const { link, ...begun } = await started(world, BOB, EVE)
  const code = codeFor({ link, ...begun }, EVE).replace('link ', '')
  await world.shell.identities.heardAtEdge({ event: 'e1', principal: EVE, sink: 'sink:whatsapp:eve', code })
  await says(world, BOB, codeFor({ link, ...begun }, BOB))
  await answer(world, `${link}l`, { message: 'm2' })
  expect(states(world)).toEqual(['live', 'live'])
  endedAtEdge(world.powers, [atHome, link, 'l3'])
  const now = world.shell.identities.list().map(({ id, state }) => [id, state])
  expect(Object.fromEntries(now)).toEqual({ [atHome]: 'live', [link]: 'removed' })
})
