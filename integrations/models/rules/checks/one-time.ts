/**
 * What a reminder or an appointment of one time does not do: come again, or come to somebody else. Pure; must not plan. Called by unmeant.ts.
 */
import type { Plan } from '../../../../kernel/task/plan.ts'
import { saysOften } from '../../../extractors/timed/repeat-words.ts'

/** "Remind Tom to call me": a reminder comes to the owner alone. */
export function remindsAnother(request: string): boolean {
  const who = REMINDED.exec(request)?.groups
  const first = (who?.['en'] ?? who?.['de'] ?? '').toLowerCase()
  return ALSO_REMINDED.test(request) || (first !== '' && !NOBODY.has(first))
}

const REMINDED =
  /(?<!\p{L})(?:remind (?<en>\p{L}+)(?: [\p{Lu}]\p{L}+)? (?:to|about|of|that|at|on|tomorrow|tonight)|erinner(?:e|st du)? (?:bitte |mal |doch )*(?<de>\p{L}+)(?: [\p{Lu}]\p{L}+)? (?:um|an|daran|dran|dass|morgen|heute|am))(?!\p{L})/iu
const ALSO_REMINDED =
  /(?<!\p{L})(?:remind (?:me|us) (?:and|&) (?!to |tell |let )\p{L}+ (?:to|about|of|that|at|on)|erinner(?:e|st du)? (?:mich|uns) (?:und|&) (?!sag)\p{L}+ (?:um|an|daran|dran|dass|morgen|heute|am))(?!\p{L})/iu
/** The owner, and what stands there without anybody. */
const NOBODY = new Set(
  (
    'me us myself you tomorrow today tonight later again at in on about of to every daily next this before after when if once monday tuesday wednesday thursday ' +
    'friday saturday sunday mich uns mir ich bitte morgen heute übermorgen um am an in im zum zur dran daran doch mal nochmal noch dann jeden jede täglich ' +
    'montag dienstag mittwoch donnerstag freitag samstag sonntag wieder später bald wenn nicht vor nach'
  ).split(' '),
)

/** Kept or booked for one time, where the message says that it comes again. */
export function isOnceOfMany({ steps: own }: Plan, request: string): boolean {
  const calls = own.flatMap((step) => (step.do === 'tool' ? [step] : []))
  const isRead = calls.some(({ args }) => args['repeat'] !== undefined)
  return !isRead && calls.some(({ tool }) => ONCE.has(tool)) && saysOften(request)
}

/** Actions at one time, unless they say how often. */
const ONCE: ReadonlySet<string> = new Set([
  'reminder.set',
  'calendar.create_event',
  'email.send_later',
  'email.reply_later',
  'email.forward_later',
])
