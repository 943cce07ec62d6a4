/**
 * `approvals.edit`: replaces a text of a waiting call with the owner's own; the result is asked about again (F-11). Called by the
 * table of operations.
 */
import { ok } from '../../../flow/verdict.ts'
import { maybeNamed, rest, word } from '../../../operations/argument.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { record, text } from '../../../operations/shape.ts'
import { isNamed } from './shape.ts'

export const editCard = defineOperation({
  name: 'approvals.edit',
  place: 'both',
  from: 'open',
  effect: 'write',
  args: {
    which: word(),
    text: rest(),
    field: maybeNamed(),
  },
  result: record({ card: text('internal'), task: text('internal') }),
  ports: ['approvals', 'decisions'],
  follows: true,
  async run({ approvals, decisions }, { which, text: words, field }, { principal, place }) {
    const waiting = await approvals.list(principal)
    const approval = waiting.find((one) => isNamed(one, which))?.id ?? which
    const named = field === null ? {} : { argument: field }
    const edited = await decisions.edit({ approval, text: words, principal, place, ...named })
    return edited.ok ? ok({ card: approval, task: edited.value.task }) : edited
  },
  text: () => '',
})
