/**
 * Web services that the owner names while home runs: hosts with a label and perhaps a key, and requests saved by a name. What home keeps of them, and what
 * an operation may do. Types only. Called by the operations of this folder, the changes that the owner approves, and home.
 */
import type { Level } from '../../flow/level.ts'
import type { Result } from '../../flow/verdict.ts'
import type { Door } from '../../operations/caller.ts'
import type { Proposed, Proposer } from '../approvals/port.ts'

export interface Webservice {
  /** The same for the same host or name; says nothing of either. */
  readonly id: string
  readonly kind: 'host' | 'request'
  /** An origin, or the name by which the request is asked for. */
  readonly name: string
  readonly address: string
  /** Of what it answers. */
  readonly label: Level
  /** Of a host: how its key is sent, `bearer`, `basic` or the name of a header; null without a key. */
  readonly key: string | null
  /** Name under which that key is kept. */
  readonly secret: string | null
  /** Of a request, each as it is typed: `temperature:number`. */
  readonly fields: readonly string[]
}

export interface HostTyped {
  readonly host: string
  readonly label: string | null
  /** In words: `a key`, `the header X-Api-Key`; null leaves it as it is. */
  readonly key: string | null
}

export interface RequestTyped {
  readonly name: string
  readonly address: string
  readonly label: string | null
  readonly fields: string | null
}

/** Implemented by home. Refusals of reading: tool_arguments_invalid with the path, secret_in_call for an address that seems to hold a key. */
export interface WebserviceKeeper {
  named(): readonly Webservice[]
  /** Whether it is on the owner's own network, which is named at the terminal alone. */
  isOwn(webservice: Webservice): boolean
  readHost(typed: HostTyped): Result<Webservice>
  readRequest(typed: RequestTyped): Result<Webservice>
  /** Holds it, over a restart too, until its card is answered. Returns the digest by which the card names it. */
  hold(webservice: Webservice): Promise<string>
  /**
   * Names what was held once the transaction is over in which this is called, or at the next start; or drops it. Refusals: approval_changed where it is
   * held no more; config_malformed where its file cannot be changed.
   */
  settle(digest: string, agreed: boolean): Result<true>
  /** By its id, or as people name it. Refusals: nothing_found, config_malformed. */
  remove(what: string): Result<Webservice>
  /** What was removed or replaced; null for anything else. */
  former(id: string): Promise<Webservice | null>
}

/** A power of home alone. */
export interface Webservices {
  readonly webservices?: WebserviceKeeper
}

/** Who names it, and by which door. */
export interface Naming extends Proposer {
  readonly door: Door
}

export interface WebservicesPort {
  list(): readonly Webservice[]
  /** Each sends a card. Refusals: those of reading and of a proposal; address_private for the owner's own network, named by any door but the terminal. */
  allow(naming: Naming, typed: HostTyped): Promise<Result<Proposed>>
  save(naming: Naming, typed: RequestTyped): Promise<Result<Proposed>>
  /** Refusals: nothing_found, address_private as above. */
  restore(naming: Naming, id: string): Promise<Result<Proposed>>
  /** At once, because it widens nothing. Refusals: those of the keeper, approval_wrong_principal. */
  remove(principal: string, what: string): Result<Webservice>
}
