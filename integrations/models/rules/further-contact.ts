/**
 * Plans a contact that is named only beside another: "and jo, jo@example.org" right behind one that was added, "save Mira's address" of the mail that was
 * shown. The first is as typed; the second asks on a card, as the address is another's. Pure. Passed to the planner by home.
 */
import { operationInMessage } from '../../../kernel/operations/commands.ts'
import type { PromptParts } from '../../../kernel/prompt/parts.ts'
import type { Plan } from '../../../kernel/task/plan.ts'
import { shownThings } from '../../tools/phrase.ts'
import { TOOL_PHRASES } from '../../tools/registered.ts'
import { fieldOf, numberOf } from './answers/content.ts'
import { resultsOf, shownRow } from './earlier/shown.ts'
import { plannedAs } from './parts/said-as.ts'
import { call, ref, steps } from './steps.ts'

type PlanOf = (parts: PromptParts) => Plan

/** UTF-16 units: requests are short. */
const LONGEST = 160
const NAME = "[\\p{L}][\\p{L}\\p{M}'’.-]*(?: [\\p{L}][\\p{L}\\p{M}'’.-]*){0,2}"
const MAIL = '[^\\s@,;:<>"()]{1,64}@[\\p{L}\\d][\\p{L}\\d.-]{0,252}[\\p{L}\\d]'
const FURTHER = new RegExp(
  `^(?:(?:and|und|also|auch|plus|add|noch|dann|then|please|bitte)[, ]+)+(?<name>${NAME})(?:,|:| at| with| mit)? <?(?<email>${MAIL})>?(?:,? (?:too|as well|auch|dazu|hinzu))*[\\s.!]*$`,
  'iu',
)
/** It goes to somebody: another request. */
const NO_NAME =
  /(?<!\p{L})(?:to|an|cc|bcc|mail|e-?mail|write|send|reply|forward|invite|schreib\p{L}*|schick\p{L}*|sende?|leite|lad\p{L}*|for|für|from|von|with|mit)(?!\p{L})/iu

/** Null for any other message. */
export function contactPlan(parts: PromptParts, planOf: PlanOf): Plan | null {
  if (parts.request.length > LONGEST) return null
  return further(parts) ?? ofWriter(parts, planOf)
}

/** Right behind one that was added, or behind another such one. */
function further({ request, history }: PromptParts): Plan | null {
  const { name = '', email = '' } = FURTHER.exec(request.trim())?.groups ?? {}
  if (email === '' || NO_NAME.test(name) || !isOfContact(history)) return null
  const said = (words: string) => {
    const at = request.lastIndexOf(words)
    return ref(`said.words[${at}][${at + words.length}]`)
  }
  return steps(call('s1', 'contact.add', { name: said(name), email: said(email) }))
}

/** The requests before it, from the newest: all of them further ones, up to one that added a contact. */
function isOfContact(history: readonly string[]): boolean {
  const first = history.map(asSaid).findLast((one) => !FURTHER.test(one))
  return first !== undefined && operationInMessage(first)?.operation.name === 'contacts.add'
}

/** A message of the history without the mark of one that an operation answered. */
export function asSaid(line: string): string {
  return line.replace(/^\(answered\):? /, '').trim()
}

const SAVES = new RegExp(
  `^(?:(?:please|bitte|and|und|ok|okay),? )*(?:(?:save|keep|add|store|note)(?: down)? (?<name>${NAME}?)(?:['’]s?|s) (?:e-?mail |mail )?address(?: (?:to|in|into|as a) (?:(?:my|the) )?contacts?)?|(?:speicher|merk|notier)e?(?: (?:dir|mir))? (?<german>${NAME}?)s (?:e-?mail-?|mail-?)?adresse(?: (?:als kontakt|in (?:meine|die) kontakte|in meinen kontakten))?)[\\s.!]*$`,
  'iu',
)
const WRITERS = shownThings(TOOL_PHRASES).flatMap((thing) =>
  thing.writer === undefined ? [] : [{ ...thing, writer: thing.writer }],
)

/** The address of whoever wrote what was shown last, where the name that is said is theirs: as by "save her address". */
function ofWriter(parts: PromptParts, planOf: PlanOf): Plan | null {
  const { name, german } = SAVES.exec(parts.request.trim())?.groups ?? {}
  if ((name ?? german) === undefined) return null
  const isTheirs = WRITERS.some(({ writer, ...thing }) => {
    const path = shownRow(thing, 'it', parts)
    const root = /^w\d+/.exec(path ?? '')?.[0]
    const index = /\[(\d+)\]$/.exec(path ?? '')?.[1]
    const result = resultsOf(thing.list, parts.metadata).find((one) => one.root === root)
    const row = index === undefined ? result?.fields : result?.rows[Number(index)]
    return row !== undefined && numberOf(fieldOf(row, writer.named), 'rank') !== null
  })
  const plan = isTheirs ? plannedAs('save her address', parts, planOf) : null
  return plan !== null && plan.steps.length > 0 ? plan : null
}
