/** The owner who invites, and people who say codes, at one place. Called by test/pipeline/people*.test.ts. */
import type { InvitationRequest, Invited } from '../../kernel/features/people/port.ts'
import { answer } from './approvals-owner.ts'
import { linkWorld, ME } from './linked.ts'
import type { World, WorldOptions } from './world.ts'

export const TERMS: InvitationRequest = {
  ...{ name: 'Sarah', templates: ['paired_scheduling'], hours: 24, days: 30 },
}

export function peopleWorld(options: WorldOptions & { readonly plan?: string } = {}): World {
  return linkWorld(options)
}

/** Asked for; the owner has not answered. */
export async function invited(world: World, terms: Partial<InvitationRequest> = {}): Promise<Invited> {
  const put = await world.shell.people.invite(ME, { ...TERMS, ...terms })
  if (!put.ok) throw new Error(put.reason.code)
  return put.value
}

/** Opens an invitation with the owner's approval; returns the code for the other person. */
export async function opened(world: World, terms: Partial<InvitationRequest> = {}): Promise<Invited> {
  const put = await invited(world, terms)
  const yes = await answer(world, put.approval, { message: 'm2' })
  if (yes !== 'ok') throw new Error(yes)
  return put
}

export async function statesOf(world: World): Promise<readonly string[]> {
  return (await world.shell.people.list()).map(({ state }) => state)
}
