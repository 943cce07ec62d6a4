/** `quiet.show`: shows when nothing is sent unrequested. Called by the table of operations. */
import { ok } from '../../../flow/verdict.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { QUIET, quietWords } from './shape.ts'

export const showQuiet = defineOperation({
  name: 'quiet.show',
  place: 'both',
  from: 'open',
  effect: 'read',
  plannable: true,
  args: {},
  result: QUIET,
  ports: ['quiet'],
  command: 'quiethours',
  slash: 'quiethours',
  run: async ({ quiet }) => ok(quiet.read()),
  text: (quiet, view) => quietWords(quiet, view),
})
