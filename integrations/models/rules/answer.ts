/**
 * Answers of the rules model: results first, then what failed, within the sink's length. Every claim is based on a result; without
 * any, it says so (C-25, Q-19). Called by model.ts.
 */
import type { Json } from '../../../kernel/flow/json.ts'
import type { ContentView, PromptParts, ToolCard } from '../../../kernel/prompt/parts.ts'
import { actionWords, askedFor, TOOL_PHRASES } from '../../tools/registered.ts'
import { createClock } from './clock.ts'
import { stringsOf } from './content.ts'
import { factSaved, factsFound } from './knowledge.ts'
import { type Said, saidOf, type Telling, typedOf } from './said.ts'
import { nameOf, recentOf, setUpOf } from './self.ts'
import { bound, clean, line, quote } from './text.ts'
import { toldBy } from './told.ts'
import { troubleWords } from './troubles.ts'
import * as words from './words.ts'

/** Most lines of a result of unknown shape. */
const PLAIN_ROWS = 40

export function answerFor(parts: PromptParts): string {
  const explained = explanationOf(parts)
  const results = resultsOf(parts)
  const troubles = troubleWords(parts.troubles, { explained: explained !== null, audience: parts.audience })
  const tail = [...troubles, ...(explained === null ? [] : [explained])].join('\n')
  const room = parts.output.maxChars - (tail === '' ? 0 : tail.length + 2)
  const head = bound(results.join('\n\n'), Math.max(room, 0), words.CUT)
  const said = [head, tail].filter((part) => part !== '').join('\n\n')
  return bound(said === '' ? withoutResults(parts) : said, parts.output.maxChars, words.CUT)
}

/** Neither judges nor adds words: repeats what was read, in its order. */
export function composeFor(parts: PromptParts): string {
  const texts = parts.contents
    .map(({ content }) => clean(plainText(content)))
    .filter((text) => text.trim() !== '')
  return bound(texts.join('\n\n') || words.NOTHING_TO_SAY, parts.output.maxChars, words.CUT)
}

function resultsOf(parts: PromptParts): readonly string[] {
  const said = saidOf(parts)
  const typed = typedOf(parts)
  const clock = createClock(parts.output)
  const isOwner = parts.audience === 'owner'
  const means = readingsOf(said, parts)
  return (
    parts.contents
      // A list that was fetched only to find one row is not shown.
      .filter(({ action }) => !means.has(action))
      .map((content) => render(content, { said, typed, clock, isOwner }))
      .filter((text) => text !== '')
  )
}

const REQUESTS = TOOL_PHRASES.flatMap(({ asks }) => asks)

/** Lists from which one row was read, or was to be read. */
function readingsOf(said: Said, { contents }: PromptParts): ReadonlySet<string> {
  const ran = new Set(contents.map(({ action }) => action))
  const found = REQUESTS.filter(
    ({ intent, plan }) =>
      (intent !== undefined && intent === said.intent) || plan.some(({ tool }) => ran.has(String(tool))),
  )
  return new Set(found.flatMap(({ among }) => (among === undefined ? [] : [among.tool])))
}

function render({ action, content }: ContentView, telling: Telling): string {
  const { said, typed, clock } = telling
  switch (action) {
    case 'memory.save':
      return factSaved(content, said.intent === 'memory_save' ? typed.topic : '')
    case 'memory.search':
      return factsFound(content, clock, said.has('topic'))
    // The rules model has nothing to add: the sender knows the message that they quoted.
    case 'message.edited':
    case 'message.quoted':
    case 'message.reply':
      return ''
    default: {
      const told = actionWords(action)?.answer
      if (told === undefined) return quote(plainText(content)).text
      return toldBy(told, content, isAnswerTo(action, said) ? telling : { ...telling, typed: NOT_TYPED })
    }
  }
}

const NOT_TYPED = { topic: '', person: '' }

/** Whether the request asked for this result itself: otherwise the request's words do not belong to it. */
function isAnswerTo(action: string, { intent }: Said): boolean {
  return REQUESTS.some(
    (phrase) => phrase.intent === intent && phrase.plan.some(({ tool }) => tool === action),
  )
}

/** Why the plan was empty, with what can be asked instead where that helps. */
function explanationOf(parts: PromptParts): string | null {
  const code = parts.instruction
  if (code === null) return null
  if (!Object.hasOwn(words.EXPLANATIONS, code)) return askedFor(code)
  const reason = words.EXPLANATIONS[code as words.Explanation]
  if (code !== 'not_understood' && code !== 'not_available') return reason
  return abilities(parts.tools).length === 0
    ? reason
    : [reason, words.CAN_INTRO, ...abilities(parts.tools)].join('\n')
}

function withoutResults(parts: PromptParts): string {
  const can = abilities(parts.tools)
  switch (saidOf(parts).intent) {
    case 'greeting':
      return words.GREETING
    case 'chat':
      return words.CHAT.find(([pattern]) => pattern.test(parts.request.slice(0, 200)))?.[1] ?? words.CHAT_ELSE
    case 'help':
      return [...helpOf(parts, can), ...setUpOf(parts)].join('\n')
    case 'recent':
      return recentOf(parts)
    default:
      return words.NOTHING_TO_SAY
  }
}

function helpOf(parts: PromptParts, can: readonly string[]): readonly string[] {
  const name = nameOf(parts)
  return can.length === 0 ? [words.HELP_NOTHING(name)] : [words.HELP_INTRO(name), ...can]
}

/** One line for each tool that this conversation really has. */
function abilities(tools: readonly ToolCard[]): readonly string[] {
  return tools
    .filter(({ id }) => !words.SILENT_TOOLS.includes(id))
    .map(
      ({ id, description }) =>
        `- ${actionWords(id)?.help ?? (Object.hasOwn(words.ABILITIES, id) ? words.ABILITIES[id] : line(description))}`,
    )
}

function plainText(content: Json): string {
  return typeof content === 'string' ? content : stringsOf(content).slice(0, PLAIN_ROWS).join('\n')
}
