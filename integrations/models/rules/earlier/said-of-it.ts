/**
 * Plans what is said of the thing before it in words that no sentence has: "mach 16 Uhr draus" is a time for what waits or was just booked, "merk dir die Mail für
 * Donnerstag" a reminder of what was shown. Must not know a tool but by the plan that comes of it. Passed to the planner by home.
 */
import type { PromptParts } from '../../../../kernel/prompt/parts.ts'
import type { Plan } from '../../../../kernel/task/plan.ts'
import { plannedAs } from '../parts/said-as.ts'

type PlanOf = (parts: PromptParts) => Plan

const TIME =
  '(?:\\d{1,2}[:.]\\d\\d(?: uhr)?|(?:\\d|halb |viertel |dreiviertel |kurz |mittag|ein?s? uhr|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|heute|morgen|übermorgen|nächste[nr]? |\\p{L}+tag(?!\\p{L})|mittwoch)(?:(?!stunden?|minuten?|tage|wochen?|termine?|mails?)[^,;:?!]){0,30}?)'
const OUT_OF_IT = new RegExp(
  `^(?:(?:und|dann|ach|nein|nee|doch|lieber|bitte|ok)[\\s,]+)*mache?(?: (?:mal|bitte|doch|lieber|da|einfach|gleich))*(?: (?:um|auf))? (?:(?<time>${TIME}) (?:draus|daraus)|(?:draus|daraus)(?: (?:lieber|bitte|doch|um|auf))* (?<behind>${TIME}))(?: bitte)?[\\s.!]*$`,
  'iu',
)

/** Null for any other message. */
export function outOfIt(parts: PromptParts, planOf: PlanOf): Plan | null {
  const { time: before, behind } = OUT_OF_IT.exec(parts.request)?.groups ?? {}
  const time = before ?? behind
  // Of a card the message is read as it was typed, so that its time stays the owner's.
  const waits = parts.metadata.some(({ root }) => /^q\d+$/.test(root))
  return time === undefined || waits ? null : plannedAs(`make it ${time}`, parts, planOf)
}

const KEPT_FOR =
  /^(?:please )?(?:remember|keep|save|note|hold) (?<thing>(?:this|that|the) \p{L}+|it|this|that) (?:for|until|till|on) (?:on )?(?<day>\S[^,;:?!]{1,40}?)[\s.!]*$|^(?<de>merke?|notiere?|behalte?|speichere?)(?: dir| mir)?(?: bitte| mal)? (?<ding>(?:die|den|das|diese[ns]?) \p{L}+|sie|ihn|es|das) (?:für|bis|am|zum)(?: den)? (?<tag>\S[^,;:?!]{1,40}?)[\s.!]*$/iu

/** Null for any other message, and where nothing was shown that it could be of. */
export function keptFor(parts: PromptParts, planOf: PlanOf): Plan | null {
  const kept = KEPT_FOR.exec(parts.request)?.groups
  if (kept === undefined) return null
  const said =
    kept['de'] === undefined
      ? `remind me on ${kept['day']} of ${kept['thing']}`
      : `erinnere mich am ${kept['tag']} an ${kept['ding']}`
  const plan = plannedAs(said, parts, planOf)
  return plan.steps.some((step) => step.do === 'tool' && step.tool === 'reminder.about') ? plan : null
}
