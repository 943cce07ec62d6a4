/**
 * Port to one address book account of the owner's besides Google's: home opens it, the tool joins it with the others. Types and names; must not
 * know what kind of server it is. Called by run.ts and by home's backend.
 */
import type { ToolCall, ToolOutcome } from '../../../kernel/tool/manifest.ts'

export interface AddressbookAccount {
  /** The owner's name for it. */
  readonly name: string
  /** `addressbook.list` for this account alone; the call has its credential and a client for its hosts. */
  run(call: ToolCall): Promise<ToolOutcome>
}

/** One that home opens. */
export interface OwnAddressbookAccount extends AddressbookAccount {
  /** Hosts, with a port that is no default. */
  readonly hosts: readonly string[]
}

export interface AddressbookPowers {
  readonly accounts: readonly OwnAddressbookAccount[]
  /** Made-up people of the demo are not among those of a real account. */
  readonly withoutGoogle: boolean
}

/** Google's is called so. */
export const GOOGLE_BOOK = 'google'
/** Name of the credential of all other accounts. */
export const ADDRESSBOOK = 'addressbook'
