/**
 * A recorded solution as a plan of the kernel's: what the owner typed is a literal, what an earlier result holds is a
 * reference, what its texts say is extracted, chosen by a fact or calculated (derived.ts), and what is text of its own is
 * composed by a model without tools. A planner that looks at what its first reads found can also name one of several items
 * (seeing.ts). What it could not know is named. Called by the suites and the utility run.
 */
import type { FieldSpec } from '../../kernel/flow/field.ts'
import type { Json } from '../../kernel/flow/json.ts'
import type { FinalPrompt } from '../../kernel/prompt/finalize.ts'
import { type Argument, PLAN_BOUNDS, type Step } from '../../kernel/task/plan.ts'
import type { ActionManifest } from '../../kernel/tool/manifest.ts'
import type { Call, Suite, UserTask } from './corpus.ts'
import { asText, type Declared } from './declare.ts'
import { asDate } from './decode.ts'
import { type Building, calculated, chosenItem, chosenItems, extracted, nextId } from './derived.ts'
import { saysNumber } from './facts.ts'
import { benign, isSameCall, resultOf } from './replay.ts'
import { pathTo, type Shown } from './seeing.ts'
import type { Script } from './world.ts'

export interface RecordedPlan {
  readonly steps: readonly Step[]
  /** How many of them are planned before the planner looks; null where it does not. */
  readonly looks: number | null
  /** What it must then have been shown, to name what it names. */
  readonly shown: readonly Shown[]
  /** What an honest model without tools answers, by the instruction or question of the step. */
  readonly writes: ReadonlyMap<string, string>
  /** Each call once, as the port will see it. */
  readonly calls: readonly Call[]
  /** Arguments that no such plan can hold. */
  readonly unknowable: readonly string[]
}

/** `needed` looks only where a plan could not be made otherwise; `always` wherever there is something to look at. */
export function recordedPlan(
  suite: Suite,
  declared: Declared,
  user: UserTask,
  look: 'needed' | 'always' = 'needed',
): RecordedPlan {
  const blind = planLooking(suite, declared, { user, after: null })
  const reads = leadingReads(declared, user)
  const looking = reads.map((after) => planLooking(suite, declared, { user, after }))
  const all = look === 'needed' ? [blind, ...looking] : [...looking, blind]
  return all.find(isWhole) ?? (look === 'always' ? all[0] : undefined) ?? blind
}

/** Each number of calls after which it could look: nothing was written yet, and something is left to do. */
function leadingReads(declared: Declared, { ground_truth: all }: UserTask): readonly number[] {
  const isRead = (name: string): boolean =>
    declared.manifest.actions.find(({ id }) => id === declared.ids.get(name))?.semantics === 'read'
  const firstWrite = all.findIndex((call) => !isRead(call.function))
  const most = firstWrite < 0 ? all.length - 1 : firstWrite
  return Array.from({ length: Math.max(most, 0) }, (_, index) => index + 1)
}

function isWhole({ steps, looks, unknowable }: RecordedPlan): boolean {
  const first = looks ?? steps.length
  return unknowable.length === 0 && first <= PLAN_BOUNDS.steps && steps.length - first <= PLAN_BOUNDS.steps
}

/** A planner's answers, in turn: the first plan, and what it adds after it has looked. */
export function plansOf({ steps, looks }: RecordedPlan): (prompt: FinalPrompt) => string {
  return ({ parts }) => {
    const [first, then] = [steps.slice(0, looks ?? steps.length), steps.slice(looks ?? steps.length)]
    if (parts.instruction !== null) return JSON.stringify({ steps: then, explanation: '' })
    return JSON.stringify({ steps: first, explanation: '', ...(looks !== null && { again: true }) })
  }
}

/** What honest models without tools answer to such a plan. */
export function honestAnswers({
  writes,
}: RecordedPlan): Pick<Script, 'compose' | 'classify' | 'extract' | 'choose'> {
  const written = ({ parts }: FinalPrompt): string | undefined => writes.get(parts.instruction ?? '')
  return {
    compose: (prompt) => written(prompt) ?? 'nothing',
    classify: ({ parts }) => parts.options[0] ?? '',
    extract: (prompt) => written(prompt) ?? 'NONE',
    choose: (prompt) => written(prompt) ?? 'NONE',
  }
}

function planLooking(
  suite: Suite,
  declared: Declared,
  { user, after }: { readonly user: UserTask; readonly after: number | null },
): RecordedPlan {
  let looks: number | null = null
  const building: Building = {
    prompt: user.prompt,
    ground: user.ground_truth,
    seen: new Set(),
    shown: [],
    steps: [],
    writes: new Map(),
    unknowable: [],
    results: [],
  }
  const calls: Call[] = []
  for (const [index, call] of user.ground_truth.entries()) {
    if (index === after) {
      looks = building.steps.length
      for (const [step] of building.results) building.seen.add(step)
    }
    const action = declared.manifest.actions.find(({ id }) => id === declared.ids.get(call.function))
    // What was read once is at hand: no planner reads the same twice.
    if (action === undefined || calls.some((known) => isSameCall(known, { ...call, function: action.id })))
      continue
    const args = Object.fromEntries(
      Object.entries(call.args)
        .filter(([name, value]) => value !== null && Object.hasOwn(action.args.fields, name))
        .map(([name, value]) => [name, argumentFor(building, { action, call, name, value })]),
    )
    const id = nextId(building)
    building.steps.push({ id, do: 'tool', tool: action.id, args })
    const vectors = benign(suite)
    building.results.push([id, resultOf({ suite, declared, user, vectors }, call)])
    calls.push({ function: action.id, args: asArrived(call.args) })
  }
  const { steps, writes, unknowable, shown } = building
  return { steps, looks, shown, writes, calls, unknowable }
}

/** What the schema leaves open arrives as its JSON. */
function asArrived(args: Call['args']): Call['args'] {
  const arrived = (value: Json): Json =>
    Array.isArray(value) ? value.map((item: Json) => (typeof item === 'object' ? asText(item) : item)) : value
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, arrived(value)]))
}

function argumentFor(
  building: Building,
  { action, ...wanted }: Omit<Wanted, 'spec'> & { readonly action: ActionManifest },
): Argument {
  const spec = action.args.fields[wanted.name]
  const { value } = wanted
  // How much is read is the planner's own affair, unless it is a number that a result gave.
  const isLimit = typeof value === 'number' && !building.results.some(([, tree]) => holds(tree, value))
  if (action.semantics === 'read' && isLimit) return value
  if (spec?.kind === 'list' && Array.isArray(value))
    return listFor(building, { ...wanted, spec: spec.of, value })
  return expressed(building, { ...wanted, spec })
}

function listFor(building: Building, wanted: Wanted & { readonly value: readonly Json[] }): Argument {
  const { name, value } = wanted
  const whole = heldAt(building, wanted) ?? chosenItems(building, value)
  if (whole !== null) return { $ref: whole }
  const written = building.writes.size
  const items = value.map((item: Json) => expressed(building, { ...wanted, value: asText(item) }))
  // Of several texts that only the content says, a planner cannot even tell how many there are.
  if (building.writes.size > written + 1) building.unknowable.push(name)
  return items
}

function holds(tree: Json, value: number): boolean {
  if (tree === value) return true
  return (
    typeof tree === 'object' &&
    tree !== null &&
    Object.values(tree).some((inner: Json) => holds(inner, value))
  )
}

interface Wanted {
  readonly spec: FieldSpec | undefined
  readonly call: Call
  readonly name: string
  readonly value: Json
}

function expressed(building: Building, wanted: Wanted): Argument {
  const { spec, name, value } = wanted
  const { prompt, results, unknowable } = building
  const plain = typeof value === 'string' ? literalFor(spec, value) : value
  if (typeof value === 'boolean' || isTyped(prompt, value) || results.length === 0) return plain
  const held = heldAt(building, wanted) ?? chosenItem(building, value) ?? extracted(building, spec, value)
  if (held !== null) return { $ref: held }
  if (typeof value === 'string') return composed(building, name, String(plain))
  const sum = typeof value === 'number' ? calculated(building, name, value) : null
  if (sum !== null) return sum
  // Neither said, nor a value of an item that a fact singles out, nor in a text, nor made of such values.
  unknowable.push(name)
  return plain
}

/** A date is written as the declaration takes it. */
function literalFor(spec: FieldSpec | undefined, value: string): string {
  return spec?.kind === 'date' ? asDate(value) : value
}

/** Whether the owner typed it, as one or more words of the message. */
function isTyped(prompt: string, value: Json): boolean {
  if (typeof value === 'number') return saysNumber(prompt, value)
  const text = asText(value)
  return text !== '' && prompt.toLowerCase().includes(text.toLowerCase())
}

/** Where an earlier result holds exactly this: of several items only what a planner has looked at and can tell apart. */
function heldAt(
  { results, seen, shown, prompt, ground }: Building,
  { call, name, value }: Wanted,
): string | null {
  const sought = typeof value === 'string' ? asDate(value) : value
  for (const [step, tree] of results) {
    const telling = seen.has(step) ? { prompt, ground, call, name } : null
    const found = pathTo(tree, sought, telling)
    if (found === null) continue
    shown.push(...found.shown.map(({ path, why }) => ({ path: step + path, why })))
    return step + found.path
  }
  return null
}

/** What was asked for once is at hand: a second step would only ask the writer the same again. */
function composed(building: Building, name: string, value: string): Argument {
  const { steps, writes, results } = building
  const before = steps.find(
    (step) =>
      step.do === 'compose' && asked(step.instruction) === name && writes.get(step.instruction) === value,
  )
  if (before !== undefined) return { $ref: before.id }
  const instruction = `Write what belongs into ${name}, as text number ${writes.size + 1}.`
  writes.set(instruction, value)
  const id = nextId(building)
  steps.push({ id, do: 'compose', from: results.map(([step]) => step), instruction, maxChars: 10_000 })
  return { $ref: id }
}

function asked(instruction: string): string | undefined {
  return /^Write what belongs into (.*), as text number/.exec(instruction)?.[1]
}
