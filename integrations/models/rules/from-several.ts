/**
 * Looks for the mail of several people: "anything from Tom or Sarah?" is looked up for each of them, as each would be alone. Must not plan a change, or read a message by
 * itself. Passed to the planner by home, which alone has mail.
 */
import type { PromptParts } from '../../../kernel/prompt/parts.ts'
import type { Plan } from '../../../kernel/task/plan.ts'
import { readDates } from '../../dates/read.ts'
import { plannedAs } from './parts/said-as.ts'
import { joined, momentOf } from './several.ts'
import { isRead } from './steps.ts'

const MOST = 4
/** UTF-16 units: requests are short. */
const LONGEST = 160
const NO_NAME =
  '(?!(?:the|my|our|me|you|it|them|today|tonight|tomorrow|yesterday|this|last|now|any|all|about|to|reply|tell|read|show|what|when|is|are|der|die|das|dem|den|mein\\p{L}*|mir|heute|gestern|morgen|diese\\p{L}*|letzte\\p{L}*|antworte\\p{L}*|sag\\p{L}*|zeig\\p{L}*|was|wann|ist)(?!\\p{L}))'
const NAME = `(?:(?:the|my|our|der|den|die|meine?[mnr]?|unsere?[mnr]?) )?${NO_NAME}\\p{L}[\\p{L}\\p{M}.'’-]*(?: (?!(?:and|or|und|oder)(?!\\p{L}))\\p{Lu}[\\p{L}\\p{M}'’-]+)?`
const ROW = `(?<row>${NAME}(?: ?, ${NAME})*,? (?:and|or|und|oder|&) ${NAME})`
const SHAPES = [
  new RegExp(`^(?<before>.*(?<!\\p{L})(?:from|by|von|vom) )${ROW}(?<after>.*)$`, 'u'),
  new RegExp(
    `^(?<before>(?:.* )?(?:[Dd]id|[Hh]as|[Hh]ave|[Hh]at|[Hh]aben) )${ROW}(?<after> (?:write|written|wrote|reply|replied|answer|answered|sent?|geschrieben|geantwortet|geschickt|gemailt)(?!\\p{L}).*)$`,
    'u',
  ),
]
/** Beside the names and a time. */
const ASIDE =
  /(?<!\p{L})(?:please|bitte|yet|schon|today|so far|lately|neulich|there|da|at all|again|wieder|in|bekommen|gekriegt|gekommen|reingekommen|eingegangen|erhalten|got|received)(?!\p{L})/giu

/** Null for a message that does not name several senders, or asks for more than their mail. */
export function fromSeveral(parts: PromptParts, planOf: (parts: PromptParts) => Plan): Plan | null {
  const { request } = parts
  if (request.length > LONGEST) return null
  const found = SHAPES.map((shape) => shape.exec(request)?.groups).find((groups) => groups !== undefined)
  if (found === undefined) return null
  const { before = '', row = '', after = '' } = found
  const isVerb = /^ (?:wri|wro|rep|ans|sen|ges|gea|gem)/iu.test(after)
  const rest = isVerb ? after.trim().replace(/^\S+/, '') : after
  if (/\p{L}/u.test(readDates(rest, momentOf(parts)).rest.replace(ASIDE, ''))) return null
  const names = row.split(/\s*,\s*(?:(?:and|or|und|oder) )?|\s+(?:and|or|und|oder|&)\s+/iu)
  if (names.length > MOST) return null
  const one = before.replace(/have $/i, 'has ').replace(/haben $/i, 'hat ')
  const plans = names.map((name) => {
    // What only says that something came may be left out: "have I got something from Tom" is "anything from Tom".
    const ways = [after, after.replaceAll(ASIDE, '').trimEnd()]
    const read = ways.map((rest) => plannedAs(`${one}${name}${rest}`, parts, planOf))
    return read.find((plan) => isMailOf(plan, name)) ?? null
  })
  const all = plans.flatMap((plan) => plan ?? [])
  return all.length === plans.length ? joined(all) : null
}

function isMailOf(plan: Plan, name: string): boolean {
  const [first] = plan.steps
  if (first?.do !== 'tool' || !first.tool.startsWith('email.') || !isRead(plan)) return false
  return JSON.stringify(first.args).toLowerCase().includes(name.toLowerCase())
}
