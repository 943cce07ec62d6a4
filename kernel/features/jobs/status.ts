/**
 * Jobs in the status, and in what the assistant knows of itself (L-08, G-25): what runs, and when. Shows no word of the owner's. Called by
 * own-commands.ts and by the places.
 */
import type { Actions, AtPlace, ChatServices, Clock, Templates, Tools } from '../../powers/ports.ts'
import type { StoreOf } from '../../powers/stores.ts'
import { tell } from '../../wording/words.ts'
import { chatTitle } from '../deliveries/outage.ts'
import { offIn } from './needs.ts'
import { pageOf } from './page-task.ts'
import type { JobStore } from './port.ts'
import { titleOf } from './runner.ts'
import { nextKept } from './schedule.ts'
import { jobLine, whenWords } from './shown.ts'

/** Jobs that prompts are told of: each stands in every prompt that speaks with the owner. */
const MOST_DESCRIBED = 20

/** Those that are on, by number, each with its schedule in words. */
export function activeJobs(
  powers: Actions & Templates & StoreOf<Pick<JobStore, 'jobs'>>,
): readonly { readonly name: string; readonly note: string }[] {
  return powers.store
    .jobs()
    .filter(({ state }) => state === 'on')
    .slice(0, MOST_DESCRIBED)
    .map((job) => {
      const when = whenWords(job.repeat)
      const page = pageOf(powers, job)
      return {
        // The title in a file of the owner's can say anything, and would stand among the program's own words.
        name: isOfOwnFile(powers, job.template) ? tell('jobs.own') : titleOf(powers, job),
        note: page === null ? when : `${when}; ${tell('jobs.and_page', { tool: page })}`,
      }
    })
}

function isOfOwnFile({ templates }: Templates, template: string): boolean {
  return templates.find(({ id }) => id === template)?.own === true
}

export function jobLines(
  powers: Actions & Tools & Clock & ChatServices & Templates & StoreOf<JobStore>,
): readonly string[] {
  const { store, chats } = powers
  return store
    .jobs()
    .filter(({ state }) => state !== 'asked')
    .map((job) => {
      const [last = null] = store.runsOf(job.id, 1)
      const { kind, every, first, times = [], cron = null, last: ends = null } = job.repeat
      const page = pageOf(powers, job)
      const view = {
        ...job,
        page,
        off: offIn(powers, job.frozen.plan),
        title: titleOf(powers, job),
        repeat: kind,
        every,
        first,
        times,
        cron,
        ends,
        last,
      }
      return jobLine({ ...view, due: nextKept(job), chat: chatTitle(job.sink, chats) }, powers.now())
    })
}

/** UTF-16 units of a name that is told back. */
const MAX_NAME = 80

/** That there is no job of that name, and what there is instead. The edge does not know what home runs. */
export function noSuchJob(powers: Parameters<typeof jobLines>[0] & AtPlace, name: string): string {
  const lines = jobLines(powers)
  const said = tell('jobs.no_such', { name: name.slice(0, MAX_NAME) })
  const here =
    lines.length === 0
      ? tell('jobs.no_such_none', { said })
      : tell('jobs.no_such_some', { said, jobs: lines.join('\n') })
  return powers.place === 'home' ? here : `${here}\n${tell('jobs.homes')}`
}
