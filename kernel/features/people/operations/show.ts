/** `people.show`: one paired person: account, allowed templates, end date (B-04). Called by the table of operations. */
import { err, ok } from '../../../flow/verdict.ts'
import { word } from '../../../operations/argument.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { PERSON, personWords } from './shape.ts'

export const showPerson = defineOperation({
  name: 'people.show',
  place: 'home',
  effect: 'read',
  args: { id: word() },
  result: PERSON,
  ports: ['people'],
  slash: 'person',
  async run({ people }, { id }) {
    const person = (await people.list()).find((one) => one.id === id)
    return person === undefined ? err('agreement_unknown') : ok(person)
  },
  text: personWords,
})
