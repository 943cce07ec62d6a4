/** A template as operations show it. Types only. Called by the operations that list templates. */
import type { Level } from '../../flow/level.ts'
import type { PrincipalClass } from '../../task/principal.ts'

export interface TemplateView {
  readonly id: string
  readonly description: string
  readonly ceiling: Level
  readonly provider: string
  readonly asks: boolean
  readonly who: PrincipalClass
  /** From a file of the owner's. */
  readonly own: boolean
  readonly job: boolean
  /** Ids of its tools and effects. */
  readonly tools: readonly string[]
  readonly triggers: readonly string[]
  /** Sinks, or `asker` for the chat that the question came from. */
  readonly answers: readonly string[]
}
