/**
 * `brain.write`: a directive file in its owner's words (O-10, O-11). What only adds is kept at once; what takes lines away is put on a card.
 * Called by the table of operations; the command line writes the text in an editor first.
 */
import * as z from 'zod/mini'
import { rest, word, yes } from '../../../operations/argument.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { REFUSALS } from './refusals.ts'
import { WRITTEN, writtenWords } from './shape.ts'

export const writeDirective = defineOperation({
  name: 'brain.write',
  summary: 'keep a text as a directive file',
  place: 'home',
  effect: 'write',
  args: {
    name: word('such as SOUL'),
    replaces: {
      schema: z.int().check(z.nonnegative()),
      ...{
        form: 'option',
        typed: 'count',
        about: 'the version that was edited; 0 for a new file',
        initial: 0,
      },
    },
    cleanup: yes('lines may go: shown first, and only with your yes'),
    text: rest('what it shall say'),
  },
  result: WRITTEN,
  ports: ['directives'],
  refusals: REFUSALS,
  run: ({ directives }, edit, caller) => directives.edit(caller, { ...edit, message: caller.message }),
  text: (written, view, { name }) => writtenWords(name, written, view),
})
