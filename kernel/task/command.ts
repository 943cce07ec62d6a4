/**
 * The chat commands (O-21): one table for help, handlers and the messenger's menu, so that no listed command
 * lacks a handler (O-22). All are for the owner only. Pure; must not answer one. Called by
 * features/commands/own-commands.ts, the terminal's chat and the bot's menu.
 */

import * as z from 'zod/mini'
import { tell } from '../wording/words.ts'

export interface Command {
  /** Without the slash. */
  readonly name: string
  /** Its argument, as help shows it. */
  readonly takes?: string
  readonly description: string
  /**
   * `place`: works in each chat of the owner's, at the place that receives it. `terminal`: works only in the
   * terminal's chat.
   */
  readonly at: 'place' | 'terminal'
  /**
   * The request that it stands for, in the owner's words; absent for a command that the kernel or the
   * terminal answers without a model.
   */
  readonly prompt?: string
}

/** Stops the running work. */
export const STOP = '/stop'

/** Repeats a request that was not carried out. */
export const AGAIN = '/again'

/** Pause all work, and resume it. */
export const PAUSE = '/pause'
export const RESUME = '/resume'

/** Ends the link of two accounts. */
export const UNLINK = 'unlink'

const TABLE = [
  { name: 'help', at: 'place' },
  {
    name: 'today',
    at: 'place',
    prompt: 'What is on my calendar today?',
  },
  { name: 'inbox', at: 'place', prompt: 'Check my unread mail.' },
  { name: 'free', at: 'place', prompt: 'When am I free this week?' },
  { name: 'stop', at: 'place' },
  { name: 'again', at: 'place' },
  { name: 'new', at: 'place' },
  { name: 'pause', at: 'place' },
  { name: 'resume', at: 'place' },
  { name: 'mode', takes: '[name]', at: 'place' },
  { name: 'brief', at: 'place' },
  { name: 'thorough', at: 'place' },
  { name: 'normal', at: 'place' },
  { name: 'plan', takes: '[on|off]', at: 'place' },
  { name: 'context', at: 'place' },
  { name: 'usage', at: 'place' },
  { name: 'connect', takes: '[name]', at: 'place' },
  { name: 'unlink', takes: '[account]', at: 'place' },
  { name: 'disconnect', takes: '[name]', at: 'place' },
  {
    name: 'approvals',
    takes: '[n]',
    at: 'place',
  },
  { name: 'approve', takes: '[n]', at: 'place' },
  { name: 'deny', takes: '[n]', at: 'place' },
  { name: 'status', at: 'place' },
  {
    name: 'edit',
    takes: 'n …',
    at: 'terminal',
  },
  { name: 'quit', at: 'terminal' },
] as const satisfies readonly Omit<Command, 'description'>[]

/** `description` is read when it is shown, because the owner's language may change. */
export const COMMANDS: readonly Command[] = Object.freeze(
  TABLE.map((command) => ({
    ...command,
    get description() {
      return tell(`commands.about_${command.name}`)
    },
  })),
)

/**
 * Limits of the owner's own commands: a menu holds a hundred at most, and the edge's setting five kilobytes.
 */
export const COMMAND_BOUNDS = Object.freeze({
  commands: 30,
  /** UTF-16 units. */
  description: 100,
  prompt: 2_000,
  /** Total JSON text of the commands that the edge gets. */
  atEdge: 3_000,
})

const line = (most: number) =>
  z.string().check(z.minLength(1), z.maxLength(most), z.regex(/^[^\p{Cc}]+$/u), z.regex(/\S/))

/** The form that the strictest of the channels allows. */
const NAME = /^[a-z0-9_]{1,32}$/

const own = z.strictObject({
  name: z.string().check(z.regex(NAME)),
  description: line(COMMAND_BOUNDS.description),
  prompt: line(COMMAND_BOUNDS.prompt),
  /**
   * Whether the edge may store the command. Its prompt is then sent to the edge and treated at the edge's
   * clearance.
   */
  open: z._default(z.boolean(), false),
})

/** The owner's own commands, as configured. */
export const OWN_COMMANDS_ENTRY = z.array(own).check(
  z.maxLength(COMMAND_BOUNDS.commands),
  z.refine((all) => new Set(all.map(({ name }) => name)).size === all.length, {
    error: 'must each have a name of their own',
  }),
)

export type OwnCommandEntry = z.output<typeof own>

export type NamedCommand = Pick<OwnCommandEntry, 'name'>

/** Name and rest of a message that is a command; null for any other message. */
export function commandIn(text: string): { readonly name: string; readonly rest: string } | null {
  const { name, rest = '' } =
    /^\/(?<name>[a-z0-9_]{1,32})(?:\s+(?<rest>[\s\S]*))?$/i.exec(text.trim())?.groups ?? {}
  return name === undefined ? null : { name: name.toLowerCase(), rest: rest.trim() }
}

const ONCE_MORE =
  /^(?:please |bitte )?(?:again|once more|one more time|retry|repeat (?:it|that)|(?:try|ask|do|show) (?:it |that |me )?(?:again|once more|one more time)|(?:frag(?:e)?|versuch(?:e)?|mach(?:e)?) (?:es |das |mich )?(?:noch ?mals?|noch einmal|erneut)|noch ?mals?|noch einmal)(?:,? please|,? bitte)?[.!]*$/i

/** Whether a message asks for nothing but the last request once more. */
export function asksAgain(text: string): boolean {
  return ONCE_MORE.test(text.trim().replace(/\s+/g, ' '))
}
