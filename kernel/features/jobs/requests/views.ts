/**
 * A job and its runs as the owner sees them: title, times, chat, and of each run when it began and ended, what it used,
 * and what became of it (G-06). Must not change anything. Called by jobs.ts.
 */

import type { Actions, ChatServices, Tools } from '../../../powers/ports.ts'
import type { StoreOf } from '../../../powers/stores.ts'
import { taskIdOf } from '../../../task/capability.ts'
import { formatPrincipalId } from '../../../task/principal.ts'
import { chatTitle } from '../../deliveries/outage.ts'
import type { SettingStore } from '../../quiet/port.ts'
import { quietEnd } from '../../quiet/quiet.ts'
import type { UsageStore } from '../../usage/port.ts'
import { isAskedNow } from '../asked-now.ts'
import { type NamingPorts, titleFor } from '../named.ts'
import { offIn } from '../needs.ts'
import { pageOf } from '../page-task.ts'
import type { Asking, Job, JobRun, JobStore, JobView, RunView } from '../port.ts'
import { eventOfRun } from '../run-result.ts'
import { nextKept } from '../schedule.ts'
import type { WordedJobs } from '../worded.ts'

type ViewPorts = NamingPorts &
  Actions &
  Tools &
  ChatServices &
  WordedJobs &
  StoreOf<JobStore & SettingStore & Pick<UsageStore, 'tokensOf'>>

export async function viewOf(powers: ViewPorts, asking: Asking, job: Job): Promise<JobView> {
  const { number, state, why, repeat, zone, skips, sink } = job
  const [last = null] = viewsOf(powers, powers.store.runsOf(job.id, 1))
  return {
    ...{ number, state, why, zone, skips, due: heldUntil(powers, job), last },
    ...{
      title: await titleFor(powers, asking, job),
      repeat: repeat.kind,
      every: repeat.every,
      times: repeat.times ?? [],
      first: repeat.first,
      cron: repeat.cron ?? null,
      ends: repeat.last ?? null,
    },
    page: pageOf(powers, job),
    off: offIn(powers, job.frozen.plan),
    chat: chatTitle(sink, powers.chats),
  }
}

/** Its next time; what comes again waits for the end of quiet hours that hold now. */
function heldUntil(powers: ViewPorts, job: Job): number | null {
  const due = nextKept(job)
  const end = job.repeat.kind === 'once' || isAskedNow(powers.store, job) ? null : quietEnd(powers)
  return due === null || end === null ? due : Math.max(due, end)
}

/** What their models used is read once for all of them; a place where code writes every text has none. */
export function viewsOf(
  { store, worded }: WordedJobs & StoreOf<Pick<UsageStore, 'tokensOf'>>,
  runs: readonly JobRun[],
): readonly RunView[] {
  const ran = worded === undefined ? [] : runs.filter(({ task }) => task !== null)
  const first = Math.min(...ran.map(({ started }) => started))
  const used = ran.length === 0 ? new Map<string, number>() : store.tokensOf(ran.flatMap(triesOf), first)
  return runs.map(({ scheduled, started, ended, outcome, delivery, code, page, pageCode, ...run }) => {
    const tries = run.task === null ? [] : triesOf({ ...run, scheduled })
    const tokens = tries.reduce((sum, task) => sum + (used.get(task) ?? 0), 0)
    return { scheduled, started, ended, tokens, outcome, delivery, code, page, pageCode }
  })
}

/** Each try is a task of its own. */
function triesOf({
  job,
  scheduled,
  attempt,
}: Pick<JobRun, 'job' | 'scheduled' | 'attempt'>): readonly string[] {
  const principal = formatPrincipalId({ kind: 'cron', job })
  return Array.from({ length: attempt }, (_, nth) =>
    taskIdOf(principal, eventOfRun({ job, scheduled, attempt: nth + 1 })),
  )
}
