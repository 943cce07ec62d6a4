/**
 * `changes.undo`: reverts the owner's last change, if its operation names an inverse call; that call is judged as if
 * the owner had made it (DESIGN §9). Undoing twice restores the change. Called by the table of operations.
 */
import { isPlainRecord } from '../../../flow/json.ts'
import { err, ok } from '../../../flow/verdict.ts'
import { oneLine } from '../../../operations/lines.ts'
import { defineOperation, summaryOf } from '../../../operations/operation.ts'
import { id, list, maybe, record, text } from '../../../operations/shape.ts'

export const undoChange = defineOperation({
  name: 'changes.undo',
  command: 'undo',
  place: 'both',
  from: 'open',
  effect: 'write',
  args: {},
  result: record({
    ...{ undid: text('internal'), by: text('internal'), approval: maybe(id('internal')) },
    /** Codes of people who are invited again; they appear in this answer only. */
    codes: list(record({ name: text('sensitive'), say: text('sensitive') })),
  }),
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
    return ok({ undid: last.operation, by: last.undo.operation, approval, codes: codesIn(done.value) })
  },
  text({ undid, approval, codes }, { say, tell, cardBeside }) {
    const what = summaryOf(undid) ?? say(undid)
    if (approval === null) return tell('changes.undone', { what })
    const card = { what, yes: say('approve', approval), no: say('deny', approval) }
    const lines = codes.map(
      (one) =>
        `   ${[one.name, one.say]
          .filter((part) => part !== '')
          .map(oneLine)
          .join(': ')}`,
    )
    return [
      ...(lines.length > 0 ? [tell('changes.codes'), ...lines] : []),
      ...(cardBeside ? [] : [tell('changes.asks', card)]),
    ].join('\n')
  },
})

/** Codes in the result of `people.again`: one for each person, or the only one. */
function codesIn(value: unknown): readonly { readonly name: string; readonly say: string }[] {
  if (!isPlainRecord(value)) return []
  const { each, say } = value
  const all = Array.isArray(each) && each.length > 0 ? each : [{ say }]
  return all.flatMap((one: unknown) => {
    if (!isPlainRecord(one) || typeof one['say'] !== 'string') return []
    return [{ name: typeof one['name'] === 'string' ? one['name'] : '', say: one['say'] }]
  })
}
