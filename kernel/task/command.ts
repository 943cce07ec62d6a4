/**
 * The chat commands (O-21): one table for help, handlers and the messenger's menu, so that no listed command lacks a handler
 * (O-22). All are for the owner only. Pure; must not answer one. Called by pipeline/own-commands.ts, prompt-command.ts, the
 * terminal's chat and the bot's menu.
 */
import * as z from 'zod/mini'

export interface Command {
  /** Without the slash. */
  readonly name: string
  /** Its argument, as help shows it. */
  readonly takes?: string
  readonly description: string
  /**
   * `place`: works in each chat of the owner's, at the place that receives it. `terminal`: works only in the terminal's chat.
   */
  readonly at: 'place' | 'terminal'
  /**
   * The request that it stands for, in the owner's words; absent for a command that the kernel or the terminal answers without
   * a model.
   */
  readonly prompt?: string
}

/** Ends the running work. */
export const STOP = '/stop'

/** Asks once more what was not done. */
export const AGAIN = '/again'

/** Pause all work, and resume it. */
export const PAUSE = '/pause'
export const RESUME = '/resume'

/** Ends the link of two accounts. */
export const UNLINK = 'unlink'

export const COMMANDS: readonly Command[] = Object.freeze([
  { name: 'help', description: 'these commands', at: 'place' },
  {
    name: 'today',
    description: 'what is on my calendar today',
    at: 'place',
    prompt: 'What is on my calendar today?',
  },
  { name: 'inbox', description: 'new mail', at: 'place', prompt: 'Check my unread mail.' },
  { name: 'free', description: 'when I am free this week', at: 'place', prompt: 'When am I free this week?' },
  { name: 'stop', description: 'stop what is being worked on', at: 'place' },
  { name: 'again', description: 'ask once more what failed or what nobody answered', at: 'place' },
  { name: 'new', description: 'begin a new conversation; what I am to remember stays', at: 'place' },
  { name: 'pause', description: 'do nothing until /resume', at: 'place' },
  { name: 'resume', description: 'go on after /pause', at: 'place' },
  {
    ...{ name: 'mode', takes: '[name]', at: 'place' },
    description: 'how I answer: execute, build, analyze, maintain, assist, or auto',
  },
  { name: 'brief', description: 'short answers from now on', at: 'place' },
  { name: 'thorough', description: 'long answers from now on', at: 'place' },
  { name: 'normal', description: 'answers as long as the matter needs', at: 'place' },
  { name: 'plan', takes: '[on|off]', description: 'see each plan before it runs', at: 'place' },
  { name: 'context', description: 'where the room of the next prompt goes', at: 'place' },
  { name: 'usage', description: 'what the models cost', at: 'place' },
  { name: 'connect', takes: '[name]', description: 'give me access to a service or a chat', at: 'place' },
  { name: 'unlink', takes: '[account]', description: 'end the link of two accounts', at: 'place' },
  { name: 'disconnect', takes: '[name]', description: 'leave a chat', at: 'place' },
  {
    name: 'approvals',
    takes: '[n]',
    description: 'what waits for your yes or no; with n, all of one',
    at: 'place',
  },
  { name: 'approve', takes: '[n]', description: 'go ahead (just "yes" when one waits)', at: 'place' },
  { name: 'deny', takes: '[n]', description: 'refuse (just "no" when one waits)', at: 'place' },
  { name: 'status', description: 'what runs where', at: 'place' },
  {
    name: 'edit',
    takes: 'n …',
    description: 'your own words for the text of one that waits',
    at: 'terminal',
  },
  { name: 'quit', description: 'leave (or ctrl-C twice)', at: 'terminal' },
])

/** Limits of the owner's own commands: a menu holds a hundred at most, and the edge's setting five kilobytes. */
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
  /** Whether the edge may store the command. Its prompt is then sent to the edge and treated at the edge's clearance. */
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
