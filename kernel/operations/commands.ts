/**
 * The commands of a chat, whole (O-21, O-22): the program's, those that the operations bring, and the owner's own. Help, menus and
 * handlers read this one list. Pure; must not answer one. Called by the pipeline, the terminal's chat and the menus of messengers.
 */
import type { Place } from '../flow/place.ts'
import { err, ok, type Result } from '../flow/verdict.ts'
import {
  COMMANDS,
  type Command,
  commandIn,
  type NamedCommand,
  type OwnCommandEntry,
} from '../task/command.ts'
import { type Argument, valueTyped } from './argument.ts'
import { OPERATIONS } from './index.ts'
import type { Operation } from './operation.ts'

/** Names that are the program's: its commands, what a messenger says first, and what ends a chat in a terminal. */
const TAKEN: ReadonlySet<string> = new Set([
  'start',
  'exit',
  ...COMMANDS.map(({ name }) => name),
  ...OPERATIONS.flatMap(({ slash }) => (slash === null ? [] : [slash])),
])

/** Those of the owner's own whose name is the program's by now: the program's wins, and they are told. */
export function takenNames(own: readonly NamedCommand[]): readonly string[] {
  return own.map(({ name }) => name).filter((name) => TAKEN.has(name))
}

/** What a messenger may list: what its place answers. `own`: the owner's, if that place knows them. */
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
  if (name === null || !isSaidAt(operation, place)) return []
  const takes = Object.entries(operation.args)
    .filter(([, { form }]) => form !== 'option')
    .map(([key, { initial, form }]) => placeholder(form === 'rest' ? '…' : key, initial !== undefined))
  return [{ name, description, at: 'place', ...(takes.length > 0 && { takes: takes.join(' ') }) }]
}

function placeholder(name: string, isOptional: boolean): string {
  return isOptional ? `[${name}]` : name
}

/** Whether it may be said in a chat of the owner's at this place. */
export function isSaidAt({ place: at, from, slashAt }: Operation, place: Place): boolean {
  if (from === 'terminal' || (slashAt ?? place) !== place) return false
  return place === 'home' ? at !== 'edge' : from === 'open' && at !== 'home'
}

/** An operation as it was said in a chat, and what stands behind its words. */
export interface SaidOperation {
  readonly operation: Operation
  readonly rest: string
}

/**
 * What of the operations a message is: by its command's own words behind a slash, such as `/brain show SOUL`, or by the short name that
 * it has in chats; or by a phrase that stands for it. Null for one that is none, and for words that the chat itself answers.
 */
export function operationSaid(text: string): SaidOperation | null {
  const command = commandIn(text)
  if (command === null) return phraseSaid(text)
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

/** An exact phrase, whole. */
function phraseSaid(text: string): SaidOperation | null {
  const operation = BY_PHRASE.get(bare(text))
  return operation === undefined ? null : { operation, rest: '' }
}

function bare(text: string): string {
  const said = text.trim().toLowerCase().replaceAll('’', "'")
  return said.replace(/[\s?!.]+$/, '').replace(/\s+/g, ' ')
}

const BY_PHRASE: ReadonlyMap<string, Operation> = new Map(
  OPERATIONS.flatMap((operation) => operation.phrases.map((phrase) => [bare(phrase), operation] as const)),
)

/** Words of the longest command. */
const MOST_WORDS = 4

/** Commands of one word. */
const COMMAND_NAMES: ReadonlySet<string> = new Set(
  OPERATIONS.flatMap(({ command, aliases }) => [command, ...aliases])
    .filter(({ length }) => length === 1)
    .flat(),
)

/** What the chat itself answers, whatever operation has the same word. */
const ANSWERED: ReadonlySet<string> = new Set(COMMANDS.map(({ name }) => name))

function behind(rest: string, words: number): string {
  return words === 0 ? rest : behind(rest.replace(/^\S+\s*/, ''), words - 1)
}

export type Said = Readonly<Record<string, string | number | boolean | readonly string[]>>

/** Arguments as they are typed behind a slash: words by their place, `--name value` for the others. Refusal: tool_arguments_invalid. */
export function argumentsSaid({ args }: Operation, rest: string): Result<Said> {
  const said: Record<string, Said[string]> = {}
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
