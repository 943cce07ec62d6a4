/** `people.list`: the people who may send requests to the assistant (B-04). Called by the table of operations. */
import { ok } from '../../../flow/verdict.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { list } from '../../../operations/shape.ts'
import { PERSON, personLine } from './shape.ts'

export const listPeople = defineOperation({
  name: 'people.list',
  place: 'home',
  effect: 'read',
  plannable: true,
  args: {},
  result: list(PERSON),
  ports: ['people'],
  slash: 'people',
  run: async ({ people }) => ok(await people.list()),
  text: (people, view) =>
    people.length === 0
      ? view.tell('people.none', { invite: view.say('people.invite') })
      : people.map((person) => personLine(person, view)).join('\n'),
})
