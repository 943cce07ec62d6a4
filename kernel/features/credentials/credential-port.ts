/**
 * What a place does with a credential that the owner gives in a chat (L-12, L-13): a value goes in, and only how it went comes
 * back. Must not be handed to a tool. Filled by home's desk and by the edge's box for home; called by runtime/credentials.ts.
 */
import type { Result } from '../../flow/verdict.ts'
import type { ReasonCode } from '../../reasons.ts'

/** `sent`: closed for home, durably on its way; whether it works is found out there. */
export type Given = 'stored' | 'sent'

/** A page that closes what is typed on it for home before it leaves the browser (L-15); once, and while its question is open. */
export interface OneTimePage {
  readonly url: string
  /** Of the key that it closes for, in groups, to compare with what the page shows. */
  readonly fingerprint: string
}

export interface CredentialPort {
  /** Why this place would take none now, so that nobody is asked to paste one for nothing; null where it would. */
  refusal(): ReasonCode | null
  /** Whether a service is connected, at a place whose tools cannot say: the edge has home's word. */
  has?(service: string): boolean
  /** A page for the question of this id, in place of any former one; null where there is none to offer. */
  page?(approval: string): Promise<OneTimePage | null>
  /**
   * Home: tries a value with its service, and stores it only if that takes it, or where the tool has no way to try. The edge: closes it
   * for home. Refusals: key_development, field_malformed, credential_rejected (the service said no), credential_mismatch (one
   * is stored already), seal_key_missing, and those of the call or the tunnel, which say nothing of the value.
   */
  give(service: string, value: string): Promise<Result<Given>>
}
