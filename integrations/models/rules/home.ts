/**
 * The additional rules of home. Must not be bundled for the edge, whose bundle has a size limit. Called by
 * sidecar/home/powers.ts and by the measure of phrasings.
 */
import { operationInMessage } from '../../../kernel/operations/commands.ts'
import type { SaidPlainly, SayPlainly } from '../../../kernel/powers/tier-port.ts'
import type { Plan } from '../../../kernel/task/plan.ts'
import { createZone } from '../../dates/zone.ts'
import { askedOfSelf } from '../../extractors/message/asked-of-self.ts'
import { asksClash, lastAskedIn } from '../../extractors/message/message-event.ts'
import { spelled } from '../../extractors/message/message-spelling.ts'
import { spokenAgain } from '../../extractors/message/message-spoken.ts'
import { planInAccount } from './accounts/named-account.ts'
import { attachedMail } from './attached-mail.ts'
import { withLeftOut } from './checks/left-out.ts'
import { askedOfShown } from './earlier/asked-of-shown.ts'
import { beforeReason } from './earlier/before-reason.ts'
import { LOOKS_BACK } from './earlier/looking-back.ts'
import { moreEvents } from './earlier/more-events.ts'
import { ofEvent } from './earlier/of-event.ts'
import { ofShownEvent, ofWaitingEvent } from './earlier/of-shown-event.ts'
import { keptFor, outOfIt } from './earlier/said-of-it.ts'
import { namedEvent } from './event-named.ts'
import { factAndRest } from './fact-and-rest.ts'
import { freeWith } from './free-with.ts'
import { fromSeveral } from './from-several.ts'
import { contactPlan } from './further-contact.ts'
import { withFurtherPeople } from './further-people.ts'
import type { HomeRules } from './home-rules.ts'
import { listChange } from './list-changed.ts'
import { askedInGerman } from './parts/asked-german.ts'
import { operationByParts, planByParts, unsurePlan } from './parts/by-parts.ts'
import { quietAsked } from './parts/quiet-asked.ts'
import { planPutRight } from './parts/repaired.ts'
import { planOfParts } from './planner.ts'
import { ofMany } from './plural.ts'
import { notThrownAway } from './put-away.ts'
import { furtherReminder } from './reminders/further-one.ts'
import { withThingBefore } from './reminders/of-before.ts'
import { severalThings } from './reminders/several-things.ts'
import { askingPlan, writtenPlan } from './written-german.ts'

export const HOME_RULES: HomeRules = {
  ...LOOKS_BACK,
  spell: spelled,
  asking: askingPlan,
  written: (plan, parts, planOf) => askedOfShown(writtenPlan(plan, parts, planOf), parts),
  back: (parts) =>
    factAndRest(parts) ??
    beforeReason(parts, (asked) => LOOKS_BACK.back(asked) ?? planOfParts(asked)) ??
    fromSeveral(parts, planOfParts) ??
    ofEvent(parts, planOfParts) ??
    severalThings(parts) ??
    furtherReminder(parts) ??
    ofWaitingEvent(parts, planOfParts) ??
    ofShownEvent(parts) ??
    moreEvents(parts, planOfParts) ??
    attachedMail(parts) ??
    freeWith(parts, planOfParts) ??
    contactPlan(parts, planOfParts) ??
    listChange(parts) ??
    made(outOfIt(parts, planOfParts)) ??
    LOOKS_BACK.back(parts),
  byParts: (parts, sentences) => outOfIt(parts, sentences.planOf) ?? planByParts(parts, sentences),
  many: (plan, request) => notThrownAway(ofMany(plan, request), request),
  each: withFurtherPeople,
  event: namedEvent,
  leftOut: (plan, parts) => withLeftOut(withThingBefore(plan), parts),
  ofEvents: (request) => ({ clash: asksClash(request), last: lastAskedIn(request) ?? '' }),
  unsure: unsurePlan,
  putRight: (parts, planOf) => keptFor(parts, planOf) ?? planPutRight(parts, planOf),
  inAccount: planInAccount,
}

/** Null as well for a plan of nothing. */
function made(plan: Plan | null): Plan | null {
  return plan !== null && plan.steps.length > 0 ? plan : null
}

/** The operation that a message asks for in words that no sentence has, and a plain sentence of it. */
export const sayPlainly: SayPlainly = (text, { now, timezone }) => {
  const moment = { now, zone: createZone(timezone) }
  const said = askedOfSelf(text) ?? askedInGerman(text) ?? quietAsked(text) ?? operationByParts(text, moment)
  const again = said === null ? spokenAgain(text) : null
  return again === null
    ? said
    : (askedInGerman(again) ?? spelledOut(again) ?? operationByParts(again, moment))
}

/** "Wie spät is es": an operation's own sentence, but for how it was typed. */
function spelledOut(again: string): SaidPlainly | null {
  const name = operationInMessage(again)?.operation.name
  return name === undefined ? null : { operation: name, sentence: again }
}
