/**
 * Names of connected services, by which people say where something is or goes ("in Notion",
 * J-11). A list of names only, without instructions or other facts about a service. Pure.
 * Called by home for the extractor of messages, and by planners without a model.
 */
import type { ToolManifest } from './manifest.ts'
import type { RegisteredAction, Registry } from './registry.ts'

export interface ServiceName {
  /** The tool's own name if the service has that name, otherwise the name of the credential that its tools share. */
  readonly id: string
  /** Names that people use for it, in lower case. */
  readonly called: readonly string[]
}

type Named = Pick<ToolManifest, 'name' | 'credential' | 'connect'>

/** Names of a tool's service; null for a tool that needs no connection. */
export function serviceNameOf({ name, credential, connect }: Named): ServiceName | null {
  if (credential === null || connect === undefined) return null
  const title = connect.title.toLowerCase()
  return title.includes(name)
    ? { id: name, called: [...new Set([name, title])] }
    : { id: credential, called: [title] }
}

/** Names of the services that are connected now, by each tool's availability. A service that is switched off still counts. */
export function connectedServices(
  { actions }: Registry,
  port: { availability(action: RegisteredAction): 'here' | 'elsewhere' | 'credential' | 'off' },
): readonly ServiceName[] {
  const names = new Map<string, ServiceName>()
  const seen = new Set<string>()
  for (const action of actions.values()) {
    const name = seen.has(action.tool.name) ? null : serviceNameOf(action.tool)
    seen.add(action.tool.name)
    if (name !== null && ['here', 'off'].includes(port.availability(action))) names.set(name.id, name)
  }
  return [...names.values()]
}
