/** What the operations share that change one job, which the owner's words name. Pure but for its ports. Called by their files. */
import { rest } from '../../../operations/argument.ts'
import { defineOperation, type Telling } from '../../../operations/operation.ts'
import { JOB, jobFacts, jobWords } from './shape.ts'

interface Change {
  readonly name: Parameters<typeof defineOperation>[0]['name']
  /** Method of the port that makes it. */
  readonly by: 'pause' | 'resume' | 'skip' | 'remove'
  readonly slash: string
  /** Key of the sentence that tells it. */
  readonly says: Parameters<Telling['tell']>[0]
  readonly undo: (number: number) => {
    readonly operation: string
    readonly args: Readonly<Record<string, string | number>>
  }
}

export function changeOfJob({ name, by, slash, says, undo }: Change) {
  return defineOperation({
    ...{ name, slash, place: 'both', from: 'open', effect: 'write', released: true },
    args: { words: rest() },
    result: JOB,
    ports: ['jobs', 'drive'],
    async run({ jobs, drive }, { words }, caller) {
      const done = await jobs[by](caller, words)
      // The timer has to know of the new time.
      if (done.ok) drive()
      return done
    },
    state: async ({ jobs }, _, caller) => jobFacts(await jobs.list(caller)),
    undo: ({ result: { number } }) => undo(number),
    text: (job, view) => view.tell(says, { job: jobWords(job, view) }),
  })
}
