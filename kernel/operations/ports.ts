/**
 * Ports that operations may use, by group: an operation names those it uses and gets no other (DESIGN §9). A place
 * provides what it has. Types only. Called by operations and by the places.
 */

import type { ApprovalsPort, DecisionsPort, Proposed, Proposer } from '../features/approvals/port.ts'
import type { LastChange } from '../features/changes/last-change.ts'
import type { Contacts } from '../features/contacts/port.ts'
import type { DirectivesPort } from '../features/directives/port.ts'
import type { FieldTerms, GrantsPort } from '../features/grants/port.ts'
import type { CompartmentsPort, HealthDataPort } from '../features/health/port.ts'
import type { WorkingHoursPort } from '../features/hours/hours.ts'
import type { ChoreView } from '../features/housekeeping/chores.ts'
import type { IdentitiesPort } from '../features/identities/port.ts'
import type { JobsPort } from '../features/jobs/port.ts'
import type { LanguagePort } from '../features/language/port.ts'
import type { MemoryEntries } from '../features/memory/port.ts'
import type { ChoicePort, ModelsPort, NameCheck } from '../features/models/port.ts'
import type { PeoplePort } from '../features/people/port.ts'
import type { PersonaPort } from '../features/persona/port.ts'
import type { BothLinesPort } from '../features/places/home-port.ts'
import type { QuietPort } from '../features/quiet/port.ts'
import type { Reminders, SharedTimes } from '../features/reminders/port.ts'
import type { ScheduledPort } from '../features/scheduled/port.ts'
import type { SenderPort } from '../features/sender/sender.ts'
import type { TemplateSwitch, TemplateView, UnaskedPort } from '../features/templates/port.ts'
import type { ToolSwitch } from '../features/tools/port.ts'
import type { UsageReport } from '../features/usage/port.ts'
import type { WebservicesPort } from '../features/webservices/port.ts'
import type { ZonePort } from '../features/zone/port.ts'
import type { Result } from '../flow/verdict.ts'
import type { AuditEvent } from '../powers/stores.ts'
import type { CallOperation } from './caller.ts'

export interface OperationPorts {
  readonly approvals: ApprovalsPort
  readonly decisions: DecisionsPort
  readonly grants: GrantsPort
  readonly memory: MemoryEntries
  readonly reminders: Reminders
  /** Whether the edge may know when private reminders are due. */
  readonly sharedTimes: SharedTimes
  readonly quiet: QuietPort
  readonly scheduled: ScheduledPort
  readonly zone: ZonePort
  readonly language: LanguagePort
  readonly contacts: Contacts
  readonly jobs: JobsPort
  readonly people: PeoplePort
  readonly identities: IdentitiesPort
  readonly directives: DirectivesPort
  /** Action and fields that show when the owner is free or busy, without any detail. */
  readonly freeBusy: Pick<FieldTerms, 'action' | 'fields'>
  readonly models: ModelsPort
  /** Selects the model that is asked first. */
  readonly choice: ChoicePort
  /** Sends an approval card. Refusals: those of `proposeCloud`. */
  readonly cloud: (proposer: Proposer, template: string | null) => Promise<Result<Proposed>>
  readonly templates: () => readonly TemplateView[]
  /** Turns connected services on and off. */
  readonly toolSwitch: ToolSwitch
  /** Turns kinds of requests of other people on and off. */
  readonly templateSwitch: TemplateSwitch
  /** Templates whose writes of typed values need no card. */
  readonly unasked: UnaskedPort
  /** Reads the owner's own template files again and returns a notice for each that cannot be used. */
  readonly ownTemplates: () => { readonly changed: boolean; readonly notices: readonly string[] }
  /** Asks every model of this place for its name. */
  readonly names: () => Promise<readonly NameCheck[]>
  readonly usage: (days: number) => Promise<UsageReport>
  /** Locks or unlocks the edge; `done` once it has confirmed. */
  readonly edgeLock: (locked: boolean) => Promise<Result<{ readonly done: boolean }>>
  /** Sends an encrypted copy of home to the edge and waits for the result. */
  readonly copies: () => Promise<Result<{ readonly number: number }>>
  /** Reads the owner's prompt files again. */
  readonly prompts: () => {
    readonly changed: boolean
    readonly tokens: number
    readonly notices: readonly string[]
  }
  readonly bothLines: BothLinesPort
  /** Chats that may show data of a compartment. */
  readonly compartments: CompartmentsPort
  /** The owner's health data, for operations about it. */
  readonly health: HealthDataPort
  /** Home's maintenance jobs. */
  readonly housekeeping: () => readonly ChoreView[]
  readonly hours: WorkingHoursPort
  /** The assistant's name. */
  readonly persona: PersonaPort
  readonly sender: SenderPort
  /** Web services named by the owner. */
  readonly webservices: WebservicesPort
  readonly trail: TrailPort
  readonly changes: ChangesPort
  /** Runs the owner's work, for example after a new expiry was set. */
  readonly drive: () => void
}

/** Audit rows of this place: ids, labels, codes and sizes, never content. */
export interface TrailPort {
  /** Rows of the last `within` milliseconds, newest first, at most `most`. */
  lately(within: number, most: number): readonly AuditEvent[]
  /** What an action does, in words for people, as shown while it runs; null for an unknown action. */
  describe(action: string): string | null
  /** Whether it changes something; false for an unknown one. */
  writes(action: string): boolean
  /** At home: returns the text sent at the time of each row, as far as this sink may show it; empty if there was none. */
  told?(
    asking: { readonly principal: string; readonly sink: string },
    lines: readonly AuditEvent[],
  ): Promise<(line: AuditEvent) => string>
  /** What an operation is for, in words for people; null for an unknown one. */
  asks(operation: string): string | null
}

export type PortName = keyof OperationPorts

export interface ChangesPort {
  /** Newest change by this principal at this place; null when there is no recent one. */
  last(principal: string): LastChange | null
  /** Calls like any caller: the operation's own rules judge it. */
  readonly call: CallOperation
}
