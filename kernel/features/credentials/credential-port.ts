/**
 * What a place does with a credential that the owner types in a chat (L-12, L-13). The value goes in; only success or
 * failure comes back. Must not be passed to a tool. Implemented by home's credential service and by the edge's sealed
 * box for home; called by credentials.ts.
 */
import type { Result } from '../../flow/verdict.ts'
import type { ReasonCode } from '../../reasons.ts'

/** `sent`: sealed for home and durably queued; home finds out whether it works. */
export type Given = 'stored' | 'sent'
/** `untried`: no tool can verify the value, so the former one is kept until the service has accepted the new one. */
export type Replaced = 'stored' | 'untried'

/**
 * `works`: null if the service has no harmless call. `says`: the result and what to do, in words; may name an account of the
 * owner.
 */
export interface Checked {
  readonly works: boolean | null
  readonly says: string
}

/** Web page that seals the typed value for home inside the browser (L-15). Usable once, while its question is open. */
export interface OneTimePage {
  readonly url: string
  /** Fingerprint of the sealing key, in groups, to compare with the one the page shows. */
  readonly fingerprint: string
}

export interface CredentialPort {
  /** Why this place cannot take a credential now, so that nobody is asked in vain; null when it can. */
  refusal(): ReasonCode | null
  /**
   * Whether a service is connected; undefined leaves it to the tools of this place. The edge uses home's last report, home
   * answers for single hosts.
   */
  isConnected?(service: string): boolean | undefined
  /** Title of what is connected in place of the service itself, such as a demo of it. */
  titleOf?(service: string): string | undefined
  /** Note below an answer with rows of these actions if they come from the demo; null if they come from an account. */
  demoNote?(actions: readonly string[]): string | null
  /** Kinds of working accounts on the owner's own servers, which take no credential of a service. */
  accounts?(): readonly string[]
  /** Creates the page for this question and replaces any former one; null when there is none to offer. */
  page?(approval: string): Promise<OneTimePage | null>
  /**
   * Home: verifies the value with its service, and stores it if the service accepts it or the tool cannot verify.
   * Edge: seals it for home. Refusals: key_development, field_malformed, credential_rejected (the service refused
   * it), credential_mismatch (one is stored already), seal_key_missing, and those of the call or the tunnel, which do
   * not contain the value.
   */
  give(service: string, value: string): Promise<Result<Given>>
  /**
   * At home: verifies the value and replaces the credential in force. That one stays in force if the service rejects the new one,
   * and is kept as the former one until a service has accepted the new one. Refusals: as for `give`; credential_missing if none
   * is stored.
   */
  replace?(service: string, value: string): Promise<Result<Replaced>>
  /** At home: tests a connected service by one harmless call with its stored credential (L-02). */
  check?(service: string): Promise<Checked>
  /** At home: whether anything is stored that `remove` would delete. */
  hasStored?(service: string): boolean
  /**
   * At home: deletes what is stored for the service, after the caller's transaction; the result is reported in the chat `sink`.
   */
  remove?(service: string, sink: string): void
}
