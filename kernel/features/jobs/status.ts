/** Jobs in the status (L-08, G-25): when each ran last and runs next. Shows no word of the owner's. Called by own-commands.ts. */
import type { ChatServices, Clock, Templates } from '../../powers/ports.ts'
import type { StoreOf } from '../../powers/stores.ts'
import { chatTitle } from '../deliveries/outage.ts'
import type { JobStore } from './port.ts'
import { titleOf } from './runner.ts'
import { nextKept } from './schedule.ts'
import { jobLine } from './shown.ts'

export function jobLines(powers: Clock & ChatServices & Templates & StoreOf<JobStore>): readonly string[] {
  const { store, chats } = powers
  return store
    .jobs()
    .filter(({ state }) => state !== 'asked')
    .map((job) => {
      const [last = null] = store.runsOf(job.id, 1)
      const { kind, every, first, times = [] } = job.repeat
      const view = { ...job, title: titleOf(powers, job), repeat: kind, every, first, times, last }
      return jobLine({ ...view, due: nextKept(job), chat: chatTitle(job.sink, chats) }, powers.now())
    })
}
