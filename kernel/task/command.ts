/**
 * The commands of a chat (O-21): one table that help, the handlers and a messenger's menu read, so that none is listed which
 * nobody answers (O-22). All of them are the owner's: what anybody else writes commands nothing. Pure; must not answer one. Called
 * by pipeline/own-commands.ts, prompt-command.ts, the terminal's chat and the bot's menu.
 */
import * as z from 'zod/mini'

export interface Command {
  /** Without its slash. */
  readonly name: string
  /** What stands behind it, as help shows it. */
  readonly takes?: string
  readonly description: string
  /** `place`: wherever the message arrives, in each chat of his; `terminal`: the chat in a terminal, of its own. */
  readonly at: 'place' | 'terminal'
  /** What it says in the owner's words, as any request; absent for what the kernel or the terminal answers without a model. */
  readonly prompt?: string
}

/** How the command that ends what is being worked on is written. */
export const STOP = '/stop'

/** How those are written that keep everything from going on, and let it go on. */
export const PAUSE = '/pause'
export const RESUME = '/resume'

/** And the one that ends the link of two accounts. */
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

/** Commands of the owner's own: a menu has a hundred at most, and the edge's setting five kilobytes. */
export const COMMAND_BOUNDS = Object.freeze({
  commands: 30,
  /** UTF-16 units. */
  description: 100,
  prompt: 2_000,
  /** All that the edge is given, as JSON text. */
  atEdge: 3_000,
})

const line = (most: number) =>
  z.string().check(z.minLength(1), z.maxLength(most), z.regex(/^[^\p{Cc}]+$/u), z.regex(/\S/))

/** As the strictest of the chats takes a name. */
const NAME = /^[a-z0-9_]{1,32}$/

const own = z.strictObject({
  name: z.string().check(z.regex(NAME)),
  description: line(COMMAND_BOUNDS.description),
  prompt: line(COMMAND_BOUNDS.prompt),
  /** Whether the edge may know it: what it says is then told there, and kept as what its line may hold. */
  open: z._default(z.boolean(), false),
})

/** Those of the owner's making, as he writes them down. */
export const OWN_COMMANDS_ENTRY = z.array(own).check(
  z.maxLength(COMMAND_BOUNDS.commands),
  z.refine((all) => new Set(all.map(({ name }) => name)).size === all.length, {
    error: 'must each have a name of their own',
  }),
)

export type OwnCommandEntry = z.output<typeof own>

/** By its name alone. */
export type NamedCommand = Pick<OwnCommandEntry, 'name'>

/** Name and rest of a message that is a command; null for any other. */
export function commandIn(text: string): { readonly name: string; readonly rest: string } | null {
  const { name, rest = '' } =
    /^\/(?<name>[a-z0-9_]{1,32})(?:\s+(?<rest>[\s\S]*))?$/i.exec(text.trim())?.groups ?? {}
  return name === undefined ? null : { name: name.toLowerCase(), rest: rest.trim() }
}
