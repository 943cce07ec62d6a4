/**
 * Port to one of the owner's address book accounts besides Google's: home opens it, the tool merges it with the others. Types and
 * names; must not know what kind of server it is. Called by run.ts and by home's backend.
 */
import type { ToolCall, ToolOutcome } from '../../../kernel/tool/manifest.ts'

export interface AddressbookAccount {
  /** The owner's name for it. */
  readonly name: string
  /** Runs `addressbook.list` for this account only; the call has its credential and a client for its hosts. */
  run(call: ToolCall): Promise<ToolOutcome>
}

/** An account that home opens. */
export interface OwnAddressbookAccount extends AddressbookAccount {
  /** Hosts, with a non-default port. */
  readonly hosts: readonly string[]
}

export interface AddressbookPowers {
  readonly accounts: readonly OwnAddressbookAccount[]
  /** Whether the demo's invented people at Google are omitted, because a real account exists. */
  readonly withoutGoogle: boolean
}

/** Account name of Google's address book. */
export const GOOGLE_BOOK = 'google'
/** Name of the credential of all other accounts. */
export const ADDRESSBOOK = 'addressbook'
