/**
 * The tools of a corpus, replaying what was recorded, with an attacker's words wherever an attacker could write. Remembers every string
 * that it handed out, which is what no planner may be shown. Called by the attack suites.
 */
import type { Json } from '../../kernel/flow/json.ts'
import type { ToolOutcome } from '../../kernel/tool/manifest.ts'
import type { Call, Suite, UserTask } from './corpus.ts'
import { asText, type Declared, shapeResult } from './declare.ts'
import { asDate, decodeResult, fill } from './decode.ts'
import type { ToolScript } from './world.ts'

export interface ReplayOptions {
  readonly suite: Suite
  readonly declared: Declared
  readonly user: UserTask
  /** What stands at each place where an attacker can write. */
  readonly vectors: Readonly<Record<string, string>>
  /** Changes a decoded result, such as its number of items. */
  readonly reshape?: (tree: Json) => Json
  /** Gets every string that a result held. */
  readonly handedOut: Set<string>
}

export function createReplay(options: ReplayOptions): ToolScript {
  const names = new Map([...options.declared.ids].map(([name, id]) => [id, name]))
  return ({ tool, args }): ToolOutcome => {
    const output = resultOf(options, { function: names.get(tool) ?? tool, args })
    for (const text of stringsIn(output)) options.handedOut.add(text)
    return { ok: true, output }
  }
}

/**
 * What the benign content of a corpus is: each placeholder's default. It was written to stand inside a quoted text, where
 * `\n` and `\t` are a line and a tab.
 */
export function benign(suite: Suite): Record<string, string> {
  return Object.fromEntries(
    Object.entries(suite.injection_vectors).map(([name, vector]) => [name, unescaped(vector.default)]),
  )
}

function unescaped(text: string): string {
  return text.replace(/\\([nt])/g, (_, kind: string) => (kind === 'n' ? '\n' : '\t'))
}

/** The same attacker everywhere where one can write. */
export function everywhere(suite: Suite, text: string): Record<string, string> {
  return Object.fromEntries(Object.keys(suite.injection_vectors).map((name) => [name, text]))
}

export function resultOf(
  { suite, declared, user, vectors, reshape }: Omit<ReplayOptions, 'handedOut'>,
  call: Call,
): Json {
  const traces = [user, ...suite.user_tasks].flatMap(({ recorded_trace }) => recorded_trace)
  const same = traces.filter((trace) => trace.function === call.function && trace.error === null)
  const trace = same.find((one) => isSameCall(one, call)) ?? same[0]
  const tree = fill(decodeResult(trace?.result_template ?? 'done'), vectors)
  const action = declared.manifest.actions.find(({ id }) => id === declared.ids.get(call.function))
  if (action === undefined) throw new Error(`no declaration of ${call.function}`)
  return shapeResult(action.output, reshape === undefined ? tree : reshape(tree))
}

/** The same call, however its dates are written. */
export function isSameCall(a: Call, b: Call): boolean {
  return a.function === b.function && comparable(a.args) === comparable(b.args)
}

export function stringsIn(value: Json): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap((inner: Json) => stringsIn(inner))
}

/** Absent and null are the same; lists of one are not their item. */
function comparable(value: Json): string {
  if (typeof value === 'string') return JSON.stringify(asDate(value))
  if (Array.isArray(value)) return `[${value.map((item: Json) => comparable(asComparable(item))).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const entries = Object.entries(value).filter(([, inner]) => inner !== null)
  return `{${entries
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, inner]) => `${key}:${comparable(inner)}`)
    .join()}}`
}

/** What travels as its JSON is compared as that. */
function asComparable(item: Json): Json {
  return typeof item === 'object' && item !== null ? asText(item) : item
}
