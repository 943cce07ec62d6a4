/**
 * Web services that the owner names while home runs: hosts with a label and perhaps a key, and requests saved by a name. What
 * home stores of them, and what an operation may do. Types only. Called by the operations of this folder, the changes that the
 * owner approves, and home.
 */
import type { Level } from '../../flow/level.ts'
import type { Result } from '../../flow/verdict.ts'
import type { Door } from '../../operations/caller.ts'
import type { Proposed, Proposer } from '../approvals/port.ts'

export interface Webservice {
  /** Always equal for the same host or name; reveals neither. */
  readonly id: string
  readonly kind: 'host' | 'request'
  /** An origin, or the name of the saved request. */
  readonly name: string
  readonly address: string
  /** Level of its answers. */
  readonly label: Level
  /** For a host: the form in which its key is sent, `bearer`, `basic` or the name of a header; null without a key. */
  readonly key: string | null
  /** Name under which that key is stored. */
  readonly secret: string | null
  /** For a request: its fields as typed, such as `temperature:number`. */
  readonly fields: readonly string[]
}

export interface HostTyped {
  readonly host: string
  readonly label: string | null
  /** In words: `a key`, `the header X-Api-Key`; null leaves the key unchanged. */
  readonly key: string | null
}

export interface RequestTyped {
  readonly name: string
  readonly address: string
  readonly label: string | null
  readonly fields: string | null
}

/**
 * Implemented by home. Refusals of reading: tool_arguments_invalid with the path, secret_in_call for an address that seems to
 * contain a key.
 */
export interface WebserviceKeeper {
  named(): readonly Webservice[]
  /** Whether it is on the owner's own network, where a host can be named only at the terminal. */
  isOwn(webservice: Webservice): boolean
  readHost(typed: HostTyped): Result<Webservice>
  readRequest(typed: RequestTyped): Result<Webservice>
  /** Stores it, across restarts, until its card is answered. Returns the digest by which the card names it. */
  hold(webservice: Webservice): Promise<string>
  /**
   * Adds the held entry after the caller's transaction, or at the next start; or drops it. Refusals: approval_changed if it is no
   * longer held; config_malformed if its file cannot be changed.
   */
  settle(digest: string, agreed: boolean): Result<true>
  /** By its id, or by the name that people use. Refusals: nothing_found, config_malformed. */
  remove(what: string): Result<Webservice>
  /** A former version that was removed or replaced; null for any other id. */
  former(id: string): Promise<Webservice | null>
}

/** Available at home only. */
export interface Webservices {
  readonly webservices?: WebserviceKeeper
}

/** Who names it, and from which kind of line. */
export interface Naming extends Proposer {
  readonly door: Door
}

export interface WebservicesPort {
  list(): readonly Webservice[]
  /**
   * Each sends a card. Refusals: those of reading and of a proposal; address_private for a host on the owner's own network unless
   * named at the terminal.
   */
  allow(naming: Naming, typed: HostTyped): Promise<Result<Proposed>>
  save(naming: Naming, typed: RequestTyped): Promise<Result<Proposed>>
  /** Refusals: nothing_found, address_private as above. */
  restore(naming: Naming, id: string): Promise<Result<Proposed>>
  /** Effective at once, because it widens nothing. Refusals: those of the keeper, approval_wrong_principal. */
  remove(principal: string, what: string): Result<Webservice>
}
