/** The owner's acknowledgement of one bot for both lines, given at home: requested in one message, approved in another. */
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import type { World } from '../pipeline/world.ts'

export const OPEN_CHAT = 'sink:telegram:open'

const OWNER = { principal: OWNER_PRINCIPAL, place: 'home' } as const

export async function acknowledgeTransport({ shell }: Pick<World, 'shell'>): Promise<void> {
  const put = await shell.acknowledgeTransport({ ...OWNER, message: 'asked' }, OPEN_CHAT)
  if (!put.ok) throw new Error(put.reason.code)
  const { approval } = put.value
  const said = await shell.decide({ ...OWNER, approval, decision: 'approve', message: 'said' })
  if (!said.ok) throw new Error(said.reason.code)
}
