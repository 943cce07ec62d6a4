/**
 * What stands behind an "and" and had no part in a plan of reads: "the weather in Leeds and my tasks". It is read as well where it can be, and else the
 * answer says that a part is missing. Must not read a message by itself. Called by the rules planner.
 */
import type { Json } from '../../../kernel/flow/json.ts'
import { operationInMessage } from '../../../kernel/operations/commands.ts'
import type { PromptParts } from '../../../kernel/prompt/parts.ts'
import { IN_PART, type Plan } from '../../../kernel/task/plan.ts'
import { readDates } from '../../dates/read.ts'
import type { Span } from './request-in.ts'
import { joined, momentOf, withValues } from './several.ts'
import { isRead } from './steps.ts'

/** What a command lists, by the action that lists it: no sentence of a package has it. */
const LISTS: Readonly<Record<string, string>> = {
  'reminders.tasks': 'task.list',
  'reminders.list': 'reminder.list',
}

/** "My tasks", "my reminders"; null for anything else. */
export function listedPlan(text: string, offered: ReadonlySet<string>): Plan | null {
  const tool = LISTS[operationInMessage(text.trim())?.operation.name ?? '']
  if (tool === undefined || !offered.has(tool)) return null
  return { steps: [{ id: 's1', do: 'tool', tool, args: {} }], explanation: '' }
}

const AND = /,?\s+(?:and|plus|und|sowie)\s+(?:(?:also|then|auch|dann|please|bitte)\s+)*/giu
/** A thing by its name, without a verb, so that it asks for nothing by itself. */
const THING =
  /^(?:(?:the|my|our|any|all|die|der|das|dem|den|mein\p{L}*|unser\p{L}*) )?[\p{L}][\p{L}'’-]*(?: [\p{L}][\p{L}'’-]*){0,2}[\s.!?]*$/iu
/** Said besides, and no thing. */
const POLITE =
  /^(?:(?:many )?thanks?|thank you|thx|cheers|please|ta|danke|bitte|so on|so forth|stuff|such|more|that|it|all|everything|you|me|us|good \p{L}+|guten? \p{L}+|so weiter|alles|mehr|das|es)(?!\p{L})/iu
const MOST_CUTS = 3

interface Reading {
  /** The plan of a part of the message, which is one request. */
  readonly one: (part: Span) => Plan | null
}

/** `plan`: of the whole message. The same where all of it had a part in it. */
export function withRest(plan: Plan, parts: PromptParts, { one }: Reading): Plan {
  const isPart = plan.explanation === IN_PART
  if (plan.steps.length === 0 || (plan.explanation !== '' && !isPart) || !isRead(plan)) return plan
  const { request } = parts
  for (const cut of [...request.matchAll(AND)].slice(0, MOST_CUTS)) {
    const next = cut.index + cut[0].length
    const rest = request.slice(next).trim()
    const { rest: dateless } = readDates(rest, momentOf(parts))
    if (!THING.test(rest) || POLITE.test(rest) || dateless.trim() !== rest) continue
    const head = one({ from: 0, to: cut.index })
    if (head === null || stepsOf(head, parts) !== stepsOf(plan, parts)) continue
    const other = one({ from: next, to: request.length })
    return other !== null && isRead(other) ? joined([plan, other]) : { ...plan, explanation: IN_PART }
  }
  return plan
}

/** With what the message says in the place of references to it. */
function stepsOf(plan: Plan, { metadata }: PromptParts): string {
  const fields = metadata.find(({ root }) => root === 'said')?.fields ?? {}
  return JSON.stringify(withValues(plan, fields as Readonly<Record<string, Json>>).steps)
}
