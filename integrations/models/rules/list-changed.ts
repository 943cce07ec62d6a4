/**
 * Plans a change of an entry of the list: another thing in its place ("swap the bread for rolls"), or another amount ("make the milk 2 litres"), where the chat was about
 * the list, and a new list with its things. The entry goes and the new one comes; where there is no such entry, nothing comes. Pure. Passed to the planner by home.
 */

import { listIn } from '../../../kernel/features/reminders/lists.ts'
import { operationInMessage } from '../../../kernel/operations/commands.ts'
import type { PromptParts } from '../../../kernel/prompt/parts.ts'
import type { Argument, Plan } from '../../../kernel/task/plan.ts'
import { itemsOf } from '../../extractors/timed/items.ts'
import { asSaid } from './further-contact.ts'
import { call, steps } from './steps.ts'

/** UTF-16 units: requests are short. */
const LONGEST = 180
/** Requests of the chat that are looked back over. */
const LOOKED_BACK = 3
const LEAD = '^(?:(?:ok|okay|oh|ach|and|und|actually|no|nein|please|bitte|doch|dann|then|also),? )*'
const TAIL = '(?:,? (?:please|instead|bitte|doch|lieber|stattdessen|on the list|auf der liste))*[\\s.!]*$'
const THE = '(?:(?:the|my|our|die|der|den|das|dem) )?'
const SOME = '(?:(?:some|an?|eine?n?) )?'
const THING = "[\\p{L}][\\p{L}'’ -]{1,40}?"
const UNIT =
  '(?:lit(?:er|re)s?|l|ml|kilos?|kg|grams?|gramm?|g|packs?|packets?|packungen|packung|pakete?|päckchen|bottles?|flaschen?|cans?|dosen?|tins?|bags?|tüten?|beutel|boxes|box|kisten?|kästen|kasten|loaf|loaves|laibe?|stück|bunch(?:es)?|bund|gläser|glas|jars?|becher|bars?|tafeln?|rolls?|rollen?|pints?|dozen|pairs?|paar)'
const COUNT =
  '(?:\\d{1,4}(?:[.,]\\d)?|an?|one|two|three|four|five|six|ten|half an?|half a dozen|a couple of|eine?n?|zwei|drei|vier|fünf|sechs|zehn|ein paar|eine?n? halbe[nrs]?)'
const AMOUNT = `(?:${COUNT} ?${UNIT}|${COUNT} of (?:them|those)|x ?\\d{1,3}|\\d{1,3} ?x|\\d{1,3})`
const whole = (source: string): RegExp => new RegExp(`${LEAD}${source}${TAIL}`, 'iu')
/** Another thing in the place of one. */
const SWAPS = [
  `(?:swap|replace|change|switch|exchange) ${THE}(?<old>${THING}) (?:for|with|to|by|into) ${THE}${SOME}(?<thing>${THING})`,
  `(?:put|get|take|have) ${THE}${SOME}(?<thing>${THING}) (?:instead of|rather than) ${THE}(?<old>${THING})`,
  `${THE}(?<thing>${THING}) (?:instead of|rather than|statt) ${THE}(?<old>${THING})`,
  `(?:tausche?|ersetze?|wechsle|wechsel) ${THE}(?<old>${THING}) (?:gegen|durch|mit) ${THE}${SOME}(?<thing>${THING})(?: aus| ein)?`,
  `(?:statt|anstatt) ${THE}(?<old>${THING}) (?:lieber |besser |bitte |doch )*${THE}${SOME}(?<thing>${THING})`,
].map(whole)
/** Another amount of it. */
const AMOUNTS = [
  `(?:make|change) ${THE}(?<old>${THING}) (?:to |into )?(?<amount>${AMOUNT})`,
  `make (?:it|that) (?<amount>${AMOUNT}) of ${THE}(?<old>${THING})`,
  `(?<amount>${COUNT} ?${UNIT}) (?:of )?(?<old>${THING}) (?:draus|daraus)`,
  `mache? (?<amount>${COUNT} ?${UNIT}) (?<old>${THING}) (?:draus|daraus)`,
  `mache? (?:aus |bei )?${THE}(?<old>${THING}) (?:auf |lieber |bitte )*(?<amount>${AMOUNT})`,
].map(whole)
/** A time is no thing, nor is what somebody else has. */
const NO_THING =
  /(?<!\p{L})(?:it|that|this|them|everything|es|das|alles|(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|today|tomorrow|heute|morgen|meeting|reminder|event|mail|e-?mail|title|subject|time|place|termin|erinnerung|titel|betreff|ort|uhrzeit)(?!\p{L})/iu

/** Null for any other message, and where the chat was not about the list. */
export function listChange(parts: PromptParts): Plan | null {
  const { request } = parts
  if (request.length > LONGEST) return null
  const made = newList(request)
  if (made !== null || !isOfList(parts)) return made
  const found = [...SWAPS, ...AMOUNTS]
    .map((pattern) => pattern.exec(request.trim())?.groups)
    .find((groups) => groups !== undefined)
  const { old = '', thing, amount } = found ?? {}
  if (old === '' || NO_THING.test(old) || (thing !== undefined && NO_THING.test(thing))) return null
  const text = thing ?? `${old} (${amount})`
  return steps(call('s1', 'task.done', { text: old }), call('s2', 'task.add', { text, ...listOf(parts) }))
}

/** The list that was named last, where the chat named one; else the owner's own. */
function listOf({ history }: PromptParts): Readonly<Record<string, Argument>> {
  const name = history
    .slice(-LOOKED_BACK)
    .map(asSaid)
    .map((one) => listIn(one)?.name ?? newIn(one).name)
    .findLast((one) => one !== undefined)
  return name === undefined ? {} : { list: name }
}

const NEW = [
  '(?:make|start|create|set up|begin) (?:me )?(?:a|an|another) (?:new )?(?:list (?:called |named |for (?:the |my )?)?(?<name>[\\p{L}][\\p{L}-]{1,24})|(?<named>[\\p{L}][\\p{L} -]{1,24}?) list) (?:with|of|containing)(?: the)? (?<things>\\S.{1,120}?)',
  '(?:mache?|leg|lege|erstelle?|starte?) (?:mir |uns )?(?:ei)?ne?n? (?:neue )?(?:liste (?:namens |für (?:die |den |das )?)?(?<name>[\\p{L}][\\p{L}-]{1,24})|(?<named>[\\p{L}-]{3,24})(?<=liste)) (?:an )?mit (?<things>\\S.{1,120}?)(?: an)?',
].map(whole)

/** "Make a list called packing with tent and torch": each thing on it. */
function newList(request: string): Plan | null {
  const { name, things } = newIn(request)
  if (name === undefined || things.length === 0) return null
  return steps(...things.map((text, at) => call(`s${at + 1}`, 'task.add', { text, list: name })))
}

function newIn(request: string): { readonly name: string | undefined; readonly things: readonly string[] } {
  const found = NEW.map((pattern) => pattern.exec(request.trim())?.groups).find((one) => one !== undefined)
  return { name: found?.['name'] ?? found?.['named'], things: itemsOf(found?.['things'] ?? '') }
}

/** What was done last, or what was asked for just before, is of the list; a card that waits is meant before it. */
function isOfList({ metadata, history }: PromptParts): boolean {
  if (metadata.some(({ root }) => /^q\d+$/.test(root))) return false
  const last = metadata.find(({ root }) => root === 'w1')?.action ?? ''
  return (
    last.startsWith('task.') ||
    history.slice(-LOOKED_BACK).some((one) => {
      const name = operationInMessage(asSaid(one))?.operation.name
      return name === 'reminders.tasks' || name === 'reminders.done'
    })
  )
}
