/**
 * What the tool registry says about the assistant: connected services with the kinds of actions they offer, and kinds that need
 * no service. One rule for both places. Called by the places' sources.
 */
import type { RegisteredAction, Registry } from '../tool/registry.ts'
import { type Integration, type IntegrationState, OWN_TOOLS } from './section.ts'

/** `stateOf`: null for an action that this place cannot get executed; it is then omitted. */
export function integrationsOf(
  registry: Registry,
  stateOf: (action: RegisteredAction) => IntegrationState | null,
): readonly Integration[] {
  const services = new Map<string, Integration>()
  for (const action of registry.actions.values()) {
    const state = stateOf(action)
    if (state === null) continue
    const name = action.tool.credential ?? OWN_TOOLS
    const known = services.get(name) ?? { name, tools: 0, categories: [], state }
    const categories = [...new Set([...known.categories, action.tool.name])]
    services.set(name, { ...known, tools: known.tools + 1, categories })
  }
  return [...services.values()]
}
