/**
 * What the edge hands to a channel package, and what a package is to the edge: the owner's chat with a bot whose token the edge holds.
 * Types alone. Implemented by each package's edge.ts; called by worker/ and durable-objects/.
 */
import type { Refusal, Result } from '../../../kernel/flow/verdict.ts'
import type { FilePort } from '../../../kernel/powers/file-port.ts'
import type { SenderPort } from '../../../kernel/powers/ports.ts'
import type { ReasonCode } from '../../../kernel/reasons.ts'
import type { OwnCommandEntry } from '../../../kernel/task/command.ts'
import type { InboundEvent } from '../../../kernel/task/event.ts'
import type { Transport } from '../../http/transport.ts'
import type { CheckedTap, TapAnswer } from './cards.ts'
import type { ChannelDeclaration } from './declaration.ts'
import type { FileReaders } from './files.ts'
import type { Taken } from './inbox.ts'
import type { KeptPort } from './kept.ts'

/** What the edge does for one request of a service. */
export interface EdgeWays {
  readonly now: () => number
  /** Proves that a button was made here. */
  readonly key: Uint8Array
  /** At most so many bytes of the request. Refusal: event_too_large. */
  readonly body: (most: number) => Promise<Result<Uint8Array>>
  /** Bounds strangers before an object wakes (H-18), and hands the event to whose it is. */
  readonly take: (event: InboundEvent) => Promise<Taken>
  readonly settle: (tap: CheckedTap) => Promise<Result<TapAnswer>>
  /** Whether home may ever have spoken by this bot, so that what it said is not to be read (DESIGN §1). */
  readonly spoke: () => Promise<boolean>
  /** Somebody who is not the service: a line of the audit, up to a rate. */
  readonly knock: () => Promise<void>
  /** What no service sends, and somebody else's tap: the same. */
  readonly odd: (code: ReasonCode) => Promise<void>
  /** After the answer. */
  readonly later: (work: Promise<unknown>) => void
  readonly refused: (reason: Refusal) => Response
}

/** One that is configured. */
export interface EdgeChannel {
  readonly declaration: ChannelDeclaration
  /** The owner as sources name him there. */
  readonly owner: string
  /** `answer`: whoever writes to the bot may ask for a time; `silent`: nobody but the owner and those he knows hears anything. */
  readonly strangers: 'silent' | 'answer'
  /** Origin of this edge, for links to its one-time pages (L-15); without it there are none. */
  readonly edge?: string | undefined
  /** Commands of the owner's making that the edge may know (O-21). */
  readonly commands: readonly OwnCommandEntry[]
  /** Secrets of its setting, by names that may be shown. */
  readonly secrets: readonly (readonly [name: string, value: string])[]
  /** Null for sinks of other channels. `key`: as for a tap. */
  senderOf(kept: KeptPort, key: Uint8Array): (sink: string) => SenderPort | null
  files(readers: FileReaders): FilePort
  /** What is wrong with the way that messages come by; `since`: epoch milliseconds. Null for nothing. */
  check(since: number): Promise<string | null>
  /** The same for its owner's own look, as JSON. `edge`: origin of this edge. */
  health(edge: string): Promise<object>
  /** Has its service bring messages to this edge, or no more. Refusals: those of the service. */
  order(edge: string, set: boolean): Promise<Result<unknown>>
  /** One request of its service. */
  answer(request: Request, ways: EdgeWays): Promise<Response>
}

/** `trouble`: name of the setting that is wrong, and never its value; there is no channel then. */
export interface EdgeOpened {
  readonly channel: EdgeChannel | null
  readonly trouble: string | null
}

export interface EdgePackage {
  readonly declaration: ChannelDeclaration
  /** Names of its bindings: settings, and secrets. */
  readonly bindings: readonly string[]
  /** `env`: the bindings as the platform hands them over. */
  open(env: Readonly<Record<string, unknown>>, transport: Transport): EdgeOpened
}
