/**
 * Checks the declaration of a write that is another write at a later time. Pure; must
 * not store or run a call. Called by the registry and by features/scheduled.
 */
import type { ActionManifest, ToolManifest } from './manifest.ts'

/** Fault of an invalid declaration; null for a valid one, and for an action that runs at once. */
export function laterFault({ actions }: ToolManifest, action: ActionManifest): string | null {
  const { later, semantics, args, asks, output } = action
  if (later === undefined) return null
  const runs = actions.find(({ id }) => id === later.runs)
  if (semantics !== 'write' || asks !== 'always') return 'what runs later is asked about'
  if (runs?.semantics !== 'write' || runs.later !== undefined || runs.asks !== 'always')
    return `${later.runs} is no write of this tool that asks`
  if (runs.sink !== action.sink || runs.reaches !== action.reaches) return `${later.runs} goes elsewhere`
  if (args.fields[later.at]?.kind !== 'date' || args.fields[later.at]?.optional === true)
    return `${later.at} is no time`
  if (output.kind !== 'record' || output.fields[later.says]?.kind !== 'date')
    return `${later.says} is no time`
  const taken = Object.keys(args.fields).filter((name) => name !== later.at)
  const strange = taken.find((name) => !Object.hasOwn(runs.args.fields, name))
  return strange === undefined ? null : `${strange} is no argument of ${later.runs}`
}
