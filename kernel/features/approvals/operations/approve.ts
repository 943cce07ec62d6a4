/**
 * `approvals.approve`: approves one card (F-04), and can propose a grant for more of the same (F-19). Called by the
 * table of operations.
 */
import { ok } from '../../../flow/verdict.ts'
import { maybeOption, option, word } from '../../../operations/argument.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { AMBIGUOUS, ANSWERED, answerCard, answeredWords, EVERY, isLate, isNamed } from './shape.ts'

export const approveCard = defineOperation({
  name: 'approvals.approve',
  place: 'both',
  from: 'open',
  effect: 'write',
  command: 'approve',
  aliases: ['approvals approve'],
  args: {
    which: word(),
    always: maybeOption('days'),
    perDay: option('count', 5, { flag: 'per-day' }),
  },
  result: ANSWERED,
  ports: ['approvals', 'decisions'],
  follows: true,
  async run(ports, { which, always, perDay }, caller) {
    if (which === EVERY) return AMBIGUOUS
    const { approvals, decisions } = ports
    if (always === null) return answerCard(ports, { which, decision: 'approve' }, caller)
    // The grant is proposed before the decision, because it is made from the call of a question that still waits.
    const waiting = await approvals.list(caller.principal)
    const approval = waiting.find((one) => isNamed(one, which))?.id ?? which
    const put = await decisions.always(caller, { approval, days: always, perDay })
    if (!put.ok) return put
    const answered = await answerCard(ports, { which: approval, decision: 'approve' }, caller)
    return answered.ok ? ok({ ...answered.value, approval: put.value.approval }) : answered
  },
  text: (answered, { tell }) => answeredWords(answered, tell('approvals.done')),
  fails: isLate,
})
