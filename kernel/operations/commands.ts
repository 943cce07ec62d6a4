/**
 * All commands of a chat (O-21, O-22): built-in ones, those of operations, and the owner's. Help, menus and handlers
 * use this one list. Pure; must not answer a command. Called by the pipeline, the terminal chat and the menus of
 * messengers.
 */
import { listIn } from '../features/reminders/lists.ts'
import type { Place } from '../flow/place.ts'
import { err, ok, type Result } from '../flow/verdict.ts'
import {
  COMMANDS,
  type Command,
  commandIn,
  type NamedCommand,
  type OwnCommandEntry,
} from '../task/command.ts'
import { apostrophed, bareSentence, spaced } from '../wording/typed.ts'
import { type Argument, FEW_WORDS, valueTyped } from './argument.ts'
import { OPERATIONS } from './index.ts'
import type { Operation } from './operation.ts'
import { plainRequest, withoutFiller, withoutFillers } from './plain-request.ts'
import { withoutReason } from './reason-clause.ts'

/** Reserved names: built-in commands, the first message of a messenger, and the command that ends a terminal chat. */
const TAKEN: ReadonlySet<string> = new Set([
  'start',
  'exit',
  ...COMMANDS.map(({ name }) => name),
  ...OPERATIONS.flatMap(({ slash }) => (slash === null ? [] : [slash])),
])

/** Owner-defined commands whose name became reserved: the built-in command wins, and the owner is notified. */
export function takenNames(own: readonly NamedCommand[]): readonly string[] {
  return own.map(({ name }) => name).filter((name) => TAKEN.has(name))
}

/** Commands for a messenger's menu: those that its place answers. `own`: the owner's, if that place knows them. */
export function commandsAt(own: readonly OwnCommandEntry[], place: Place): readonly Command[] {
  return [
    ...COMMANDS.filter(({ at }) => at === 'place'),
    ...OPERATIONS.flatMap((operation) => slashCommand(operation, place)),
    ...own
      .filter(({ name }) => !TAKEN.has(name))
      .map(({ name, description, prompt }) => ({ name, description, prompt, at: 'place' as const })),
  ]
}

function slashCommand(operation: Operation, place: Place): readonly Command[] {
  const { slash: name, summary: description } = operation
  if (name === null || !isOnlyAtLine(operation, place)) return []
  const takes = Object.entries(operation.args)
    .filter(([, { form }]) => form !== 'option')
    .map(([key, { initial, form }]) => placeholder(form === 'rest' ? '…' : key, initial !== undefined))
  return [{ name, description, at: 'place', ...(takes.length > 0 && { takes: takes.join(' ') }) }]
}

function placeholder(name: string, isOptional: boolean): string {
  return isOptional ? `[${name}]` : name
}

/** Whether the operation may be used in a chat of the owner at this place. */
export function isOnlyAtLine({ place: at, from, slashAt }: Operation, place: Place): boolean {
  if (from === 'terminal' || (slashAt ?? place) !== place) return false
  return place === 'home' ? at !== 'edge' : from === 'open' && at !== 'home'
}

/** An operation requested in a chat, with the text after its command, or with the arguments read from a phrase. */
interface CalledOperation {
  readonly operation: Operation
  readonly rest: string
  readonly args?: ArgumentValues
}

/**
 * The operation that a message requests: by its command after a slash, such as `/brain show SOUL`, by its short name
 * in chats, or by a phrase. Null for any other message, and for commands that the chat answers itself.
 */
export function operationInMessage(text: string): CalledOperation | null {
  const command = commandIn(text)
  if (command === null) return onNamedList(text) ?? phraseInMessage(text)
  if (ANSWERED.has(command.name)) return null
  const words = [command.name, ...command.rest.split(/\s+/).slice(0, MOST_WORDS)]
  const ways = OPERATIONS.flatMap((operation) =>
    [operation.command, ...operation.aliases].map((way) => ({ operation, way })),
  )
  const longest = ways
    .filter(({ way }) => way.length > 1 || COMMAND_NAMES.has(way[0] ?? ''))
    .filter(({ way }) => way.every((word, at) => word === words[at]?.toLowerCase()))
    .reduce<(typeof ways)[number] | null>(
      (best, one) => (one.way.length > (best?.way.length ?? 0) ? one : best),
      null,
    )
  if (longest !== null)
    return { operation: longest.operation, rest: behind(command.rest, longest.way.length - 1) }
  const short = OPERATIONS.find(({ slash }) => slash === command.name)
  return short === undefined ? null : { operation: short, rest: command.rest }
}

/** The same sentences, about a list with a name: "what's on the hardware list?". */
function onNamedList(text: string): CalledOperation | null {
  const named = listIn(text)
  const found = named === null ? null : phraseInMessage(named.plain)
  if (named === null || found === null || !Object.hasOwn(found.operation.args, 'list')) return null
  return { ...found, args: { ...found.args, list: named.name } }
}

/** Matches a whole phrase: its words exactly, and any few words in the place of a `{argument}`. */
function phraseInMessage(text: string): CalledOperation | null {
  const core = plainRequest(text).text
  const reasoned = withoutReason(core)
  const picked = reasoned === null || isSecond(core.slice(reasoned.length)) ? null : phraseIn(reasoned)
  // Only a write that picks one thing: text to be stored or sent keeps the reason that follows it.
  if (picked !== null && picked.operation.effect === 'write' && picksOnly(picked)) return picked
  const [alone = core] = core.split(REMARK, 1)
  // These variants are mostly equal; each distinct one is tried once.
  const ways = new Set([text, core, alone, spaced(core).replace(/^what'?s\b/i, 'what is')])
  for (const way of ways) {
    const found = phraseIn(way)
    if (found !== null) return found
  }
  const fuller = withoutFillers(core)
  const plain = ways.has(fuller) ? null : phraseIn(fuller)
  // Words that are stored or sent must not lose any, so only reads match without fillers.
  if (plain?.operation.effect === 'read') return plain
  const before = withoutFiller(core)
  const shorter = before === null ? null : phraseIn(before)
  if (shorter !== null) return shorter
  const full = apostrophed(core)
  return full === core ? null : phraseIn(full)
}

/** Whether the only argument picks an existing thing by a few words. */
function picksOnly({ args = {} }: CalledOperation): boolean {
  const keys = Object.keys(args)
  return keys.length === 1 && keys[0] === 'which'
}

function phraseIn(text: string): CalledOperation | null {
  const operation = BY_PHRASE.get(bare(text)) ?? BY_WORD.get(bare(text).replace(/^(?:my|the) /, ''))
  if (operation !== undefined) return { operation, rest: '' }
  const plain = spaced(text).replace(/^whats\b/i, "what's")
  // Line breaks are kept only for texts of several lines.
  const typed = /\n/.test(text.trim()) ? [spacedLines(text), plain] : [plain]
  const words = plain.toLowerCase()
  for (const { needs, pattern, operation: one } of WITH_SLOTS) {
    const found = needs.every((any) => any.some((word) => words.includes(word)))
      ? (typed.map((one) => pattern().exec(one)).find((matched) => matched !== null) ?? null)
      : null
    if (found !== null && !Object.values(found.groups ?? {}).some(isSecond))
      return { operation: one, rest: '', args: argumentsIn(one, found.groups ?? {}) }
  }
  return null
}

/** A reason after the request: "…, i got it". */
const REMARK =
  /[,;.–-] (?=(?:i|i'm|im|i've|we|we've|it|it's|its|they|they've|he|he's|she|she's|that's|the \p{L}+ (?:is|are|was|has|have|came|did)|already|brauch|brauche|hab|habe|ich|wir|es|ist|sind|bin|er|sie|das (?:hab|ist|macht|mach|hat|war)|der \p{L}+ (?:hat|ist|war|macht))(?!\p{L})[^.!?;]{0,60}[.!]?$)/iu

/** "… and remind me": the value of an argument contains a second request. */
const SECOND =
  /(?:\b(?:and|then|also|und|dann)|[&,;]) (?:please |then |also |bitte )?(?:add|remind|book|send|tell|email|mail|reply|put|delete|remove|cancel|call|write|show|check|move|set|make|buy|also|erinner|schreib|trag|setz|schick|sag|lösch|zeig|such|nimm)/iu

function isSecond(text: string | undefined): boolean {
  return text !== undefined && SECOND.test(text)
}

/**
 * Arguments as typed after a command, with numbers parsed where a number is expected. The operation refuses an invalid number.
 */
function argumentsIn(
  { args }: Operation,
  taken: Readonly<Record<string, string | undefined>>,
): ArgumentValues {
  const said = Object.entries(taken).filter((one): one is [string, string] => one[1] !== undefined)
  const values = said.map(([key, text]) => [key, valueTyped(args[key]?.typed ?? 'text', text) ?? text])
  return Object.fromEntries(values)
}

function bare(text: string): string {
  return bareSentence(text).replace(/^what'?s\b/, 'what is')
}

function spacedLines(text: string): string {
  return (
    text
      .trim()
      .replaceAll('’', "'")
      .replace(/[^\S\n]+/g, ' ')
      // The text may begin on the line after a colon or "is".
      .replace(/(:|\b(?:is|ist)) ?\n/i, '$1 ')
  )
}

const PHRASES = OPERATIONS.flatMap((operation) => operation.phrases.map((phrase) => ({ phrase, operation })))

/** Whether the phrase has arguments, alternatives `(a|b)`, or optional words `[c ]`. */
function isPattern(phrase: string): boolean {
  return /[{([]/.test(phrase)
}

const BY_PHRASE: ReadonlyMap<string, Operation> = new Map(
  PHRASES.filter(({ phrase }) => !isPattern(phrase)).map(
    ({ phrase, operation }) => [bare(phrase), operation] as const,
  ),
)

/** Short names of operations that only read and need no argument: "reminders", "my jobs?". */
const BY_WORD: ReadonlyMap<string, Operation> = new Map(
  OPERATIONS.flatMap((operation) => {
    const { slash, effect, args } = operation
    const isAlone = Object.values(args).every(
      ({ initial, form }) => initial !== undefined || form === 'option',
    )
    return slash !== null && effect === 'read' && isAlone ? [[slash, operation] as const] : []
  }),
)

/**
 * Longest first: "forget about {which}" before "forget {which}". A pattern is compiled
 * when a message has the words that it `needs`; compiling all of them takes seconds.
 */
const WITH_SLOTS = PHRASES.filter(({ phrase }) => isPattern(phrase))
  .toSorted((one, other) => leastOf(other.phrase) - leastOf(one.phrase))
  .map(({ phrase, operation }) => {
    let made: RegExp | null = null
    const pattern = (): RegExp => (made ??= patternOf(phrase, operation))
    return { operation, needs: needsOf(phrase), pattern }
  })

/** The words without which a phrase cannot match, each with its alternatives, in lower case. */
function needsOf(phrase: string): readonly (readonly string[])[] {
  const inner = /\[[^[\]]*\]|\{\w+\}/g
  // Twice, because optional parts may be nested.
  const needed = phrase.toLowerCase().replace(inner, ' ').replace(inner, ' ')
  const choices = [...needed.matchAll(/\(([^()]*)\)/g)].map(([, all = '']) =>
    all.split('|').map((one) =>
      one
        .trim()
        .split(' ')
        .reduce((longest, word) => (word.length > longest.length ? word : longest)),
    ),
  )
  const exact = needed.replace(/\([^()]*\)/g, ' ').split(/[\s()|]+/)
  return [...exact.filter((word) => word !== '').map((word) => [word]), ...choices]
}

function patternOf(phrase: string, operation: Operation): RegExp {
  const parts = phrase.split(/(\{\w+\})/).map((part, at, all) => {
    if (!part.startsWith('{')) return literal(part, slotIn(operation, all[at + 1] ?? '') !== undefined)
    const own = slotIn(operation, part)
    return own === undefined
      ? `(?<${part.slice(1, -1)}>${FEW_WORDS}?)`
      : `[(<]?(?<${part.slice(1, -1)}>${own})[)>]?,?`
  })
  return new RegExp(`^(?:please )?${parts.join('')}[\\s?!.]*$`, 'iu')
}

/** Pattern of an argument that has a form of its own. */
function slotIn({ args }: Operation, part: string): string | undefined {
  return args[part.slice(1, -1)]?.slot
}

/** Allows a comma, a colon or brackets around such an argument: "add Sarah, sarah@example.com, …". */
function literal(part: string, isBeside: boolean): string {
  const exact = part.replace(/[.*+?^${}\\]/g, '\\$&')
  const spaced = isBeside ? exact.replaceAll(' ', '[,:]? ') : exact
  return spaced
    .replaceAll('(', '(?:')
    .replace(/\[(?![,:]+\]\?)/g, '(?:')
    .replace(/(?<!\[[,:]+)\]/g, ')?')
}

/** Length of a phrase with its first alternatives and without its optional words. */
function leastOf(phrase: string): number {
  return phrase.replace(/\[[^\]]*\]/g, '').replace(/\(([^|)]*)[^)]*\)/g, '$1').length
}

/** Maximum words of a command. */
const MOST_WORDS = 4

/** Names of commands that are one word. */
const COMMAND_NAMES: ReadonlySet<string> = new Set(
  OPERATIONS.flatMap(({ command, aliases }) => [command, ...aliases])
    .filter(({ length }) => length === 1)
    .flat(),
)

/** Commands that the chat answers itself, even if an operation has the same name. */
const ANSWERED: ReadonlySet<string> = new Set(COMMANDS.map(({ name }) => name))

function behind(rest: string, words: number): string {
  return words === 0 ? rest : behind(rest.replace(/^\S+\s*/, ''), words - 1)
}

type ArgumentValues = Readonly<Record<string, string | number | boolean | readonly string[]>>

/** Parses the arguments after a slash command: positional words, and `--name value`. Refusal: tool_arguments_invalid. */
export function argumentsInMessage({ args }: Operation, rest: string): Result<ArgumentValues> {
  const said: Record<string, ArgumentValues[string]> = {}
  const places = Object.entries(args).filter(([, { form }]) => form !== 'option')
  let left = rest.trim()
  while (left !== '') {
    const flag = /^(?:--|—)(?<flag>[a-z][a-z-]*)(?:[ =]+|$)/i.exec(left)
    const entry = flag === null ? places.shift() : optionNamed(args, flag.groups?.['flag'] ?? '')
    if (entry === undefined) return err('tool_arguments_invalid', { path: 'unknown' })
    const [key, argument] = entry
    left = left.slice(flag?.[0].length ?? 0)
    if (argument.typed === 'yes') {
      said[key] = true
      continue
    }
    const word = argument.form === 'rest' ? left : (/^\S+/.exec(left)?.[0] ?? '')
    const value = valueTyped(argument.typed, word)
    if (value === null) return err('tool_arguments_invalid', { path: key })
    said[key] = argument.typed === 'list' ? word.split(',') : value
    left = left.slice(word.length).trim()
  }
  return ok(said)
}

function optionNamed(args: Operation['args'], flag: string): readonly [string, Argument] | undefined {
  return Object.entries(args).find(([key, argument]) => {
    const name = argument.flag ?? key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    return argument.form === 'option' && name === flag.toLowerCase()
  })
}
