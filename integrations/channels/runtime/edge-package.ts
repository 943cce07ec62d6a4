/**
 * Interface between the edge and a channel package: the owner's chat with a bot whose token the edge holds. Types only. Implemented
 * by each package's edge.ts; called by worker/ and durable-objects/.
 */

import type { FilePort } from '../../../kernel/features/files/file-port.ts'
import type { Refusal, Result } from '../../../kernel/flow/verdict.ts'
import type { SenderPort } from '../../../kernel/powers/ports.ts'
import type { ReasonCode } from '../../../kernel/reasons.ts'
import type { OwnCommandEntry } from '../../../kernel/task/command.ts'
import type { InboundEvent } from '../../../kernel/task/event.ts'
import type { Transport } from '../../http/transport.ts'
import type { CheckedTap, TapAnswer } from './cards.ts'
import type { ChannelState } from './channel-state.ts'
import type { ChannelDeclaration } from './declaration.ts'
import type { FileReaders } from './files.ts'
import type { Taken } from './inbox.ts'

/** What the edge provides for one request of a service. */
export interface EdgeRequestPorts {
  readonly now: () => number
  /** 32 bytes: key of the buttons' MAC. */
  readonly key: Uint8Array
  /** Reads at most `most` bytes of the request. Refusal: event_too_large. */
  readonly body: (most: number) => Promise<Result<Uint8Array>>
  /** Rate-limits unknown senders before an object wakes (H-18), then passes the event to the principal's object. */
  readonly take: (event: InboundEvent) => Promise<Taken>
  readonly settle: (tap: CheckedTap) => Promise<Result<TapAnswer>>
  /** Whether home may ever have sent a reply through this bot, whose text is then not read back (DESIGN §1). */
  readonly mayHaveReplied: () => Promise<boolean>
  /** The request does not come from the service: writes an audit line, rate-limited. */
  readonly reportAuthFailure: () => Promise<void>
  /** A malformed update, or another person's tap: writes an audit line, rate-limited. */
  readonly reportRejected: (code: ReasonCode) => Promise<void>
  /** Runs `work` after the response. */
  readonly afterResponse: (work: Promise<unknown>) => void
  readonly refused: (reason: Refusal) => Response
}

/** A configured channel. */
export interface EdgeChannel {
  readonly declaration: ChannelDeclaration
  /** The owner, as event sources name them. */
  readonly owner: string
  /** `answer`: anybody who writes to the bot may ask for a meeting time; `silent`: only the owner and known people get an answer. */
  readonly strangers: 'silent' | 'answer'
  /** Origin of this edge, for links to its one-time pages (L-15); without it there are no such pages. */
  readonly edge?: string | undefined
  /** Commands defined by the owner that the edge may know (O-21). */
  readonly commands: readonly OwnCommandEntry[]
  /** Secrets among its settings, with names that may be shown. */
  readonly secrets: readonly (readonly [name: string, value: string])[]
  /** Null for sinks of other channels. `key`: key of the buttons' MAC. */
  senderOf(kept: ChannelState, key: Uint8Array): (sink: string) => SenderPort | null
  files(readers: FileReaders): FilePort
  /** Fault of the webhook; `since`: epoch milliseconds. Null for none. */
  check(since: number): Promise<string | null>
  /** The same for the owner's health report, as JSON. `edge`: origin of this edge. */
  health(edge: string): Promise<object>
  /** Sets or removes the service's webhook to this edge. Refusals: those of the service. */
  order(edge: string, set: boolean): Promise<Result<unknown>>
  /** Answers one request of the service. */
  answer(request: Request, ports: EdgeRequestPorts): Promise<Response>
}

/** `trouble`: name of the invalid setting, never its value; there is then no channel. */
export interface EdgeOpened {
  readonly channel: EdgeChannel | null
  readonly trouble: string | null
}

export interface EdgePackage {
  readonly declaration: ChannelDeclaration
  /** Names of its bindings: settings and secrets. */
  readonly bindings: readonly string[]
  /** `env`: the platform's bindings. */
  open(env: Readonly<Record<string, unknown>>, transport: Transport): EdgeOpened
}
