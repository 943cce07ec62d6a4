/**
 * Corrects misspelt tool and argument names in a model's plan before the plan is checked (O-32, O-33): by closed
 * rules, to the nearest permitted tool or argument, and only if no other one is as near. Never turns a read into
 * a write or picks a write of another family; all checks of the plan follow. Home only. Called by plan.ts.
 */
import type { FieldSpec } from '../flow/field.ts'
import { isPlainRecord } from '../flow/json.ts'
import { EFFECT_IDS, lookUpAction } from '../powers/effects.ts'
import type { CorrectedCall, DynamicTier } from '../powers/tier-port.ts'
import { isReference } from '../task/plan.ts'
import { changesSomething, type RegisteredAction, type Registry } from '../tool/registry.ts'

/** Maximum UTF-16 units of a name that is corrected: bounds the work on a flood of output. */
const MOST_NAME = 80
/** Minimum likeness of a read and of a write, and the margin over the next candidate, which is larger for a write. */
const LIKE = 0.6
const LIKE_WRITE = 0.5
const AHEAD = { read: 0.05, write: 0.2 } as const
/** Likeness of two words that differ only in a plural "s"; and of two that differ by a typing error or are synonyms. */
const PLURAL = 0.9
const NEAR = 0.8
/** Minimum letters of a word in which a typing error is tolerated. */
const MISTYPED = 4

const LOOKS = ['list get fetch show view read check retrieve', 'search find query lookup'].map(asWords)
const VERBS = [
  ...LOOKS,
  ...['create add new make insert set', 'delete remove', 'update change edit modify'].map(asWords),
]
const LOOK_WORDS = new Set(LOOKS.flat())
/** Groups of argument names with the same meaning. `DATES` applies to arguments of kind `date` only. */
const ALIASES = [
  'words query q search text term terms keyword keywords pattern',
  'text body content message note description',
  'title subject name summary',
  'count limit max number',
  'place location city',
  'url link address href',
].map(asWords)
const DATES = ['from start begin since after', 'to end finish', 'to until before', 'due at when'].map(asWords)
/** Words of an argument's name that only say the kind of its value. */
const KINDS = new Set(asWords('date time datetime value string'))
const ISO_DAY = /^\d{4}-\d{2}-\d{2}/

/** `permitted`: the tools that the prompt offered to the planner. */
interface Known {
  readonly permitted: readonly string[]
  readonly registry: Registry
}

/** Returns the plan with corrected names and the list of corrections. Leaves everything else to the parser and the checks. */
export const correctNames: NonNullable<DynamicTier['correctNames']> = (plan, known) => {
  if (!isPlainRecord(plan) || !Array.isArray(plan['steps'])) return { plan, corrected: [] }
  const corrected: CorrectedCall[] = []
  const steps = plan['steps'].map((step: unknown, index) => {
    if (!isPlainRecord(step) || typeof step['tool'] !== 'string' || !isPlainRecord(step['args'])) return step
    const { tool: written, args } = step
    const action = actionFor(written, args, known)
    if (action === null) return step
    const renamed = written !== action.id
    const names = namesFor(args, action)
    if (!renamed && names.size === 0) return step
    corrected.push({ step: index + 1, tool: action.id, renamed, arguments: names.size })
    return { ...step, tool: action.id, args: renaming(args, names) }
  })
  return { plan: { ...plan, steps }, corrected }
}

type Args = Readonly<Record<string, unknown>>

function actionFor(written: string, args: Args, { permitted, registry }: Known): RegisteredAction | null {
  const named = lookUpAction(registry, written)
  // The planner meant a tool that exists but is not permitted: the plan is refused, and no other tool takes its place.
  const meant = named.ok ? named.value : nearest(written, args, registry)
  return meant !== null && permitted.includes(meant.id) ? meant : null
}

interface Ranked {
  readonly action: RegisteredAction
  readonly like: number
}

/**
 * The action nearest to the name, among all that exist, permitted or not: a near one
 * that is not permitted makes the name ambiguous.
 */
function nearest(written: string, args: Args, registry: Registry): RegisteredAction | null {
  // Administrative actions are called by their exact name only.
  if (written.length > MOST_NAME || written.startsWith('admin.')) return null
  const all = [...EFFECT_IDS, ...registry.actions.keys()].flatMap((id) => {
    const found = lookUpAction(registry, id)
    return found.ok ? [found.value] : []
  })
  const [first = '', ...more] = wordsOf(written)
  const families = [...new Set(all.map(({ id }) => familyOf(id)))]
  const near = families.filter((family) => likeness(family, first) >= NEAR)
  const family = near.find((one) => one === first) ?? (near.length === 1 ? near[0] : undefined)
  if (family === undefined && near.length > 0) return null
  const rest =
    family === undefined
      ? wordsOf(written.slice(written.indexOf('.') + 1))
      : more.filter((word) => likeness(word, family) < NEAR)
  if (rest.length === 0) return null
  const writeWords = new Set(
    all.filter(isWrite).map(({ id }) => wordsOf(id.slice(familyOf(id).length))[0] ?? ''),
  )
  const ranked = all
    .filter(({ id }) => family === undefined || familyOf(id) === family)
    .flatMap((action): Ranked[] => {
      const like = likenessOf(action, rest, writeWords)
      // Without a known family, only a full match of the rest identifies a tool, and only a read.
      const least = family === undefined ? 1 : isWrite(action) ? LIKE_WRITE : LIKE
      return like >= least && (family !== undefined || !isWrite(action)) ? [{ action, like }] : []
    })
    .sort((one, other) => other.like - one.like)
  const isRead = ranked[0] !== undefined && !isWrite(ranked[0].action)
  // If the best match is a read, reads that do not take these arguments drop out, and a write never takes their place.
  return ahead(isRead ? ranked.filter(({ action }) => !isWrite(action) && fits(args, action)) : ranked)
}

/** The best candidate if no other is within the margin; if several reads are, the only `core` one among them. */
function ahead(ranked: readonly Ranked[]): RegisteredAction | null {
  const [best] = ranked
  if (best === undefined) return null
  const margin = AHEAD[semanticsOf(best.action)]
  const alike = ranked.filter(({ like }) => best.like - like < margin)
  if (alike.length === 1 || (best.like === 1 && alike.filter(({ like }) => like === 1).length === 1))
    return best.action
  const usual = alike.filter(({ action }) => action.core === true)
  const [only] = usual
  return only !== undefined && usual.length === 1 && !alike.some(({ action }) => isWrite(action))
    ? only.action
    : null
}

/**
 * Likeness from 0 to 1. For a write, every written word must match one of its own,
 * including its verb; for a read, no unmatched word may be a verb of a write.
 */
function likenessOf(
  action: RegisteredAction,
  rest: readonly string[],
  writeWords: ReadonlySet<string>,
): number {
  const own = wordsOf(action.id.slice(familyOf(action.id).length))
  if (own.join('') === rest.join('')) return 1
  const left = [...own]
  let sum = 0
  const unmatched = rest.filter((word) => {
    const best = left.toSorted((one, other) => likeness(word, other) - likeness(word, one))[0]
    const like = best === undefined ? 0 : likeness(word, best)
    if (best === undefined || like < NEAR) return true
    left.splice(left.indexOf(best), 1)
    sum += like
    return false
  })
  const isAllowed = isWrite(action)
    ? unmatched.length === 0 && left[0] !== own[0] && !rest.some((word) => LOOK_WORDS.has(word))
    : !unmatched.some((word) => VERBS.some((group) => group.includes(word)) || writeWords.has(word))
  return isAllowed ? (2 * sum) / (rest.length + own.length) : 0
}

/** Maps each unknown argument name to the tool's own name for it; omits names that could mean two arguments. */
function namesFor(args: Args, action: RegisteredAction): ReadonlyMap<string, string> {
  const { id, args: of } = action
  const { fields } = of
  const semantics = semanticsOf(action)
  const strange = Object.keys(args).filter((key) => !Object.hasOwn(fields, key))
  const free = Object.entries(fields).filter(([name]) => !Object.hasOwn(args, name))
  const suited = (key: string): readonly (readonly [string, FieldSpec])[] =>
    free.filter(([, field]) => mayHold(field, args[key]) && (semantics === 'read' || !isGuarded(field)))
  const names = new Map<string, string>()
  for (const key of strange) {
    const near = suited(key).filter(([name, field]) => isCalled(key, name, { field, fields, id, semantics }))
    const exact = near.filter(([name]) => wordsOf(key).join() === wordsOf(name).join())
    const [only] = exact.length === 1 ? exact : near
    if (only !== undefined && (near.length === 1 || exact.length === 1)) names.set(key, only[0])
  }
  // A read with one missing required argument takes the one unknown argument that was given.
  const [key] = strange
  const missing = free.filter(([, field]) => field.optional !== true)
  if (semantics === 'read' && names.size === 0 && strange.length === 1 && missing.length === 1 && key) {
    const only = suited(key).find(([name]) => name === missing[0]?.[0])
    if (only !== undefined) names.set(key, only[0])
  }
  return new Set(names.values()).size === names.size ? names : new Map()
}

interface Called {
  readonly fields: RegisteredAction['args']['fields']
  readonly field: FieldSpec
  readonly id: string
  readonly semantics: 'read' | 'write'
}

function isCalled(key: string, name: string, { field, fields, id, semantics }: Called): boolean {
  const own = wordsOf(name)
  const written = wordsOf(key)
  const bare = written.filter((word) => !KINDS.has(word))
  const [word = key, ...more] = bare.length === 0 ? written : bare
  const groups = field.kind === 'date' ? DATES : ALIASES
  const isAlias = more.length === 0 && groups.some((group) => group.includes(word) && group.includes(name))
  if (
    isAlias ||
    (written.length === own.length && written.every((one, at) => likeness(one, own[at] ?? '') >= NEAR))
  )
    return true
  // `event_id` means `id`. For a write, the other words must be words of the tool's name.
  const others = bare.filter((one) => !own.includes(one))
  const isWithin = own.every((one) => bare.includes(one)) && !others.some((one) => Object.hasOwn(fields, one))
  const isOwn = (one: string): boolean => wordsOf(id).some((word) => likeness(word, one) >= NEAR)
  return isWithin && (semantics === 'read' || others.every(isOwn))
}

function fits(args: Args, action: RegisteredAction): boolean {
  const { fields } = action.args
  const given = Object.keys(renaming(args, namesFor(args, action)))
  const needed = Object.entries(fields).filter(([, field]) => field.optional !== true)
  return given.every((key) => Object.hasOwn(fields, key)) && needed.every(([name]) => given.includes(name))
}

function renaming(args: Args, names: ReadonlyMap<string, string>): Args {
  return Object.fromEntries(Object.entries(args).map(([key, value]) => [names.get(key) ?? key, value]))
}

/** A write's destination, scope or disclosed text is never filled by a guessed name. */
function isGuarded(field: FieldSpec): boolean {
  const of = field.kind === 'list' ? field.of : field
  return 'destination' in of || 'scope' in of || 'disclosed' in of || of.kind === 'email' || of.kind === 'url'
}

function mayHold({ kind }: FieldSpec, value: unknown): boolean {
  if (isReference(value)) return kind !== 'list' && kind !== 'record'
  if (typeof value === 'string') {
    if (ISO_DAY.test(value)) return kind === 'date'
    return !['number', 'boolean', 'list', 'record', 'date'].includes(kind)
  }
  return Array.isArray(value) ? kind === 'list' : typeof value === kind
}

/** Whether the action changes something; less is corrected for such an action. */
function isWrite(action: RegisteredAction): boolean {
  return changesSomething(action)
}

function semanticsOf(action: RegisteredAction): 'read' | 'write' {
  return isWrite(action) ? 'write' : 'read'
}

/** Likeness of two words, from 0 to 1; 1 for the same word. */
function likeness(one: string, other: string): number {
  if (one === other) return 1
  if (one.replace(/s$/, '') === other.replace(/s$/, '')) return PLURAL
  const isVerb = VERBS.some((group) => group.includes(one) && group.includes(other))
  return isVerb || isMistyped(one, other) ? NEAR : 0
}

/** True if the words differ by one letter added, missing or replaced, or by two swapped letters. */
function isMistyped(one: string, other: string): boolean {
  if (Math.min(one.length, other.length) < MISTYPED) return false
  let start = 0
  while (start < one.length && one[start] === other[start]) start += 1
  let end = 0
  const most = Math.min(one.length, other.length) - start
  while (end < most && one.at(-1 - end) === other.at(-1 - end)) end += 1
  const [a, b] = [one.slice(start, one.length - end), other.slice(start, other.length - end)]
  return (a.length <= 1 && b.length <= 1) || (a.length === 2 && a === [...b].reverse().join(''))
}

function familyOf(id: string): string {
  return id.slice(0, id.indexOf('.'))
}

function wordsOf(name: string): readonly string[] {
  return asWords(
    name
      .replaceAll(/([a-z\d])(?=[A-Z])/g, '$1 ')
      .replaceAll(/[^A-Za-z\d]+/g, ' ')
      .trim()
      .toLowerCase(),
  )
}

function asWords(text: string): readonly string[] {
  return text === '' ? [] : text.split(' ')
}
