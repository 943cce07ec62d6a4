/**
 * Plans that put an appointment from a mail into the calendar: the mail that was shown last, or one that the
 * message names. The plan only says which mail; no planner sees its content. Returns null if something else
 * was shown since. Pure. Called by looking-back.ts, at home.
 */
import type { PromptParts } from '../../../../kernel/prompt/parts.ts'
import type { Plan } from '../../../../kernel/task/plan.ts'
import { wholeSentence } from '../../../extractors/message/message-learned.ts'
import { calendarIn } from '../../../extractors/message/message-taken.ts'
import { BOOKING } from '../../../tools/email/sentences/booking.ts'
import { unnamedPlan } from '../phrase-plan.ts'

/** The message says that it is about a mail, whatever was shown before. */
const OF_MAIL = /(?<!\p{L})(?:e-?)?mail|nachricht|message/iu

/**
 * "Aus der Mail von Sarah" and "aus Sarahs Mail" are brought into the form of a request to read that mail.
 */
const IN_DATIVE = /^(?:der|dieser|seiner|ihrer) /iu
const OF_NAME = /^(?!the |that |this |die )(?<name>[a-zäöüß]{2,30})s (?<noun>mail|e-mail|email|nachricht)$/iu

const SENT_BY =
  /^(?:the|that) (?<noun>mail|email|e-mail|message) (?:that )?(?<name>.+?) (?:sent|wrote)(?: me)?$/iu

/** Null for any other message, and if it refers to something that is no mail. */
export function mailedEvent(parts: PromptParts): Plan | null {
  const own = asMailed(parts)
  const calendar = own === null ? calendarIn(parts.request) : null
  if (calendar === null) return own
  // "Put that in my work calendar": as without its name, and then into that one.
  const plan = asMailed({ ...parts, request: unnamed(parts.request, calendar) })
  const steps = plan?.steps.map((step) =>
    step.do === 'tool' && step.tool === 'calendar.create_event'
      ? { ...step, args: { ...step.args, calendar } }
      : step,
  )
  return plan === null || steps === undefined ? null : { ...plan, steps }
}

/** The request without the name of the calendar: "in my calendar", "in meinen Kalender". */
function unnamed(request: string, calendar: string): string {
  const name = calendar.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  return request
    .replace(new RegExp(`(?<=\\b(?:the|my|our) )${name} (?=calendar|diary)`, 'iu'), '')
    .replace(new RegExp(`(?<!\\p{L})${name}(?!\\p{L})`, 'u'), (found) =>
      /kalender$/iu.test(found) ? 'Kalender' : found,
    )
    .replace(/(?<!\p{L})im Kalender(?= ein)/u, 'in den Kalender')
}

function asMailed(parts: PromptParts): Plan | null {
  const found = wholeSentence([BOOKING], parts.request)
  if (found === null) return null
  const { of_mail: mail, ...taken } = found.taken
  const thing = mail
    ?.replace(IN_DATIVE, 'die ')
    .replace(OF_NAME, 'die $<noun> von $<name>')
    .replace(SENT_BY, 'the $<noun> from $<name>')
  const plan = unnamedPlan(found.phrase, thing === undefined ? taken : { ...taken, thing }, parts)
  return plan.steps.length > 0 || OF_MAIL.test(parts.request) ? plan : null
}
