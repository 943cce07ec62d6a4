/** `approvals.deny`: denies one card, or all that wait (F-04). Called by the table of operations. */
import { ok } from '../../../flow/verdict.ts'
import { word } from '../../../operations/argument.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { number, record } from '../../../operations/shape.ts'
import { ANSWERED, answerCard, answeredWords, EVERY, isLate, NO_RULE_NO_GRANT, refuseAll } from './shape.ts'

const { fields } = ANSWERED

export const denyCard = defineOperation({
  name: 'approvals.deny',
  place: 'both',
  from: 'open',
  effect: 'write',
  command: 'deny',
  aliases: ['approvals deny'],
  args: { which: word() },
  result: record({ ...fields, refused: number('internal') }),
  ports: ['approvals', 'decisions'],
  follows: true,
  async run(ports, { which }, caller) {
    if (which !== EVERY) {
      const answered = await answerCard(ports, { which, decision: 'deny' }, caller)
      return answered.ok ? ok({ ...answered.value, refused: answered.value.ended === '' ? 1 : 0 }) : answered
    }
    const all = await refuseAll(ports, caller)
    return all.ok
      ? ok({ card: '', task: '', ended: '', again: false, ...NO_RULE_NO_GRANT, refused: all.value })
      : all
  },
  // In a chat the answer is never empty, although the task of the card reports too.
  text: (answered, { tell, inChat }, { which }) =>
    which === EVERY
      ? answered.refused === 0
        ? tell('approvals.nothing_waits')
        : tell('approvals.refused_all', { count: answered.refused })
      : answeredWords(answered, tell('approvals.refused')) ||
        (inChat === true ? tell('approvals.refused') : ''),
  fails: isLate,
})
