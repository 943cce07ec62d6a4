/**
 * What an approval is about (F-01), and the changes of the owner's own rules that one may carry: plain data, ids and
 * digests only, stored with the question and applied once it is answered with yes. Must not hold content. Called by
 * approval.ts, authorize.ts and whoever proposes a change.
 */
import type { Grant } from '../flow/grant.ts'
import type { LinkedChat } from '../flow/linked-chat.ts'
import type { ReasonCode } from '../reasons.ts'

/**
 * `tainted_write`: a call whose bytes are not all the owner's. `declassification`: a call that tells somebody more than
 * he is cleared for, once. `identity_link`, `cloud_opt_in`, `admin_change`: a change of the rules. `choice`: which of
 * two ways to go on; it fits no call and widens nothing. `plan`: whether a plan may begin; it fits no call either. `credential`:
 * access to a service; a value that works is its *yes*, and nothing that anybody says is (L-12).
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

/** One change of the owner's rules. Whoever adds one adds its case to `applyChange` (runtime/change.ts). */
export type ProposedChange =
  | { readonly do: 'grant'; readonly grant: Grant }
  /** Two principals are one person, as they proved in these chats (F-15). */
  | { readonly do: 'link'; readonly link: string; readonly ends: readonly [LinkedChat, LinkedChat] }
  /** Whoever says the code may start these templates, until then (B-04). Epoch milliseconds. */
  | {
      readonly do: 'pair'
      readonly agreement: string
      readonly templates: readonly string[]
      readonly openUntil: number
      readonly expiresAt: number
    }
  /** Somebody hears the owner's word, once, on a question that waits in his own namespace. It changes no rule. */
  | { readonly do: 'word'; readonly asker: string; readonly question: string }
  /** A chat of the owner's is left. It narrows. */
  | { readonly do: 'leave'; readonly channel: string }
  /** What he writes at the edge is answered there while home is away. It changes no rule. */
  | { readonly do: 'here' }
  | HeardChange
  | DirectiveChange

/** What was heard of a task's recording, by the digest of its words, is the owner's message. It changes no rule. */
export type HeardChange = { readonly do: 'heard'; readonly task: string; readonly said: string }

/** A sealed draft takes the place of one version of a directive file, by their ids (O-09). */
export type DirectiveChange = {
  readonly do: 'brain'
  readonly file: string
  readonly draft: string
  /** Version that the card was made against. */
  readonly replaces: number
}

/** Reasons to ask that are about who will be able to read it: a *yes* to these lets one value pass, once (F-12). */
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

/** Kinds whose *yes* widens who may do or read something from then on: asked twice, in two messages (F-17). */
export function widens(kind: ApprovalKind): boolean {
  return kind === 'identity_link' || kind === 'cloud_opt_in' || kind === 'admin_change'
}
