/**
 * Recognises free sentences about jobs, lists and memory, and questions that memory answers. Only home
 * bundles it: the size of the edge's bundle is bounded. Must not run an operation. Called through
 * `Powers.tier`.
 */
import type { Complete, MeantOperation, SayPlainly, TalkSense } from '../../powers/tier-port.ts'
import { isCorrection, reworded } from '../../task/answers/reworded.ts'
import { rememberedQuestion } from '../memory/remembered.ts'
import { asksForList } from './asks-for-list.ts'
import { completedIn } from './completed-request.ts'
import { recogniseCard } from './recognise-card.ts'
import { recogniseContinued } from './recognise-continued.ts'
import { recogniseCorrection, recogniseForget } from './recognise-correction.ts'
import { recogniseDeed } from './recognise-deed.ts'
import { recogniseEntry } from './recognise-entry.ts'
import { recogniseJob } from './recognise-job.ts'
import { recogniseNamed } from './recognise-named.ts'
import { recognisePerson } from './recognise-person.ts'
import { recognisePlaced } from './recognise-placed.ts'
import { recognisePlain } from './recognise-plain.ts'
import { recogniseRecent } from './recognise-recent.ts'
import { recogniseWhy } from './recognise-why.ts'

type Talk = NonNullable<TalkSense['tier']['talk']>

const FORGOTTEN: MeantOperation = { operation: 'memory.forget', args: { which: 'that' }, named: null }
const LISTED: MeantOperation = { operation: 'reminders.tasks', args: {}, named: null }

export const homeTalk = (sayPlainly: SayPlainly, complete: Complete): Talk => ({
  completed: (powers, sent) => completedIn(powers, sent, complete),
  async recognise(powers, task) {
    if (await asksForList(powers, task)) return LISTED
    const card = await recogniseCard(powers, task)
    if (card !== null) return card
    const placed = await recognisePlaced({ ...powers, sayPlainly }, task)
    if (placed !== null) return placed
    const thing = await recogniseEntry(powers, task)
    if (thing !== null) return thing
    const deed = await recogniseDeed(powers, task)
    if (deed !== null) return deed
    const named = await recogniseNamed(powers, task)
    if (named !== null) return named
    const recent = await recogniseRecent({ ...powers, sayPlainly }, task)
    if (recent !== null) return recent
    const continued = await recogniseContinued(powers, task, sayPlainly)
    if (continued !== null) return continued
    const person = await recognisePerson(powers, task)
    if (person !== null) return person
    const why = await recogniseWhy(powers, task)
    if (why !== null) return why
    if (await recogniseForget(powers, task)) return FORGOTTEN
    const words = await recogniseCorrection(powers, task)
    if (words !== null)
      return { operation: 'memory.amend', args: { which: 'that' }, named: { argument: 'value', words } }
    const job = await recogniseJob(powers, task)
    return job === null
      ? recognisePlain(powers, task, sayPlainly)
      : { operation: job.operation, args: {}, named: { argument: 'words', words: job.words } }
  },
  remembered: rememberedQuestion,
  reword: (fact, said) => (isCorrection(said) ? reworded(fact, said) : undefined),
})
