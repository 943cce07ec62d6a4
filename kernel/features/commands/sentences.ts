/**
 * The sentences that mean an operation, beside slash commands: one row per matcher, in the order in which they are tried. It is
 * the only such list: extract.ts uses it to see that a message needs no plan, and own-commands.ts to know what to run. Must not
 * run anything.
 */
import type { MeantOperation, TalkSense } from '../../powers/tier-port.ts'
import type { Task } from '../../task/task.ts'
import { recognisePage } from '../memory/paging.ts'
import { recogniseAnswer } from '../reminders/heard.ts'
import { recogniseChange } from '../scheduled/heard.ts'
import { jobAsked } from './job-asked.ts'
import { listAsked } from './list-asked.ts'
import { recogniseEnd } from './recognise-end.ts'
import { recogniseMove } from './recognise-move.ts'

type TalkPorts = Parameters<NonNullable<TalkSense['tier']['talk']>['recognise']>[0]

/** Ports needed to recognise a sentence. */
export type SentencePorts = TalkSense &
  TalkPorts &
  Parameters<typeof recogniseChange>[0] &
  Parameters<typeof recogniseAnswer>[0] &
  Parameters<typeof recognisePage>[0] &
  Parameters<typeof listAsked>[0] &
  Parameters<typeof recogniseEnd>[0] &
  Parameters<typeof recogniseMove>[0] &
  Parameters<typeof jobAsked>[0]

interface SentenceMatcher {
  readonly by: 'scheduled' | 'reminder' | 'memory' | 'list' | 'talk' | 'end' | 'move' | 'job'
  /** Null for any other message. */
  readonly match: (powers: SentencePorts, task: Task) => Promise<MeantOperation | null>
}

/** The first matcher that returns an operation decides. */
const SENTENCES: readonly SentenceMatcher[] = Object.freeze([
  { by: 'scheduled', match: recogniseChange },
  { by: 'reminder', match: recogniseAnswer },
  { by: 'memory', match: recognisePage },
  { by: 'list', match: listAsked },
  // Only at home; null at a place without this reader.
  { by: 'talk', match: async (powers, task) => (await powers.tier.talk?.recognise(powers, task)) ?? null },
  { by: 'end', match: recogniseEnd },
  { by: 'move', match: (powers, task) => recogniseMove(powers, task) },
  { by: 'job', match: jobAsked },
])

/** The operation that a message asks for in a sentence, and the row that matched; null for any other message. */
export async function meantOperation(
  powers: SentencePorts,
  task: Task,
): Promise<{ readonly by: SentenceMatcher['by']; readonly meant: MeantOperation } | null> {
  for (const { by, match } of SENTENCES) {
    const meant = await match(powers, task)
    if (meant !== null) return { by, meant }
  }
  return null
}
