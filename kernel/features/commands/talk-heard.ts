/**
 * Recognises free sentences about jobs, lists and memory, and questions that memory answers. Only home
 * bundles it: the size of the edge's bundle is bounded. Must not run an operation. Called through
 * `Powers.tier`.
 */
import type { MeantOperation, SayPlainly, TalkSense } from '../../powers/tier-port.ts'
import { isCorrection, reworded } from '../../task/answers/reworded.ts'
import { rememberedQuestion } from '../memory/remembered.ts'
import { correctHeard, forgetHeard } from './correct-heard.ts'
import { goesOnHeard } from './goes-on-heard.ts'
import { jobHeard } from './job-heard.ts'
import { latelyHeard } from './lately-heard.ts'
import { listHeard } from './list-heard.ts'
import { namedHeard } from './named-heard.ts'
import { personHeard } from './person-heard.ts'
import { placedHeard } from './placed-heard.ts'
import { plainHeard } from './plain-heard.ts'
import { thingHeard } from './thing-heard.ts'
import { whyHeard } from './why-heard.ts'

type Talk = NonNullable<TalkSense['tier']['talk']>

const FORGOTTEN: MeantOperation = { operation: 'memory.forget', args: { which: 'that' }, named: null }
const LISTED: MeantOperation = { operation: 'reminders.tasks', args: {}, named: null }

export const homeTalk = (sayPlainly: SayPlainly): Talk => ({
  async heard(powers, task) {
    if (await listHeard(powers, task)) return LISTED
    const placed = await placedHeard({ ...powers, sayPlainly }, task)
    if (placed !== null) return placed
    const thing = await thingHeard(powers, task)
    if (thing !== null) return thing
    const named = await namedHeard(powers, task)
    if (named !== null) return named
    const lately = await latelyHeard({ ...powers, sayPlainly }, task)
    if (lately !== null) return lately
    const more = await goesOnHeard(powers, task, sayPlainly)
    if (more !== null) return more
    const person = await personHeard(powers, task)
    if (person !== null) return person
    const why = await whyHeard(powers, task)
    if (why !== null) return why
    if (await forgetHeard(powers, task)) return FORGOTTEN
    const words = await correctHeard(powers, task)
    if (words !== null)
      return { operation: 'memory.amend', args: { which: 'that' }, named: { argument: 'value', words } }
    const job = await jobHeard(powers, task)
    return job === null
      ? plainHeard(powers, task, sayPlainly)
      : { operation: job.operation, args: {}, named: { argument: 'words', words: job.words } }
  },
  remembered: rememberedQuestion,
  reword: (fact, said) => (isCorrection(said) ? reworded(fact, said) : undefined),
})
