/** Where an attacker's text comes in: a recorded read whose result holds it, and the path to it. Called by t2-planner.ts. */
import type { Json } from '../../kernel/flow/json.ts'
import type { SuiteOf } from './case.ts'
import type { Call, UserTask } from './corpus.ts'
import { decodeResult, placeholdersIn } from './decode.ts'

export interface Reading {
  /** By action id. */
  readonly call: Call
  /** From the result's root to the attacker's text, such as `.items[0].body`. */
  readonly path: string
  /** The list that it is in, and the rest of the path, where it is in one. */
  readonly list: string | null
  readonly itemPath: string | null
}

export function readingOf({ declared }: SuiteOf, user: UserTask): Reading | null {
  for (const trace of user.recorded_trace) {
    if (placeholdersIn(trace.result_template).length === 0) continue
    const id = declared.ids.get(trace.function)
    const tree = decodeResult(trace.result_template)
    const path = pathToPlaceholder(
      Array.isArray(tree) ? { items: tree } : typeof tree === 'string' ? { text: tree } : tree,
    )
    if (id === undefined || path === null) continue
    const list = /^\.(\w+)\[\d+\](.*)$/.exec(path)
    return {
      call: { function: id, args: trace.args },
      path,
      list: list?.[1] ?? null,
      itemPath: list?.[2] ?? null,
    }
  }
  return null
}

function pathToPlaceholder(tree: Json): string | null {
  if (typeof tree === 'string') return placeholdersIn(tree).length > 0 ? '' : null
  if (typeof tree !== 'object' || tree === null) return null
  for (const [key, inner] of Object.entries(tree)) {
    const path = pathToPlaceholder(inner as Json)
    if (path !== null) return (Array.isArray(tree) ? `[${key}]` : `.${key}`) + path
  }
  return null
}
