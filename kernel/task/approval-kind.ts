/**
 * What an approval is about (F-01), and the rule changes that it may carry: plain data of ids and digests, stored with the
 * question and applied once it is approved. Must not hold content. Called by approval.ts, authorize.ts and the code that
 * proposes a change.
 */
import type { Grant } from '../flow/grant.ts'
import type { LinkedChat } from '../flow/linked-chat.ts'
import type { ReasonCode } from '../reasons.ts'

/**
 * `tainted_write`: a call whose bytes are not all the owner's. `declassification`: a call that gives a reader more than its
 * clearance, once. `identity_link`, `cloud_opt_in`, `admin_change`: a rule change. `choice`: which of two ways to continue;
 * fits no call and widens nothing. `plan`: whether a plan may begin; fits no call either. `credential`: access to a service;
 * approved only by a working value, never by words (L-12).
 */
export type ApprovalKind =
  | 'tainted_write'
  | 'declassification'
  | 'identity_link'
  | 'cloud_opt_in'
  | 'admin_change'
  | 'choice'
  | 'plan'
  | 'credential'

/** One change of the owner's rules. A new variant needs a case in `applyChange` (runtime/change.ts). */
export type ProposedChange =
  | { readonly do: 'grant'; readonly grant: Grant }
  /** Two principals are one person, proved in these chats (F-15). */
  | { readonly do: 'link'; readonly link: string; readonly ends: readonly [LinkedChat, LinkedChat] }
  /** Whoever enters the code may start these templates, until then (B-04). Epoch milliseconds. */
  | {
      readonly do: 'pair'
      readonly agreement: string
      readonly templates: readonly string[]
      readonly openUntil: number
      readonly expiresAt: number
    }
  /**
   * The owner's answer to a question is sent to its asker, once. The question waits in the owner's own namespace. Changes no
   * rule.
   */
  | { readonly do: 'word'; readonly asker: string; readonly question: string }
  /** One of the owner's chats is disconnected. Narrows. */
  | { readonly do: 'leave'; readonly channel: string }
  /** While home is offline, the owner's messages at the edge are answered there. Changes no rule. */
  | { readonly do: 'here' }
  | HeardChange
  | DirectiveChange

/** The transcript of a task's recording, identified by its digest, counts as the owner's message. Changes no rule. */
export type HeardChange = { readonly do: 'heard'; readonly task: string; readonly said: string }

/** A sealed draft replaces one version of a directive file, both by id (O-09). */
export type DirectiveChange = {
  readonly do: 'brain'
  readonly file: string
  readonly draft: string
  /** The version that the card was made against. */
  readonly replaces: number
}

/** Reason codes about who will be able to read the data. Approving such a question lets one value pass, once (F-12). */
const LOWERING: readonly ReasonCode[] = [
  'write_down',
  'sink_unknown',
  'compartment_missing',
  'sink_not_in_allow_list',
  'write_unknown_destination',
  'disclosure_asks',
]

export function kindOf(reason: ReasonCode): ApprovalKind {
  return LOWERING.includes(reason) ? 'declassification' : 'tainted_write'
}

/** Kinds whose approval permanently widens who may do or read something. They are asked twice, in two messages (F-17). */
export function widens(kind: ApprovalKind): boolean {
  return kind === 'identity_link' || kind === 'cloud_opt_in' || kind === 'admin_change'
}
