/**
 * The owner's line to a place, as the terminal sees it: one port, two implementations (socket-link.ts for the private
 * line, open-link.ts for the open line). Must not print and must not interpret answers. Called by the commands.
 */
import type { ReasonCode, Result } from '../../kernel/flow/verdict.ts'
import type { UsageReport } from '../../kernel/pipeline/usage-report.ts'
import type { Edit, FileView, VersionView, Written } from '../../kernel/runtime/directive-desk.ts'
import type { GrantView } from '../../kernel/runtime/grants.ts'
import type { LinkView, Removed, Started } from '../../kernel/runtime/identity-links.ts'
import type { Keepsake } from '../../kernel/runtime/keepsakes.ts'
import type { TaskReport } from '../../kernel/runtime/report.ts'
import type { ApprovalView, Standing } from '../../kernel/runtime/shell.ts'
import type { NameCheck } from '../../kernel/runtime/whoami.ts'
import type { FieldTerms } from '../../kernel/wording/grant-card.ts'
import type { ModelLook } from '../doctor/model-look.ts'
import type { ModelsLine } from './models-line.ts'
import type { PeopleLine } from './people-line.ts'
import type { TransportLine } from './transport-line.ts'

/** What `prompts/SYSTEM.md` came to: sentences for what could not be used. */
export interface Reloaded {
  readonly changed: boolean
  readonly tokens: number
  readonly notices: readonly string[]
}

export type Line = 'private' | 'open'

export type Decision = 'approve' | 'deny'

/** One row of the line's outbox, in the order in which it was released. */
export interface LineDelivery {
  readonly seq: number
  /** Stable per delivery; begins with what it is, where the place told it of its own accord. */
  readonly id?: string | undefined
  readonly task: string | null
  readonly kind: 'answer' | 'card' | 'notice'
  readonly approval: string | null
  readonly text: string
}

/** What there is of an answer that is still being written: each takes the place of the one before, the answer that of all. */
export interface LineDraft {
  readonly task: string
  readonly text: string
}

export interface LineMessage {
  /** Sending twice under one id is sending once (B-24), so a lost reply may be tried again. */
  readonly id: string
  readonly text: string
}

export interface LineEdit {
  readonly approval: string
  readonly text: string
  /** Which text, where the call has several. */
  readonly argument?: string
}

/** How long and how often; `message` names the line that proposes it. */
export interface GrantTerms {
  readonly days: number
  readonly perDay: number
  readonly message: string
}

/** Two principals, by their canonical ids. */
export interface LineJoin {
  readonly one: string
  readonly other: string
  readonly message: string
}

export interface PlaceStatus {
  readonly place: string
  readonly [fact: string]: unknown
}

/** The first questions (O-58); they are home's, and the open line refuses with approval_place_too_low. */
export interface QuestionsLine {
  /** Whether they are to be put, and whether the assistant has no name and manner of its own yet. */
  state(): Promise<Result<{ readonly due: boolean; readonly persona: boolean }>>
  done(answers: {
    readonly how: 'answered' | 'skipped'
    readonly name: string | null
    readonly style: string | null
  }): Promise<Result<unknown>>
}

export interface BrainLine {
  list(): Promise<Result<readonly FileView[]>>
  /** The newest version for null. */
  show(name: string, version: number | null): Promise<Result<VersionView>>
  history(name: string): Promise<Result<readonly VersionView[]>>
  edit(edit: Edit): Promise<Result<Written>>
  restore(back: Pick<Edit, 'name' | 'message'> & { readonly version: number }): Promise<Result<Written>>
}

/** Every call resolves; a line that is down refuses with `home_offline` (private) or `remote_unavailable` (open). */
export interface Link {
  readonly line: Line
  send(message: LineMessage): Promise<Result<{ readonly task: string }>>
  /**
   * Rows above `after`, oldest first; waits up to `waitMs` for the first and answers with none after that. `drafts`: a new
   * draft ends the wait as well.
   */
  deliveries(after: number, waitMs: number, drafts?: 'drafts'): Promise<Result<readonly LineDelivery[]>>
  /** The newest draft that came with them; null before there is one. */
  draft(): LineDraft | null
  report(task: string): Promise<Result<TaskReport>>
  approvals(): Promise<Result<readonly ApprovalView[]>>
  /** Whether a question still waits, or how it ended. Refuses with approval_unknown, and as it may where the place is older. */
  standing(approval: string): Promise<Result<Standing>>
  /** `message` names this very answer: what widens reach needs a yes in another message than the one that proposed it. */
  decide(approval: string, decision: Decision, message?: string): Promise<Result<{ readonly task: string }>>
  /** Other words for a text that is asked about; the question comes anew. */
  edit(edit: LineEdit): Promise<Result<{ readonly task: string }>>
  /** Grants are home's: the open line refuses these with approval_place_too_low. */
  always(terms: GrantTerms & { readonly approval: string }): Promise<Result<{ readonly approval: string }>>
  allow(terms: GrantTerms & FieldTerms): Promise<Result<{ readonly approval: string }>>
  grants(): Promise<Result<readonly GrantView[]>>
  revoke(grant: string): Promise<Result<{ readonly grant: string }>>
  readonly transport: TransportLine
  readonly models: ModelsLine
  readonly people: PeopleLine
  /** Which accounts are one person's; home's as well. `message` names the line that asks. */
  identities(): Promise<Result<readonly LinkView[]>>
  join(ends: LineJoin): Promise<Result<Started>>
  part(link: string): Promise<Result<Removed>>
  stop(task: string): Promise<Result<{ readonly task: string }>>
  /** What every model of the line's place says its name is. */
  whoAmI(): Promise<Result<readonly NameCheck[]>>
  /** How home's models do; `ollama`: origin on this machine, null for where it is set up. The open line refuses with approval_place_too_low. */
  doctor(ollama: string | null): Promise<Result<ModelLook>>
  /** What the models of the line's place cost in so many days. */
  usage(days: number): Promise<Result<UsageReport>>
  /** What the line's place remembers of its owner, newest first. */
  memory(): Promise<Result<readonly Keepsake[]>>
  /** One of them, by id or number. */
  memoryEntry(which: string): Promise<Result<Keepsake>>
  forget(id: string): Promise<Result<unknown>>
  /** Brings back what was forgotten last, or under this number. */
  undoForget(number: number | null): Promise<Result<Keepsake>>
  correct(id: string, text: string): Promise<Result<unknown>>
  /** The directive files. They are home's: the open line refuses these with approval_place_too_low. */
  readonly brain: BrainLine
  readonly questions: QuestionsLine
  /** Locks or unlocks the edge; `done` once it has confirmed. The open line locks only: approval_place_too_low. */
  lock(locked: boolean): Promise<Result<{ readonly done: boolean }>>
  /** Reads the owner's prompt files again; they are home's, and the open line refuses with approval_place_too_low. */
  reload(): Promise<Result<Reloaded>>
  status(): Promise<Result<PlaceStatus>>
  close(): void
}

/** Whether a refusal means that nobody is at the line's other end, so that trying again later makes sense. */
export function isOffline({ line }: Pick<Link, 'line'>, code: ReasonCode): boolean {
  return code === (line === 'private' ? 'home_offline' : 'remote_unavailable')
}
