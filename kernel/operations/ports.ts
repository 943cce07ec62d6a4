/**
 * What operations may be given, group by group: each names those that it uses, and gets no other (DESIGN §9). A place fills in what it
 * has. Types only. Called by operations, and by the places.
 */
import type { ApprovalsPort, DecisionsPort, Proposed, Proposer } from '../features/approvals/port.ts'
import type { ChangesPort } from '../features/changes/port.ts'
import type { DirectiveDesk } from '../features/directives/port.ts'
import type { FieldTerms, GrantsPort } from '../features/grants/port.ts'
import type { IdentitiesPort } from '../features/identities/port.ts'
import type { Keepsakes } from '../features/memory/port.ts'
import type { ModelsPort, NameCheck, TemplateView } from '../features/models/port.ts'
import type { PeoplePort } from '../features/people/port.ts'
import type { BothLinesPort } from '../features/places/port.ts'
import type { UsageReport } from '../features/usage/port.ts'
import type { Result } from '../flow/verdict.ts'
import type { AuditEvent } from '../powers/stores.ts'

export interface OperationPorts {
  readonly approvals: ApprovalsPort
  readonly decisions: DecisionsPort
  readonly grants: GrantsPort
  readonly memory: Keepsakes
  readonly people: PeoplePort
  readonly identities: IdentitiesPort
  readonly directives: DirectiveDesk
  /** What tells when the owner is free or busy, and nothing of what is done then: an action and its fields. */
  readonly freeBusy: Pick<FieldTerms, 'action' | 'fields'>
  readonly models: ModelsPort
  /** Puts a card. Refusals: those of `proposeCloud`. */
  readonly cloud: (proposer: Proposer, template: string) => Promise<Result<Proposed>>
  readonly templates: readonly TemplateView[]
  /** What every model of this place says its name is. */
  readonly names: () => Promise<readonly NameCheck[]>
  readonly usage: (days: number) => Promise<UsageReport>
  /** Locks or unlocks the edge; `done` once it has confirmed. */
  readonly edgeLock: (locked: boolean) => Promise<Result<{ readonly done: boolean }>>
  /** Sends a copy of home to the edge, and waits for it. */
  readonly copies: () => Promise<Result<{ readonly number: number }>>
  /** Reads the owner's prompt files again. */
  readonly prompts: () => {
    readonly changed: boolean
    readonly tokens: number
    readonly notices: readonly string[]
  }
  readonly bothLines: BothLinesPort
  readonly trail: TrailPort
  readonly changes: ChangesPort
  /** Drives the owner's work, where something has a new end to watch. */
  readonly drive: () => void
}

/** What was decided and done here: ids, labels, codes and sizes, never content. */
export interface TrailPort {
  /** Of the last so many milliseconds, newest first, so many at most. */
  lately(within: number, most: number): readonly AuditEvent[]
  /** What an action does, in words of its declaration; null for one that is not known. */
  describe(action: string): string | null
}

export type PortName = keyof OperationPorts
