/** Two people’s chats at one place, and the owner who links them. Called by test/pipeline/identity-*.test.ts. */
import { randomBytes } from 'node:crypto'
import type { Proposer } from '../../kernel/features/approvals/port.ts'
import type { Started } from '../../kernel/features/identities/port.ts'
import { answer, OWNER } from './approvals-owner.ts'
import { createWorld, message, scriptedModel, type World, type WorldOptions } from './world.ts'

export const BOB = 'principal:telegram:peer:bob'
export const U1 = 'principal:slack:W1:D1:U1'
export const EVE = 'principal:telegram:peer:eve'

const SOURCES: Readonly<Record<string, Record<string, unknown>>> = {
  [BOB]: { adapter: 'telegram', user: 'bob', chat: 'bob', group: false },
  [EVE]: { adapter: 'telegram', user: 'eve', chat: 'eve', group: false },
  [U1]: { adapter: 'slack', user: 'W1:U1', chat: 'W1:D1', group: false },
  [OWNER]: { adapter: 'terminal', user: 'local', chat: 'owner', group: false },
}
export const CHATS: Readonly<Record<string, string>> = {
  [BOB]: 'sink:telegram:bob',
  [EVE]: 'sink:telegram:eve',
  [U1]: 'sink:slack:W1:D1',
  [OWNER]: 'sink:terminal:owner',
}

export const ME: Proposer = { principal: OWNER, place: 'home', message: 'm1' }

/** Plans nothing, and says back all that it was shown of the conversation. */
function parrot(plan = '{"steps":[],"explanation":""}') {
  return scriptedModel('parrot', ({ parts }) =>
    parts.purpose === 'plan' ? plan : `You said: ${[...parts.history, parts.request].join(' / ')}`,
  )
}

export function linkWorld(options: WorldOptions & { readonly plan?: string } = {}): World {
  const { plan, ...rest } = options
  return createWorld({ models: [parrot(plan)], ...rest })
}

/** Sends a message as this principal; returns what its chat received. `from` overrides parts of the source. */
export async function says(
  world: World,
  principal: string,
  text: string,
  { id = randomBytes(6).toString('hex'), from = {} }: { readonly id?: string; readonly from?: object } = {},
): Promise<string> {
  const source = { ...SOURCES[principal], ...from }
  const before = world.sent.length
  const received = await world.shell.receive({ ...message(text, { id, at: world.clock.now }), source })
  if (!received.ok) return received.reason.code
  await world.shell.run(received.value.principal)
  return world.sent
    .slice(before)
    .filter(({ sink, kind }) => sink === CHATS[principal] && kind !== 'card')
    .map((sent) => sent.text)
    .join(' ')
}

export async function started(world: World, one = BOB, other = U1): Promise<Started> {
  const put = await world.shell.identities.start(ME, [one, other])
  if (!put.ok) throw new Error(put.reason.code)
  return put.value
}

/** What an end was told to say. */
export function codeFor({ ends }: Started, principal: string): string {
  return ends.find((end) => end.principal === principal)?.say ?? ''
}

/** Both codes said; the owner has not answered. */
export async function proven(world: World, one = BOB, other = U1): Promise<Started> {
  const begun = await started(world, one, other)
  for (const end of [one, other]) await says(world, end, codeFor(begun, end))
  return begun
}

/** Linked, with the owner's yes. */
export async function linked(world: World, one = BOB, other = U1): Promise<string> {
  const { link } = await proven(world, one, other)
  const yes = await answer(world, `${link}l`, { message: 'm2' })
  if (yes !== 'ok') throw new Error(yes)
  return link
}

export function states(world: World): readonly string[] {
  return world.shell.identities.list().map(({ state }) => state)
}
