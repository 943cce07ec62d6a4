/**
 * Declaration of a channel package, as data (DESIGN §9): name, title, required credentials, the owner's chats, and the table in
 * `config.toml`. Sinks, configuration keys, status and commands are derived from it. Must not contain code of a place. Implemented
 * by each package's channel.ts.
 */
import * as z from 'zod/mini'
import type { ChannelAdapter } from '../../../kernel/tool/channel.ts'

/** The channel's table in `config.toml`. Other keys are the package's own; none of them is secret. */
export interface ChannelTable {
  /** Origin of the service. */
  readonly api: string
  readonly [key: string]: string | number
}

/** Access to the channel's table in `config.toml`. */
export interface TableFile {
  /** False when a line written by the owner conflicts, or nothing could be written. */
  write(table: ChannelTable): boolean
  /** False when the table is not in the file as it was written. */
  remove(table: ChannelTable): boolean
}

/** A chat of the owner, by the name that event sources use for it. */
export interface OwnerChat {
  readonly chat: string
  readonly sink: string
}

export interface ChannelDeclaration extends ChannelAdapter {
  /** What the owner has there, in words for people: `a bot of yours`. Empty for a channel that is always available. */
  readonly means: string
  /** Question of `pfar init` about connecting one to the edge. */
  readonly offer?: string
  /** Origin of its service; null for a channel without a service. */
  readonly origin: string | null
  /** Whether files sent by it can be fetched. */
  readonly fetches: boolean
  /** The owner's chat with home and with the edge, each with its own token; null where that place has none. */
  readonly home: OwnerChat | null
  readonly edge: OwnerChat | null
  /** Schema of the table in `config.toml`; null when there is nothing to configure. Keys are written in this order. */
  readonly settings: z.ZodMiniType<Readonly<Record<string, string | number>>> | null
}

export const ORIGIN = z.string().check(
  z.refine((value) => URL.parse(value)?.origin === value, {
    error: 'must be an origin, such as https://example.com',
  }),
)

/** Tool name in the scope of the channel's secrets. */
export function toolOf({ name }: Pick<ChannelDeclaration, 'name'>): string {
  return `channel.${name}`
}

/** Environment variable that overrides the service's origin when a channel is connected. */
export function originVariable({ name }: Pick<ChannelDeclaration, 'name'>): string {
  return `PFAR_${name.toUpperCase()}_API`
}

/** Lines for `config.toml`, in the order of the declaration, without the service's default origin. Throws on a table of another shape. */
export function tableLines({ name, origin, settings }: ChannelDeclaration, table: ChannelTable): string {
  const whole = settings === null ? {} : z.parse(settings, table)
  const lines = Object.entries(whole).filter(([key, value]) => key !== 'api' || value !== origin)
  return [`[${name}]`, ...lines.map(([key, value]) => `${key} = ${JSON.stringify(value)}`)].join('\n')
}

/** Instruction to the owner when those lines could not be removed. */
export function byHand(declaration: ChannelDeclaration, table: ChannelTable): string {
  return `take these lines out of config.toml: ${tableLines(declaration, table).replaceAll('\n', ' ')}`
}
