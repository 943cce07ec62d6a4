/**
 * Effects of an owner message at intake, before any model reads it: it answers a card, stops tasks, or replaces
 * former versions. Cards elsewhere are updated once the message is durable. Called by the shell's `receive`.
 */
import { type DeliverPorts, deliverNotice } from '../../pipeline/deliver.ts'
import type { Actions } from '../../powers/ports.ts'
import type { IntakePorts, takeIn } from '../../runtime/intake.ts'
import { hearStop } from '../../runtime/stop-word.ts'
import type { Approval, DecisionInput } from '../../task/approval.ts'
import type { TaskReports } from '../../task/outcome.ts'
import type { Task } from '../../task/task.ts'
import { EDITED_AFTER } from '../approvals/card.ts'
import type { CardClosing } from '../approvals/card-closing.ts'
import { type DecideTypedPorts, hearAnswer } from '../approvals/typed-answer.ts'
import { withdrawFormer } from '../deliveries/withdraw.ts'
import { decideHeard } from './heard.ts'

type Heard = Pick<Parameters<typeof takeIn>[2], 'answers' | 'stops' | 'edited'>

export interface Hearing {
  readonly heard: Heard
  /** Runs after the message is taken in. */
  readonly after: () => Promise<void>
}

export function createHearing(
  powers: IntakePorts & DecideTypedPorts & Actions,
  lane: TaskReports,
  closing: CardClosing,
): Hearing {
  const later: DecisionInput[] = []
  const over: Pick<Approval, 'id' | 'task'>[] = []
  const written: Task[] = []
  return {
    heard: {
      answers: (sent) =>
        hearAnswer(powers, lane, sent, {
          over: (decided) => over.push(...decided),
          later: (input) => later.push(input),
        }),
      stops(sent) {
        const stop = hearStop(powers, lane, sent)
        if (stop === null) return null
        return () => {
          const stopped = stop()
          over.push(...stopped.asked)
          return stopped
        }
      },
      edited(version) {
        const withdrawn = withdrawFormer(powers, lane, version)
        over.push(...withdrawn.approvals)
        written.push(...withdrawn.written)
      },
    },
    async after() {
      for (const input of later) await decideHeard(powers, lane, input)
      over.forEach(closing.add)
      for (const task of written) closing.after(() => tellWritten(powers, task))
    },
  }
}

/** Once per version, however often its message is edited. */
function tellWritten(powers: DeliverPorts, { id, sink, principal }: Task): Promise<unknown> {
  return deliverNotice(powers, {
    id: `edited:${id}`,
    sink,
    principal,
    code: 'approval_spent',
    words: EDITED_AFTER,
  })
}
