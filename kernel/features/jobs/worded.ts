/**
 * Jobs that a model plans once and words each time, as a port: home fills it in, and a place without it has code write every job's text. Types only. Filled by
 * pipeline/worded-jobs.ts.
 */
import type { CloudGrant } from '../../flow/grant.ts'
import type { Labeled } from '../../flow/labeled.ts'
import type { Result } from '../../flow/verdict.ts'
import type { AskModelPorts } from '../../model-call/model-call.ts'
import type { SynthesisView } from '../../model-call/synthesis-view.ts'
import type { Actions, AtPlace, Clock, Ids, Models, PolicySource, Templates } from '../../powers/ports.ts'
import type { SealedKeeping, SealedReading } from '../../powers/sealed.ts'
import type { GrantStore, StoreOf } from '../../powers/stores.ts'
import type { ReaderPass } from '../../powers/tier-port.ts'
import type { Outcome } from '../../task/outcome.ts'
import type { Task } from '../../task/task.ts'
import type { Template } from '../../template/template.ts'
import type { SettingStore } from '../quiet/port.ts'
import type { JobRepeat } from '../reminders/repeat.ts'
import type { UsageStore } from '../usage/port.ts'
import type { NamedWriter } from './named-writer.ts'
import type { FrozenPlan, Job } from './port.ts'
import type { PlanDrafting } from './requests/drafting-port.ts'
import type { RunningJob } from './telling.ts'

/** Which models there are, in whose order, and what was allowed. */
export type WriterPorts = Models &
  Actions &
  Clock &
  AtPlace &
  PolicySource &
  Templates &
  StoreOf<GrantStore & SettingStore>

/** What a card says of a model, and what its yes is for besides. */
export interface WriterOnCard {
  readonly lines: readonly string[]
  /** Of a company's model that may not read this yet. */
  readonly cloud?: CloudGrant
}

export interface WordedJobs {
  readonly worded?: {
    /** As `drafting.plan`, by a model that may read what is asked for in this chat. */
    readonly plan: PlanDrafting['drafting']['plan']
    /** The model that would word what such a plan reads: the first of the owner's order that may read it, or may once they say so. Null for none. */
    readonly writerFor: (
      powers: WriterPorts,
      of: Pick<Job, 'template' | 'frozen' | 'sink'>,
    ) => NamedWriter | null
    /** Tokens of a day that go with its times. */
    readonly tokensFor: (repeat: JobRepeat) => number
    readonly onCard: (
      powers: WriterPorts & Ids,
      of: Pick<Job, 'id' | 'template' | 'frozen' | 'budget'>,
      /** In place of the one that an earlier card named. */
      anew?: 'anew',
    ) => WriterOnCard
    /** The frozen plan, for one run. */
    readonly again: (
      powers: SealedKeeping & SealedReading,
      task: Task,
      of: { readonly frozen: FrozenPlan; readonly round: number },
    ) => Promise<Result<Extract<Outcome, { readonly got: 'planned' }>>>
    /** The model that would word it now, where that is another one than its card named. Null where nothing changed, or none is left. */
    readonly otherWriter: (powers: WriterPorts, job: Job) => NamedWriter | null
    readonly isSpent: (powers: StoreOf<UsageStore>, job: Job, now: number) => boolean
    /** Why it was stopped; null for one that its tokens did not stop. */
    readonly spentWords: (powers: StoreOf<UsageStore> & Clock, job: Job, title: string) => string | null
    /** The text, as the guard leaves it; null where no model may read this, or none answers. */
    readonly text: (
      powers: AskModelPorts & ReaderPass,
      task: Task,
      of: { readonly run: RunningJob; readonly view: SynthesisView; readonly template: Template },
    ) => Promise<{ readonly text: Labeled<string>; readonly model: string } | null>
    /** Lines before its text: that little of the day's tokens is left, or, of one that no model worded, that code did. */
    readonly notes: (
      powers: StoreOf<UsageStore> & Clock,
      run: RunningJob,
      of: { readonly task: Task; readonly by: string | null },
    ) => readonly string[]
  }
}
