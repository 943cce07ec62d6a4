/**
 * The answer to a message that was not understood or that nothing can do: the unread part as typed, and the
 * nearest ability. Small talk has its own answers. Must not plan. Called by answer.ts.
 */
import type { PromptParts, ToolCard } from '../../../../kernel/prompt/parts.ts'
import { type Saying, tell } from '../../../../kernel/wording/words.ts'
import { likelyOf } from '../../../extractors/learned/likely.ts'
import { type NotUnderstood, notUnderstood } from '../../../extractors/message/message-learned.ts'
import { momentOf } from '../several.ts'
import * as words from '../words.ts'
import { abilities, toolOf } from './help.ts'
import { nameOf } from './self.ts'
import { line } from './text.ts'

/** `reason`: what is said where no more is known. `code`: why the plan is empty. */
export function declined(reason: string, code: string, parts: PromptParts): string {
  if (words.GREETS(parts.request.slice(0, TALK_MOST), nameOf(parts))) return words.GREETING()
  const talk = smallTalk(parts.request)
  if (talk !== null) return talk
  const why = code === 'not_understood' ? notUnderstood(parts.request, momentOf(parts)) : null
  const lacking = why?.lacking ?? null
  const left = why === null ? null : unreadIn(parts.request, why.left)
  const said =
    lacking !== null
      ? words.CANNOT(lacking, line(parts.request, LEFT_MAX))
      : left === null
        ? reason
        : words.NOT_UNDERSTOOD(line(left, LEFT_MAX))
  if (lacking === null && TAKES_BACK.test(parts.request.slice(0, TALK_MOST)))
    return [said, words.NEAREST(tell('rules.can_take_back')), words.ASK_HELP()].join('\n')
  const near = lacking === null ? likelyIn(parts, why) : words.NEAR_IN_MEANING(lacking)
  const card = nearest(near, parts.tools)
  const can = card === null ? [] : [words.NEAREST((abilities([card])[0] ?? '').replace(/^- /, ''))]
  return [said, ...can, ...offered(card, lacking, parts), words.ASK_HELP()].join('\n')
}

/** Most characters of the words that were not understood. */
const LEFT_MAX = 60
/**
 * Characters of a word that says something by itself; shorter ones, such as "if", are none that a person can
 * put in another way.
 */
const LEAST_WORD = 4

/**
 * The longest stretch of a message whose words were not understood, as it was typed; one understood word may
 * stand between two of them. Null where it is the whole message, or a short word: then it tells the owner
 * nothing.
 */
export function unreadIn(request: string, left: readonly string[]): string | null {
  const unread = new Set(left.map(folded))
  const all = [...request.matchAll(WORD)].map(({ 0: word, index }) => ({
    word,
    index,
    end: index + word.length,
  }))
  const runs: { from: number; to: number; count: number }[] = []
  for (const [at, { word, index }] of all.entries()) {
    if (!unread.has(folded(word))) continue
    const last = runs.at(-1)
    const isNear = last !== undefined && at - last.to <= 2
    if (isNear && !CLOSES.test(request.slice(all[last.to]?.end, index))) {
      last.to = at
      last.count += 1
    } else runs.push({ from: at, to: at, count: 1 })
  }
  const [longest] = runs.toSorted((one, other) => other.count - one.count)
  if (longest === undefined) return null
  const said = request.slice(all[longest.from]?.index, all[longest.to]?.end)
  const isWhole = longest.to - longest.from + 1 === all.length
  if (all.length === 1) return said
  return isWhole || (longest.count === 1 && said.length < LEAST_WORD) ? null : said
}

const WORD = /[\p{L}\p{N}]+(?:['’.@-][\p{L}\p{N}]+)*/gu
/** Between two words, where a sentence or a clause ends. */
const CLOSES = /[.!?;:,\n]/

function folded(word: string): string {
  return word
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]/gu, '')
}

/** Characters of a message that can be small talk, or asks to take back what was done. */
const TALK_MOST = 120
const TAKES_BACK =
  /(?<!\p{L})(?:undo|revert|(?:take|bring|put|get) (?:it|that|this|them|those) back|rückgängig|zurücknehmen|zurückholen|(?:nimm|hol|mach) (?:es|das|sie|ihn) (?:wieder )?(?:zurück|rückgängig))(?!\p{L})/iu

/** Whole messages that ask for nothing which could be done. */
const TALK: readonly (readonly [RegExp, Saying])[] = [
  [
    /^(?:(?:please|can you|could you|kannst du|bitte|mir|me|tell|erzähl\p{L}*|a|another|one|mal|einen|noch|know|any|do you|kennst du|good|guten)\s+)*(?:jokes?|witze?)$/iu,
    'rules.chat_joke',
  ],
  [
    /^(?:(?:and|but|so|und|aber|ja|oh)\s+)*(?:why|how come|wieso|warum|weshalb)(?:\s+(?:not|is that|that|so|do you ask|did you ask|are you asking|nicht|das|denn|denn das|fragst du|ist das so))*$/iu,
    'rules.chat_why',
  ],
  [
    /^(?:(?:h[äa]h?|huh|hm+|what|eh|was|wie bitte|pardon|sorry|oh)\s*)*(?:(?:i\s+)?(?:do ?n[o']?t|did ?n[o']?t)\s+(?:get|understand)(?:\s+(?:it|that|this|you))?|what d(?:o|id) you mean(?:\s+by that)?|(?:das\s+)?(?:versteh|verstehe|kapier|kapiere)\s+ich\s+nicht|(?:ich\s+)?(?:versteh|verstehe|kapier|kapiere)\s+(?:(?:das|dich|es)\s+)?nicht|was (?:meinst du|hei(?:ß|ss)t das|soll das|soll das hei(?:ß|ss)en)(?:\s+damit)?)$/iu,
    'rules.chat_puzzled',
  ],
  [/^(?:h[äa]h?|huh|hm+|eh|wie bitte|pardon|was|what)$/iu, 'rules.chat_puzzled'],
  [
    /^(?=.*(?:sorry|apolog|my bad|leid|entschuldig|verzeih))(?:(?:oh|ok|okay|ah|no|and|but|und|aber|so|very|i'?m|i am|thanks|thank you|danke|sorry|apologies|my bad|(?:es )?tut mir leid|entschuldig\p{L}*|verzeih\p{L}*|about|for|that|this|it|dafür|das|bitte|my|mistake|mein fehler)\s*)+$/iu,
    'rules.chat_sorry',
  ],
]

function smallTalk(request: string): string | null {
  const said = request
    .slice(0, TALK_MOST)
    .replace(/[’]/gu, "'")
    .replace(/[\s,.;:!?]+/gu, ' ')
    .trim()
  const found = TALK.find(([pattern]) => pattern.test(said))
  return found === undefined || request.length > TALK_MOST ? null : tell(found[1])
}

/** How likely the request must be of what is offered in its place, and of what takes something away. */
const LEAST_NEAR = 0.4
const LEAST_TAKING = 0.5
const TAKES_AWAY =
  /^calendar\.(?:delete_event|answer_invitation)$|^cloudflare\.|\.(?:delete|spam|unsubscribe|forget)$/
/** The same of all that its service can do. */
const LEAST_FAMILY = 0.5

/** What the request is likely of; a tool that is as good as any other is no help. */
function likelyIn(parts: PromptParts, why: NotUnderstood | null): readonly string[] {
  const likely = likelyOf(parts.request, momentOf(parts))
  const family = (label: string): string => label.replace(/[._].*$/, '')
  const share = (label: string): number =>
    likely.reduce((sum, one) => sum + (family(one.label) === family(label) ? one.score : 0), 0)
  const scoreOf = (label: string): number =>
    Math.max(0, ...likely.filter((one) => one.label === label).map(({ score }) => score))
  const isNear = (label: string): boolean =>
    TAKES_AWAY.test(label)
      ? scoreOf(label) >= LEAST_TAKING
      : scoreOf(label) >= LEAST_NEAR || share(label) >= LEAST_FAMILY
  const all = [...(why?.nearest ?? []), ...likely.map(({ label }) => label)].filter(isNear)
  // What was said before is looked up for a question: nothing else comes near to it.
  return ASKS.test(parts.request) ? all : all.filter((label) => !RECALLS.test(label))
}

const ASKS =
  /\?\s*$|^\s*(?:(?:and|und|hey|ok|so|also)\s+)?(?:what|who|when|where|which|how|do|does|did|was|wer|wen|wem|wann|wo|welche\p{L}*|wie|weißt|erinnerst)(?!\p{L})/iu
const RECALLS = /^(?:else:)?memory[._]search$/

/** What the owner could do about it (I-39). Nobody else hears of what is not connected. */
function offered(
  card: ToolCard | null,
  lacking: string | null,
  { audience, tools }: PromptParts,
): readonly string[] {
  if (audience !== 'owner') return []
  const { credential, connect } = card?.unconnected === true ? (toolOf(card.id) ?? {}) : {}
  if (connect !== undefined && typeof credential === 'string')
    return [words.CONNECT_FIRST(connect.title, credential)]
  const isOpen =
    lacking !== null && words.OF_A_SERVICE(lacking) && tools.some(({ called }) => called !== undefined)
  return isOpen ? [words.NAME_ONE()] : []
}

/** The nearest tool that is offered here. */
function nearest(ids: readonly string[], tools: readonly ToolCard[]): ToolCard | null {
  const own = ids.map((id) => id.replace(/^(?:else:)?memory_/, 'memory.').replace(/^else:/, ''))
  const near = own.flatMap((id) => tools.filter((tool) => tool.id === id))
  return near.find(({ id }) => !words.SILENT_TOOLS.includes(id)) ?? null
}
