/**
 * `changes.undo`: reverts the owner's last change, if its operation names an inverse call; that call is judged as if
 * the owner had made it (DESIGN §9). Undoing twice restores the change. Called by the table of operations.
 */
import { err, ok } from '../../../flow/verdict.ts'
import { defineOperation, summaryOf } from '../../../operations/operation.ts'
import { id, maybe, record, text } from '../../../operations/shape.ts'

export const undoChange = defineOperation({
  name: 'changes.undo',
  command: 'undo',
  place: 'both',
  from: 'open',
  effect: 'write',
  args: {},
  result: record({ undid: text('internal'), by: text('internal'), approval: maybe(id('internal')) }),
  ports: ['changes'],
  slash: 'undo',
  async run({ changes }, _, caller) {
    const last = changes.last(caller.principal)
    if (last === null) return err('nothing_found')
    if (last.undo === null) return err('change_stays', { operation: last.operation })
    const done = await changes.call({ ...last.undo, caller })
    if (!done.ok) return done
    const card: unknown = Reflect.get(Object(done.value), 'approval')
    const approval = typeof card === 'string' ? card : null
    return ok({ undid: last.operation, by: last.undo.operation, approval })
  },
  text({ undid, approval }, { say, tell, cardBeside }) {
    if (approval === null) return tell('changes.undone', { what: summaryOf(undid) ?? say(undid) })
    return cardBeside
      ? ''
      : tell('changes.asks', {
          what: summaryOf(undid) ?? say(undid),
          yes: say('approve', approval),
          no: say('deny', approval),
        })
  },
})
