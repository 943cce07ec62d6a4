/**
 * The plan that puts the appointment of a mail in the calendar, of the mail that was shown last or is named. Which mail it is, this says; what stands in it, no planner sees.
 * Must not take what another package showed since for a mail. Pure. Called by looking-back.ts, at home.
 */
import type { PromptParts } from '../../../../kernel/prompt/parts.ts'
import type { Plan } from '../../../../kernel/task/plan.ts'
import { wholeSentence } from '../../../extractors/message/message-learned.ts'
import { BOOKING } from '../../../tools/email/sentences/booking.ts'
import { unnamedPlan } from '../phrase-plan.ts'

/** Says that it is of a mail, whatever was shown. */
const OF_MAIL = /(?<!\p{L})(?:e-?)?mail|nachricht|message/iu

/** "Aus der Mail von Sarah", "aus Sarahs Mail": the mail that would be read. */
const IN_DATIVE = /^(?:der|dieser|seiner|ihrer) /iu
const OF_NAME = /^(?!the |that |this |die )(?<name>[a-zäöüß]{2,30})s (?<noun>mail|e-mail|email|nachricht)$/iu

const SENT_BY =
  /^(?:the|that) (?<noun>mail|email|e-mail|message) (?:that )?(?<name>.+?) (?:sent|wrote)(?: me)?$/iu

/** Null for any other message, and where it points at something that was no mail. */
export function mailedEvent(parts: PromptParts): Plan | null {
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
