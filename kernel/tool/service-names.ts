/**
 * The names of connected services, by which people say where something is or goes ("in Notion", J-11): a list of names, no instructions and nothing else of
 * what a service is. Pure. Called by home for the extractor of messages, and by whoever plans without a model.
 */
import type { ToolManifest } from './manifest.ts'
import type { RegisteredAction, Registry } from './registry.ts'

export interface ServiceName {
  /** The tool's own name where the service is called so, else the name of the credential that its tools share. */
  readonly id: string
  /** What people call it, lower case. */
  readonly called: readonly string[]
}

type Named = Pick<ToolManifest, 'name' | 'credential' | 'connect'>

/** Null for a tool that nobody connects. */
export function serviceNameOf({ name, credential, connect }: Named): ServiceName | null {
  if (credential === null || connect === undefined) return null
  const title = connect.title.toLowerCase()
  return title.includes(name)
    ? { id: name, called: [...new Set([name, title])] }
    : { id: credential, called: [title] }
}

/** By what each tool says now, so that a service counts from when it is connected until it is left; one that is switched off is still meant by its name. */
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
