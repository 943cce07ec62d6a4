/** `people.show`: one paired person: which account, what may be started, until when (B-04). Called by the table of operations. */
import { err, ok } from '../../../flow/verdict.ts'
import { word } from '../../../operations/argument.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { PERSON, personWords } from './shape.ts'

export const showPerson = defineOperation({
  name: 'people.show',
  summary: 'one of those people: which account, what it may start, until when',
  place: 'home',
  effect: 'read',
  args: { id: word('from `pfar people`') },
  result: PERSON,
  ports: ['people'],
  slash: 'person',
  async run({ people }, { id }) {
    const person = (await people.list()).find((one) => one.id === id)
    return person === undefined ? err('agreement_unknown') : ok(person)
  },
  text: personWords,
})
