/** Cost of the models of a place, as shown to its owner (P-24). Types only. Called by the operations on usage. */
import type { Place } from '../../flow/place.ts'
import type { Spent } from '../../inference/budget.ts'
import type { UsageKey, UsageSum } from './usage-port.ts'

export interface UsageReport {
  readonly place: Place
  /** First day of the report, in the owner's time zone. */
  readonly from: string
  readonly currency: string
  readonly by: Readonly<Record<UsageKey, readonly UsageSum[]>>
  /** Amount that counts towards the caps today, and the caps; null: no cap. Money in millionths. */
  readonly today: Spent
  readonly caps: {
    readonly tokens: number | null
    readonly cost: number | null
    readonly task: number | null
  }
}
