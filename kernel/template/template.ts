/**
 * Task templates: the capability ceiling of every task (B-30, B-33 – B-39, X-04), in the normalised form that the loader
 * returns. The loader refuses unknown keys and a template without sink or ceiling.
 */
import type { Clearance } from '../flow/clearance.ts'
import { ASKER } from '../flow/grant.ts'
import type { Plan } from '../task/plan.ts'
import type { PrincipalClass } from '../task/principal.ts'

export interface Template {
  readonly id: string
  /** `adapter:<adapter>:<kind>:<class>`; `*` matches one whole segment. */
  readonly triggers: readonly string[]
  /** Intents for which this template is preferred to a wider one; empty: any (DESIGN §1). */
  readonly intents: readonly string[]
  readonly principalClass: PrincipalClass
  readonly description: string
  /** What a planner sees instead of an outside sender's words; required for every class but the owner's (B-38). */
  readonly plannerDescription: string | null
  /** Expanded at load against the registry and the kernel's effects (B-35); sorted. */
  readonly tools: readonly string[]
  readonly maxToolCalls: number
  readonly maxTokensPlan: number
  readonly maxTokensSynthesize: number
  /** Tokens read and written by all calls of a task; applies in addition to the owner's budget (B-37). */
  readonly maxTokensTask?: number | undefined
  /** Sink ids, or `reply_to_sender`. */
  readonly sinks: readonly string[]
  readonly ceiling: Clearance
  readonly inference: {
    /** `chain`: the configured order. `local`: models at home only. Otherwise the provider to ask first (D-09). */
    readonly provider: string
    readonly model: string | null
    /** The file's request only. The owner's recorded approval decides (`powers/consent.ts`). */
    readonly asksForCloud: boolean
  }
  readonly requireApprovalForWrites: boolean
  /** Canned plans by intent, which need no planning model (DESIGN §3). */
  readonly plans: Readonly<Record<string, Plan>>
}

/** In a template's `output_sinks`: only the chat that the event came from. */
export const REPLY_TO_SENDER = ASKER
