/**
 * Several things that are named by their words and in the plural: "mark my work mails as read" is of each of them, and not of the newest. Changes only a plan that
 * looks up a list, takes the first row with these words, and does something with it that takes several. Must not read a message. Passed to the planner by home.
 */
import type { Json } from '../../../kernel/flow/json.ts'
import type { Plan, Step } from '../../../kernel/task/plan.ts'

const MANY = '(?:mails|emails|e-mails|messages|letters|nachrichten|e-?mails)'
/** What comes again and again, by its name in the plural. */
const KINDS =
  /(?<!\p{L})(?:newsletters|mailings|notifications|alerts|receipts|invoices|bills|digests|adverts|promotions|invitations|invites|reports|statements|updates|rundmails|rundbriefe|benachrichtigungen|rechnungen|werbemails|einladungen)$/iu
/** Which of several is said by their state, their place or their number: their words alone do not tell. */
const OTHERWISE =
  /(?<![\p{L}\d])(?:unread(?! *[.!]*$)|new|newest|latest|last|first|second|third|next|old|older|oldest|recent|one|two|three|four|five|six|\d+|ungelesenen?(?= \p{L})|neue[nrs]?|neueste[nrs]?|letzte[nrs]?|alten?|erste[nrs]?|zweite[nrs]?|zwei|drei|vier|fünf)(?![\p{L}\d])/iu

/** They stand around the words that are looked for, and in no mail. */
const FROM = new RegExp(
  `^${MANY} (?:from|about|by|von|vom|über|wegen|zu) (?:(?:the|my|der|dem|den|die) )?`,
  'iu',
)
const MAILS = new RegExp(`[ -]${MANY}$`, 'iu')

/** `request`: as typed. The same plan where one thing is meant. */
export function ofMany(plan: Plan, request: string): Plan {
  const [list, chosen, does, ...more] = plan.steps
  if (more.length > 0 || list?.do !== 'tool' || chosen?.do !== 'select' || does?.do !== 'tool') return plan
  const taken = Object.entries(does.args).find(([, value]) => isOnlyOf(value, chosen.id))
  if (taken === undefined || chosen.take !== 'first' || typeof chosen.matching !== 'string') return plan
  if (!namesMany(request, chosen.matching)) return plan
  const [name, [ref]] = [taken[0], taken[1] as readonly Json[]]
  const all = { ...does, args: { ...does.args, [name]: ref } } as Step
  const matching = chosen.matching.replace(FROM, '').replace(MAILS, '')
  return { ...plan, steps: [list, { ...chosen, matching, take: 'all' }, all] as Plan['steps'] }
}

/** `[{ $ref: 's2.id' }]`. */
function isOnlyOf(value: unknown, step: string): boolean {
  if (!Array.isArray(value) || value.length !== 1) return false
  const path: unknown = Reflect.get(Object(value[0]), '$ref')
  return typeof path === 'string' && path.startsWith(`${step}.`)
}

function namesMany(request: string, words: string): boolean {
  const name = words.trim().replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  if (name === '' || OTHERWISE.test(request)) return false
  const after = new RegExp(`(?<!\\p{L})${name}[ -]${MANY}(?!\\p{L})`, 'iu')
  const before = new RegExp(
    `(?<!\\p{L})${MANY} (?:from|about|by|von|vom|über|wegen|zu) (?:(?:the|my|der|dem|den|die|meiner|meinem) )?${name}(?!\\p{L})`,
    'iu',
  )
  const isOfSeveral = FROM.test(words.trim()) || MAILS.test(words.trim())
  return isOfSeveral || after.test(request) || before.test(request) || KINDS.test(words.trim())
}
