/**
 * What a place does with a credential that the owner types in a chat (L-12, L-13). The value goes in; only success or
 * failure comes back. Must not be passed to a tool. Implemented by home's credential service and by the edge's sealed
 * box for home; called by credentials.ts.
 */
import type { Result } from '../../flow/verdict.ts'
import type { ReasonCode } from '../../reasons.ts'

/** `sent`: sealed for home and durably queued; home finds out whether it works. */
export type Given = 'stored' | 'sent'
/** `untried`: no tool can verify it, so that the former one is kept until the service was asked. */
export type Replaced = 'stored' | 'untried'

/** `works`: null where there is no harmless call. `says`: what came of it and what to do, in words; may name an account of the owner's. */
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
  /** Whether a service is connected. For what a place's tools cannot tell: the edge uses home's last report, home tells of single hosts. */
  has?(service: string): boolean | undefined
  /** What the owner is told is connected, where that is not the service itself, such as a demo of it. */
  titleOf?(service: string): string | undefined
  /** What is said below an answer with rows of these actions, where they are the demo's; null where an account's. */
  demoNote?(actions: readonly string[]): string | null
  /** Accounts of the owner's own servers that work, by what each is; these take no credential of a service's. */
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
   * At home: verifies the value and puts it in the place of the one in force, which stays where the service does not accept the new one, and as the
   * former one until a service did. Refusals: as for `give`; credential_missing where none is stored.
   */
  replace?(service: string, value: string): Promise<Result<Replaced>>
  /** At home: one harmless call with what is stored for a connected service (L-02). */
  check?(service: string): Promise<Checked>
  /** At home: whether anything is stored that `remove` would delete. */
  holds?(service: string): boolean
  /** At home: after the transaction that it is called in, deletes what is stored for the service; what came of it is told in that chat. */
  remove?(service: string, sink: string): void
}
