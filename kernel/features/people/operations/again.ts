/**
 * `people.again`: shows the card of an ended agreement again, with new codes and for as many days. For several people, only if
 * the same was agreed with each. Changes nothing before the owner approves. Called by the table of operations.
 */
import { err, ok } from '../../../flow/verdict.ts'
import { word } from '../../../operations/argument.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { isMeant } from '../../../task/agreement.ts'
import { INVITED, invitedWords } from './shape.ts'

const DAY = 24 * 3_600_000
/** Hours for which the new codes are valid, as with any invitation. */
const CODE_HOURS = 24

function daysOf({
  createdAt,
  expiresAt,
}: {
  readonly createdAt: number
  readonly expiresAt: number
}): number {
  return Math.max(1, Math.round((expiresAt - createdAt) / DAY))
}

export const invitePersonAgain = defineOperation({
  name: 'people.again',
  place: 'home',
  effect: 'widen',
  args: { ids: word() },
  result: INVITED,
  ports: ['people'],
  async run({ people }, { ids }, caller) {
    const wanted = ids.split(',')
    const ended = (await people.list()).filter(
      ({ id, state }) => state === 'revoked' && wanted.some((one) => isMeant(id, one)),
    )
    const [first, ...others] = ended
    if (first === undefined) return err('agreement_unknown', { agreement: ids.slice(0, 80) })
    const { name, templates } = first
    const days = daysOf(first)
    const isSame = others.every(
      (one) => daysOf(one) === days && [...one.templates].sort().join() === [...templates].sort().join(),
    )
    if (!isSame) return err('agreement_unknown', { agreement: ids.slice(0, 80) })
    const several = others.length > 0 && { others: others.map((one) => one.name) }
    const put = await people.invite(caller, { name, ...several, templates, hours: CODE_HOURS, days })
    return put.ok ? ok({ ...put.value, each: [...put.value.each] }) : put
  },
  text: invitedWords,
})
