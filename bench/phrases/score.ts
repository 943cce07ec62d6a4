/**
 * Plans a file of phrasings without a model and compares each plan with what its line expects. Must not train or change anything.
 * Called by main.ts and by the language tests.
 */
import { createMessageExtractor } from '../../integrations/extractors/message/message.ts'
import { HOME_RULES, sayPlainly } from '../../integrations/models/rules/home.ts'
import { planFor } from '../../integrations/models/rules/plan-for.ts'
import { TOOL_MANIFESTS } from '../../integrations/tools/registered.ts'
import type { Json } from '../../kernel/flow/json.ts'
import { operationInMessage } from '../../kernel/operations/commands.ts'
import { TOOLLESS_INTENTS } from '../../kernel/powers/message-fields.ts'
import type { SaidPlainly } from '../../kernel/powers/tier-port.ts'
import type { PromptParts } from '../../kernel/prompt/parts.ts'
import { IN_PART, type Plan, UNSURE } from '../../kernel/task/plan.ts'

/** Sunday 22 November 2026, 11:30 in Berlin. */
export const NOW = Date.parse('2026-11-22T10:30:00Z')
export const TIMEZONE = 'Europe/Berlin'

export interface Phrasing {
  readonly section: string
  readonly expected: string
  readonly text: string
}

/**
 * `asked`: correct, but the owner is asked to confirm; `misasked`: the owner is asked about something else. `in part`: the rest
 * of the message was not understood.
 */
export type Verdict = 'right' | 'asked' | 'declined' | 'misasked' | 'in part' | 'wrong'

export interface Scored extends Phrasing {
  readonly verdict: Verdict
  /** Tools and arguments of the plan, or why there is none. */
  readonly got: string
}

/** Parses lines of `expected | text`; a comment line begins a section. */
export function phrasingsOf(source: string): readonly Phrasing[] {
  let section = ''
  return source.split('\n').flatMap((line) => {
    if (line.startsWith('#')) section = line.slice(1).trim()
    const at = line.indexOf(' | ')
    return line.startsWith('#') || at < 0
      ? []
      : [{ section, expected: line.slice(0, at).trim(), text: line.slice(at + 3) }]
  })
}

const EXTRACTOR = createMessageExtractor()
const OFFERED: readonly string[] = [
  ...TOOL_MANIFESTS.flatMap(({ actions }) => actions.map(({ id }) => id)),
  ...['memory.save', 'memory.search', 'reminder.set', 'reminder.later', 'task.add', 'task.done'],
]

export interface Call {
  readonly tool: string
  readonly args: Readonly<Record<string, Json>>
}

export interface Reading {
  readonly intent: string
  readonly explanation: string
  readonly calls: readonly Call[]
  /** Calls that would be made after the owner confirms. */
  readonly asked: readonly Call[]
  /** Operation that answers without a plan. */
  readonly operation: string | null
  /** Whether the answer says that the rest was not understood. */
  readonly inPart: boolean
}

/** Plans a message without a model, and resolves the plan's references to values in the message. */
export function readingOf(text: string, now = NOW, timezone = TIMEZONE): Reading {
  const fields = EXTRACTOR.extract(text, { now, timezone }) as Readonly<Record<string, Json>>
  const intent = String(fields['intent'])
  if (TOOLLESS_INTENTS.includes(intent))
    return { intent, explanation: '', calls: [], operation: null, asked: [], inPart: false }
  const operation =
    intent === 'operation'
      ? String(fields['operation'])
      : intent === 'other'
        ? spokenOperation(sayPlainly(text, { now, timezone }))
        : null
  if (operation !== null) return { intent, explanation: '', calls: [], operation, asked: [], inPart: false }
  const plan = planFor(partsOf(text, fields, { now, timezone }), HOME_RULES)
  const isUnsure = plan.explanation === UNSURE
  return {
    intent,
    explanation: plan.explanation,
    calls: isUnsure ? [] : callsOf(plan, text, fields),
    asked: isUnsure ? callsOf(plan, text, fields) : [],
    operation: null,
    inPart: plan.explanation === IN_PART,
  }
}

/** Operation that home runs when no declared sentence matches (recognise-plain.ts). */
function spokenOperation(plain: SaidPlainly | null): string | null {
  // Which reminder is postponed or moved depends on the existing ones (recognise-move.ts).
  if (plain !== null && /^reminders\.(?:later|move)$/.test(plain.operation)) return plain.operation
  const called = plain === null ? undefined : operationInMessage(plain.sentence)?.operation.name
  return called !== undefined && called === plain?.operation ? called : null
}

function partsOf(
  text: string,
  fields: Readonly<Record<string, Json>>,
  { now, timezone }: { readonly now: number; readonly timezone: string },
): PromptParts {
  const local = new Date(now).toLocaleString('sv-SE', { timeZone: timezone }).slice(0, 16).replace(' ', 'T')
  return {
    ...{ purpose: 'plan', audience: 'owner', self: { version: '00000000', sections: [] }, document: '' },
    ...{ directives: [], blocks: [], request: text, history: [], contents: [], troubles: [] },
    ...{ instruction: null, options: [] },
    metadata: [{ root: 'said', action: 'extractor:message:owner', fields }],
    tools: OFFERED.map((id) => ({ id, description: id, semantics: 'read', args: {}, gives: '' })),
    output: { sink: 'sink:terminal:owner', maxChars: 3_500, format: 'plain', timezone, now: local },
  }
}

function callsOf({ steps }: Plan, text: string, fields: Readonly<Record<string, Json>>): readonly Call[] {
  return steps.flatMap((step) =>
    step.do === 'tool'
      ? [{ tool: step.tool, args: followed(step.args as Json, text, fields) as Call['args'] }]
      : [],
  )
}

function followed(value: Json, text: string, fields: Readonly<Record<string, Json>>): Json {
  if (Array.isArray(value)) return value.map((item: Json) => followed(item, text, fields))
  if (typeof value !== 'object' || value === null) return value
  const { $ref: path } = value as { readonly $ref?: Json }
  if (typeof path !== 'string')
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, followed(inner as Json, text, fields)]),
    )
  const span = /^said\.(words|sentence)\[(\d+)\]\[(\d+)\]$/.exec(path)
  if (span !== null) return text.slice(Number(span[2]), Number(span[3]))
  const item = /^said\.(\w+)\[(\d+)\]$/.exec(path)
  if (item !== null) return (fields[item[1] ?? ''] as readonly Json[] | undefined)?.[Number(item[2])] ?? null
  return path.startsWith('said.') ? (fields[path.slice(5)] ?? null) : path
}

export function score(phrasing: Phrasing): Scored {
  const operation = operationInMessage(phrasing.text)?.operation.name
  if (operation !== undefined)
    return {
      ...phrasing,
      got: operation,
      verdict: ['none', operation].includes(phrasing.expected) ? 'right' : 'wrong',
    }
  const reading = readingOf(phrasing.text)
  const got = shown(reading)
  if (reading.asked.length > 0) {
    const verdict = fits(phrasing.expected, reading.asked) ? 'asked' : 'misasked'
    return { ...phrasing, got: shown({ ...reading, calls: reading.asked }), verdict }
  }
  // A request that an operation answers has no plan.
  if (reading.operation !== null)
    return {
      ...phrasing,
      got: reading.operation,
      verdict: isSame(reading.operation, phrasing.expected) ? 'right' : 'wrong',
    }
  if (phrasing.expected === 'asks') {
    const asks = reading.calls.length === 0 && ASKS.test(reading.explanation)
    return { ...phrasing, got, verdict: asks ? 'right' : reading.calls.length === 0 ? 'declined' : 'wrong' }
  }
  if (TOOLLESS_INTENTS.includes(phrasing.expected)) {
    const none = reading.calls.length === 0
    const isIt = reading.intent === phrasing.expected
    const isOther = TOOLLESS_INTENTS.includes(reading.intent)
    return { ...phrasing, got, verdict: isIt ? 'right' : none && !isOther ? 'declined' : 'wrong' }
  }
  if (TOOLLESS_INTENTS.includes(reading.intent))
    return {
      ...phrasing,
      got,
      verdict: reading.intent === 'help' && phrasing.expected === 'none' ? 'right' : 'wrong',
    }
  if (reading.calls.length === 0)
    return { ...phrasing, got, verdict: phrasing.expected === 'none' ? 'right' : 'declined' }
  if (reading.inPart) return { ...phrasing, got, verdict: 'in part' }
  return { ...phrasing, got, verdict: fits(phrasing.expected, reading.calls) ? 'right' : 'wrong' }
}

function isSame(one: string, other: string): boolean {
  return (OF_OPERATIONS[one] ?? one) === (OF_OPERATIONS[other] ?? other)
}

/** Explanations of a plan that asks the owner for a missing part. */
const ASKS = /^(?:needs_|which_|contact_|repeats_)/

/** Actions and operations that do the same, by the name that is replaced. */
const OF_OPERATIONS: Readonly<Record<string, string>> = {
  'reminders.done': 'task.done',
  'email.file': 'email.move',
  'quiet.set': 'quiet.hours',
  'reminders.tasks': 'task.list',
  'reminders.list': 'reminder.list',
}

/**
 * True if the calls are the expected tools in order (a list that is read to find one thing may precede them), with all named
 * arguments.
 */
function fits(expected: string, calls: readonly Call[]): boolean {
  const words = expected.split(' ')
  const tools = words.filter((word) => !word.includes(':')).map((word) => OF_OPERATIONS[word] ?? word)
  const wanted = words.filter((word) => word.includes(':')).map((word) => word.split(/:(.*)/s, 2))
  const made = calls.map(({ tool }) => OF_OPERATIONS[tool] ?? tool)
  const isMade = (list: readonly string[]): boolean => list.join(' ') === tools.join(' ')
  // After a question about a free time, listing the events that take it is correct, too.
  const isTaken = made.join(' ') === 'calendar.freebusy calendar.list_events' && isMade(['calendar.freebusy'])
  const isFound = made.length === 2 && made[0] === 'email.list' && isMade(made.slice(1))
  // A search for mail by its sender shows the same as a list by sender.
  const isSearched =
    isMade(['email.list']) && made.join(' ') === 'email.search' && Object.hasOwn(calls[0]?.args ?? {}, 'from')
  if (!isMade(made) && !isFound && !isSearched && !isTaken) return false
  return wanted.every(([name = '', value = '']) =>
    calls.some(({ args }) => sameText(args[name] ?? null, value.replaceAll('_', ' '))),
  )
}

function sameText(given: Json, value: string): boolean {
  const text = String(given)
    .toLowerCase()
    .replace(/^(?:the|my|a|an) /, '')
  return /^\d{4}-\d\d/.test(value)
    ? text.startsWith(value.toLowerCase())
    : text === value.toLowerCase().replace(/^(?:the|my|a|an) /, '')
}

function shown({ intent, explanation, calls }: Reading): string {
  if (calls.length === 0) return explanation === '' ? intent : explanation
  return calls.map(({ tool, args }) => `${tool} ${JSON.stringify(args)}`).join(' + ')
}
