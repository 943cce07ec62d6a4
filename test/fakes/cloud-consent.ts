/** The owner's consent to cloud models for a template, as in the product: a card at home, and a second message. */
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import type { World } from '../pipeline/world.ts'

const OWNER = { principal: OWNER_PRINCIPAL, place: 'home' } as const

export async function acknowledgeCloud(
  { ports, shell }: Pick<World, 'ports' | 'shell'>,
  template: string,
): Promise<void> {
  const put = await ports.cloud({ ...OWNER, message: 'asked' }, template)
  if (!put.ok) throw new Error(put.reason.code)
  const { approval } = put.value
  const said = await shell.decide({ ...OWNER, approval, decision: 'approve', message: 'answered' })
  if (!said.ok) throw new Error(said.reason.code)
}
