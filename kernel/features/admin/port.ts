/** What a plan of the owner's may be told of how it is set up. Types only. Provided by home. */
import type { Labeled } from '../../flow/labeled.ts'
import type { Task } from '../../task/task.ts'

export interface OwnStatus {
  /** As the owner's own command tells it; absent where no plan may ask for it. */
  readonly ownStatus?: (task: Task) => Promise<Labeled<string>>
}
