/**
 * What came through the ports of one world, in order: the only thing that the oracle judges by. Must not judge, and must
 * not read anything that the kernel says of itself but what it stores. Filled by world.ts.
 */

import type { Draft } from '../../kernel/features/deliveries/work-port.ts'
import type { Json } from '../../kernel/flow/json.ts'
import type { ModelReader } from '../../kernel/flow/policy.ts'
import type { Delivery } from '../../kernel/powers/ports.ts'
import type { AuditEvent } from '../../kernel/powers/stores.ts'
import type { FinalPrompt } from '../../kernel/prompt/finalize.ts'
import type { CapabilityToken } from '../../kernel/task/capability.ts'
import type { Task } from '../../kernel/task/task.ts'

export interface SeenCall {
  readonly at: number
  readonly clock: number
  readonly tool: string
  readonly args: { readonly [key: string]: Json }
  /** As the port got it; not believed. */
  readonly capability: CapabilityToken
}

export interface SeenPrompt {
  readonly at: number
  readonly model: ModelReader
  readonly prompt: FinalPrompt
  /** What the model answered. */
  readonly answer: string
}

export interface SeenDecision {
  readonly at: number
  readonly approval: string
  readonly task: string
  readonly tool: string
  /** The bytes that the owner was shown. */
  readonly card: string
  readonly reason: string
  readonly decision: 'approve' | 'deny'
}

export interface Seen<T> {
  readonly at: number
  readonly what: T
}

export interface Witness {
  readonly calls: SeenCall[]
  readonly prompts: SeenPrompt[]
  readonly decisions: SeenDecision[]
  readonly sent: Seen<Delivery>[]
  /** Answers as they were shown before they were whole. */
  readonly drafts: Seen<Draft>[]
  readonly audits: Seen<AuditEvent>[]
  /** Every version of every task record that was stored. */
  readonly tasks: Seen<Task>[]
  /** Position of what comes next. */
  next(): number
}

export function createWitness(): Witness {
  let count = 0
  return {
    ...{ calls: [], prompts: [], decisions: [], sent: [], drafts: [], audits: [], tasks: [] },
    next: () => count++,
  }
}
