/**
 * Names of services by which a request finds the action that sets one of them up: those that can be connected, those that are, and those that are switched
 * off. They are declared, and in no prompt. Pure. Called by model-call/planner-view.ts, through call/home-effects.ts.
 */
import type { Actions, Tools } from '../../powers/ports.ts'
import type { RegisteredAction } from '../../tool/registry.ts'
import { SERVICE_CONNECT, SERVICE_ROTATE } from './actions.ts'

type Availability = ReturnType<Tools['tools']['availability']>

const OF_STATE: Readonly<Partial<Record<string, Availability>>> = Object.freeze({
  [SERVICE_CONNECT]: 'credential',
  [SERVICE_ROTATE]: 'here',
  'tools.check': 'here',
  'tools.off': 'here',
  'tools.remove': 'here',
  'tools.on': 'off',
})

export function namesFor(
  { registry, tools }: Actions & Tools,
  { id, operation }: Pick<RegisteredAction, 'id' | 'operation'>,
): readonly string[] {
  const state = OF_STATE[operation ?? id]
  if (state === undefined) return []
  const names = [...registry.actions.values()].flatMap((action) => {
    const { credential, connect } = action.tool
    if (credential === null || connect === undefined || tools.availability(action) !== state) return []
    return [credential, connect.title, ...(connect.called ?? [])]
  })
  return [...new Set(names)]
}
