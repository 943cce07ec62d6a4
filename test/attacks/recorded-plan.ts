/**
 * A recorded solution as a plan of the kernel's: what the owner typed is a literal, what an earlier result holds is a
 * reference, and what only the content says is composed by a model without tools. A planner that has seen nothing can do
 * no more; what it could not know is named. Called by the utility run and by hostile.ts.
 */
import type { FieldSpec } from '../../kernel/flow/field.ts'
import type { Json } from '../../kernel/flow/json.ts'
import type { Argument, Step } from '../../kernel/task/plan.ts'
import type { ActionManifest } from '../../kernel/tool/manifest.ts'
import type { Call, Suite, UserTask } from './corpus.ts'
import { asText, type Declared } from './declare.ts'
import { asDate } from './decode.ts'
import { benign, isSameCall, resultOf } from './replay.ts'

export interface RecordedPlan {
  readonly steps: readonly Step[]
  /** What an honest writer answers, by the instruction of the step. */
  readonly writes: ReadonlyMap<string, string>
  /** Each call once, as the port will see it. */
  readonly calls: readonly Call[]
  /** Arguments that no such plan can hold. */
  readonly unknowable: readonly string[]
}

interface Building {
  readonly prompt: string
  readonly steps: Step[]
  readonly writes: Map<string, string>
  readonly unknowable: string[]
  /** Results so far, by step. */
  readonly results: (readonly [string, Json])[]
}

export function recordedPlan(suite: Suite, declared: Declared, user: UserTask): RecordedPlan {
  const building: Building = {
    prompt: user.prompt,
    steps: [],
    writes: new Map(),
    unknowable: [],
    results: [],
  }
  const calls: Call[] = []
  for (const call of user.ground_truth) {
    const action = declared.manifest.actions.find(({ id }) => id === declared.ids.get(call.function))
    // What was read once is at hand: no planner reads the same twice.
    if (action === undefined || calls.some((known) => isSameCall(known, { ...call, function: action.id })))
      continue
    const args = Object.fromEntries(
      Object.entries(call.args)
        .filter(([name, value]) => value !== null && Object.hasOwn(action.args.fields, name))
        .map(([name, value]) => [name, argumentFor(building, { action, name, value })]),
    )
    const id = nextId(building)
    building.steps.push({ id, do: 'tool', tool: action.id, args })
    const vectors = benign(suite)
    building.results.push([id, resultOf({ suite, declared, user, vectors }, call)])
    calls.push({ function: action.id, args: asArrived(call.args) })
  }
  const { steps, writes, unknowable } = building
  return { steps, writes, calls, unknowable }
}

/** What the schema leaves open arrives as its JSON. */
function asArrived(args: Call['args']): Call['args'] {
  const arrived = (value: Json): Json =>
    Array.isArray(value) ? value.map((item: Json) => (typeof item === 'object' ? asText(item) : item)) : value
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, arrived(value)]))
}

function argumentFor(
  building: Building,
  { action, name, value }: { readonly action: ActionManifest; readonly name: string; readonly value: Json },
): Argument {
  const spec = action.args.fields[name]
  if (spec?.kind === 'list' && Array.isArray(value)) return listFor(building, { spec: spec.of, name, value })
  return expressed(building, { spec, name, value })
}

function listFor(
  building: Building,
  { spec, name, value }: Wanted & { readonly value: readonly Json[] },
): Argument {
  const whole = heldAt(building.results, value)
  if (whole !== null) return { $ref: whole }
  const written = building.writes.size
  const items = value.map((item: Json) => expressed(building, { spec, name, value: asText(item) }))
  // Of several texts that only the content says, a planner cannot even tell how many there are.
  if (building.writes.size > written + 1) building.unknowable.push(name)
  return items
}

interface Wanted {
  readonly spec: FieldSpec | undefined
  readonly name: string
  readonly value: Json
}

function expressed(building: Building, { spec, name, value }: Wanted): Argument {
  const { prompt, results, unknowable } = building
  const plain = typeof value === 'string' ? literalFor(spec, value) : value
  if (typeof value === 'boolean' || isTyped(prompt, value) || results.length === 0) return plain
  const held = heldAt(results, value)
  if (held !== null) return { $ref: held }
  if (typeof value !== 'string') {
    // A number that only the content says: neither a reference nor a text can be it.
    unknowable.push(name)
    return plain
  }
  return composed(building, name, String(plain))
}

/** A date is written as the declaration takes it. */
function literalFor(spec: FieldSpec | undefined, value: string): string {
  return spec?.kind === 'date' ? asDate(value) : value
}

/** The owner typed it, as a word or words of his. */
function isTyped(prompt: string, value: Json): boolean {
  const text = asText(value)
  return text !== '' && prompt.toLowerCase().includes(text.toLowerCase())
}

/** Where an earlier result holds exactly this. Of several items a planner cannot tell which: it has seen none. */
function heldAt(results: Building['results'], value: Json): string | null {
  for (const [step, tree] of results) {
    const path = pathTo(tree, typeof value === 'string' ? asDate(value) : value)
    if (path !== null) return step + path
  }
  return null
}

function pathTo(tree: Json, value: Json): string | null {
  if (JSON.stringify(tree) === JSON.stringify(value)) return ''
  if (typeof tree !== 'object' || tree === null) return null
  if (Array.isArray(tree)) {
    const inner = tree.length === 1 ? pathTo((tree as readonly Json[])[0] ?? null, value) : null
    return inner === null ? null : `[0]${inner}`
  }
  for (const [key, field] of Object.entries(tree)) {
    const inner = pathTo(field, value)
    if (inner !== null) return `.${key}${inner}`
  }
  return null
}

function composed(building: Building, name: string, value: string): Argument {
  const { steps, writes, results } = building
  const instruction = `Write what belongs into ${name}, as text number ${writes.size + 1}.`
  writes.set(instruction, value)
  const id = nextId(building)
  steps.push({ id, do: 'compose', from: results.map(([step]) => step), instruction, maxChars: 10_000 })
  return { $ref: id }
}

function nextId({ steps }: Building): string {
  return `s${steps.length + 1}`
}
