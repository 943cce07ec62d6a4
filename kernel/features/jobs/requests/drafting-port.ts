/**
 * The phases of the pipeline that the proposal of a job needs before there is a task: reading and planning the owner's
 * words, and looking up a page. The pipeline lies above the features, so it is handed in. Types only. Filled by
 * pipeline/drafting.ts.
 */
import type { AuthorizePorts } from '../../../call/authorize-port.ts'
import type { LookedUpCall } from '../../../call/target.ts'
import type { Result } from '../../../flow/verdict.ts'
import type { AskModelPorts } from '../../../model-call/model-call.ts'
import type { PlannerViewPorts } from '../../../model-call/planner-view.ts'
import type {
  Actions,
  AtPlace,
  ChatServices,
  Extraction,
  Ids,
  OwnerFacts,
  Templates,
} from '../../../powers/ports.ts'
import type { SealedReading } from '../../../powers/sealed.ts'
import type {
  ApprovalStore,
  AuditTrail,
  IdentityLinkStore,
  OutboxStore,
  StoreOf,
  TaskStore,
  TurnStore,
} from '../../../powers/stores.ts'
import type { CommandSense, NameCorrection, TalkSense } from '../../../powers/tier-port.ts'
import type { Outcome } from '../../../task/outcome.ts'
import type { ToolStep } from '../../../task/plan.ts'
import type { Task } from '../../../task/task.ts'
import type { Template } from '../../../template/template.ts'
import type { RegisteredAction } from '../../../tool/registry.ts'
import type { FactStore } from '../../memory/port.ts'
import type { SettingStore } from '../../quiet/port.ts'
import type { ReminderStore } from '../../reminders/port.ts'
import type { JobStore } from '../port.ts'

/** Ports needed to extract the fields of a message. No model. */
export type ExtractPorts = SealedReading &
  Ids &
  OwnerFacts &
  Actions &
  ChatServices &
  Extraction &
  AtPlace &
  CommandSense &
  TalkSense &
  Templates &
  StoreOf<
    JobStore & TurnStore & TaskStore & ReminderStore & OutboxStore & SettingStore & ApprovalStore & AuditTrail
  >

/** Ports needed to plan. */
export type PlanPorts = AskModelPorts &
  PlannerViewPorts &
  TalkSense &
  NameCorrection &
  StoreOf<FactStore & IdentityLinkStore>

export interface PlanDrafting {
  readonly drafting: {
    /** Reads the words of a task and plans them by code alone. The task is returned as it was planned; nothing is stored. */
    readonly plan: (
      powers: ExtractPorts & PlanPorts,
      started: Task,
      template: Template,
    ) => Promise<{ readonly task: Task; readonly made: Outcome }>
    /** Looks up what a step would write to. Refusals: those of the lookup. */
    readonly target: (
      powers: AuthorizePorts,
      task: Task,
      at: { readonly template: Template; readonly step: ToolStep },
    ) => Promise<Result<{ readonly action: RegisteredAction; readonly call: LookedUpCall }>>
  }
}
