/**
 * Task templates: the capability ceiling of every task (B-30, B-33 – B-39, X-04). The loader takes decoded TOML,
 * refuses unknown keys and anything that names no sink or ceiling, and returns the normalised form.
 */
import type { Clearance } from '../flow/clearance.ts'
import { ASKER } from '../flow/grant.ts'
import type { Plan } from '../task/plan.ts'
import type { PrincipalClass } from '../task/principal.ts'

export interface Template {
  readonly id: string
  /** `adapter:<adapter>:<kind>:<class>`; `*` matches one whole segment. */
  readonly triggers: readonly string[]
  /** Intents for which this template is chosen over a wider one; empty: any (DESIGN §1). */
  readonly intents: readonly string[]
  readonly principalClass: PrincipalClass
  readonly description: string
  /** What a planner is told instead of a stranger's words; required for every class but the owner's (B-38). */
  readonly plannerDescription: string | null
  /** Expanded against the registry and the kernel's effects at load (B-35); sorted. */
  readonly tools: readonly string[]
  readonly maxToolCalls: number
  readonly maxTokensPlan: number
  readonly maxTokensSynthesize: number
  /** Of all calls of a task together, read and written; beside the owner's own budget (B-37). */
  readonly maxTokensTask?: number | undefined
  /** Sink ids, or `reply_to_sender`. */
  readonly sinks: readonly string[]
  readonly ceiling: Clearance
  readonly inference: {
    /** `chain`: the configured order. `local`: models at home alone. Else the name of one to ask first (D-09). */
    readonly provider: string
    readonly model: string | null
    /** What the file asks for. It acknowledges nothing: the owner's recorded yes does (`powers/consent.ts`). */
    readonly asksForCloud: boolean
  }
  readonly requireApprovalForWrites: boolean
  /** Canned plans by intent: no planning model needed (DESIGN §3). */
  readonly plans: Readonly<Record<string, Plan>>
}

/** Written in a template's `output_sinks`: the chat the event came from, and no other. */
export const REPLY_TO_SENDER = ASKER
