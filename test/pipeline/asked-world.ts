/** Answers the first question that waits in a world; of a choice, by the number of an option. */
import type { World } from './world.ts'

export async function decideFirst(
  world: World,
  decision: 'approve' | 'deny',
  option?: number,
): Promise<void> {
  const [waiting] = await world.ports.approvals.list('principal:owner')
  if (waiting === undefined) throw new Error(`nothing waits; the last words were: ${world.heard()}`)
  const decided = await world.shell.decide({
    approval: option === undefined ? waiting.id : `${waiting.id}.${option}`,
    decision,
    principal: 'principal:owner',
    place: 'home',
  })
  if (!decided.ok) throw new Error(decided.reason.code)
  await world.shell.run(decided.value.principal)
}
