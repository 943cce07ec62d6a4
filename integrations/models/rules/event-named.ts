/**
 * The title and place of an event that is planned: "at Luigi's" and "im goldenen Hirsch" are its place wherever they stand, "all
 * day" is no part of a title, and a meeting with somebody is called so. Must not change when it is, or who comes. Passed to the
 * planner by home.
 */
import type { PromptParts } from '../../../kernel/prompt/parts.ts'
import type { Argument, Plan, ToolStep } from '../../../kernel/task/plan.ts'
import { readDates } from '../../dates/read.ts'
import { typedOf } from './said.ts'
import { momentOf } from './several.ts'

const CREATE = 'calendar.create_event'
/** UTF-16 units: requests are short. */
const LONGEST = 300
/** Words of a place. */
const MOST_WORDS = 6

/** Before a place. "In" alone says it of a room or of what has a number. */
const PLACED =
  /(?<![\p{L}\d])(?:at(?: the)?|@|im|in (?:der|dem|den|the)|auf (?:der|dem)|an der|am(?= \p{Lu})|in(?= (?:room|raum|saal|halle|hall|building|gebäude)(?!\p{L}))) (?<place>[\p{L}\d][^,;:!?()"\n]*)/giu
/** Where it ends, before what else is said, or where the time stood. */
const ENDS =
  /\s{2,}|\s(?:with|mit|and|und|for|für|to|zu|um|zum|zur|bis|von|vom|from|about|wegen|über|as|als|because|weil|then|dann|at|on|am|next|every|jede[nrs]?|until|till|invite|lad)(?!\p{L})/iu
const BEHIND =
  /(?:[\s.,]+|\s(?:ein|eintragen|einplanen|rein|please|pls|bitte|in|on|my|calendar|kalender|too|auch|again|wieder))+$/iu
/** Such words name no place. */
const NO_PLACE =
  /^(?:(?:the|der|dem|den) )?(?:(?:latest|earliest|least|most|last|first|once|all|noon|midnight|night|lunch(?:time)?|dinner(?:time)?|risk|scale|moment|morning|afternoon|evening|weekend|week|month|year|team|rahmen|detail|auftrag|namen|voraus|anschluss|moment|ernst|griff|urlaub|januar|jänner|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember|früh\p{L}*|vormittag|nachmittag|abend|morgen|mittag|nacht|woche|wochenende|monat|jahr|calendar|kalender|diary)(?!\p{L})|\d)/iu
const ALL_DAY =
  /[\s,]*(?<!\p{L})(?:(?:den|der|einen) ganzen tag|ganzer tag|ganztägig|ganztags|all[- ]day|(?:the |for the )?(?:whole|entire) day)(?!\p{L})[\s,]*/iu
/** The last of its days is left in the title: "Urlaub bis 18.12". */
const SECOND_DAY =
  /(?<=\S)[\s,]+(?:bis|to|until|till|through|–|-)\s*(?:zum |the )?\d{1,2}(?:[./][\d./]*|st|nd|rd|th)?$/iu
/** What is had with somebody. */
const KIND =
  /(?<kind>(?<!\p{L})(?:meeting|treffen|termin|gespräch|besprechung|telefonat|call|date|essen|mittagessen|abendessen|frühstück|kaffee|lunch|dinner|coffee|drinks|sync)) (?<with>mit|with) $/iu

/** The same plan where one event is not all that is made, or its title is no text of the message. */
export function namedEvent(plan: Plan, parts: PromptParts): Plan {
  const made = plan.steps.filter((step): step is ToolStep => step.do === 'tool' && step.tool === CREATE)
  const [only, ...others] = made
  const title = only === undefined ? null : titleOf(only.args['title'], parts)
  if (only === undefined || title === null || others.length > 0 || parts.request.length > LONGEST) return plan
  const moment = momentOf(parts)
  const { rest, span } = readDates(parts.request, moment)
  if (span?.named === 'days' && SECOND_DAY.test(title)) {
    const days = { from: moment.zone.iso(span.from), to: moment.zone.iso(span.to) }
    const args = { ...only.args, ...days, title: capital(title.replace(SECOND_DAY, '')) }
    return { ...plan, steps: plan.steps.map((step) => (step === only ? { ...only, args } : step)) }
  }
  const found = only.args['location'] === undefined ? placeIn(rest) : null
  const bare = (found === null ? title : without(title, found)).replace(ALL_DAY, ' ').trim()
  const named = bare === '' ? title : withKind(bare, rest)
  const place = found !== null && bare !== '' && !isWhole(named, found) ? { location: found } : {}
  if (named === title && !('location' in place)) return plan
  const args = { ...only.args, title: capital(named), ...place }
  return { ...plan, steps: plan.steps.map((step) => (step === only ? { ...only, args } : step)) }
}

/** Null for a title that is no text of the message, such as the subject of a mail. */
function titleOf(title: Argument | undefined, parts: PromptParts): string | null {
  if (typeof title === 'string') return title
  const path = typeof title === 'object' && title !== null && '$ref' in title ? String(title.$ref) : ''
  if (path === 'said.topic') return typedOf(parts).topic || null
  const span = /^said\.(?:words|sentence)\[(\d+)\]\[(\d+)\]$/.exec(path)
  return span === null ? null : parts.request.slice(Number(span[1]), Number(span[2]))
}

/** The last words of the message that say a place; null where none do. */
function placeIn(rest: string): string | null {
  for (const found of [...rest.matchAll(PLACED)].toReversed()) {
    const said = found.groups?.['place'] ?? ''
    const end = said.search(ENDS)
    const place = (end < 0 ? said : said.slice(0, end)).replace(BEHIND, '').trim()
    if (place.length < 2 || NO_PLACE.test(place) || place.split(/\s+/).length > MOST_WORDS) continue
    return place
  }
  return null
}

/** Before a place in a title, whatever stood there in the message. */
const LEADS = '(?:(?:at(?: the)?|@|im|in(?: der| dem| den| the)?|auf (?:der|dem)|an der|am) )?'

/** The title without the place, whatever marks are between its words. */
function without(title: string, place: string): string {
  const words = place.match(/[\p{L}\p{N}@’']+/gu) ?? []
  const pattern = words.join('[^\\p{L}\\p{N}]+')
  return title
    .replace(new RegExp(`[\\s,]*(?<![\\p{L}\\p{N}])${LEADS}${pattern}(?![\\p{L}\\p{N}])[\\s.,]*`, 'iu'), ' ')
    .trim()
}

/** Nothing else names it. */
function isWhole(title: string, place: string): boolean {
  return title.toLowerCase() === place.toLowerCase()
}

/** "Tom" of "Meeting mit Tom" alone tells of no meeting. */
function withKind(title: string, rest: string): string {
  const at = rest.toLowerCase().indexOf(title.toLowerCase())
  const { kind, with: joins } = (at < 0 ? null : KIND.exec(rest.slice(0, at)))?.groups ?? {}
  return kind === undefined ? title : `${kind} ${joins} ${rest.slice(at, at + title.length)}`
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
