/**
 * What a channel package declares of itself, as data (DESIGN §9): its name and title, the credentials that it needs, the chats that its
 * owner has there, and its table in `config.toml`. Names, sinks, configuration keys, status and commands are derived from it. Must not
 * bring code of a place. Implemented by each package's channel.ts.
 */
import * as z from 'zod/mini'
import type { ChannelAdapter } from '../../../kernel/tool/channel.ts'

/** Its table in `config.toml`. What else stands in it is the package's own business; none of it is secret. */
export interface ChannelTable {
  /** Origin of the service. */
  readonly api: string
  readonly [key: string]: string | number
}

/** The package's table in `config.toml`. */
export interface TableFile {
  /** False where a line of the owner's says something else, or nothing could be written. */
  write(table: ChannelTable): boolean
  /** False where it does not stand there as it was written. */
  remove(table: ChannelTable): boolean
}

/** A chat of its owner's, by the name that sources give it. */
export interface OwnerChat {
  readonly chat: string
  readonly sink: string
}

export interface ChannelDeclaration extends ChannelAdapter {
  /** What the owner has there, as he is told: `a bot of yours`. Empty of one that is always there. */
  readonly means: string
  /** What `pfar init` says where it asks whether to connect one to the edge. */
  readonly offer?: string
  /** Origin of its service; null of one that is no service's. */
  readonly origin: string | null
  /** Whether files that come by it can be fetched. */
  readonly fetches: boolean
  /** Its owner's chat with home, and with the edge, which hold a token of their own each; null where that place cannot. */
  readonly home: OwnerChat | null
  readonly edge: OwnerChat | null
  /** Its table in `config.toml`; null where there is nothing to configure. Keys are written in this order. */
  readonly settings: z.ZodMiniType<Readonly<Record<string, string | number>>> | null
}

export const ORIGIN = z.string().check(
  z.refine((value) => URL.parse(value)?.origin === value, {
    error: 'must be an origin, such as https://example.com',
  }),
)

/** What the scope of its secrets names as their tool. */
export function toolOf({ name }: Pick<ChannelDeclaration, 'name'>): string {
  return `channel.${name}`
}

/** The variable that moves its service elsewhere, for a channel that is to be connected. */
export function originVariable({ name }: Pick<ChannelDeclaration, 'name'>): string {
  return `PFAR_${name.toUpperCase()}_API`
}

/** Its lines in `config.toml`, in the order of its declaration and without the service's own address. Throws on a table that is none of its. */
export function tableLines({ name, origin, settings }: ChannelDeclaration, table: ChannelTable): string {
  const whole = settings === null ? {} : z.parse(settings, table)
  const lines = Object.entries(whole).filter(([key, value]) => key !== 'api' || value !== origin)
  return [`[${name}]`, ...lines.map(([key, value]) => `${key} = ${JSON.stringify(value)}`)].join('\n')
}

/** What is left to its owner where those lines do not stand as they were written. */
export function byHand(declaration: ChannelDeclaration, table: ChannelTable): string {
  return `take these lines out of config.toml: ${tableLines(declaration, table).replaceAll('\n', ' ')}`
}
